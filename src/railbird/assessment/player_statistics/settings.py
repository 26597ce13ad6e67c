"""What decides how hands are summed up, fixed before any hand is seen."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

SESSION_GAP: Final = timedelta(minutes=60)
"""A player who does nothing for so long begins a new session."""

STYLE_BAND: Final = 0.2
"""How far from the norm, as a share of it, a style is still moderate."""
