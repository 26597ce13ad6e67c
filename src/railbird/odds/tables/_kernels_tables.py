"""Sums of a table's rows over the next card, which derive the 7cHR tables from the river's."""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.cards.hand_strength._kernels_evaluator import CARD_MASK, HOLDING_MASK
from railbird.cards.isomorphism._kernels_isomorphism import extension_indices
from railbird.cards.isomorphism._tables_columns import COLUMN
from railbird.odds.tables._kernels_ranking import mask_of


@kernel
def sum_over_next_card(
    boards: np.ndarray,
    starts: np.ndarray,
    patterns: np.ndarray,
    start: int,
    stop: int,
    next_start: np.ndarray,
    next_pattern: np.ndarray,
    next_values: np.ndarray,
    repeats: int,
    sums: np.ndarray,
) -> None:
    """Fill the rows of boards start..stop in ``sums`` (flat) uint32 from the next street's table.

    ``boards`` (rows, n) uint8, ``starts`` and ``patterns`` (rows,) those of their rows;
    ``next_start`` and ``next_pattern`` by combination index of n + 1 cards, ``next_values`` flat.
    Each sum is divided by ``repeats``, the number of orders in which it counts a completion. If
    several holdings share an entry, the last one is summed.
    """
    indices = np.empty(52, dtype=np.int32)
    holding_of = np.empty(1326, dtype=np.int16)
    members = np.empty(1326, dtype=np.int16)
    columns = np.empty(1326, dtype=np.int16)
    total = np.empty(1326, dtype=np.uint64)
    for row in range(start, stop):
        extension_indices(boards[row], indices)
        used = mask_of(boards[row])
        holding_of[:] = -1
        for holding in range(1326):
            if HOLDING_MASK[holding] & used == 0:
                holding_of[COLUMN[patterns[row], holding]] = holding
        n = 0
        for column in range(1326):
            members[n] = holding_of[column]
            columns[n] = column
            n += holding_of[column] >= 0
        total[:n] = 0
        for card in range(52):
            if indices[card] < 0:
                continue
            values = next_values[next_start[indices[card]] :]
            later = COLUMN[next_pattern[indices[card]]]
            for k in range(n):
                if HOLDING_MASK[members[k]] & CARD_MASK[card] == 0:
                    total[k] += values[later[members[k]]]
        for k in range(n):
            sums[starts[row] + columns[k]] = total[k] // np.uint64(repeats)
