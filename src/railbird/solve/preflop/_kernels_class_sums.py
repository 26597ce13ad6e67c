"""What pairs of holdings win on a board, summed by hand class.

The product of two small matrices is here, since OpenBLAS would divide it among threads, which costs
more than it gains: five times the processor time on two busy cores. On one core it does 140 GFLOP/s
and this 60.
"""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel, uncounted_kernel
from railbird.cards._tables_holding import HOLDING_CARDS
from railbird.solve.simd._kernels_lanes import WIDTH, load, splat, store


@uncounted_kernel
def multiply(
    own: np.ndarray,
    other: np.ndarray,
    ends: np.ndarray,
    factors: np.ndarray,
    found: np.ndarray,
) -> None:
    """Fill ``found`` (rows, columns) with the sum over ``ends`` of both players' reach and factors.

    ``own`` (all ends, rows) and ``other`` (all ends, columns) float32; rows and columns are
    multiples of `WIDTH`.
    """
    rows, columns = own.shape[1], other.shape[1]
    none = splat(np.float32(0))
    for j in range(0, columns, WIDTH):
        for i in range(0, rows, 4):
            a, b, c, d = none, none, none, none
            for k in range(len(ends)):
                end = ends[k]
                reached = splat(factors[k]) * load(other, end * columns + j)
                a = a + splat(own[end, i]) * reached
                b = b + splat(own[end, i + 1]) * reached
                c = c + splat(own[end, i + 2]) * reached
                d = d + splat(own[end, i + 3]) * reached
            store(found, i * columns + j, a)
            store(found, (i + 1) * columns + j, b)
            store(found, (i + 2) * columns + j, c)
            store(found, (i + 3) * columns + j, d)


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
