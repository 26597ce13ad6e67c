"""Exact winnings of every holding from a range if the hand is checked down."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from math import comb

import numpy as np
import numpy.typing as npt

from railbird.cards import HOLDING_CARDS, HOLDINGS
from railbird.cards.tables import CARD_MASK, HOLDING_MASK
from railbird.errors import BadInput
from railbird.odds.preflop_matrix import open_matrix
from railbird.odds.range_showdowns_kernels import add_wins, add_wins_of_many, sort_holdings

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

_AFTER = 1081
"""Number of holdings that five known cards leave."""
_ROUGHLY = 47
"""Number of boards that are counted if an approximation is enough."""
_AT_ONCE = 24
"""Number of boards whose ties are counted at once: what is counted then stays in the cache."""


def met(reach: Floats) -> Floats:
    """Return the weight of a range (1326,) that shares no card with each holding, (1326,)."""
    by_card = np.bincount(HOLDING_CARDS.ravel(), np.repeat(reach, 2), minlength=52)
    disjoint: Floats = reach.sum() - by_card[HOLDING_CARDS].sum(axis=1) + reach
    return disjoint


def met_by_many(reach: Floats) -> Floats:
    """Return `met` for several ranges side by side, (1326, ranges)."""
    by_card = reach[_with_card()].sum(axis=1)
    low, high = HOLDING_CARDS.T
    disjoint: Floats = reach.sum(axis=0) - by_card[low] - by_card[high] + reach
    return disjoint


@cache
def _with_card() -> npt.NDArray[np.int64]:
    """Return (52, 51) the holdings that have a card."""
    holds = (np.arange(52)[:, None, None] == HOLDING_CARDS).any(axis=2)
    return np.nonzero(holds)[1].reshape(52, 51)


class RangeShowdowns:
    """All showdowns after a board of 0 or 3 to 5 cards."""

    def __init__(self, board: Sequence[int] | npt.NDArray[np.uint8]) -> None:
        """Rank all holdings on every board that may follow, on a flop in a tenth of a second."""
        cards = np.asarray(board, dtype=np.uint8)
        used = np.bitwise_or.reduce(CARD_MASK[cards]) if len(cards) else np.uint64(0)
        self.live: Floats = ((HOLDING_MASK & used) == 0).astype(np.float64)
        """(1326,) 1 for the holdings that share no card with the board, else 0."""
        self._sorted: tuple[npt.NDArray[np.uint16], npt.NDArray[np.int64]] | None = None
        self._boards = 1
        if len(cards):
            follow = comb(52 - len(cards), 5 - len(cards))
            self._boards = comb(48 - len(cards), 5 - len(cards))
            self._sorted = (
                np.empty((follow, _AFTER), np.uint16),
                np.empty((follow, _AFTER), np.int64),
            )
            sort_holdings(cards, *self._sorted)

    def won(self, reach: Floats) -> Floats:
        """Return the share of the pot that each holding wins from a range, (1326,) of (1326,).

        `met` is the weight that each holding can meet, so the ratio of both is its equity. Holdings
        that share a card with the board must be 0 in ``reach``, and get 0.
        """
        if self._sorted is None:
            shares: Floats = _before_flop() @ reach
            return shares
        won = np.zeros(HOLDINGS)
        add_wins(*self._sorted, reach, won)
        return won / self._boards

    def won_by_many(self, reach: Floats, *, roughly: bool = False) -> Floats:
        """Return `won` (1326, ranges) of several ranges (1326, ranges), side by side.

        ``roughly`` counts `_ROUGHLY` of the boards that may follow the flop, always the same ones.
        """
        if self._sorted is None:
            shares: Floats = _before_flop() @ reach
            return shares
        order, strengths = self._sorted
        step = max(1, len(order) // _ROUGHLY) if roughly else 1
        order, strengths = order[::step].copy(), strengths[::step].copy()
        won = np.zeros(reach.shape)
        add_wins_of_many(order, strengths, np.ascontiguousarray(reach), won)
        return won * (len(self._sorted[0]) / len(order) / self._boards)

    def counts(self) -> tuple[Counts, Counts]:
        """Return how many showdowns each holding wins and ties against all others, (1326,) each.

        All boards that may follow count; before the flop there are too many of them. A holding that
        shares a card with the board has none.
        """
        if self._sorted is None:
            raise BadInput("an empty board; allowed: 3 to 5 cards")
        won, tied = np.zeros(HOLDINGS), np.zeros(HOLDINGS, np.int64)
        add_wins(*self._sorted, self.live, won)
        order, strengths = self._sorted
        for first in range(0, len(order), _AT_ONCE):
            some = order[first : first + _AT_ONCE].ravel()
            begins = np.diff(strengths[first : first + _AT_ONCE], axis=1, prepend=-1) != 0
            equals = np.cumsum(begins) - 1
            sizes = np.bincount(equals)
            low, high = (52 * equals + cards for cards in HOLDING_CARDS.T[:, some])
            with_card = np.bincount(np.concatenate([low, high]), minlength=52 * len(sizes))
            # A holding's equals are those of its strength less those with one of its cards; it has
            # itself both of them, and so is put back once.
            ties = sizes[equals] - with_card[low] - with_card[high] + 1
            tied += np.bincount(some, ties, HOLDINGS).astype(np.int64)
        return (won - tied / 2).astype(np.int64), tied


@lru_cache(maxsize=4)
def showdowns_on(board: bytes) -> RangeShowdowns:
    """Return the showdowns after a board, whose cards are bytes; those of the last few are kept."""
    return RangeShowdowns(np.frombuffer(board, dtype=np.uint8))


@cache
def _before_flop() -> Floats:
    return np.nan_to_num(open_matrix().equity)
