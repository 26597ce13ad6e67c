"""What pairs of holdings win on a board, summed by hand class."""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.cards._tables_holding import HOLDING_CARDS


@kernel
def add_by_class(
    order: np.ndarray,
    begin: np.ndarray,
    row: np.ndarray,
    hand_class: np.ndarray,
    folded: np.ndarray,
    shown: np.ndarray,
    won: np.ndarray,
) -> None:
    """Add what the first player wins from the second to ``won`` (169, 169) float64.

    ``order`` and ``begin`` are those of `in_order_of_strength`, ``row`` (holdings,) the place of
    each of these in both tables, (rows, rows) of the first and the second: ``folded`` what folds
    bring, ``shown`` what showdowns are about.
    """
    holdings = len(order)
    level = np.empty(holdings, dtype=np.int64)
    for each in range(len(begin) - 1):
        for i in range(begin[each], begin[each + 1]):
            level[i] = each
    for i in range(holdings):
        low, high = HOLDING_CARDS[order[i], 0], HOLDING_CARDS[order[i], 1]
        first, second, found = folded[row[i]], shown[row[i]], won[hand_class[order[i]]]
        for j in range(holdings):
            a, b = HOLDING_CARDS[order[j], 0], HOLDING_CARDS[order[j], 1]
            if a in (low, high) or b in (low, high):
                continue
            more = level[i] > level[j]
            less = level[i] < level[j]
            edge = second[row[j]]
            found[hand_class[order[j]]] += first[row[j]] + (edge if more else -edge if less else 0)
