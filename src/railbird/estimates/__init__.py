"""Estimates with their uncertainty: means, ratios, bounded means, anytime-valid intervals."""

from railbird.estimates.bounded_mean import BoundedMean
from railbird.estimates.estimate import (
    Estimate,
    Moments,
    ResultUnit,
    hands_to_decide,
    paired_difference,
    variance_reduction,
)

__all__ = [
    "BoundedMean",
    "Estimate",
    "Moments",
    "ResultUnit",
    "hands_to_decide",
    "paired_difference",
    "variance_reduction",
]
