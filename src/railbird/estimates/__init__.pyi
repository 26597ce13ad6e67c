from . import confidence_sequences
from .bankroll import Bankroll, Spread, bankroll_of, risk_of_ruin
from .bounded_mean import BoundedMean
from .confidence_sequences import AnytimeInterval, StoppingRule, parse_goal
from .estimate import (
    Estimate,
    Moments,
    ResultUnit,
    hands_to_tell,
    paired_difference,
    variance_reduction,
)

__all__ = [
    "AnytimeInterval",
    "Bankroll",
    "BoundedMean",
    "Estimate",
    "Moments",
    "ResultUnit",
    "Spread",
    "StoppingRule",
    "bankroll_of",
    "confidence_sequences",
    "hands_to_tell",
    "paired_difference",
    "parse_goal",
    "risk_of_ruin",
    "variance_reduction",
]
