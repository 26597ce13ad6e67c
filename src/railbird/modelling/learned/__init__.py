"""Learned probabilities of actions, and beliefs by them. Beyond Papp 1998."""

from railbird.modelling.learned.action_model import ActionModel, read_model, shipped_model
from railbird.modelling.learned.fitting import ActionCounts, fit
from railbird.modelling.learned.learned_tracker import LearnedTracker

__all__ = [
    "ActionCounts",
    "ActionModel",
    "LearnedTracker",
    "fit",
    "read_model",
    "shipped_model",
]
