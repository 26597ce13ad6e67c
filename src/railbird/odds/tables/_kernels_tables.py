"""Sums of a table's rows over the next card, by which the 7cHR tables follow from the river's."""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.cards.hand_strength._kernels import HOLDING_MASK
from railbird.cards.isomorphism._kernels_isomorphism import HOLDING_UNDER, extension_indices
from railbird.odds.tables._kernels_ranking import ABSENT_32, mask_of


@kernel
def sum_over_next_card(
    boards: np.ndarray,
    start: int,
    stop: int,
    next_row: np.ndarray,
    next_permutation: np.ndarray,
    next_values: np.ndarray,
    absent: np.uint16 | np.uint32,
    repeats: int,
    sums: np.ndarray,
) -> None:
    """Fill rows start..stop of ``sums`` (rows, 1326) uint32 from the table of one card more.

    ``boards`` (rows, n) uint8; ``next_row`` and ``next_permutation`` by combination index of n + 1
    cards; ``next_values`` (rows, 1326) with ``absent`` where a holding shares a card with the
    board. Each sum is divided by ``repeats``, the number of orders in which it meets a completion.
    """
    indices = np.empty(52, dtype=np.int32)
    total = np.empty(1326, dtype=np.uint32)
    for row in range(start, stop):
        extension_indices(boards[row], indices)
        total[:] = 0
        for card in range(52):
            if indices[card] < 0:
                continue
            values = next_values[next_row[indices[card]]]
            under = HOLDING_UNDER[next_permutation[indices[card]]]
            for holding in range(1326):
                value = np.uint32(values[under[holding]])
                total[holding] += value if value != absent else np.uint32(0)
        used = mask_of(boards[row])
        for holding in range(1326):
            if HOLDING_MASK[holding] & used != 0:
                sums[row, holding] = ABSENT_32
            else:
                sums[row, holding] = total[holding] // repeats
