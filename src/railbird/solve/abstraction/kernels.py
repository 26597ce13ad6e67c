"""Kernels of card abstractions for any hold'em: folded turns and rivers, features, histograms.

A perfect-recall state depends on the order of dealing, so boards are not sets here: there are
2,554,656 canonical ones, and the weights of those after a flop add up to 49 * 48.
"""

# A card abstraction gives each holding on each board a *state*, and solving then sees states in
# place of cards. Two kinds are made here.
#
# Buckets (`flop_counts`, `turn_counts`, `river_shares`) forget earlier streets, so a board is a set
# and the rows of the rank tables serve as they are. What a holding may become is a row of small
# whole numbers, and k-means over these rows makes the buckets (`buckets`). They are whole numbers
# so that no sum depends on its order, and so that equal rows can be counted once.
#
# Percentile states (`turn_histogram`, `river_histogram`, `count_flop_showdowns`) remember the
# bucket of the street before, so the order of dealing matters and boards cannot be taken from the
# tables' classes. Instead `stabiliser` and `weights_of_next` step from a flop to its turns and
# rivers: a card that a permutation of the suits maps to another one, without changing what lies, is
# dealt once and counted for both. With too few permutations it would only take longer; with one
# that changes what lies, boards that differ would count as one.
#
# `count_flop_showdowns` is the hard one: all pairs of holdings meet on two and a half million
# boards. On a board the holdings are taken by levels of strength, and a state's wins are added up
# for each *state* below it and not for each holding; pairs with a common card are then taken off
# one by one, from a list of the states of each card's holdings (``seen``). Counts are integers, so
# that threads and interruptions change nothing. The states after one turn get small numbers of
# their own (``number``, ``member``), to keep the matrix of their meetings in the second cache
# level.
#
# Who would notice: tests/solve/abstraction/test_percentile.py compares showdowns one by one and
# adds them up to the rank tables; tests/solve/abstraction/test_buckets.py does so for the rows of
# buckets.

from __future__ import annotations

import numpy as np

from railbird._jit import kernel, uncounted_kernel
from railbird.cards.isomorphism_kernels import CARD_UNDER, COLUMN, index_of_4, index_of_5
from railbird.cards.tables import HOLDING_CARDS, HOLDING_MASK
from railbird.odds.rank_kernels import find_levels, key_of, mask_of


@kernel
def stabiliser(cards: np.ndarray, before: np.ndarray) -> np.ndarray:
    """Return which of the permutations ``before`` (24,) bool map a set of cards to itself."""
    on = np.zeros(52, dtype=np.bool_)
    for card in cards:
        on[card] = True
    kept = before.copy()
    for p in range(24):
        for card in cards:  # as a set: a permutation may exchange cards of it
            if not on[CARD_UNDER[p, card]]:
                kept[p] = False
    return kept


@uncounted_kernel
def weights_of_next(used: np.ndarray, permutations: np.ndarray, weight: np.ndarray) -> None:
    """Fill ``weight`` (52,): how many cards each canonical next card stands for, 0 for the others.

    ``used`` are the cards dealt, ``permutations`` (24,) bool those that change nothing so far.
    """
    weight[:] = 0
    for card in range(52):
        dealt = False
        for other in used:
            dealt = dealt or other == card
        if dealt:
            continue
        first = card
        for p in range(24):
            if permutations[p]:
                first = min(first, CARD_UNDER[p, card])
        weight[first] += 1


# What holdings may become, as rows of small numbers: features that clusters are made of.
#
# On the flop and the turn a row counts the run-outs on which the final rank is at least each of
# some values, a cumulative distribution: sums of differences between two of them are the earth
# mover's distance of the histograms. On the river a row is the share of pots won against each of
# some groups of holdings (opponent cluster hand strength; Johanson, Burch, Valenzano and Bowling,
# "Evaluating state-space abstractions in extensive-form games", 2013).


GROUPS = 8
"""Groups of opponents on the river."""

FULL = 255
"""The largest number in a row of features."""


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
        for strength in range(levels):
            begin[strength + 2] += begin[strength + 1]
        for k in range(count):
            order[begin[level[live[k]] + 1]] = live[k]
            begin[level[live[k]] + 1] += 1
        total[:] = 0
        by_card[:] = 0
        # Twice what is beaten and once what is tied: what is below at both ends of a level.
        for strength in range(levels):
            for late in range(2):
                for k in range(begin[strength], begin[strength + 1]):
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
                    for k in range(begin[strength], begin[strength + 1]):
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


# Percentile states on all boards: histograms of values by state, and showdowns between states.
#
# The state on a street is ``before * buckets + bucket``, where the bucket is the number of
# thresholds of the state before that the holding's value reaches.


@uncounted_kernel
def bucket_of(value: np.int64, thresholds: np.ndarray) -> int:
    """Return how many of the ascending thresholds a value reaches."""
    bucket = 0
    for threshold in thresholds:
        bucket += value >= threshold
    return bucket


@uncounted_kernel
def split(
    entries: np.ndarray,
    start: int,
    columns: np.ndarray,
    shift: int,
    used: np.uint64,
    thresholds: np.ndarray,
    previous: np.ndarray,
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
            old, bucket = previous[holding], 0
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
    symmetries = stabiliser(flop, np.ones(24, dtype=np.bool_))
    weights_of_next(flop, symmetries, turns)
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
        weights_of_next(board[:4], stabiliser(board[3:4], symmetries), rivers)
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
def count_flop_showdowns(
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
    symmetries = stabiliser(flop, np.ones(24, dtype=np.bool_))
    weights_of_next(flop, symmetries, turns)
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
        weights_of_next(board[:4], stabiliser(board[3:4], symmetries), rivers)
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
            for strength in range(levels):
                begin[strength + 1] += begin[strength]
            for k in range(live_count):
                holding = live[k]
                order[begin[level[holding]]] = holding
                begin[level[holding]] += 1
            # Now begin[l] is where level l ends.
            below[:] = 0
            count[:] = 0
            lower[:] = 0
            first = 0
            for strength in range(levels):
                last = begin[strength]
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
