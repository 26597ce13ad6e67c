"""Moved to `railbird.baseline.settings` by the lead (the baseline player needs it): import it from there."""
from railbird.baseline.settings import *  # noqa: F403
