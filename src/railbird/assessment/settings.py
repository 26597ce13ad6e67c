"""Limits of what is said of matches, chosen before any data are seen."""

from __future__ import annotations

FEWEST_TO_COMPARE = 1_000
"""Hands of a player from which on the course of the results is shown and tested for a change."""

HANDS_OF_A_STRETCH = 500
"""Hands that a stretch of the course has at least."""

MOST_STRETCHES = 10
"""Stretches that the course of the results is cut into at most."""
