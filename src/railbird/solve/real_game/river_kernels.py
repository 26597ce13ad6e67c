"""Kernels for a river of heads-up limit's public tree, which takes nearly all of the time.

`kernels` has the other streets.

A showdown is worth to a holding the reach of weaker holdings less that of stronger ones that share
no card with it. With ``below`` the reach up to the holding's level, half of that level's own
counted, it is twice ``below`` less everything. Each of the two is the total less that of holdings
with the first card, less that of holdings with the second. So one pass over the holdings in order
of strength suffices (Johanson, Waugh, Bowling and Zinkevich, "Accelerating best response
calculation in large extensive games", 2011, take one from each end), and a fold at the same
decision needs no further one.

The 567 betting sequences are processed `WIDTH` at a time, and an end of the hand is settled as soon
as it is reached, so that numbers that are read again are still in the second cache level. ``room``
begins with the sums, a vector for each card and one for all; `PAID` and `SPARE` are more vectors;
from `HEAD` on there are ``below``, the reach of an action, and the reach and the values of each
depth, a vector for each holding. Only kernels without arrays of their own can do without counting
references.
"""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel, merged_uncounted_kernel, uncounted_kernel
from railbird.cards.tables import HOLDING_CARDS
from railbird.solve.simd_kernels import WIDTH, has_any, larger, load, splat, store

BEST, SUM, MEAN = 0, 1, 2
"""How a decision's value comes from those of its actions: the responder's best; the sum, as the
opponent's probabilities are in its reach; the mean by the responder's own probabilities."""

ALL, PAID, SPARE, HEAD = 52 * WIDTH, 53 * WIDTH, 54 * WIDTH, 55 * WIDTH
"""Places in ``room``."""

LEAST = np.float32(-1e30)
"""A number below the value of any action."""

LOW = HOLDING_CARDS[:, 0].astype(np.int64) * WIDTH
HIGH = HOLDING_CARDS[:, 1].astype(np.int64) * WIDTH
"""(1326,) where the sums of a holding's cards stand."""


@merged_uncounted_kernel
def load_some(array: np.ndarray, start: int, count: int, room: np.ndarray):  # type: ignore[no-untyped-def]
    """Return a vector whose numbers beyond ``count`` are zero, and are not read."""
    if count == WIDTH:
        return load(array, start)
    for k in range(WIDTH):
        room[SPARE + k] = array[start + k] if k < count else np.float32(0)
    return load(room, SPARE)


@uncounted_kernel
def multiply_reach(
    order: np.ndarray,
    table: np.ndarray,
    rows: np.ndarray,
    lane: int,
    count: int,
    room: np.ndarray,
    at: int,
    out: int,
) -> bool:
    """Write the reach of an action; tell whether there is any."""
    total = splat(np.float32(0))
    for i in range(len(order)):
        start = rows[order[i]] + lane
        reach = load(room, at + i * WIDTH) * load_some(table, start, count, room)
        total = total + reach
        store(room, out + i * WIDTH, reach)
    any_reach: bool = has_any(total)
    return any_reach


@uncounted_kernel
def clear_sums(room: np.ndarray) -> None:
    """Set the sums by card, and the one over all holdings, to zero."""
    for place in range(0, PAID, WIDTH):
        store(room, place, splat(np.float32(0)))


@uncounted_kernel
def add_all(order: np.ndarray, room: np.ndarray, reach: int) -> None:
    """Sum the reach of all holdings, by card and in total."""
    clear_sums(room)
    total = splat(np.float32(0))
    for i in range(len(order)):
        a, b = LOW[order[i]], HIGH[order[i]]
        own = load(room, reach + i * WIDTH)
        total = total + own
        store(room, a, load(room, a) + own)
        store(room, b, load(room, b) + own)
    store(room, ALL, total)


@uncounted_kernel
def fill_sums(
    order: np.ndarray, begin: np.ndarray, room: np.ndarray, reach: int, below: int
) -> None:
    """Write the reach below each holding, and fill the sums."""
    clear_sums(room)
    total, half = splat(np.float32(0)), splat(np.float32(0.5))
    for level in range(len(begin) - 1):
        first, last = begin[level], begin[level + 1]
        # Not a function for the two halves: it would take the total out of its register.
        for i in range(first, last):
            a, b = LOW[order[i]], HIGH[order[i]]
            own = half * load(room, reach + i * WIDTH)
            total = total + own
            store(room, a, load(room, a) + own)
            store(room, b, load(room, b) + own)
        for i in range(first, last):
            a, b = LOW[order[i]], HIGH[order[i]]
            store(room, below + i * WIDTH, total - load(room, a) - load(room, b))
        for i in range(first, last):
            a, b = LOW[order[i]], HIGH[order[i]]
            own = half * load(room, reach + i * WIDTH)
            total = total + own
            store(room, a, load(room, a) + own)
            store(room, b, load(room, b) + own)
    store(room, ALL, total)


@merged_uncounted_kernel
def merge(  # type: ignore[no-untyped-def]
    how: int,
    value,
    holding: int,
    own_table: np.ndarray,
    own_rows: np.ndarray,
    lane: int,
    count: int,
    room: np.ndarray,
    at: int,
) -> None:
    """Merge an action's value for a holding with those of the decision's other actions."""
    current = load(room, at)
    if how == BEST:
        store(room, at, larger(current, value))
    elif how == SUM:
        store(room, at, current + value)
    else:
        start = own_rows[holding] + lane
        store(room, at, current + value * load_some(own_table, start, count, room))


@uncounted_kernel
def settle_showdown(
    order: np.ndarray,
    below: int,
    how: int,
    own_table: np.ndarray,
    own_rows: np.ndarray,
    lane: int,
    count: int,
    room: np.ndarray,
    at: int,
) -> None:
    """Merge what a showdown is worth."""
    total, paid, two = load(room, ALL), load(room, PAID), splat(np.float32(2))
    for i in range(len(order)):
        holding = order[i]
        everything = total - load(room, LOW[holding]) - load(room, HIGH[holding])
        won = paid * (two * load(room, below + i * WIDTH) - everything)
        merge(how, won, holding, own_table, own_rows, lane, count, room, at + i * WIDTH)


@uncounted_kernel
def settle_fold(
    order: np.ndarray,
    reach: int,
    how: int,
    own_table: np.ndarray,
    own_rows: np.ndarray,
    lane: int,
    count: int,
    room: np.ndarray,
    at: int,
) -> None:
    """Merge what a fold is worth: the chips paid times the reach that meets a holding."""
    total, paid = load(room, ALL), load(room, PAID)
    for i in range(len(order)):
        holding = order[i]
        others = total - load(room, LOW[holding]) - load(room, HIGH[holding])
        won = paid * (others + load(room, reach + i * WIDTH))
        merge(how, won, holding, own_table, own_rows, lane, count, room, at + i * WIDTH)


@uncounted_kernel
def settle_later(
    order: np.ndarray,
    later: int,
    how: int,
    own_table: np.ndarray,
    own_rows: np.ndarray,
    lane: int,
    count: int,
    room: np.ndarray,
    here: int,
) -> None:
    """Merge what a later decision is worth."""
    for i in range(len(order)):
        value = load(room, later + i * WIDTH)
        merge(how, value, order[i], own_table, own_rows, lane, count, room, here + i * WIDTH)


@uncounted_kernel
def fill_vectors(number: np.float32, length: int, room: np.ndarray, at: int) -> None:
    """Write a number into all places of ``length`` vectors."""
    for i in range(length):
        store(room, at + i * WIDTH, splat(number))


@uncounted_kernel
def take_reach(order: np.ndarray, reach: np.ndarray, first: int, room: np.ndarray, at: int) -> None:
    """Write the reach of the river, of the vectors from ``first`` on."""
    for i in range(len(order)):
        store(room, at + i * WIDTH, load(reach, (first + order[i]) * WIDTH))


@uncounted_kernel
def add_values(
    order: np.ndarray,
    weight: np.float32,
    room: np.ndarray,
    source: int,
    first: int,
    values: np.ndarray,
) -> None:
    """Add the values from ``source`` on to the vectors from ``first`` on."""
    factor = splat(weight)
    for i in range(len(order)):
        at = (first + order[i]) * WIDTH
        value = factor * load(room, source + i * WIDTH)
        store(values, at, load(values, at) + value)


@kernel
def add_river_values(
    arrays: tuple[np.ndarray, ...],
    opponent: int,
    order: np.ndarray,
    begin: np.ndarray,
    table: np.ndarray,
    rows: np.ndarray,
    river_reach: np.ndarray,
    vectors: np.ndarray,
    is_best: bool,
    own_table: np.ndarray,
    own_rows: np.ndarray,
    weight: float,
    room: np.ndarray,
    values: np.ndarray,
) -> None:
    """Add ``weight`` times a river's values to ``values``, in chips.

    Both ``values`` and ``river_reach``, the opponent's reach of the river, are in vectors, as
    `railbird.solve.real_game.public_tree.lay_out_reach` has them, and ``vectors`` are those that
    have any reach. ``arrays`` is of `railbird.solve.limit.matrix_cfr.round_arrays`, ``order`` and
    ``begin`` of `railbird.solve.kernels`. ``table`` and ``rows`` are the opponent's strategy,
    ``own_table`` and ``own_rows`` the responder's, of no matter where it ``is_best``. ``room`` is
    of `room_for`.
    """
    chips, player_of, first_slot, child = arrays[0], arrays[1], arrays[2], arrays[5]
    fold_paid, end_paid, fold_of, end_of = arrays[6], arrays[7], arrays[8], arrays[9]
    nodes, stride, number = len(player_of), len(chips), len(order)
    flat, flat_own = table.reshape(-1), own_table.reshape(-1)
    flat_before, flat_values = river_reach.reshape(-1), values.reshape(-1)
    at_row, at_own_row = np.empty(1326, dtype=np.int64), np.empty(1326, dtype=np.int64)
    for holding in order:
        at_row[holding] = np.int64(rows[holding]) * table.shape[1]
        at_own_row[holding] = np.int64(own_rows[holding]) * own_table.shape[1]
    vector = number * WIDTH
    below, acted, reaches = HEAD, HEAD + vector, HEAD + 2 * vector
    values_at = reaches + nodes * vector
    # By depth: the decision, its next action, and where its reach stands.
    node_at, slot_at = np.zeros(nodes, dtype=np.int64), np.zeros(nodes, dtype=np.int64)
    reach_at = np.zeros(nodes, dtype=np.int64)
    own_how, own_least = (BEST, LEAST) if is_best else (MEAN, np.float32(0))
    count = min(WIDTH, stride)
    for number_of_vector in vectors:
        start = min(number_of_vector * WIDTH, stride - count)
        take_reach(order, flat_before, number_of_vector * 1326, room, reaches)
        depth = 0
        node_at[0], slot_at[0], reach_at[0] = 0, first_slot[0], reaches
        fill_vectors(
            own_least if player_of[0] != opponent else np.float32(0), number, room, values_at
        )
        while True:
            node, slot, reach = node_at[depth], slot_at[depth], reach_at[depth]
            at, is_own = values_at + depth * vector, player_of[node] != opponent
            if slot == first_slot[node + 1]:
                if depth == 0:
                    break
                depth -= 1
                how = own_how if player_of[node_at[depth]] != opponent else SUM
                lane = (slot_at[depth] - 1) * stride + start
                settle_later(order, at, how, flat_own, at_own_row, lane, count, room, at - vector)
                continue
            slot_at[depth] += 1
            after, lane = child[slot], slot * stride + start
            if not is_own:
                out = acted if after < 0 else reaches + (depth + 1) * vector
                if not multiply_reach(order, flat, at_row, lane, count, room, reach, out):
                    continue
                reach = out
            how = own_how if is_own else SUM
            if after >= 0:
                depth += 1
                node_at[depth], slot_at[depth], reach_at[depth] = after, first_slot[after], reach
                least = own_least if player_of[after] != opponent else np.float32(0)
                fill_vectors(least, number, room, values_at + depth * vector)
            elif fold_of[slot] >= 0:
                sign = np.float32(-1 if is_own else 1)
                for k in range(count):
                    room[PAID + k] = sign * (chips[start + k] + fold_paid[fold_of[slot]])
                if is_own:  # whose call comes next, and finds the sums
                    fill_sums(order, begin, room, reach, below)
                else:
                    add_all(order, room, reach)
                settle_fold(order, reach, how, flat_own, at_own_row, lane, count, room, at)
            else:
                for k in range(count):
                    room[PAID + k] = chips[start + k] + end_paid[end_of[slot]]
                if not is_own or slot == first_slot[node]:
                    fill_sums(order, begin, room, reach, below)
                settle_showdown(order, below, how, flat_own, at_own_row, lane, count, room, at)
        add_values(order, np.float32(weight), room, values_at, number_of_vector * 1326, flat_values)
