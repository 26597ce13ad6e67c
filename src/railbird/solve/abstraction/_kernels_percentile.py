"""Percentile states on all boards: histograms of values by state, and showdowns between states.

The state on a street is ``before * buckets + bucket``, where the bucket is the number of thresholds
of the state before that the holding's value reaches.
"""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.cards._tables_holding import HOLDING_CARDS
from railbird.cards.hand_strength._kernels_evaluator import HOLDING_MASK
from railbird.cards.isomorphism._kernels_isomorphism import index_of_4, index_of_5
from railbird.cards.isomorphism._tables_columns import COLUMN
from railbird.odds.tables._kernels_ranking import find_levels, key_of, mask_of
from railbird.solve.abstraction._kernels_dealing_order import stabiliser, weights_of_next

SCALE_SHIFT = 16
"""Values of the flop and the turn are cut to 16 bits, which still tells 65,536 apart."""


@kernel
def bucket_of(value: np.int64, thresholds: np.ndarray) -> int:
    """Return how many of the ascending thresholds a value reaches."""
    bucket = 0
    for threshold in thresholds:
        bucket += value >= threshold
    return bucket


@kernel
def split(
    entries: np.ndarray,
    start: int,
    columns: np.ndarray,
    shift: int,
    used: np.uint64,
    thresholds: np.ndarray,
    before: np.ndarray,
    states: np.ndarray,
) -> None:
    """Fill ``states`` (1326,) int32 of a board from those of the street before; -1 if blocked.

    ``entries`` (flat) are the values, of which the row from ``start`` has the board's by
    ``columns`` (1326,); ``thresholds`` (states before, buckets - 1).
    """
    parts = thresholds.shape[1]
    for holding in range(1326):
        if HOLDING_MASK[holding] & used != 0:
            states[holding] = -1
        else:
            value = np.int64(entries[start + columns[holding]]) >> shift
            old, bucket = before[holding], 0
            # By index: a row of the array for `bucket_of` would take ten times as long to make.
            for k in range(parts):
                bucket += value >= thresholds[old, k]
            states[holding] = old * (parts + 1) + bucket


@kernel
def turn_histogram(
    flop: np.ndarray,
    weight: int,
    states: np.ndarray,
    turn_start: np.ndarray,
    turn_pattern: np.ndarray,
    squares: np.ndarray,
    shift: int,
    histogram: np.ndarray,
) -> None:
    """Count the turn's values after a flop in ``histogram`` (states, values) int64.

    ``states`` (1326,) are the flop's, ``weight`` the number of flops of the class.
    """
    used = mask_of(flop)
    kept = stabiliser(flop, np.ones(24, dtype=np.bool_))
    turns = np.empty(52, dtype=np.int64)
    weights_of_next(flop, kept, turns)
    board = np.empty(4, dtype=np.uint8)
    for k in range(3):
        board[k] = flop[k]
    for turn in range(52):
        if turns[turn] == 0:
            continue
        board[3] = turn
        index = index_of_4(flop[0], flop[1], flop[2], turn)
        start, columns = turn_start[index], COLUMN[turn_pattern[index]]
        used = mask_of(board)
        for holding in range(1326):
            if HOLDING_MASK[holding] & used == 0:
                value = np.int64(squares[start + columns[holding]]) >> shift
                histogram[states[holding], value] += weight * turns[turn]


@kernel
def river_histogram(
    flop: np.ndarray,
    weight: int,
    states: np.ndarray,
    turn_start: np.ndarray,
    turn_pattern: np.ndarray,
    squares: np.ndarray,
    shift: int,
    turn_thresholds: np.ndarray,
    river_start: np.ndarray,
    river_pattern: np.ndarray,
    river_ihr: np.ndarray,
    histogram: np.ndarray,
) -> int:
    """Count the river's values after a flop in ``histogram`` (states, 1981) int64.

    Returns the number of canonical boards.
    """
    boards = 0
    turns, rivers = np.empty(52, dtype=np.int64), np.empty(52, dtype=np.int64)
    kept = stabiliser(flop, np.ones(24, dtype=np.bool_))
    weights_of_next(flop, kept, turns)
    board = np.empty(5, dtype=np.uint8)
    for k in range(3):
        board[k] = flop[k]
    turn_states = np.empty(1326, dtype=np.int32)
    for turn in range(52):
        if turns[turn] == 0:
            continue
        board[3] = turn
        index = index_of_4(flop[0], flop[1], flop[2], turn)
        used = mask_of(board[:4])
        columns = COLUMN[turn_pattern[index]]
        split(
            squares, turn_start[index], columns, shift, used, turn_thresholds, states, turn_states
        )
        weights_of_next(board[:4], stabiliser(board[3:4], kept), rivers)
        for river in range(52):
            if rivers[river] == 0:
                continue
            boards += 1
            board[4] = river
            index = index_of_5(flop[0], flop[1], flop[2], turn, river)
            start, columns = river_start[index], COLUMN[river_pattern[index]]
            used = mask_of(board)
            count = weight * turns[turn] * rivers[river]
            for holding in range(1326):
                if HOLDING_MASK[holding] & used == 0:
                    value = river_ihr[start + columns[holding]]
                    histogram[turn_states[holding], value] += count
    return boards


@kernel
def count_showdowns(
    flop: np.ndarray,
    weight: int,
    states: np.ndarray,
    turn_start: np.ndarray,
    turn_pattern: np.ndarray,
    squares: np.ndarray,
    shift: int,
    turn_thresholds: np.ndarray,
    river_start: np.ndarray,
    river_pattern: np.ndarray,
    river_ihr: np.ndarray,
    river_thresholds: np.ndarray,
    wins: np.ndarray,
    ties: np.ndarray,
) -> None:
    """Add the showdowns after a flop to ``wins`` and ``ties`` (states, states) int64.

    Entry (i, j) counts the deals, in the order of dealing, in which the first holding is in river
    state i, the second in j, and the first wins, or both tie (counted from both sides).

    After one turn there are a few hundred of the states, so the 48 rivers are counted in a matrix
    that the second cache level holds, and added up once.
    """
    turns, rivers = np.empty(52, dtype=np.int64), np.empty(52, dtype=np.int64)
    kept = stabiliser(flop, np.ones(24, dtype=np.bool_))
    weights_of_next(flop, kept, turns)
    holdings = np.arange(1326).astype(np.uint16)
    board = np.empty(5, dtype=np.uint8)
    for k in range(3):
        board[k] = flop[k]
    buckets = river_thresholds.shape[1] + 1
    turn_states = np.empty(1326, dtype=np.int32)
    local = np.empty(1326, dtype=np.int32)
    number = np.empty(len(river_thresholds), dtype=np.int32)
    member = np.empty(len(river_thresholds), dtype=np.int32)
    live, level = np.empty(1326, dtype=np.uint16), np.empty(1326, dtype=np.uint16)
    order = np.empty(1326, dtype=np.int32)
    begin = np.empty(1327, dtype=np.int32)
    # Unsigned: negative indices, which Numba looks out for, cost a fifth of the time.
    seen = np.empty((52, 64), dtype=np.uint32)
    count, lower = np.empty(52, dtype=np.int32), np.empty(52, dtype=np.int32)
    present = np.empty(1326, dtype=np.uint32)
    state = np.empty(1326, dtype=np.uint32)
    for turn in range(52):
        if turns[turn] == 0:
            continue
        board[3] = turn
        index = index_of_4(flop[0], flop[1], flop[2], turn)
        used = mask_of(board[:4])
        columns = COLUMN[turn_pattern[index]]
        split(
            squares, turn_start[index], columns, shift, used, turn_thresholds, states, turn_states
        )
        number[:] = -1
        members = 0
        for holding in range(1326):
            old = turn_states[holding]
            if old < 0:
                continue
            if number[old] < 0:
                number[old] = members
                member[members] = old
                members += 1
            local[holding] = number[old] * buckets
        size = members * buckets
        won, tied = np.zeros((size, size), np.int32), np.zeros((size, size), np.int32)
        below, alike = np.zeros(size, dtype=np.int32), np.zeros(size, dtype=np.int32)
        weights_of_next(board[:4], stabiliser(board[3:4], kept), rivers)
        for river in range(52):
            if rivers[river] == 0:
                continue
            times = np.int32(rivers[river])
            board[4] = river
            used = mask_of(board)
            live_count, levels = find_levels(holdings, key_of(board), used, used, live, level)
            index = index_of_5(flop[0], flop[1], flop[2], turn, river)
            start, columns = river_start[index], COLUMN[river_pattern[index]]
            begin[: levels + 1] = 0
            for k in range(live_count):
                holding = live[k]
                value = np.int64(river_ihr[start + columns[holding]])
                bucket = bucket_of(value, river_thresholds[turn_states[holding]])
                state[holding] = local[holding] + bucket
                begin[level[holding] + 1] += 1
            for each in range(levels):
                begin[each + 1] += begin[each]
            for k in range(live_count):
                holding = live[k]
                order[begin[level[holding]]] = holding
                begin[level[holding]] += 1
            # Now begin[l] is where level l ends.
            below[:] = 0
            count[:] = 0
            lower[:] = 0
            first = 0
            for each in range(levels):
                last = begin[each]
                # Holdings of a level, such as all of two ranks, are in few states: these are
                # counted in products, and pairs that share a card are taken off one by one.
                groups = 0
                for k in range(first, last):
                    own = state[order[k]]
                    if alike[own] == 0:
                        present[groups] = own
                        groups += 1
                    alike[own] += 1
                for g in range(groups):
                    own = present[g]
                    several = alike[own]
                    row = won[own]
                    for s in range(size):
                        row[s] += several * below[s]
                    row = tied[own]
                    for other in present[:groups]:
                        row[other] += times * several * alike[other]
                for k in range(first, last):
                    holding = order[k]
                    own = state[holding]
                    row, tied_row = won[own], tied[own]
                    tied_row[own] -= times
                    for side in range(2):
                        card = HOLDING_CARDS[holding, side]
                        for m in range(lower[card]):
                            row[seen[card, m]] -= times
                        for m in range(lower[card], count[card]):
                            tied_row[seen[card, m]] -= times
                            tied[seen[card, m], own] -= times
                        seen[card, count[card]] = own
                        count[card] += 1
                for g in range(groups):
                    below[present[g]] += times * alike[present[g]]
                    alike[present[g]] = 0
                for card in range(52):
                    lower[card] = count[card]
                first = last
        both = np.int64(weight * turns[turn])
        for i in range(size):
            row_of = member[i // buckets] * buckets + i % buckets
            for j in range(size):
                column_of = member[j // buckets] * buckets + j % buckets
                wins[row_of, column_of] += both * won[i, j]
                ties[row_of, column_of] += both * tied[i, j]
