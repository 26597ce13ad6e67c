"""Values of holdings on a board: from hand-rank tables, and against a field of opponents."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import kernel
from railbird.cards.hand_strength._kernels_evaluator import CARD_MASK, HOLDING_MASK
from railbird.cards.isomorphism._kernels_isomorphism import extension_indices, index_of_sorted
from railbird.cards.isomorphism._tables_columns import COLUMN
from railbird.odds.tables._kernels_runouts import share_of_all

FLOP_WHOLE, TURN_WHOLE, RIVER_WHOLE = np.int32(2162), np.int32(2070), np.int32(1980)
"""Ranks of a holding that is ahead of all others; see `railbird.odds.tables.rank_tables`."""


class BoardTables(NamedTuple):
    """Hand-rank tables of boards of three to five cards, and the gains computed so far."""

    flop_start: np.ndarray
    flop_pattern: np.ndarray
    flop_ihr: np.ndarray
    flop_gains: np.ndarray
    """As long as ``flop_ihr``, int32: one more than a holding's gain, 0 until it is known."""
    turn_start: np.ndarray
    turn_pattern: np.ndarray
    turn_ihr: np.ndarray
    turn_gains: np.ndarray
    river_start: np.ndarray
    river_pattern: np.ndarray
    river_ihr: np.ndarray


@kernel
def _sum_gains(
    board: np.ndarray,
    holdings: np.ndarray,
    ranks: np.ndarray,
    tables: BoardTables,
    gains: np.ndarray,
) -> None:
    """Fill ``gains`` with the sums of the increases of some holdings' ranks by each next card."""
    here, later = FLOP_WHOLE, TURN_WHOLE
    start, pattern, ihr = tables.turn_start, tables.turn_pattern, tables.turn_ihr
    if len(board) == 4:
        here, later = TURN_WHOLE, RIVER_WHOLE
        start, pattern, ihr = tables.river_start, tables.river_pattern, tables.river_ihr
    indices = np.empty(52, np.int32)
    extension_indices(board, indices)
    gains[:] = 0
    for card in range(52):
        if indices[card] < 0:
            continue
        row, columns = start[indices[card]], COLUMN[pattern[indices[card]]]
        for holding in holdings:
            if HOLDING_MASK[holding] & CARD_MASK[card] == 0:
                rank = np.int32(ihr[row + columns[holding]])
                gains[holding] += max(rank * here - ranks[holding] * later, np.int32(0))


@kernel
def fill_ranks_and_gains(
    board: np.ndarray, tables: BoardTables, ranks: np.ndarray, gains: np.ndarray
) -> None:
    """Fill ``ranks`` and ``gains`` (1326,) int32 of the holdings on a board of ascending cards.

    A rank is in units of the street's whole; a gain is the sum of its increases over all next
    cards, in units of the wholes of both streets. Sums of integers are the same in any order, so
    that boards which differ by their suits' names share them: each is computed once in a process.
    """
    mask = np.uint64(0)
    for card in board:
        mask |= CARD_MASK[card]
    index = index_of_sorted(board)
    start, pattern, ihr = tables.flop_start, tables.flop_pattern, tables.flop_ihr
    known = tables.flop_gains
    if len(board) == 4:
        start, pattern, ihr = tables.turn_start, tables.turn_pattern, tables.turn_ihr
        known = tables.turn_gains
    elif len(board) == 5:
        start, pattern, ihr = tables.river_start, tables.river_pattern, tables.river_ihr
    row, columns = start[index], COLUMN[pattern[index]]
    for holding in range(1326):
        ranks[holding] = np.int32(ihr[row + columns[holding]])
        if HOLDING_MASK[holding] & mask != 0:
            ranks[holding] = 0
    gains[:] = 0
    if len(board) == 5:
        return
    missing = False
    for holding in range(1326):
        if HOLDING_MASK[holding] & mask == 0:
            gains[holding] = known[row + columns[holding]] - 1
            missing |= gains[holding] < 0
    if not missing:  # otherwise another thread may be filling the same row
        return
    first = np.full(1326, -1, np.int32)
    holdings, count = np.empty(1326, np.int32), 0
    for holding in range(1326):
        if HOLDING_MASK[holding] & mask == 0 and first[columns[holding]] < 0:
            first[columns[holding]] = holding
            holdings[count] = holding
            count += 1
    _sum_gains(board, holdings[:count], ranks, tables, gains)
    for holding in range(1326):
        if HOLDING_MASK[holding] & mask == 0:
            gains[holding] = gains[first[columns[holding]]]
            known[row + columns[holding]] = gains[holding] + 1


@kernel
def value_by_field(
    level: np.ndarray,
    order: np.ndarray,
    field: np.ndarray,
    potential: np.ndarray,
    values: np.ndarray,
) -> None:
    """Fill ``values`` (1326,) with EHS' against a field, using the board's result of `rank_all`."""
    share_of_all(level, order, field, values)
    for holding in range(1326):
        strength = values[holding] if level[holding] >= 0 else 0.0
        values[holding] = strength + (1.0 - strength) * potential[holding]
