from . import confidence_sequences
from .bounded_mean import BoundedMean
from .confidence_sequences import AnytimeInterval, StoppingRule, parse_goal
from .estimate import (
    Estimate,
    Moments,
    ResultUnit,
    hands_to_decide,
    paired_difference,
    variance_reduction,
)

__all__ = [
    "AnytimeInterval",
    "BoundedMean",
    "Estimate",
    "Moments",
    "ResultUnit",
    "StoppingRule",
    "confidence_sequences",
    "hands_to_decide",
    "paired_difference",
    "parse_goal",
    "variance_reduction",
]
