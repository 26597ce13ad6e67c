"""Classes of boards on which hands rank alike, the rows of a table; see `_tables_columns`.

A row is found by the board's combination index: ``start`` is its beginning in a flat table and
``pattern`` the row of `COLUMN` with the columns of the holdings:

>>> from railbird.cards import parse_cards, parse_holding
>>> from railbird.cards.isomorphism.boards import board_index
>>> classes = rank_classes(5)
>>> def entry(board, holding):
...     index = board_index(parse_cards(board))
...     return classes.start[index] + COLUMN[classes.pattern[index], parse_holding(holding)]
>>> bool(entry("Td5hTh2d2h", "Jd5d") == entry("Th5dTd2h2d", "Jh5h"))
True
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from railbird.cards.isomorphism._tables_columns import (
    COLUMN,
    NO_SUIT,
    ONE_SUIT,
    SUIT_PAIRS,
    TWO_SUITS,
    WIDTHS,
)
from railbird.errors import BadInput

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["COLUMN", "RANK_ENTRIES", "RANK_ROWS", "RankClasses", "rank_classes"]

RANK_ROWS = {4: 16_432, 5: 42_783}
"""Rows by the number of cards on the board."""

RANK_ENTRIES = {4: 6_616_181, 5: 13_411_333}
"""Entries of all rows."""

_TO_FLUSH = 2
"""A suit matters on n cards from n - 2 of it: a flush needs three, and 5 - n are to come."""
_RANK_BITS = 13
_COUNT_BITS = 3
_BIT_OF_RANK = np.int64(1) << np.arange(52) // 4
_COUNT_OF_RANK = np.int64(1) << _COUNT_BITS * (np.arange(52) // 4)
_PAIR_OF_SUITS = {tuple(pair): n for n, pair in enumerate(SUIT_PAIRS.tolist())}


@dataclass(frozen=True, slots=True, kw_only=True)
class RankClasses:
    """All boards of one size, folded. The arrays are read-only."""

    start: npt.NDArray[np.int32]
    """(C(52, n),) start of each board's row, by its combination index."""
    pattern: npt.NDArray[np.uint8]
    """(C(52, n),) the row of `COLUMN` for each board."""
    representative: npt.NDArray[np.uint8]
    """(rows, n) ascending cards of the first board of each row."""
    row_start: npt.NDArray[np.int32]
    """(rows,) start of each row."""
    row_pattern: npt.NDArray[np.uint8]
    """(rows,) the row of `COLUMN` for each representative."""


@cache
def rank_classes(cards: int) -> RankClasses:
    """Fold the boards of four or five ``cards``; computed once (a second for five)."""
    if cards not in RANK_ROWS:
        raise BadInput(f"no rank classes of boards of {cards} cards; allowed: 4, 5")
    boards = _all_boards(cards)
    kind, pattern, key = _keys(boards)
    _, first, row = np.unique(key, return_index=True, return_inverse=True)
    widths = np.array(list(WIDTHS.values()))[kind[first]]
    row_start = (np.cumsum(widths) - widths).astype(np.int32)
    classes = RankClasses(
        start=row_start[row],
        pattern=pattern,
        representative=boards[first],
        row_start=row_start,
        row_pattern=pattern[first],
    )
    for array in (classes.start, classes.pattern, classes.representative):
        array.flags.writeable = False
    return classes


def _all_boards(cards: int) -> npt.NDArray[np.uint8]:
    """Return all boards (C(52, n), n), ascending, by combination index."""
    boards = np.arange(52, dtype=np.uint8)[:, np.newaxis]
    for size in range(2, cards + 1):
        # Below a highest card lie the first so many boards that are one card smaller.
        counts = [comb(highest, size - 1) for highest in range(52)]
        lower = np.concatenate([boards[:count] for count in counts])
        boards = np.column_stack([lower, np.repeat(np.arange(52, dtype=np.uint8), counts)])
    return np.ascontiguousarray(boards)


def _keys(
    boards: npt.NDArray[np.uint8],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Return for each board the number of suits that matter, the pattern, and a key of its row.

    The key consists of the ranks in each suit that matters, and the ranks of the other cards.
    """
    every = np.arange(len(boards))
    ranks = np.zeros((4, len(boards)), dtype=np.int64)
    for card in boards.T:
        ranks[card % 4, every] |= _BIT_OF_RANK[card]
    matters = np.bitwise_count(ranks) >= boards.shape[1] - _TO_FLUSH
    kind = matters.sum(axis=0)
    first, last = np.argmax(matters, axis=0), 3 - np.argmax(matters[::-1], axis=0)
    ranks_first, ranks_last = ranks[first, every], ranks[last, every]
    # Of two suits the one with the higher ranks comes first, so that both orders share a row.
    first, last = np.where(ranks_first < ranks_last, (last, first), (first, last))
    others = np.zeros(len(boards), dtype=np.int64)
    for card in boards.T:
        others += np.where(matters[card % 4, every], 0, _COUNT_OF_RANK[card])
    shift = _COUNT_BITS * _RANK_BITS
    most, least = np.maximum(ranks_first, ranks_last), np.minimum(ranks_first, ranks_last)
    key = np.select(
        [kind == 0, kind == 1],
        [others, 1 << 60 | ranks_first << shift | others],
        1 << 61 | most << shift | least,
    )
    pairs = np.zeros((4, 4), dtype=np.int64)
    for (one, two), number in _PAIR_OF_SUITS.items():
        pairs[one, two] = number
    pattern = np.select(
        [kind == 0, kind == 1], [NO_SUIT, ONE_SUIT + first], TWO_SUITS + pairs[first, last]
    )
    return kind, pattern.astype(np.uint8), key
