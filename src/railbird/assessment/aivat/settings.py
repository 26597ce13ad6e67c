"""Defaults of AIVAT for limit hold'em."""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class Exact(IntEnum):
    """The round from which on values are exact rather than from a table."""

    TURN = 2
    RIVER = 3
    NEVER = 4


DEFAULT: Final = Exact.RIVER
"""A hand takes 2 to 3 ms by it, ten times as long from an exact turn on."""

NAMES: Final = {Exact.NEVER: "aivat_table", Exact.RIVER: "aivat", Exact.TURN: "aivat_turn"}
"""The estimators by the round from which on values are exact."""

MODEL: Final = "baseline"
"""By whose play unknown players' hands are valued where the known one does not look at its cards; a
known player that does is a good model itself."""

BUCKETS: Final = (5, 5, 5, 5)
"""The percentile abstraction whose states have values: its meetings are counted in the package."""

BOARDS: Final = 500
"""Random boards over which a strategy of other states is averaged to find values."""

CONTRADICTION: Final = 1e-9
"""Chance at which a player's actions are not believed to be those of the strategy that is said to
be its own. So small, because it is looked at after every batch of hands."""
