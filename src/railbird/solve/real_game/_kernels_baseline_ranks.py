"""Effective hand ranks of all holdings on a board, as the baseline bets them."""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.baseline._kernels_baseline import flop_rank, turn_rank
from railbird.cards.hand_strength._kernels_evaluator import HOLDING_MASK
from railbird.odds.tables._kernels_ranking import mask_of


@kernel
def fill_rows(
    board: np.ndarray,
    start: int,
    columns: np.ndarray,
    ihr: np.ndarray,
    hr7: np.ndarray,
    bettable: int,
    cuts: np.ndarray,
    rows: np.ndarray,
) -> None:
    """Fill ``rows`` (1326,) with the number of ``cuts``, ascending, that a holding's rank reaches.

    ``ihr`` and ``hr7`` are the street's tables, the same twice on the river; ``start`` and
    ``columns`` (1326,) are where the board's entries stand.
    """
    used = mask_of(board)
    for holding in range(1326):
        if HOLDING_MASK[holding] & used != 0:
            rows[holding] = 0
            continue
        place = start + columns[holding]
        rank = np.int64(ihr[place])
        if len(board) == 3:
            rank = flop_rank(ihr[place], np.int64(hr7[place]), bettable)
        elif len(board) == 4:
            rank = turn_rank(ihr[place], np.int64(hr7[place]), bettable)
        rows[holding] = np.searchsorted(cuts, rank, side="right")
