"""Ranks of the seats' holdings against one opponent, read from the tables once for each board."""

from __future__ import annotations

import numpy as np

from railbird._jit import inline_kernel, kernel
from railbird.assessment.decision_divat._kernels_policy import MOST_SEATS
from railbird.cards.isomorphism._kernels_isomorphism import (
    index_of_3,
    index_of_4,
    index_of_5,
)
from railbird.cards.isomorphism._tables_columns import COLUMN
from railbird.game.engine import _kernels_layout as at
from railbird.game.engine._kernels_pots import block_of
from railbird.players.compiled._kernels_policies import RankTables

_FLOP_NOW, _TURN_NOW, _RIVER_NOW = 2162.0, 2070.0, 1980.0
_FLOP_END, _TURN_END = 1081.0 * 1980, 46.0 * 1980


@inline_kernel
def effective(now: float, later: float, bettable: float, flop: bool) -> float:
    """Effective hand rank: the larger one if it can be bet, else the mean (flop) or the later."""
    larger = max(now, later)
    if larger > bettable:
        return larger
    return (now + later) / 2 if flop else later


@inline_kernel
def fill_ranks(
    hand: np.ndarray,
    tables: RankTables,
    ranks: np.ndarray,
    row: int,
    known: np.ndarray,
    space: np.ndarray,
) -> None:
    """Copy the ranks of all live seats into the space; what is not known is looked up before.

    ``ranks`` (rows, seats) and ``known`` (rows,) remember the board that lies, by ``row``.
    """
    street = hand[at.STREET]
    missing = hand[at.ALIVE] & ~known[row]
    if missing != 0:
        look_up(hand, street, missing, space[0]["bettable"][street], tables, ranks, row)
        known[row] |= missing
    for seat in range(hand[at.SEATS]):
        space[0]["rank"][street, seat] = ranks[row, seat]


@kernel
def look_up(
    hand: np.ndarray,
    street: int,
    seats: int,
    bettable: float,
    tables: RankTables,
    ranks: np.ndarray,
    row: int,
) -> None:
    """Look up the ranks of a mask of seats on the board that lies."""
    a, b, c = hand[at.BOARD], hand[at.BOARD + 1], hand[at.BOARD + 2]
    d, e = hand[at.BOARD + 3], hand[at.BOARD + 4]
    if street == 1:
        board = index_of_3(a, b, c)
        start, pattern = np.int64(tables.flop_start[board]), tables.flop_pattern[board]
    elif street == 2:
        board = index_of_4(a, b, c, d)
        start, pattern = np.int64(tables.turn_start[board]), tables.turn_pattern[board]
    else:
        board = index_of_5(a, b, c, d, e)
        start, pattern = np.int64(tables.river_start[board]), tables.river_pattern[board]
    for seat in range(MOST_SEATS):
        if seats >> seat & 1:
            place = start + COLUMN[pattern, hand[block_of(seat) + at.HOLDING]]
            if street == 1:
                rank = effective(
                    tables.flop_ihr[place] / _FLOP_NOW,
                    tables.flop_hr7[place] / _FLOP_END,
                    bettable,
                    True,
                )
            elif street == 2:
                rank = effective(
                    tables.turn_ihr[place] / _TURN_NOW,
                    tables.turn_hr7[place] / _TURN_END,
                    bettable,
                    False,
                )
            else:
                rank = tables.river_ihr[place] / _RIVER_NOW
            ranks[row, seat] = rank
