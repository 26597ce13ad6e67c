"""Column of a holding in a row of a rank table, by the suits that matter on the board.

A suit matters to a hand rank only if a flush in it is still possible, which takes three cards of
the final board: at most one suit on a board of five, two on a board of four. Cards of all other
suits differ by rank only, so a row needs 91, 351 or 780 entries, one for each pair of kinds of
cards, instead of 1,326; and boards fold into 42,783 rows instead of 134,459 classes. On flops
nearly every suit matters, so rows have an entry for each holding under the suit permutation.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np

from railbird.cards._tables_holding import HOLDING_CARDS
from railbird.cards.isomorphism._kernels_isomorphism import HOLDING_UNDER

NO_SUIT = len(HOLDING_UNDER)
"""The pattern of boards on which no suit matters, after those of flops, by permutation."""

ONE_SUIT = NO_SUIT + 1
"""The first of four patterns: suit s matters under ``ONE_SUIT + s``."""

TWO_SUITS = ONE_SUIT + 4
"""The first of twelve patterns, one for each of `SUIT_PAIRS`."""

SUIT_PAIRS = np.array(list(permutations(range(4), 2)), dtype=np.uint8)
"""(12, 2) uint8: two suits that matter, in the order of a row."""


def _columns(suits: tuple[int, ...]) -> np.ndarray:
    """Return the columns of all holdings if these suits matter, (1326,)."""
    kind_of_suit = np.zeros(4, dtype=np.int64)
    for place, suit in enumerate(suits, start=1):
        kind_of_suit[suit] = place
    kinds = (1 + len(suits)) * (HOLDING_CARDS // 4).astype(np.int64)
    kinds += kind_of_suit[HOLDING_CARDS % 4]
    low, high = kinds.min(axis=1), kinds.max(axis=1)
    columns: np.ndarray = high * (high + 1) // 2 + low
    return columns


COLUMN = np.vstack(
    [
        HOLDING_UNDER,
        _columns(()),
        *(_columns((suit,)) for suit in range(4)),
        *(_columns(tuple(pair)) for pair in SUIT_PAIRS.tolist()),
    ]
).astype(np.int16)
"""(41, 1326) int16: the column of each holding under each pattern."""

WIDTHS = {0: 91, 1: 351, 2: 780}
"""Entries of a row by the number of suits that matter; 1,326 if all do."""
