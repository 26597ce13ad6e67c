"""Opponent modelling: inferences from actions about holdings and habits."""

from railbird.modelling.action_frequencies import ActionKind, Frequencies
from railbird.modelling.board_ranking import BoardValues, board_values
from railbird.modelling.income_rates import income_rates, roll_out
from railbird.modelling.reweighting import Evidence, Weights
from railbird.modelling.settings import DEFAULTS, LOW, Checks, Ranking, Sigma
from railbird.modelling.threshold_spread import ThresholdSpread
from railbird.modelling.tracker import BeliefUpdate, Tracker

__all__ = [
    "DEFAULTS",
    "LOW",
    "ActionKind",
    "BeliefUpdate",
    "BoardValues",
    "Checks",
    "Evidence",
    "Frequencies",
    "Ranking",
    "Sigma",
    "ThresholdSpread",
    "Tracker",
    "Weights",
    "board_values",
    "income_rates",
    "roll_out",
]
