"""The holdings that a whole board leaves, by strength."""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.odds.tables._kernels_ranking import find_levels, key_of, mask_of
from railbird.solve._tables_rounds import IN_ROUNDS


@kernel
def in_order_of_strength(board: np.ndarray, dead: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the holdings that five cards and ``dead`` ones leave, and where each level begins.

    The weakest come first; those of level l are from ``begin[l]`` to ``begin[l + 1]``, and
    neighbours seldom share a card.
    """
    live, level = np.empty(1326, dtype=np.uint16), np.empty(1326, dtype=np.uint16)
    used = mask_of(board)
    number, levels = find_levels(IN_ROUNDS, key_of(board), used, used | mask_of(dead), live, level)
    begin = np.zeros(levels + 2, dtype=np.int64)
    for k in range(number):
        begin[level[live[k]] + 2] += 1
    for each in range(levels):
        begin[each + 2] += begin[each + 1]
    order = np.empty(number, dtype=np.int64)
    for k in range(number):
        holding = live[k]
        order[begin[level[holding] + 1]] = holding
        begin[level[holding] + 1] += 1
    return order, begin[: levels + 1]
