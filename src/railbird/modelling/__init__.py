"""Opponent modelling: inferences from actions about holdings and habits."""

from railbird.game import ActionKind
from railbird.modelling.reweighting import (
    BoardValues,
    Evidence,
    ThresholdSpread,
    Weights,
    board_values,
    income_rates,
    roll_out,
)
from railbird.modelling.settings import DEFAULTS, LOW, Checks, Ranking, Sigma
from railbird.modelling.tracker import BeliefUpdate, Frequencies, Tracker

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
