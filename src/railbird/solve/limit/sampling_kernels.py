"""Kernels of public chance sampling for heads-up limit: one board dealt to both players' ranges."""

# No draws but the board. The work on a board is large and regular, so everything about the form is
# about vectors. Sixteen betting sequences of player 0 and the same of player 1 share one vector,
# holdings are the loop, and a showdown of all pairs of holdings is one pass in order of strength:
# what is below a level without it, plus what is below it with it, less the whole, is what is weaker
# less what is stronger, and `halve_sums` has the sums begin at minus half so that no third term is
# needed. A pair that shares a card is taken off by sums by card. The players' halves are in each
# other's place, since what a player wins is computed from the other's reach: that is why `exchange`
# and ``1 - q`` appear.
#
# Regrets change only after a batch of boards (`add_changes`), in the order of the boards, so the
# strategy is the same with any number of threads. The changes are written down by bucket for each
# board and are added up by rows, each thread having its own.
#
# Who would notice: tests/solve/limit/test_sampling.py plays one board holding by holding and
# compares all changes, and checks that threads change nothing. tests/solve/real_game uses the same
# passes for best responses.

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from railbird._jit import merged_uncounted_kernel, uncounted_kernel
from railbird.solve.simd_kernels import (
    HALF,
    WIDTH,
    exchange,
    in_half,
    larger,
    load,
    load_half,
    share_or,
    splat,
    store,
    store_half,
)

# One board dealt to both ranges: reach forwards, values backwards, sums by bucket.
#
# Public chance sampling (Johanson, Bard, Lanctot, Gibson and Bowling, "Efficient Nash equilibrium
# approximation through Monte Carlo counterfactual regret minimization", 2012). Holdings stand in
# the order of strength, so that all showdowns of an end of the betting take one pass over them.
# Betting sequences come in *chunks* of at most `HALF`: a *row* is a vector of both players, so that
# what a leaf needs of all holdings fits the second cache level.
#
# Only regrets by bucket are wanted, so values are added up by bucket at the leaves, and the rest of
# the betting is followed once for each bucket, not for each holding.


GROUP = 3
"""Leaves that are settled together: what they share is still in the first cache level then."""

BLOCK = 32
"""Holdings for which one leaf follows another."""

SUMS, ALL = 53, 52 * WIDTH
"""Sums of a leaf, and the place of the one over all holdings."""


class DealtHoldings(NamedTuple):
    """The holdings that a board leaves, the weakest first."""

    low: np.ndarray
    """(holdings,) int64: where the sums of a holding's first card stand."""
    high: np.ndarray
    """(holdings,) int64: where those of its second card stand."""
    begin: np.ndarray
    """(levels + 1,) int64: where the holdings of each strength begin."""


class _Reached(Protocol):
    """The part of a `StreetArrays` from which the reach of the next one follows."""

    @property
    def part(self) -> tuple[np.ndarray, ...]: ...
    @property
    def bounds(self) -> np.ndarray: ...
    @property
    def bucket(self) -> np.ndarray: ...
    @property
    def reach(self) -> np.ndarray: ...
    @property
    def leaf(self) -> np.ndarray: ...


class StreetArrays(NamedTuple):
    """The betting, the tables' rows and the vectors that one board needs on one street.

    A row has `HALF` lanes of player 0, then those of player 1. In the place of player q stand q's
    reach, and the values of the other, for which it is needed.
    """

    part: tuple[np.ndarray, ...]
    """The betting, `round_arrays`."""
    bounds: np.ndarray
    """(chunks + 1,) int64: the sequences with which chunks begin."""
    bucket: np.ndarray
    """(holdings,) int32: the place of each holding's bucket in ``member``."""
    member: np.ndarray
    """(buckets here,) int32: the buckets that occur."""
    regrets: np.ndarray
    """(buckets, lanes) float32."""
    reach: np.ndarray
    """(chunks, holdings, `WIDTH`) float32: at the start of the street; 0 beyond a chunk's end."""
    value: np.ndarray
    """(chunks, holdings, `WIDTH`) float32: what is won from there on."""
    share: np.ndarray
    """(buckets here, slots, `WIDTH`) float32: the strategy in the place of who acts, else 1."""
    leaf: np.ndarray
    """(buckets here, leaves, `WIDTH`) float32: reach of folds, then ends; times what is won there
    once it has been put into `_put_stake`."""
    other: np.ndarray
    """(buckets here, leaves, `WIDTH`) float32: the reach with the players exchanged."""
    own: np.ndarray
    """(buckets here, `WIDTH`) float32: the reach of the street, summed."""
    total: np.ndarray
    """(buckets here, leaves, `WIDTH`) float32: values of leaves, summed."""
    regret_change: np.ndarray
    """(buckets here, lanes) float32: what the board adds to the regrets."""
    sum_change: np.ndarray
    """(buckets here, lanes) float32: what the board adds to the sums of the average strategy."""


class StreetMemory(NamedTuple):
    """Memory for a chunk of a street; ``path`` and ``node_value`` are filled for each bucket."""

    path: np.ndarray
    """(nodes, `WIDTH`) float32: the reach of a node."""
    node_value: np.ndarray
    """(nodes, `WIDTH`) float32."""
    some: np.ndarray
    """(`WIDTH`,) float32: for vectors that are not whole."""
    met: np.ndarray
    """(holdings of a level, `WIDTH`) float32."""
    by_card: np.ndarray
    """(`GROUP`, 53, `WIDTH`) float32: sums of the reach of leaves by card, and over all."""


@merged_uncounted_kernel
def load_part(table: np.ndarray, row: int, lane: int, count: int, some: np.ndarray):  # type: ignore[no-untyped-def]
    """Return ``count`` numbers in both halves, and zeros beyond them, where nothing is read."""
    if count == HALF:
        return load_half(table, row * table.shape[1] + lane)
    for k in range(HALF):
        some[k] = table[row, lane + k] if k < count else np.float32(0)
    return load_half(some, 0)


@merged_uncounted_kernel
def _store_part(  # type: ignore[no-untyped-def]
    table: np.ndarray, row: int, lane: int, count: int, numbers, half: int, some: np.ndarray
) -> None:
    """Write the first ``count`` numbers of a half."""
    if count == HALF:
        store_half(table, row * table.shape[1] + lane, numbers, half)
        return
    store_half(some, 0, numbers, half)
    for k in range(count):
        table[row, lane + k] = some[k]


@uncounted_kernel
def _prepare(street: StreetArrays, chunk: int, memory: StreetMemory, with_sums: bool) -> None:
    """Fill the strategy, the reach of leaves and, if asked for, changes of the average's sums."""
    player_of, first_slot, child = street.part[1], street.part[2], street.part[5]
    fold_of, end_of, folds = street.part[8], street.part[9], len(street.part[6])
    sequences, slots, leaves = len(street.part[0]), len(child), street.leaf.shape[1]
    begin, holdings = street.bounds[chunk], len(street.bucket)
    count = street.bounds[chunk + 1] - begin
    share, path, own = street.share, memory.path, street.own
    zero, ones = splat(np.float32(0)), splat(np.float32(1))
    if with_sums:
        for b in range(len(street.member)):
            store(own, b * WIDTH, zero)
        for i in range(holdings):
            at = street.bucket[i] * WIDTH
            store(own, at, load(own, at) + load(street.reach, (chunk * holdings + i) * WIDTH))
    store(path, 0, ones)
    for b in range(len(street.member)):
        row = int(street.member[b])
        reach = load(own, b * WIDTH)
        for node in range(len(player_of)):
            first, last, q = first_slot[node], first_slot[node + 1], player_of[node]
            summed = zero
            for slot in range(first, last):
                lane = slot * sequences + begin
                regret = load_part(street.regrets, row, lane, count, memory.some)
                positive = larger(regret, zero)
                store(share, (b * slots + slot) * WIDTH, positive)
                summed = summed + positive
            equal = splat(np.float32(1) / np.float32(last - first))
            here = load(path, node * WIDTH)
            for slot in range(first, last):
                at = (b * slots + slot) * WIDTH
                part = in_half(q, share_or(load(share, at), summed, equal), ones)
                store(share, at, part)
                reached = here * part
                if child[slot] >= 0:
                    store(path, child[slot] * WIDTH, reached)
                else:
                    to = fold_of[slot] if fold_of[slot] >= 0 else folds + end_of[slot]
                    store(street.leaf, (b * leaves + to) * WIDTH, reached)
                    store(street.other, (b * leaves + to) * WIDTH, exchange(reached))
                if with_sums:
                    lane = slot * sequences + begin
                    _store_part(street.sum_change, b, lane, count, reach * reached, q, memory.some)


@merged_uncounted_kernel
def _chunk_of(street: _Reached, sequence: int) -> int:
    """Return the chunk that a sequence is in."""
    chunk = 0
    while street.bounds[chunk + 1] <= sequence:
        chunk += 1
    return chunk


@uncounted_kernel
def forwards(street: _Reached, later: _Reached, chunk: int) -> None:
    """Fill the reach of the next street from that of a chunk of this one."""
    sequences, folds, ends = len(street.part[0]), len(street.part[6]), len(street.part[7])
    begin, stop = street.bounds[chunk], street.bounds[chunk + 1]
    holdings, leaves = len(street.bucket), street.leaf.shape[1]
    for end in range(ends):
        done = begin
        while done < stop:
            start = end * sequences + done
            to = _chunk_of(later, start)
            lane, length = start - later.bounds[to], min(stop - done, later.bounds[to + 1] - start)
            if length == stop - begin == later.bounds[to + 1] - later.bounds[to]:
                for i in range(holdings):
                    at = (street.bucket[i] * leaves + folds + end) * WIDTH
                    reach = load(street.reach, (chunk * holdings + i) * WIDTH)
                    store(later.reach, (to * holdings + i) * WIDTH, reach * load(street.leaf, at))
            else:
                for i in range(holdings):
                    b = street.bucket[i]
                    for q in range(2):
                        here, there = q * HALF + done - begin, q * HALF + lane
                        for s in range(length):
                            later.reach[to, i, there + s] = (
                                street.reach[chunk, i, here + s]
                                * street.leaf[b, folds + end, here + s]
                            )
            done += length


@uncounted_kernel
def _put_stake(street: StreetArrays, leaf: int, memory: StreetMemory) -> None:
    """Multiply the reach of a leaf by what is won there."""
    leaves, stake = street.leaf.shape[1], load(memory.some, 0)
    for b in range(len(street.member)):
        at = (b * leaves + leaf) * WIDTH
        store(street.leaf, at, stake * load(street.leaf, at))


@uncounted_kernel
def clear_rows(array: np.ndarray, rows: int) -> None:
    """Set rows to zero."""
    for row in range(rows):
        store(array, row * WIDTH, splat(np.float32(0)))


@uncounted_kernel
def sum_by_card(
    street: _Reached, chunk: int, leaf: int, count: int, deal: DealtHoldings, sums: np.ndarray
) -> None:
    """Sum the reach of some leaves by card, and over all holdings."""
    holdings, leaves = len(street.bucket), street.leaf.shape[1]
    first = chunk * holdings * WIDTH
    clear_rows(sums, count * SUMS)
    for begin in range(0, holdings, BLOCK):
        for k in range(count):
            offset = k * SUMS * WIDTH
            total = load(sums, offset + ALL)
            for i in range(begin, min(begin + BLOCK, holdings)):
                a, c = offset + deal.low[i], offset + deal.high[i]
                at = (street.bucket[i] * leaves + leaf + k) * WIDTH
                own = load(street.reach, first + i * WIDTH) * load(street.leaf, at)
                total = total + own
                store(sums, a, load(sums, a) + own)
                store(sums, c, load(sums, c) + own)
            store(sums, offset + ALL, total)


@uncounted_kernel
def halve_sums(sums: np.ndarray, count: int) -> None:
    """Have the sums of some leaves begin at minus half of the whole.

    The sum below a level and the sum up to it, added, are then what is weaker less what is
    stronger.
    """
    half = splat(np.float32(-0.5))
    for row in range(count * SUMS):
        store(sums, row * WIDTH, half * load(sums, row * WIDTH))


@uncounted_kernel
def _fold(
    street: StreetArrays, chunk: int, leaf: int, count: int, deal: DealtHoldings, sums: np.ndarray
) -> None:
    """Add what is won at some folds to the totals of buckets and the values of holdings."""
    holdings, leaves = len(street.bucket), street.leaf.shape[1]
    first = chunk * holdings * WIDTH
    sum_by_card(street, chunk, leaf, count, deal, sums)
    for begin in range(0, holdings, BLOCK):
        for k in range(count):
            offset = k * SUMS * WIDTH
            total, summed = load(sums, offset + ALL), splat(np.float32(0))
            at = (street.bucket[begin] * leaves + leaf + k) * WIDTH
            reached, opponent_reach = load(street.leaf, at), load(street.other, at)
            for i in range(begin, min(begin + BLOCK, holdings)):
                to, row = (street.bucket[i] * leaves + leaf + k) * WIDTH, first + i * WIDTH
                if to != at:
                    store(street.total, at, load(street.total, at) + summed)
                    at, summed = to, splat(np.float32(0))
                    reached, opponent_reach = load(street.leaf, at), load(street.other, at)
                others = (
                    total - load(sums, offset + deal.low[i]) - load(sums, offset + deal.high[i])
                )
                won = others + load(street.reach, row) * reached
                summed = summed + won
                store(street.value, row, load(street.value, row) + opponent_reach * won)
            store(street.total, at, load(street.total, at) + summed)


@uncounted_kernel
def _show_down(
    street: StreetArrays,
    chunk: int,
    leaf: int,
    count: int,
    deal: DealtHoldings,
    sums: np.ndarray,
    met: np.ndarray,
) -> None:
    """Add what is won at some showdowns to the totals of buckets and the values of holdings."""
    low, high = deal.low, deal.high
    holdings, leaves = len(street.bucket), street.leaf.shape[1]
    first = chunk * holdings * WIDTH
    sum_by_card(street, chunk, leaf, count, deal, sums)
    halve_sums(sums, count)
    for level in range(len(deal.begin) - 1):
        begin, stop = deal.begin[level], deal.begin[level + 1]
        for k in range(count):
            offset = k * SUMS * WIDTH
            total, summed = load(sums, offset + ALL), splat(np.float32(0))
            for i in range(begin, stop):
                less = total - load(sums, offset + low[i]) - load(sums, offset + high[i])
                store(met, (i - begin) * WIDTH, less)
            for i in range(begin, stop):
                a, c = offset + low[i], offset + high[i]
                at = (street.bucket[i] * leaves + leaf + k) * WIDTH
                own = load(street.reach, first + i * WIDTH) * load(street.leaf, at)
                total = total + own
                store(sums, a, load(sums, a) + own)
                store(sums, c, load(sums, c) + own)
            store(sums, offset + ALL, total)
            at = (street.bucket[begin] * leaves + leaf + k) * WIDTH
            opponent_reach = load(street.other, at)
            for i in range(begin, stop):
                to, row = (street.bucket[i] * leaves + leaf + k) * WIDTH, first + i * WIDTH
                if to != at:
                    store(street.total, at, load(street.total, at) + summed)
                    at, summed, opponent_reach = to, splat(np.float32(0)), load(street.other, to)
                more = total - load(sums, offset + low[i]) - load(sums, offset + high[i])
                won = load(met, (i - begin) * WIDTH) + more
                summed = summed + won
                store(street.value, row, load(street.value, row) + opponent_reach * won)
            store(street.total, at, load(street.total, at) + summed)


@uncounted_kernel
def _settle(street: StreetArrays, chunk: int, memory: StreetMemory) -> None:
    """Fill the changes of both players' regrets from the leaves' values by bucket."""
    player_of, first_slot, folds = street.part[1], street.part[2], len(street.part[6])
    sequences, slots = len(street.part[0]), street.share.shape[1]
    leaves, node_value, begin = street.leaf.shape[1], memory.node_value, street.bounds[chunk]
    count = street.bounds[chunk + 1] - begin
    for b in range(len(street.member)):
        for node in range(len(player_of) - 1, -1, -1):
            first, last, q = first_slot[node], first_slot[node + 1], player_of[node]
            value = splat(np.float32(0))
            # The values of who acts are in the other's place, where its strategy is put.
            for slot in range(first, last):
                won = _value_of(street, b, slot, leaves, folds, memory)
                value = value + won * exchange(load(street.share, (b * slots + slot) * WIDTH))
            store(node_value, node * WIDTH, value)
            for slot in range(first, last):
                lane = slot * sequences + begin
                more = _value_of(street, b, slot, leaves, folds, memory) - value
                _store_part(street.regret_change, b, lane, count, more, 1 - q, memory.some)


@merged_uncounted_kernel
def _value_of(  # type: ignore[no-untyped-def]
    street: StreetArrays, b: int, slot: int, leaves: int, folds: int, memory: StreetMemory
):
    """Return what is won after an action."""
    child, fold = street.part[5][slot], street.part[8][slot]
    if child >= 0:
        return load(memory.node_value, child * WIDTH)
    leaf = fold if fold >= 0 else folds + street.part[9][slot]
    return load(street.total, (b * leaves + leaf) * WIDTH)


@uncounted_kernel
def _take_later(street: StreetArrays, later: StreetArrays, chunk: int, end: int) -> None:
    """Add the values of the next street at an end to the totals and the values of holdings."""
    sequences, holdings, leaves = len(street.part[0]), len(street.bucket), street.leaf.shape[1]
    begin, stop = street.bounds[chunk], street.bounds[chunk + 1]
    leaf, done = len(street.part[6]) + end, begin
    while done < stop:
        start = end * sequences + done
        to = _chunk_of(later, start)
        lane, length = start - later.bounds[to], min(stop - done, later.bounds[to + 1] - start)
        if length == stop - begin == later.bounds[to + 1] - later.bounds[to]:
            for i in range(holdings):
                at = (street.bucket[i] * leaves + leaf) * WIDTH
                offset = (chunk * holdings + i) * WIDTH
                won = load(later.value, (to * holdings + i) * WIDTH)
                store(street.total, at, load(street.total, at) + won)
                summed = load(street.value, offset) + load(street.other, at) * won
                store(street.value, offset, summed)
        else:
            for i in range(holdings):
                b = street.bucket[i]
                for q in range(2):
                    offset, there = q * HALF + done - begin, q * HALF + lane
                    for s in range(length):
                        later_value = later.value[to, i, there + s]
                        street.total[b, leaf, offset + s] += later_value
                        street.value[chunk, i, offset + s] += (
                            street.other[b, leaf, offset + s] * later_value
                        )
        done += length


@uncounted_kernel
def _backwards(
    street: StreetArrays,
    later: StreetArrays,
    is_last: bool,
    chunk: int,
    deal: DealtHoldings,
    memory: StreetMemory,
) -> None:
    """Fill the values of a chunk and its changes; ``later`` is of no matter on the last street."""
    chips, player_of, node_of = street.part[0], street.part[1], street.part[4]
    fold_paid, end_paid, fold_of = street.part[6], street.part[7], street.part[8]
    holdings, leaves, stake = len(street.bucket), street.leaf.shape[1], memory.some
    begin, folds = street.bounds[chunk], len(fold_paid)
    count = street.bounds[chunk + 1] - begin
    _prepare(street, chunk, memory, True)
    clear_rows(street.total, len(street.member) * leaves)
    for i in range(holdings):
        store(street.value, (chunk * holdings + i) * WIDTH, splat(np.float32(0)))
    for slot in range(len(fold_of)):
        fold = fold_of[slot]
        if fold >= 0:
            # In the place of q are the values of the other, who wins if q folds.
            for k in range(WIDTH):
                sign = 1.0 if player_of[node_of[slot]] == k // HALF else -1.0
                paid = chips[begin + min(k % HALF, count - 1)] + fold_paid[fold]
                stake[k] = sign * paid
            _put_stake(street, fold, memory)
    for leaf in range(0, folds, GROUP):
        _fold(street, chunk, leaf, min(GROUP, folds - leaf), deal, memory.by_card)
    for end in range(len(end_paid)):
        if is_last:
            for k in range(WIDTH):
                stake[k] = chips[begin + min(k % HALF, count - 1)] + end_paid[end]
            _put_stake(street, folds + end, memory)
        else:
            _take_later(street, later, chunk, end)
    for leaf in range(folds, leaves if is_last else folds, GROUP):
        some = min(GROUP, leaves - leaf)
        _show_down(street, chunk, leaf, some, deal, memory.by_card, memory.met)
    _settle(street, chunk, memory)


@uncounted_kernel
def visit_board(
    streets: tuple[StreetArrays, ...], deal: DealtHoldings, places: tuple[StreetMemory, ...]
) -> None:
    """Fill the changes of regrets and sums that a board makes on all four streets."""
    first, second, third, fourth = streets
    for i in range(first.reach.shape[1]):
        first.reach[0, i, 0] = first.reach[0, i, HALF] = 1.0
    _prepare(first, 0, places[0], False)
    forwards(first, second, 0)
    for chunk in range(second.reach.shape[0]):
        _prepare(second, chunk, places[1], False)
        forwards(second, third, chunk)
    for chunk in range(third.reach.shape[0]):
        _prepare(third, chunk, places[2], False)
        forwards(third, fourth, chunk)
    for chunk in range(fourth.reach.shape[0]):
        _backwards(fourth, fourth, True, chunk, deal, places[3])
    for chunk in range(third.reach.shape[0]):
        _backwards(third, fourth, False, chunk, deal, places[2])
    for chunk in range(second.reach.shape[0]):
        _backwards(second, third, False, chunk, deal, places[1])
    _backwards(first, second, False, 0, deal, places[0])


@uncounted_kernel
def add_changes(
    table: np.ndarray,
    changes: np.ndarray,
    member: np.ndarray,
    weight: float,
    first: int,
    stop: int,
) -> None:
    """Add ``weight`` times the changes to the rows ``member`` that lie in first..stop."""
    scale = np.float32(weight)
    for b in range(len(member)):
        row = member[b]
        if first <= row < stop:
            for lane in range(table.shape[1]):
                table[row, lane] += scale * changes[b, lane]
