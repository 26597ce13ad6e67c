"""The bunching effect in heads-up spots: what folded players' ranges say about the other cards.

`folded_kernels` has the computation. `railbird.solve.pushfold_table` approximates the effect before
the flop in pairs of players.

A player who folds tends to have fewer high cards, so the remaining players have more of them. Let w
be the weights of both ranges, and f1, f2, ... those of the folded players' ranges. A pair of
holdings h and g on a board then counts w(h) w(g) F with

    F = sum, over all folded holdings that share no card with h, g, the board or each other, of the
        product of their weights.

F depends only on the set of cards of h, g and the board. It also weights the cards to come, since a
card is dealt from those that nobody holds, folded players included. The result is exact, and is
computed once for all sets of cards before anything is solved.
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
"""Number of cards that two players hold."""

_WHOLE_BOARD: Final = 5
_COUNTING: Final = "counting folded cards"
_SLICE: Final = 50_000
"""Sets that are counted between two checks for Ctrl-C."""
_DOUBLE: Final = 8
"""Bytes of a number."""


def largest_sets(folded: int, cards_to_come: int) -> list[int]:
    """Return the size of the largest sets needed for 0, 1, 2 and so on folded players."""
    # Sums over the holdings of n players are zero for sets of more than 2n cards, as the kernels'
    # docstring says. The recurrence for one more player reads sets with up to two cards more than
    # those that it fills, hence the other bound, which counts back from the last player.
    most = BOTH_HOLDINGS + cards_to_come
    return [min(2 * count, most + 2 * (folded - count)) for count in range(folded + 1)]


def table_bytes(folded: int, board: int, deck: int) -> int:
    """Return the largest memory that `Folded` takes while it is computed, in bytes."""
    to_come, left = _WHOLE_BOARD - board, deck - board
    sums = [_count(left, size) for size in largest_sets(folded, to_come)]
    both = max((earlier + later for earlier, later in pairwise(sums)), default=0)
    last = sum(comb(left, BOTH_HOLDINGS + more) for more in range(to_come + 1))
    return _DOUBLE * max(both, sums[-1] + last)


def _count(deck: int, most: int) -> int:
    return sum(comb(deck, size) for size in range(most + 1))


def _matrix(weights: Weights, number: npt.NDArray[np.int64], deck: int) -> Weights:
    """Return (deck, deck) the weights of holdings by their two cards, for cards that may come."""
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
    np.maximum(table[begin:end], 0, out=table[begin:end])  # rounding can leave -1e-17


@dataclass(frozen=True, slots=True, eq=False)
class Folded:
    """The weight of all folded holdings that avoid a set of cards, for every such set."""

    number: npt.NDArray[np.int64]
    """(52,) number of each card among those that may come; -1 for other cards."""
    tables: tuple[Weights, ...]
    """Weights by the size of the set without the spot's board, from four cards on."""

    @classmethod
    def of(
        cls,
        ranges: Sequence[Weights],
        board: Sequence[int],
        deck: Sequence[int],
        progress: Progress | None = None,
    ) -> Folded:
        """Compute the weights for folded ranges (1326,) on a board."""
        cards = [card for card in deck if card not in board]
        number = np.full(52, -1, dtype=np.int64)
        number[cards] = np.arange(len(cards))
        most = largest_sets(len(ranges), _WHOLE_BOARD - len(board))
        first = np.cumsum([0, *(comb(len(cards), size) for size in range(max(most) + 1))])
        sums = np.ones(1)
        total, done = sum(_count(len(cards), size) for size in most[1:]), 0

        def report(here: int, _: int, what: str) -> None:
            if progress is not None:
                progress(done + here, total, what)

        for weights, (before, after) in zip(ranges, pairwise(most), strict=True):
            out = np.zeros(first[after + 1])
            of = _matrix(weights, number, len(cards))
            for size in range(after + 1):
                work = partial(_fill, out, of, sums, first, before, size)
                sets = comb(len(cards), size)
                in_slices(work, sets, size=_SLICE, what=_COUNTING, progress=report)
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
        """Return the folded ranges' weight if others have the cards of each set, (sets, cards).

        It is zero for a set with a repeated card or a card of the board.
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
        """Write the weights of pairs of holdings into ``out`` (ones, others), times ``scale``.

        ``known`` are the cards dealt since the spot began.
        """
        weigh_pairs(
            self.number[np.array(known, dtype=np.int64)],
            self.number[HOLDING_CARDS[ones]],
            self.number[HOLDING_CARDS[others]],
            self.tables[len(known)],
            scale,
            out,
        )
