"""What holdings may become, as rows of small numbers: features that clusters are made of.

On the flop and the turn a row counts the run-outs on which the final rank is at least each of some
values, a cumulative distribution: sums of differences between two of them are the earth mover's
distance of the histograms. On the river a row is the share of pots won against each of some groups
of holdings (opponent cluster hand strength; Johanson, Burch, Valenzano and Bowling, "Evaluating
state-space abstractions in extensive-form games", 2013).
"""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.cards._tables_holding import HOLDING_CARDS
from railbird.cards.hand_strength._kernels_evaluator import HOLDING_MASK
from railbird.cards.isomorphism._kernels_isomorphism import index_of_5
from railbird.cards.isomorphism._tables_columns import COLUMN
from railbird.odds.tables._kernels_ranking import find_levels, key_of, mask_of

GROUPS = 8
"""Groups of opponents on the river."""

FULL = 255
"""The largest number in a row."""


@kernel
def flop_counts(
    flop: np.ndarray,
    bin_of: np.ndarray,
    river_start: np.ndarray,
    river_pattern: np.ndarray,
    river_ihr: np.ndarray,
    counts: np.ndarray,
) -> None:
    """Count the 1,081 run-outs of each holding with ``bin_of`` (1981,) its rank; fill ``counts``.

    ``counts`` (1326, bins) uint16; the rows of blocked holdings become 0.
    """
    counts[:] = 0
    board = np.empty(5, dtype=np.uint8)
    for place in range(3):
        board[place] = flop[place]
    dealt = mask_of(flop)
    for turn in range(52):
        board[3] = turn
        if turn == flop[0] or turn == flop[1] or turn == flop[2]:
            continue
        for river in range(turn):
            board[4] = river
            if river == flop[0] or river == flop[1] or river == flop[2]:
                continue
            used = dealt | mask_of(board[3:])
            index = index_of_5(flop[0], flop[1], flop[2], turn, river)
            start, columns = river_start[index], COLUMN[river_pattern[index]]
            for holding in range(1326):
                if HOLDING_MASK[holding] & used == 0:
                    counts[holding, bin_of[river_ihr[start + columns[holding]]]] += 1


@kernel
def turn_counts(
    first: int,
    boards: np.ndarray,
    times: np.ndarray,
    row_start: np.ndarray,
    row_pattern: np.ndarray,
    bin_of: np.ndarray,
    river_start: np.ndarray,
    river_pattern: np.ndarray,
    river_ihr: np.ndarray,
    counts: np.ndarray,
    weight: np.ndarray,
) -> None:
    """Count the 46 rivers of each entry with ``bin_of`` (1981,) its rank, on each of the boards.

    The boards (n, 4) are those of the rows from ``first``, each standing for ``times`` boards;
    ``counts`` (entries, bins) uint8 and ``weight`` (entries,), the deals of an entry, are filled.
    """
    seen = np.empty((1326, counts.shape[1]), dtype=np.uint8)
    board = np.empty(5, dtype=np.uint8)
    for n in range(len(boards)):
        row = first + n
        for place in range(4):
            board[place] = boards[n, place]
        dealt = mask_of(board[:4])
        seen[:] = 0
        for river in range(52):
            board[4] = river
            used = mask_of(board[4:])
            if used & dealt != 0:
                continue
            used |= dealt
            index = index_of_5(board[0], board[1], board[2], board[3], river)
            start, columns = river_start[index], COLUMN[river_pattern[index]]
            for holding in range(1326):
                if HOLDING_MASK[holding] & used == 0:
                    seen[holding, bin_of[river_ihr[start + columns[holding]]]] += 1
        columns = COLUMN[row_pattern[row]]
        for holding in range(1326):
            if HOLDING_MASK[holding] & dealt == 0:
                entry = row_start[row] + columns[holding]
                weight[entry] += times[row]
                for k in range(counts.shape[1]):
                    counts[entry, k] = seen[holding, k]


@kernel
def river_shares(
    first: int,
    boards: np.ndarray,
    times: np.ndarray,
    row_start: np.ndarray,
    row_pattern: np.ndarray,
    group: np.ndarray,
    shares: np.ndarray,
    weight: np.ndarray,
) -> None:
    """Fill ``shares`` (entries, `GROUPS`) uint8 with the pots that entries win, out of `FULL`.

    ``group`` (1326,) is the group of each holding as an opponent; other arguments as of
    `turn_counts`, for boards of five cards. Holdings of one entry differ a little where groups tell
    suited cards apart; their mean is taken. A group that cannot be held counts as all together.
    """
    holdings = np.arange(1326).astype(np.uint16)
    live, level = np.empty(1326, dtype=np.uint16), np.empty(1326, dtype=np.uint16)
    order, begin = np.empty(1326, dtype=np.int64), np.empty(1328, dtype=np.int64)
    total = np.empty(GROUPS, dtype=np.int32)
    by_card = np.empty((52, GROUPS), dtype=np.int32)
    below, met = np.empty((1326, GROUPS), np.int32), np.empty((1326, GROUPS), np.int32)
    summed, members = np.empty((1326, GROUPS), np.int64), np.empty(1326, np.int64)
    for n in range(len(boards)):
        row, board = first + n, boards[n]
        used = mask_of(board)
        count, levels = find_levels(holdings, key_of(board), used, used, live, level)
        begin[: levels + 2] = 0
        for k in range(count):
            begin[level[live[k]] + 2] += 1
        for each in range(levels):
            begin[each + 2] += begin[each + 1]
        for k in range(count):
            order[begin[level[live[k]] + 1]] = live[k]
            begin[level[live[k]] + 1] += 1
        total[:] = 0
        by_card[:] = 0
        # Twice what is beaten and once what is tied: what is below at both ends of a level.
        for each in range(levels):
            for late in range(2):
                for k in range(begin[each], begin[each + 1]):
                    a, b = HOLDING_CARDS[order[k], 0], HOLDING_CARDS[order[k], 1]
                    if late:
                        for g in range(GROUPS):
                            below[k, g] += total[g] - by_card[a, g] - by_card[b, g]
                        # It is itself in three of these sums, and does not meet itself.
                        below[k, group[order[k]]] += 1
                    else:
                        for g in range(GROUPS):
                            below[k, g] = total[g] - by_card[a, g] - by_card[b, g]
                if not late:
                    for k in range(begin[each], begin[each + 1]):
                        g = group[order[k]]
                        total[g] += 1
                        by_card[HOLDING_CARDS[order[k], 0], g] += 1
                        by_card[HOLDING_CARDS[order[k], 1], g] += 1
        for k in range(count):
            a, b = HOLDING_CARDS[order[k], 0], HOLDING_CARDS[order[k], 1]
            for g in range(GROUPS):
                met[k, g] = total[g] - by_card[a, g] - by_card[b, g]
            met[k, group[order[k]]] += 1
        summed[:] = 0
        members[:] = 0
        columns = COLUMN[row_pattern[row]]
        for k in range(count):
            column = columns[order[k]]
            members[column] += 1
            all_below, all_met = 0, 0
            for g in range(GROUPS):
                all_below += below[k, g]
                all_met += met[k, g]
            for g in range(GROUPS):
                if met[k, g] > 0:
                    # Out of FULL times 256, so that the mean is rounded once.
                    summed[column, g] += 256 * FULL * below[k, g] // (2 * met[k, g])
                else:
                    summed[column, g] += 256 * FULL * all_below // (2 * all_met)
        for k in range(count):
            column = columns[order[k]]
            entry = row_start[row] + column
            weight[entry] = members[column] * times[row]
            for g in range(GROUPS):
                shares[entry, g] = (summed[column, g] // members[column] + 128) // 256
