"""Bunching in heads-up spots: what players who have folded say of the cards that are left.

`folded_kernels` computes it. `railbird.solve.pushfold_table` does it before the flop, by pairs.

A player who folds has fewer high cards than others, so the players who are left have more of them.
With the weights w of both ranges and f1, f2, ... of the folded players' ranges, a pair of holdings
on a board counts w(h) w(g) times

    F = sum over the ways in which the others' holdings share no card with h, g, the board or each
        other, of the product of their weights,

which depends on the cards of h, g and the board alone, whoever holds which. F also weights the
cards to come: a card is dealt from those that nobody has, folded players included. All of it is
exact, and is computed once for all sets of cards, before anything is solved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import comb
from typing import Final

import numpy as np
import numpy.typing as npt

from railbird._threads import in_slices
from railbird.cards import HOLDING_CARDS
from railbird.progress import Progress
from railbird.solve.spot.folded_kernels import add_folded, leave_out, look_up_sets, weigh_pairs

Weights = npt.NDArray[np.float64]

BOTH_HOLDINGS: Final = 4
"""Cards of two players."""

_WHOLE_BOARD: Final = 5
_COUNTING: Final = "counting folded cards"
_SLICE: Final = 50_000
"""Sets that are counted between two looks at Ctrl-C."""
_DOUBLE: Final = 8
"""Bytes of a number."""


def largest_sets(folded: int, cards_to_come: int) -> list[int]:
    """Return, for no player, one, and so on, how many cards the largest sets have."""
    most = BOTH_HOLDINGS + cards_to_come
    return [min(2 * count, most + 2 * (folded - count)) for count in range(folded + 1)]


def table_bytes(folded: int, board: int, deck: int) -> int:
    """Return the most that `Folded` takes while it is made, in bytes."""
    to_come, left = _WHOLE_BOARD - board, deck - board
    sums = [_count(left, size) for size in largest_sets(folded, to_come)]
    both = max((earlier + later for earlier, later in pairwise(sums)), default=0)
    last = sum(comb(left, BOTH_HOLDINGS + more) for more in range(to_come + 1))
    return _DOUBLE * max(both, sums[-1] + last)


def _count(deck: int, most: int) -> int:
    return sum(comb(deck, size) for size in range(most + 1))


def _matrix(weights: Weights, number: npt.NDArray[np.int64], deck: int) -> Weights:
    """Return (deck, deck) the weights of holdings by both cards, of those that may come."""
    matrix = np.zeros((deck, deck))
    low, high = number[HOLDING_CARDS].T
    known = (low >= 0) & (high >= 0)
    matrix[low[known], high[known]] = matrix[high[known], low[known]] = weights[known]
    return matrix


def _fill(
    out: Weights,
    of: Weights,
    sums: Weights,
    first: npt.NDArray[np.int64],
    most: int,
    size: int,
    begin: int,
    end: int,
) -> None:
    add_folded(len(of), of, sums, first, most, size, begin, end, out)


def _leave(
    table: Weights,
    sums: Weights,
    first: npt.NDArray[np.int64],
    most: int,
    size: int,
    begin: int,
    end: int,
) -> None:
    leave_out(sums, first, most, size, begin, end, table)
    np.maximum(table[begin:end], 0, out=table[begin:end])  # rounding


@dataclass(frozen=True, slots=True, eq=False)
class Folded:
    """The weight of what has been folded, for all sets of cards that are not among it."""

    number: npt.NDArray[np.int64]
    """(52,) of each card among those that may come; -1 for all others."""
    tables: tuple[Weights, ...]
    """By the number of cards beside the spot's board, from four on."""

    @classmethod
    def of(
        cls,
        ranges: Sequence[Weights],
        board: Sequence[int],
        deck: Sequence[int],
        progress: Progress | None = None,
    ) -> Folded:
        """Count what (1326,) weights leave on a board."""
        cards = [card for card in deck if card not in board]
        number = np.full(52, -1, dtype=np.int64)
        number[cards] = np.arange(len(cards))
        most = largest_sets(len(ranges), _WHOLE_BOARD - len(board))
        first = np.cumsum([0, *(comb(len(cards), size) for size in range(max(most) + 1))])
        sums = np.ones(1)
        total, done = sum(_count(len(cards), size) for size in most[1:]), 0

        def told(here: int, _: int, what: str) -> None:
            if progress is not None:
                progress(done + here, total, what)

        for weights, (before, after) in zip(ranges, pairwise(most), strict=True):
            out = np.zeros(first[after + 1])
            of = _matrix(weights, number, len(cards))
            for size in range(after + 1):
                work = partial(_fill, out, of, sums, first, before, size)
                sets = comb(len(cards), size)
                in_slices(work, sets, size=_SLICE, what=_COUNTING, progress=told)
                done += sets
            sums = out
        sums /= np.prod([weights.sum() for weights in ranges])
        tables = []
        for size in range(BOTH_HOLDINGS, BOTH_HOLDINGS + _WHOLE_BOARD - len(board) + 1):
            table = np.zeros(comb(len(cards), size))
            work = partial(_leave, table, sums, first, most[-1], size)
            in_slices(work, len(table), size=_SLICE, what=_COUNTING)
            tables.append(table)
        return cls(number, tuple(tables))

    def weights(self, cards: npt.NDArray[np.integer]) -> Weights:
        """Return what the folded players weigh if others have the cards of each (sets, cards).

        Zero for a set with a card twice, or on the board.
        """
        sets = self.number[cards]
        weighed = np.zeros(len(sets))
        allowed = np.flatnonzero((sets >= 0).all(axis=1))
        out = np.zeros(len(allowed))
        look_up_sets(sets[allowed], self.tables[sets.shape[1] - BOTH_HOLDINGS], out)
        weighed[allowed] = out
        return weighed

    def pairs(
        self,
        known: Sequence[int],
        ones: npt.NDArray[np.integer],
        others: npt.NDArray[np.integer],
        scale: float,
        out: npt.NDArray[np.float32],
    ) -> None:
        """Write (ones, others) the weights of pairs of holdings, times ``scale``.

        ``known`` are the cards that have come since the spot began.
        """
        weigh_pairs(
            self.number[np.array(known, dtype=np.int64)],
            self.number[HOLDING_CARDS[ones]],
            self.number[HOLDING_CARDS[others]],
            self.tables[len(known)],
            scale,
            out,
        )
