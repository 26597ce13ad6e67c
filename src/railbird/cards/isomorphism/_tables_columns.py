"""Where a holding's entry stands in a row of a rank table, by the suits that its board tells apart.

A suit matters to a hand rank only if a flush of it can still come, which takes three cards of the
board: on a board of five at most one suit does, on one of four at most two. Cards of all other
suits are told apart by rank alone, so a row needs 91, 351 or 780 entries, one for each pair of
kinds of cards, and not 1,326; and boards fold into 42,783 rows instead of 134,459 classes. On flops
nearly every suit matters, and rows have an entry for each holding of the suit permutation's image.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np

from railbird.cards._tables_holding import HOLDING_CARDS
from railbird.cards.isomorphism._kernels_isomorphism import HOLDING_UNDER

NO_SUIT = len(HOLDING_UNDER)
"""The pattern of boards on which no suit matters; before it are those of flops, by permutation."""

ONE_SUIT = NO_SUIT + 1
"""The first of four patterns: suit s matters under ``ONE_SUIT + s``."""

TWO_SUITS = ONE_SUIT + 4
"""The first of twelve patterns, one for each of `SUIT_PAIRS`."""

SUIT_PAIRS = np.array(list(permutations(range(4), 2)), dtype=np.uint8)
"""(12, 2) uint8: two suits that matter, in the order in which a row tells them apart."""


def _columns(suits: tuple[int, ...]) -> np.ndarray:
    """(1326,) columns of all holdings where these suits matter."""
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
"""Entries of a row by the number of suits that matter; 1,326 where all do."""
