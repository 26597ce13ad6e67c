"""Numbers as Kan (2007) prints them; text, since the printed digits show their precision."""

from __future__ import annotations

from typing import Final, NamedTuple

SIMULATED_HANDS: Final = 25_000_000
"""Hands from which the source estimated the variance of money."""

MONEY_VARIANCE: Final = "47.010"
MONEY_SD: Final = "6.856"
"""Always-Call against Always-Raise, over all hands and boards (section 4.2.1)."""


class Spread(NamedTuple):
    """Standard deviation of DIVAT in a match, and the variance of money over that of DIVAT."""

    divat_sd: str
    variance_reduction: str


ALWAYS_CALL_LONG: Final = Spread("2.913", "5.54")
"""Always-Call against Always-Raise, 400,000 hands (figures 4.2 and 4.4)."""
ALWAYS_CALL_FIRST: Final = Spread("2.934", "5.46")
"""The first 100,000 of them (figures 4.1 a and 4.3 a)."""
ALWAYS_CALL_OTHER: Final = Spread("2.917", "5.52")
"""Another match of 100,000 hands (figures 4.1 b and 4.3 b)."""

SELF_PLAY_MONEY_SD: Final = "4.691"
SELF_PLAY: Final = Spread("1.863", "6.34")
"""PsOpti4 against itself (figure 4.5)."""


class Direction(NamedTuple):
    """One direction of the duplicate match of PsOpti4 and PsOpti6."""

    letter: str
    """Letter of the figure."""
    money: str
    """Small bets per hand."""
    divat: str
    money_sd: str
    divat_sd: str


DUPLICATE: Final = (
    Direction("a", "0.10", "0.11", "4.750", "1.929"),
    Direction("b", "0.12", "0.11", "4.747", "1.932"),
)
"""Figure 4.6."""
DUPLICATE_VARIANCE_REDUCTION: Final = "6.05"
"""In either direction."""
DUPLICATE_PAIRS_MONEY_SD: Final = "1.643"
DUPLICATE_PAIRS_DIVAT_SD: Final = "1.178"
"""Average of the two plays of a deal (figure 4.7)."""
