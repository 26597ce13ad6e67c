"""Exact values of a round's rest for two ranges of holdings, known strategies, one betting line.

``sides`` (2, 1326) float64 are the weights of `_kernels_ranges`. A known player's weight is
multiplied by the probability of its actions.

A round is a tuple of arrays, see `railbird.solve.limit.matrix_cfr.round_arrays`; ``place`` is the
betting sequence that led to it.
"""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.cards._tables_holding import HOLDING_CARDS
from railbird.odds.tables._kernels_ranking import find_levels, key_of, mask_of
from railbird.solve.real_game._kernels_public_tree import meet, reach_leaves, show_down


@kernel
def order_of(board: np.ndarray, order: np.ndarray, begin: np.ndarray) -> tuple[int, int]:
    """Fill the live holdings of a river in ``order`` of strength, and where each level begins.

    Returns how many holdings and levels there are; ``begin`` has one entry more than levels.
    """
    live, level = np.empty(1326, dtype=np.uint16), np.empty(1326, dtype=np.uint16)
    used = mask_of(board)
    holdings = np.arange(1326).astype(np.uint16)
    number, levels = find_levels(holdings, key_of(board), used, used, live, level)
    begin[: levels + 2] = 0
    for k in range(number):
        begin[level[live[k]] + 2] += 1
    for each in range(levels):
        begin[each + 2] += begin[each + 1]
    for k in range(number):
        holding = live[k]
        order[begin[level[holding] + 1]] = holding
        begin[level[holding] + 1] += 1
    return number, levels


@kernel
def met_mass(sides: np.ndarray) -> float:
    """Return the sum of the weights of all pairs without a card in common."""
    by_card = np.zeros(52)
    total, mass = 0.0, 0.0
    for i in range(1326):
        if sides[1, i] > 0:
            total += sides[1, i]
            by_card[HOLDING_CARDS[i, 0]] += sides[1, i]
            by_card[HOLDING_CARDS[i, 1]] += sides[1, i]
    for i in range(1326):
        if sides[0, i] > 0:
            a, b = HOLDING_CARDS[i, 0], HOLDING_CARDS[i, 1]
            mass += sides[0, i] * (total - by_card[a] - by_card[b] + sides[1, i])
    return mass


@kernel
def edge_mass(sides: np.ndarray, order: np.ndarray, begin: np.ndarray, levels: int) -> float:
    """Return the weight of the pairs in which seat 0 wins the showdown, less where it loses."""
    below = np.zeros((2, 53))
    edge = 0.0
    for level in range(levels):
        for k in range(begin[level], begin[level + 1]):
            i = order[k]
            a, b = HOLDING_CARDS[i, 0], HOLDING_CARDS[i, 1]
            x, y = sides[0, i], sides[1, i]
            if x > 0:
                edge += x * (below[1, 52] - below[1, a] - below[1, b])
            if y > 0:
                edge -= y * (below[0, 52] - below[0, a] - below[0, b])
        for k in range(begin[level], begin[level + 1]):
            i = order[k]
            a, b = HOLDING_CARDS[i, 0], HOLDING_CARDS[i, 1]
            for side in range(2):
                x = sides[side, i]
                below[side, 52] += x
                below[side, a] += x
                below[side, b] += x
    return edge


@kernel
def shown_down(board: np.ndarray, sides: np.ndarray) -> float:
    """Return how often seat 0 wins the showdown less how often it loses, over all pairs."""
    order, begin = np.empty(1326, dtype=np.int64), np.zeros(1326 + 2, dtype=np.int64)
    _number, levels = order_of(board, order, begin)
    return edge_mass(sides, order, begin, levels) / met_mass(sides)


@kernel
def few_lanes(table: np.ndarray, places: np.ndarray, stride: int, few: np.ndarray) -> None:
    """Copy some betting sequences' lanes of a strategy, so that they stand side by side.

    ``table`` (rows, slots * stride); ``few`` (rows, slots * count) float32.
    """
    count = len(places)
    for row in range(len(few)):
        for slot in range(few.shape[1] // count):
            for k in range(count):
                few[row, slot * count + k] = table[row, slot * stride + places[k]]


@kernel
def add_river(
    part: tuple[np.ndarray, ...],
    tables: tuple[np.ndarray, ...],
    rows: np.ndarray,
    board: np.ndarray,
    before: np.ndarray,
    room: np.ndarray,
    weight: float,
    values: np.ndarray,
) -> None:
    """Add ``weight`` times a river's values in chips to ``values`` (sequences,) of a round.

    ``before`` (2, 1326, sequences) float32 are the weights at its start; values are sums over
    pairs. The loops run over the sequences, so that they fill registers. ``room`` has at least
    1,326 times sequences times the nodes, twice the leaves and one, since fresh pages cost time.
    """
    chips, player_of, fold_paid, end_paid = part[0], part[1], part[6], part[7]
    fold_of, end_of, nodes = part[8], part[9], len(part[1])
    order, begin = np.empty(1326, dtype=np.int64), np.zeros(1326 + 2, dtype=np.int64)
    number, levels = order_of(board, order, begin)
    live, count = order[:number], len(chips)
    leaves = len(fold_paid) + len(end_paid)
    vectors = room[: (nodes + 2 * leaves + 1) * number * count]
    vectors = vectors.reshape((nodes + 2 * leaves + 1, number, count))
    reach, won = vectors[:nodes], vectors[nodes]
    reached = vectors[nodes + 1 :].reshape((2, leaves, number, count))
    for seat in range(2):
        ends, folds = reached[seat, : len(end_paid)], reached[seat, len(end_paid) :]
        reach_leaves(
            part,
            seat,
            tables[seat],
            rows[seat],
            before[seat],
            live,
            reach,
            ends,
            folds,
        )
    sums = np.empty(count, dtype=np.float32)
    for slot in range(len(fold_of)):
        if fold_of[slot] < 0 and end_of[slot] < 0:
            continue
        is_fold = fold_of[slot] >= 0
        leaf = len(end_paid) + fold_of[slot] if is_fold else end_of[slot]
        if is_fold:
            meet(live, reached[1, leaf], won)
        else:
            show_down(live, begin[: levels + 1], reached[1, leaf], won)
        mine = reached[0, leaf]
        sums[:] = 0.0
        for i in range(number):
            for k in range(count):
                sums[k] += mine[i, k] * won[i, k]
        for k in range(count):
            if is_fold:
                lost = chips[k] + fold_paid[fold_of[slot]]
                stake = lost if player_of[part[4][slot]] == 1 else -lost
            else:
                stake = chips[k] + end_paid[end_of[slot]]
            values[k] += weight * stake * sums[k]


@kernel
def reach_ends(
    part: tuple[np.ndarray, ...],
    place: int,
    tables: tuple[np.ndarray, ...],
    rows: np.ndarray,
    is_known: np.ndarray,
    sides: np.ndarray,
    before: np.ndarray,
) -> None:
    """Fill ``before`` (2, 1326, ends) with the weights where one sequence of a round ends."""
    player_of, first_slot, child, end_of = part[1], part[2], part[5], part[9]
    sequences, nodes = len(part[0]), len(player_of)
    reach = np.zeros((nodes, 2, 1326))
    reach[0] = sides
    for node in range(nodes):
        seat = player_of[node]
        first, last = first_slot[node], first_slot[node + 1]
        table = tables[seat]
        for slot in range(first, last):
            if child[slot] < 0 and end_of[slot] < 0:
                continue
            for i in range(1326):
                x, y = reach[node, 0, i], reach[node, 1, i]
                if is_known[seat] and (x if seat == 0 else y) > 0:
                    total = 0.0
                    for other in range(first, last):
                        total += table[rows[seat, i], other * sequences + place]
                    share = table[rows[seat, i], slot * sequences + place] / total
                    if seat == 0:
                        x *= share
                    else:
                        y *= share
                if child[slot] >= 0:
                    reach[child[slot], 0, i] = x
                    reach[child[slot], 1, i] = y
                else:
                    before[0, i, end_of[slot]] = x
                    before[1, i, end_of[slot]] = y


@kernel
def round_value(
    part: tuple[np.ndarray, ...],
    place: int,
    tables: tuple[np.ndarray, ...],
    rows: np.ndarray,
    board: np.ndarray,
    sides: np.ndarray,
    later: np.ndarray,
) -> float:
    """Return a round's value to seat 0 in chips, both players being known.

    ``tables`` (two of (rows, lanes)) and ``rows`` (2, 1326) are the strategies. ``board`` has five
    cards on the river, and none before, where ``later`` (ends,) are the sums over pairs of what the
    ends are worth.
    """
    chips, player_of, first_slot, child = part[0], part[1], part[2], part[5]
    fold_paid, end_paid, fold_of, end_of = part[6], part[7], part[8], part[9]
    sequences, nodes = len(chips), len(player_of)
    order, begin = np.empty(1326, dtype=np.int64), np.zeros(1326 + 2, dtype=np.int64)
    levels = 0
    if len(board):
        _number, levels = order_of(board, order, begin)
    reach = np.zeros((nodes + 1, 2, 1326))
    reach[0] = sides
    value = 0.0
    for node in range(nodes):
        seat = player_of[node]
        first, last = first_slot[node], first_slot[node + 1]
        table = tables[seat]
        for slot in range(first, last):
            out = reach[child[slot]] if child[slot] >= 0 else reach[nodes]
            for player in range(2):
                for i in range(1326):
                    out[player, i] = reach[node, player, i]
            for i in range(1326):
                if out[seat, i] > 0:
                    total = 0.0
                    for other in range(first, last):
                        total += table[rows[seat, i], other * sequences + place]
                    out[seat, i] *= table[rows[seat, i], slot * sequences + place] / total
            if fold_of[slot] >= 0:
                lost = chips[place] + fold_paid[fold_of[slot]]
                value += (lost if seat == 1 else -lost) * met_mass(out)
            elif end_of[slot] >= 0 and len(board):
                stake = chips[place] + end_paid[end_of[slot]]
                value += stake * edge_mass(out, order, begin, levels)
            elif end_of[slot] >= 0:
                value += later[end_of[slot]]
    return value / met_mass(sides)
