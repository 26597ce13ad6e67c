"""Units in which the results of hands are counted."""

from __future__ import annotations

from enum import StrEnum


class ResultUnit(StrEnum):
    """A unit of winnings; the value is its abbreviation in tables, keys and JSON.

    ``sb`` always means small bet; the small blind has no abbreviation.

    >>> f"0.05 {ResultUnit.SMALL_BETS} a hand", ResultUnit("bb").words
    ('0.05 sb a hand', 'big blinds')
    """

    SMALL_BETS = "sb"
    BIG_BLINDS = "bb"
    MILLI_BIG_BLINDS = "mbb"
    CHIPS = "chips"

    @property
    def words(self) -> str:
        """The plural in full."""
        return _WORDS[self]


_WORDS = {
    ResultUnit.SMALL_BETS: "small bets",
    ResultUnit.BIG_BLINDS: "big blinds",
    ResultUnit.MILLI_BIG_BLINDS: "thousandths of a big blind",
    ResultUnit.CHIPS: "chips",
}
