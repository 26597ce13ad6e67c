"""Defaults of the player. Those without a source were chosen by matches against simple players."""

from __future__ import annotations

from enum import Enum
from typing import Final


class Memory(Enum):
    """How long counts of opponents' actions last."""

    SHORT = "short"
    """They are halved every `HALVED_EVERY` hands: as opponents play in this sitting."""
    LONG = "long"
    """They are kept until the player is reset."""
    OFF = "off"
    """Everybody plays as the ideal player."""


class Reflection(Enum):
    """How an opponent's actions filter his holdings."""

    BOOLEAN = "boolean"
    """A holding was worth the action, or not."""
    FUZZY = "fuzzy"
    """The probability falls smoothly: a filter that is too rigid is deceived easily."""
    OFF = "off"
    """Not at all: raw odds."""


LEARN: Final = "learn"
"""In place of a looseness: it follows from the flops that an opponent is seen to see."""

LEAST_LOOSENESS: Final = 0.1
MOST_LOOSENESS: Final = 10.0
"""Bounds of a looseness that is given; at 10 everybody plays everything at any table."""

HALVED_EVERY: Final = 40
"""Hands after which short-term counts are halved."""

SOFTNESS: Final = 0.08
"""Width of the fuzzy filter, in shares of all holdings."""

PRIOR_DECISIONS: Final = 12
"""Decisions at the usual shares that an opponent's rates after the flop begin with."""

MOST_IDEAL: Final = 0.85
"""Most flops seen that can be ideal; heads-up nearly all hands are worth the blind's price."""

LATER_BETS: Final = 0.25
"""Part of a bet on each later street that the implied odds count, for hands give up on the way."""

PAYING: Final = 0.5
"""Share of these bets that each opponent pays."""

RERAISE_SHARE: Final = 0.05
"""Share of holdings with which a raise before the flop is raised again."""

BET_SIZE: Final = 0.75
"""Size of bets and raises in pots, where the rules leave a choice."""

OPEN_SIZE: Final = 2.5
"""Size of the first raise before the flop in big blinds, where the rules leave a choice."""

LEAST_FOR_SIZE: Final = 0.3
"""Smallest factor by which the size of a bet narrows what is worth it."""

BLUFF_TAIL: Final = 0.3
"""Share of the worst holdings from which bluffs are taken."""
