"""Means over the next card, for holdings against opponents who do not look at their cards."""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.cards._tables_holding import HOLDING_CARDS
from railbird.cards.hand_strength._kernels_evaluator import HOLDING_MASK
from railbird.cards.isomorphism._kernels_isomorphism import HOLDING_UNDER, index_of_4, index_of_5
from railbird.cards.isomorphism._tables_columns import COLUMN
from railbird.odds.tables._kernels_ranking import mask_of


@kernel
def mean_over_rivers(
    board: np.ndarray,
    river_start: np.ndarray,
    river_pattern: np.ndarray,
    river_ihr: np.ndarray,
    values: np.ndarray,
    means: np.ndarray,
) -> None:
    """Fill ``means`` (1326, sequences) with the mean of a board of four cards over 46 rivers.

    ``values`` (1981, sequences) are by hand rank, twice the wins plus the ties of 990; the rows of
    blocked holdings become 0.
    """
    means[:] = 0.0
    sequences = values.shape[1]
    used = mask_of(board)
    for river in range(52):
        if river == board[0] or river == board[1] or river == board[2] or river == board[3]:
            continue
        index = index_of_5(board[0], board[1], board[2], board[3], river)
        start, columns = river_start[index], COLUMN[river_pattern[index]]
        for holding in range(1326):
            if HOLDING_MASK[holding] & used != 0:
                continue
            if HOLDING_CARDS[holding, 0] == river or HOLDING_CARDS[holding, 1] == river:
                continue
            rank = river_ihr[start + columns[holding]]
            for s in range(sequences):
                means[holding, s] += values[rank, s]
    for holding in range(1326):
        for s in range(sequences):
            means[holding, s] /= 46.0


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
