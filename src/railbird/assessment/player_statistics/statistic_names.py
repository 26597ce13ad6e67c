"""Definitions of the statistics, as in tracking software: occurrences out of opportunities.

The numbers are columns of `_kernels_count_statistics`. The manual quotes these sentences.
"""

from __future__ import annotations

from enum import IntEnum


class Statistic(IntEnum):
    """One share; the value is its column."""

    VPIP = 0
    PFR = 1
    THREE_BET = 2
    FOLD_TO_THREE_BET = 3
    FOUR_BET = 4
    SQUEEZE = 5
    STEAL = 6
    FOLD_TO_STEAL = 7
    CBET = 8
    FOLD_TO_CBET = 9
    CBET_TURN = 10
    CHECK_RAISE = 11
    AGGRESSION_FREQUENCY = 12
    WTSD = 13
    WSD = 14
    WWSF = 15

    @property
    def key(self) -> str:
        """The name in JSON and CSV."""
        return self.name.lower()


class Position(IntEnum):
    """Places at the table by distance from the button, as a column numbers them."""

    SMALL_BLIND = 0
    BIG_BLIND = 1
    EARLY = 2
    MIDDLE = 3
    CUTOFF = 4
    BUTTON = 5

    @property
    def key(self) -> str:
        """The name in JSON and CSV."""
        return self.name.lower()


def position_of(seat: int, seats: int) -> Position:
    """Name the place of a seat at a table of so many; heads-up the button is the small blind.

    >>> [position_of(seat, 6).key for seat in (0, 2, 3, 4, 5)]
    ['small_blind', 'middle', 'middle', 'cutoff', 'button']
    """
    if seats == 2:
        return (Position.BIG_BLIND, Position.BUTTON)[seat]
    if seat < 2:
        return Position(seat)
    behind = seats - 1 - seat
    if behind < 2:
        return (Position.BUTTON, Position.CUTOFF)[behind]
    return Position.MIDDLE if behind < 4 else Position.EARLY


DEFINITIONS = {
    Statistic.VPIP: "put chips in before the flop by choice, of hands with a decision there",
    Statistic.PFR: "raised before the flop, of hands with a decision there",
    Statistic.THREE_BET: "raised the first raise, of hands that faced it without having raised",
    Statistic.FOLD_TO_THREE_BET: "folded to a third bet, of hands whose own raise met one",
    Statistic.FOUR_BET: "raised a third bet, of hands that faced one",
    Statistic.SQUEEZE: "raised a raise that somebody had called, of hands that faced that",
    Statistic.STEAL: "raised first in from cutoff, button or small blind, of chances to",
    Statistic.FOLD_TO_STEAL: "folded in the blinds to such a raise, of hands that faced it alone",
    Statistic.CBET: "bet the flop as the last to have raised before it, of chances to",
    Statistic.FOLD_TO_CBET: "folded to such a bet, of hands that faced it",
    Statistic.CBET_TURN: "bet the turn after betting the flop so, of chances to",
    Statistic.CHECK_RAISE: "raised after checking, of streets on which a check met a bet",
    Statistic.AGGRESSION_FREQUENCY: "bets and raises of all actions after the flop but checks",
    Statistic.WTSD: "came to the showdown, of hands that saw the flop",
    Statistic.WSD: "won chips at the showdown, of showdowns",
    Statistic.WWSF: "won chips, of hands that saw the flop",
}
"""One sentence each; on a street a chance counts at its first occurrence."""
