"""Wins on every board: the counts behind the all-pairs preflop matrix.

On one board the holdings have fewer than 255 different strengths, so their levels fit in bytes and
one vector instruction compares 32 holdings. Counts are kept in bytes too, for as many boards as a
byte can count, and then added to the totals.
"""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.odds.tables._kernels_ranking import find_levels, key_of, mask_of

ABSENT_LEVEL = np.uint8(255)
"""Level of a holding that shares a card with the board."""

BLOCK = 255


@kernel
def level_boards(boards: np.ndarray, start: int, stop: int, levels: np.ndarray) -> None:
    """Fill rows start..stop of ``levels`` (rows, 1326) uint8.

    The weakest holdings of a board have level 0, the next 1, and so on without a gap; holdings
    that share a card with the board have `ABSENT_LEVEL`, which no level reaches.
    """
    holdings = np.arange(1326).astype(np.uint16)
    live = np.empty(1326, dtype=np.uint16)
    level = np.empty(1326, dtype=np.uint16)
    for row in range(start, stop):
        board = boards[row]
        mask = mask_of(board)
        n, _ = find_levels(holdings, key_of(board), mask, mask, live, level)
        levels[row, :] = ABSENT_LEVEL
        for i in range(n):
            levels[row, live[i]] = level[live[i]]


@kernel
def count_wins(
    levels: np.ndarray,
    first_board: int,
    last_board: int,
    weight: int,
    start: int,
    stop: int,
    wins: np.ndarray,
) -> None:
    """Add to wins[i, j], for i in start..stop, ``weight`` for each board on which i beats j.

    ``levels`` (boards, 1326) uint8, ``wins`` (1326, 1326) uint32. Counts of pairs that share a card
    are meaningless.
    """
    won = np.empty(1326, dtype=np.uint8)
    for block in range(first_board, last_board, BLOCK):
        block_end = min(block + BLOCK, last_board)
        for i in range(start, stop):
            won[:] = 0
            for board in range(block, block_end):
                mine = levels[board, i]
                if mine != ABSENT_LEVEL:
                    for j in range(1326):
                        won[j] += np.uint8(levels[board, j] < mine)
            for j in range(1326):
                wins[i, j] += np.uint32(weight) * np.uint32(won[j])
