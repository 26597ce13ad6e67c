from . import learned
from .learned import ActionKind
from .reweighting import (
    BoardValues,
    Evidence,
    ThresholdSpread,
    Weights,
    board_values,
    income_rates,
    roll_out,
)
from .settings import DEFAULTS, LOW, Checks, Ranking, Sigma
from .tracker import BeliefUpdate, Frequencies, Tracker

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
    "learned",
    "roll_out",
]
