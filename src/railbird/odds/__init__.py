"""Equity, hand ranks, strength and potential, and the tables behind them."""

from railbird.odds.equity.all_in_equity import Equity, Method, Mode, PlayerEquity, equity
from railbird.odds.equity.preflop_matrix import (
    PAIR_BOARDS,
    ClassMatrix,
    Count,
    PreflopMatrix,
    classes_matrix,
    equities_against,
    open_matrix,
)
from railbird.odds.hand_odds import HandOdds, hand_odds, raw_odds
from railbird.odds.hand_rank.ranks import HandRank, ehr, final_ranks, hand_rank
from railbird.odds.outs import NextCard, Outs, outs
from railbird.odds.pot_odds import call_value, implied_odds, pot_odds
from railbird.odds.potential.multiway_strength import joint_hand_strength
from railbird.odds.potential.strength_and_potential import (
    Potential,
    hand_strength,
    hand_strengths,
    potential,
)
from railbird.odds.potential.weighted_odds import ModelOdds, model_odds
from railbird.odds.preflop_value.chart import PreflopChart, preflop_chart
from railbird.odds.preflop_value.table import PreflopSituation
from railbird.odds.preflop_value.value import (
    FlopOutcomes,
    PreflopValue,
    Stakes,
    flop_outcomes,
    preflop_value,
)
from railbird.odds.spectra.odds_against import (
    ShowdownOdds,
    odds_by_opponents,
    showdown_odds,
)
from railbird.odds.spectra.opponent import Opponent, looseness_of, reflected_weights
from railbird.odds.spectra.reflective_odds import ReflectiveOdds, reflective_odds
from railbird.odds.spectra.spectrum import Spectrum, spectrum
from railbird.odds.straight_play import (
    Play,
    bluffing_frequency,
    draw_value,
    pays,
    raise_ratio,
    required_equity,
    risk_ratio,
    straight_play,
)
from railbird.odds.tables.rank_tables import (
    HR7_WHOLE,
    IHR_WHOLE,
    Check,
    Condition,
    Tables,
    TableStatus,
    build,
    cache_folder,
    open_tables,
    status,
)

__all__ = [
    "HR7_WHOLE",
    "IHR_WHOLE",
    "PAIR_BOARDS",
    "Check",
    "ClassMatrix",
    "Condition",
    "Count",
    "Equity",
    "FlopOutcomes",
    "HandOdds",
    "HandRank",
    "Method",
    "Mode",
    "ModelOdds",
    "NextCard",
    "Opponent",
    "Outs",
    "Play",
    "PlayerEquity",
    "Potential",
    "PreflopChart",
    "PreflopMatrix",
    "PreflopSituation",
    "PreflopValue",
    "ReflectiveOdds",
    "ShowdownOdds",
    "Spectrum",
    "Stakes",
    "TableStatus",
    "Tables",
    "bluffing_frequency",
    "build",
    "cache_folder",
    "call_value",
    "classes_matrix",
    "draw_value",
    "ehr",
    "equities_against",
    "equity",
    "final_ranks",
    "flop_outcomes",
    "hand_odds",
    "hand_rank",
    "hand_strength",
    "hand_strengths",
    "implied_odds",
    "joint_hand_strength",
    "looseness_of",
    "model_odds",
    "odds_by_opponents",
    "open_matrix",
    "open_tables",
    "outs",
    "pays",
    "pot_odds",
    "potential",
    "preflop_chart",
    "preflop_value",
    "raise_ratio",
    "raw_odds",
    "reflected_weights",
    "reflective_odds",
    "required_equity",
    "risk_ratio",
    "showdown_odds",
    "spectrum",
    "status",
    "straight_play",
]
