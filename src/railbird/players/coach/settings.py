"""Defaults of the coach."""

from __future__ import annotations

from enum import Enum
from typing import Final


class Switch(Enum):
    """By what the coach chooses who plays the next hand."""

    BOUNDS = "bounds"
    """The one that may be best: its upper confidence bound is the highest."""
    CHIPS = "chips"
    """The first of two, until it has lost too much; again when there is little left."""


LOST: Final = 60.0
"""Small bets that the first player may lose before the second takes over (`Switch.CHIPS`)."""

LEFT: Final = 40.0
"""Small bets left of `STAKE` at which the first player comes back."""

STAKE: Final = 200.0
"""Small bets with which a match begins for `Switch.CHIPS`.

The source tells no numbers: its program changed after some ninety hands of bad luck, and back when
not many chips were left (Kan 2007, section 5.3).
"""

TRICKY: Final = 0.2
"""How often a trickiness filter changes what it may change. The source's filter "does not come into
effect very often" (Kan 2007, section 5.4.2)."""

STRONG: Final = 0.85
WEAK: Final = 0.25
"""Hand ranks from which a filter plays slowly, and below which it bluffs."""

LEAST_TAKEN: Final = 1e-3
"""A strategy takes every action at times if it does so this often in some state of the cards."""

ALPHA: Final = 0.05
"""Largest probability that any bound of any expert is ever wrong."""
