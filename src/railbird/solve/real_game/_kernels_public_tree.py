"""One board of the public tree: the opponent's reach forwards, a best response's values backwards.

Vectors are (holdings, sequences) float32, one for each action, so that what decides which loop runs
is looked at once for all holdings, and the compiler's checks that vectors do not overlap once a
row. The river's 567 betting sequences are taken `WIDTH` at a time, so that one end's vector stays
in the second cache level. The showdowns of a holding are the reach of weaker holdings less that of
stronger ones, each in total less the two cards' that it holds, in one pass from each side over the
holdings in order of strength (Johanson, Waugh, Bowling and Zinkevich, "Accelerating best response
calculation in large extensive games", 2011).

A round is a tuple of arrays; see `railbird.solve.limit.matrix_cfr.round_arrays`. ``live`` are the
holdings that the board leaves, in the order of the vectors' rows.
"""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.cards._tables_holding import HOLDING_CARDS
from railbird.odds.tables._kernels_ranking import find_levels, key_of, mask_of

WIDTH = 96
"""Most betting sequences of the river at a time, of 567; a multiple of what a register holds."""


@kernel
def reach_leaves(
    part: tuple[np.ndarray, ...],
    opponent: int,
    table: np.ndarray,
    rows: np.ndarray,
    before: np.ndarray,
    sequences: np.ndarray,
    live: np.ndarray,
    reach: np.ndarray,
    ends: np.ndarray,
    folds: np.ndarray,
) -> None:
    """Fill the opponent's reach of a round's ``ends`` and ``folds`` (leaves, live, sequences).

    ``before`` (1326, all sequences) is the reach of the round's start; ``table`` (rows, lanes) are
    the probabilities, and ``rows`` (1326,) each holding's row. ``reach`` (nodes, live, sequences)
    is room.
    """
    player_of, first_slot, child = part[1], part[2], part[5]
    fold_of, end_of = part[8], part[9]
    nodes, stride, count = len(player_of), len(part[0]), len(sequences)
    is_range = count > 0 and sequences[count - 1] - sequences[0] == count - 1
    for i in range(len(live)):
        for k in range(count):
            reach[0, i, k] = before[live[i], sequences[k]]
    for node in range(nodes):
        here = reach[node]
        for slot in range(first_slot[node], first_slot[node + 1]):
            if child[slot] >= 0:
                out = reach[child[slot]]
            elif fold_of[slot] >= 0:
                out = folds[fold_of[slot]]
            else:
                out = ends[end_of[slot]]
            if player_of[node] != opponent:
                for i in range(here.shape[0]):
                    for k in range(here.shape[1]):
                        out[i, k] = here[i, k]
                continue
            begin = slot * stride
            for i in range(len(live)):
                row = rows[live[i]]
                if is_range:  # so that the compiler need not gather them one by one
                    some = table[row, begin + sequences[0] : begin + sequences[0] + count]
                    for k in range(count):
                        out[i, k] = here[i, k] * some[k]
                else:
                    for k in range(count):
                        out[i, k] = here[i, k] * table[row, begin + sequences[k]]


@kernel
def meet(live: np.ndarray, reach: np.ndarray, met: np.ndarray) -> None:
    """Fill ``met`` (live, sequences) with the reach of the others that share no card with each."""
    count = reach.shape[1]
    total = np.zeros(count, dtype=np.float32)
    by_card = np.zeros((52, count), dtype=np.float32)
    for i in range(len(live)):
        a, b = HOLDING_CARDS[live[i], 0], HOLDING_CARDS[live[i], 1]
        for s in range(count):
            own = reach[i, s]
            total[s] += own
            by_card[a, s] += own
            by_card[b, s] += own
    for i in range(len(live)):
        a, b = HOLDING_CARDS[live[i], 0], HOLDING_CARDS[live[i], 1]
        for s in range(count):
            met[i, s] = total[s] - by_card[a, s] - by_card[b, s] + reach[i, s]


@kernel
def show_down(live: np.ndarray, begin: np.ndarray, reach: np.ndarray, won: np.ndarray) -> None:
    """Fill ``won`` (live, sequences) with the reach of weaker holdings less that of stronger ones.

    ``live`` ascends in strength; the holdings of level l are those from ``begin[l]`` to
    ``begin[l + 1]``.
    """
    count, levels = reach.shape[1], len(begin) - 1
    total = np.zeros(count, dtype=np.float32)
    by_card = np.zeros((52, count), dtype=np.float32)
    for level in range(levels):
        for i in range(begin[level], begin[level + 1]):
            a, b = HOLDING_CARDS[live[i], 0], HOLDING_CARDS[live[i], 1]
            for s in range(count):
                won[i, s] = total[s] - by_card[a, s] - by_card[b, s]
        for i in range(begin[level], begin[level + 1]):
            a, b = HOLDING_CARDS[live[i], 0], HOLDING_CARDS[live[i], 1]
            for s in range(count):
                own = reach[i, s]
                total[s] += own
                by_card[a, s] += own
                by_card[b, s] += own
    total[:] = 0.0
    by_card[:] = 0.0
    for level in range(levels - 1, -1, -1):
        for i in range(begin[level], begin[level + 1]):
            a, b = HOLDING_CARDS[live[i], 0], HOLDING_CARDS[live[i], 1]
            for s in range(count):
                won[i, s] -= total[s] - by_card[a, s] - by_card[b, s]
        for i in range(begin[level], begin[level + 1]):
            a, b = HOLDING_CARDS[live[i], 0], HOLDING_CARDS[live[i], 1]
            for s in range(count):
                own = reach[i, s]
                total[s] += own
                by_card[a, s] += own
                by_card[b, s] += own


@kernel
def add_best(
    part: tuple[np.ndarray, ...],
    opponent: int,
    is_last: int,
    sequences: np.ndarray,
    live: np.ndarray,
    ends: np.ndarray,
    folds: np.ndarray,
    value: np.ndarray,
    weight: float,
    values: np.ndarray,
) -> None:
    """Add ``weight`` times a best response's values to ``values`` (1326, all sequences) float64.

    ``ends`` (leaves, live, sequences) are what `show_down` filled on the last street, else values;
    ``folds`` what `meet` filled; ``value`` (nodes, live, sequences) is room. In chips.
    """
    chips, player_of, first_slot, child = part[0], part[1], part[2], part[5]
    fold_paid, end_paid, fold_of, end_of = part[6], part[7], part[8], part[9]
    nodes, count = len(player_of), len(sequences)
    stake = np.empty(count, dtype=np.float32)
    for node in range(nodes - 1, -1, -1):
        here = value[node]
        own = player_of[node] != opponent
        first = first_slot[node]
        for slot in range(first, first_slot[node + 1]):
            stake[:] = 1.0
            if child[slot] >= 0:
                leaf = value[child[slot]]
            elif fold_of[slot] >= 0:
                leaf = folds[fold_of[slot]]
                for k in range(count):
                    lost = chips[sequences[k]] + fold_paid[fold_of[slot]]
                    stake[k] = -lost if own else lost
            else:
                leaf = ends[end_of[slot]]
                if is_last:
                    for k in range(count):
                        stake[k] = chips[sequences[k]] + end_paid[end_of[slot]]
            if slot == first:
                for i in range(len(live)):
                    for k in range(count):
                        here[i, k] = stake[k] * leaf[i, k]
            elif own:
                for i in range(len(live)):
                    for k in range(count):
                        here[i, k] = max(here[i, k], stake[k] * leaf[i, k])
            else:
                for i in range(len(live)):
                    for k in range(count):
                        here[i, k] += stake[k] * leaf[i, k]
    for i in range(len(live)):
        for k in range(count):
            values[live[i], sequences[k]] += weight * value[0, i, k]


def room_for(part: tuple[np.ndarray, ...]) -> int:
    """Return how many numbers `add_river` has to keep at a time."""
    return 1326 * WIDTH * (len(part[1]) + 2 * (len(part[7]) + len(part[6])))


@kernel
def add_river(
    part: tuple[np.ndarray, ...],
    opponent: int,
    board: np.ndarray,
    dead: np.ndarray,
    table: np.ndarray,
    rows: np.ndarray,
    before: np.ndarray,
    sequences: np.ndarray,
    weight: float,
    room: np.ndarray,
    values: np.ndarray,
) -> None:
    """Add a river's values to ``values`` (1326, all sequences); arguments as of the others.

    ``board`` has five cards, and ``dead`` are cards that the deck lacks. ``room`` has at least
    `room_for` numbers, since fresh pages cost time.
    """
    live, level = np.empty(1326, dtype=np.uint16), np.empty(1326, dtype=np.uint16)
    holdings = np.arange(1326).astype(np.uint16)
    used = mask_of(board)
    number, levels = find_levels(holdings, key_of(board), used, used | mask_of(dead), live, level)
    begin = np.zeros(levels + 2, dtype=np.int64)
    for k in range(number):
        begin[level[live[k]] + 2] += 1
    for each in range(levels):
        begin[each + 2] += begin[each + 1]
    order = np.empty(number, dtype=np.int64)
    for k in range(number):
        holding = live[k]
        order[begin[level[holding] + 1]] = holding
        begin[level[holding] + 1] += 1
    begin = begin[: levels + 1]
    nodes, end_count, fold_count = len(part[1]), len(part[7]), len(part[6])
    for start in range(0, len(sequences), WIDTH):
        some = sequences[start : start + WIDTH]
        one = number * len(some)
        vectors = room[: (nodes + 2 * (end_count + fold_count)) * one]
        vectors = vectors.reshape((nodes + 2 * (end_count + fold_count), number, len(some)))
        # A node's values take the place of its reach.
        first, last = nodes, nodes + end_count
        ends, won = vectors[first:last], vectors[last : last + end_count]
        first, last = last + end_count, last + end_count + fold_count
        folds, met = vectors[first:last], vectors[last:]
        reach_leaves(part, opponent, table, rows, before, some, order, vectors, ends, folds)
        for end in range(end_count):
            show_down(order, begin, ends[end], won[end])
        for fold in range(fold_count):
            meet(order, folds[fold], met[fold])
        add_best(part, opponent, 1, some, order, won, met, vectors, weight, values)


@kernel
def reach_street(
    part: tuple[np.ndarray, ...],
    opponent: int,
    table: np.ndarray,
    rows: np.ndarray,
    before: np.ndarray,
    live: np.ndarray,
    ends: np.ndarray,
    met: np.ndarray,
) -> None:
    """Follow the opponent through an earlier street for all its sequences; `meet` its folds."""
    folds = np.empty_like(met)
    sequences = np.arange(len(part[0]))
    reach = np.empty((len(part[1]), len(live), len(sequences)), dtype=np.float32)
    reach_leaves(part, opponent, table, rows, before, sequences, live, reach, ends, folds)
    for fold in range(len(folds)):
        meet(live, folds[fold], met[fold])


@kernel
def value_street(
    part: tuple[np.ndarray, ...],
    opponent: int,
    live: np.ndarray,
    ends: np.ndarray,
    met: np.ndarray,
    values: np.ndarray,
) -> None:
    """Add an earlier street's values, from those of its ends."""
    sequences = np.arange(len(part[0]))
    value = np.empty((len(part[1]), len(live), len(sequences)), dtype=np.float32)
    add_best(part, opponent, 0, sequences, live, ends, met, value, 1.0, values)
