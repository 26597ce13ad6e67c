"""Settings of the statistics, fixed before any hand is seen."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

SESSION_GAP: Final = timedelta(minutes=60)
"""Pause after which a player begins a new session."""

STYLE_BAND: Final = 0.2
"""Relative distance from the norm up to which a style is moderate."""
