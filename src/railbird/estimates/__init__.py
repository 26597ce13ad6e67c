"""Estimates with their uncertainty: means, ratios, anytime-valid intervals."""

from railbird.estimates.estimate import Estimate, Moments, hands_to_decide, variance_reduction

__all__ = ["Estimate", "Moments", "hands_to_decide", "variance_reduction"]
