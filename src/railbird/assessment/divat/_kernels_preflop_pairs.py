"""Ordered pairs of holdings up to a permutation of the suits, and averages over these.

Storing 93,769 classes instead of 1.6 million pairs keeps the table small enough to ship.
"""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.cards.hand_strength._kernels_evaluator import HOLDING_MASK
from railbird.cards.isomorphism._kernels_isomorphism import HOLDING_UNDER


@kernel
def number_pairs(row_of: np.ndarray, first: np.ndarray) -> int:
    """Number the classes of ordered pairs in order of their first member; return their number.

    ``row_of`` (1326, 1326) int32 becomes the row of each pair, -1 where the two share a card, and
    ``first`` (rows, 2) int16 the first member of each class.
    """
    row_of[:] = -1
    rows = 0
    for i in range(row_of.shape[0]):
        for j in range(row_of.shape[0]):
            if row_of[i, j] >= 0 or HOLDING_MASK[i] & HOLDING_MASK[j] != 0:
                continue
            for permutation in range(24):
                row_of[HOLDING_UNDER[permutation, i], HOLDING_UNDER[permutation, j]] = rows
            first[rows, 0] = i
            first[rows, 1] = j
            rows += 1
    return rows


@kernel
def average_pairs(
    first: np.ndarray, values: np.ndarray, gains: np.ndarray, numerators: np.ndarray
) -> int:
    """Join the two sums of `add_boards` and average them over the suits.

    ``first`` (rows, 2), ``values`` and ``gains`` (1326, 4, lanes) int32, ``numerators`` (rows, 4)
    int32. Returns how many averages are not whole: none, if all boards have been added.
    """
    broken = 0
    for row in range(first.shape[0]):
        for c in range(values.shape[1]):
            total = np.int64(0)
            for permutation in range(24):
                i = HOLDING_UNDER[permutation, first[row, 0]]
                j = HOLDING_UNDER[permutation, first[row, 1]]
                total += np.int64(values[i, c, j]) - np.int64(gains[j, c, i])
            numerators[row, c] = total // 24
            broken += total % 24 != 0
    return broken
