"""Limits for statements about matches, chosen before any data are seen."""

from __future__ import annotations

FEWEST_TO_COMPARE = 1_000
"""Minimum hands of a player for showing the course of the results and testing for a change."""

HANDS_OF_A_STRETCH = 500
"""Minimum number of hands in a stretch of the course."""

MOST_STRETCHES = 10
"""Maximum number of stretches of the course."""
