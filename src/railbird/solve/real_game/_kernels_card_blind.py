"""Means over the next card, for holdings against opponents who do not look at their cards."""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.cards._tables_holding import HOLDING_CARDS
from railbird.cards.hand_strength._kernels_evaluator import HOLDING_MASK
from railbird.cards.isomorphism._kernels_isomorphism import HOLDING_UNDER, index_of_4, index_of_5
from railbird.cards.isomorphism._tables_columns import COLUMN
from railbird.odds.tables._kernels_ranking import mask_of
from railbird.solve.simd._kernels_lanes import WIDTH, load, splat, store

_RIVERS, _LEFT = 48, 46
"""Rivers after four cards, and those that a holding leaves."""


@kernel
def mean_over_rivers(
    board: np.ndarray,
    river_start: np.ndarray,
    river_pattern: np.ndarray,
    river_ihr: np.ndarray,
    values: np.ndarray,
    means: np.ndarray,
) -> None:
    """Fill ``means`` (1326, numbers) with the mean of a board of four cards over 46 rivers.

    ``values`` (1981, numbers) are by hand rank, twice the wins plus the ties of 990, for betting
    sequences up to a multiple of `WIDTH`. Both are float32; blocked holdings get 0.
    """
    used = mask_of(board)
    rivers, begin = np.empty(_RIVERS, dtype=np.int64), np.empty(_RIVERS, dtype=np.int64)
    pattern = np.empty(_RIVERS, dtype=np.int64)
    count = 0
    for river in range(52):
        if river == board[0] or river == board[1] or river == board[2] or river == board[3]:
            continue
        index = index_of_5(board[0], board[1], board[2], board[3], river)
        rivers[count], begin[count] = river, river_start[index]
        pattern[count] = river_pattern[index]
        count += 1
    numbers = values.shape[1]
    rows = np.empty(_RIVERS, dtype=np.int64)
    share = splat(np.float32(1) / np.float32(_LEFT))
    for holding in range(1326):
        found = 0
        if HOLDING_MASK[holding] & used == 0:
            low, high = HOLDING_CARDS[holding, 0], HOLDING_CARDS[holding, 1]
            for r in range(count):
                if rivers[r] != low and rivers[r] != high:
                    rows[found] = river_ihr[begin[r] + COLUMN[pattern[r], holding]] * numbers
                    found += 1
        # A holding's sums stay in registers: a quarter of the time of adding in memory.
        for start in range(0, numbers, WIDTH):
            total = splat(np.float32(0))
            for r in range(found):
                total = total + load(values, rows[r] + start)
            store(means, holding * numbers + start, total * share)


@kernel
def mean_over_turns(
    flop: np.ndarray,
    row: np.ndarray,
    permutation: np.ndarray,
    values: np.ndarray,
    means: np.ndarray,
) -> None:
    """Fill ``means`` (1326, sequences) with the mean of a flop over 47 turns.

    ``values`` (rows, 1326, sequences) are those of the classes of four cards, to which ``row`` and
    ``permutation`` lead by combination index; the rows of blocked holdings become 0.
    """
    means[:] = 0.0
    used = mask_of(flop)
    for turn in range(52):
        if turn == flop[0] or turn == flop[1] or turn == flop[2]:
            continue
        index = index_of_4(flop[0], flop[1], flop[2], turn)
        on_board, columns = values[row[index]], HOLDING_UNDER[permutation[index]]
        for holding in range(1326):
            if HOLDING_MASK[holding] & used != 0:
                continue
            if HOLDING_CARDS[holding, 0] == turn or HOLDING_CARDS[holding, 1] == turn:
                continue
            for s in range(means.shape[1]):
                means[holding, s] += on_board[columns[holding], s]
    for holding in range(1326):
        for s in range(means.shape[1]):
            means[holding, s] /= 47.0
