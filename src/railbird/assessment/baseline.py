"""Moved to `railbird.baseline.policy` by the lead (the baseline player needs it): import it from there."""
from railbird.baseline.policy import *  # noqa: F403
