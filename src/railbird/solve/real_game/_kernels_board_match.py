"""Two strategies against each other on one board: what one of them wins in both seats.

Halves of a vector are seats here: of one's own strategy in the first it has seat 0, in the second
seat 1, and of the opponent's the other. All pairs of holdings and all betting count, so both reach
every end of the betting forwards, and what is won there is added up at once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import uncounted_kernel
from railbird.solve.limit.sampling._kernels_public_chance import (
    ALL,
    BLOCK,
    GROUP,
    SUMS,
    Deal,
    clear,
    forwards,
    halve_sums,
    load_part,
    sum_by_card,
)
from railbird.solve.simd._kernels_lanes import (
    HALF,
    WIDTH,
    has_any,
    in_half,
    load,
    splat,
    store,
)


class Side(NamedTuple):
    """What one player does on one street of a board."""

    part: tuple[np.ndarray, ...]
    """The betting, `round_arrays`."""
    bounds: np.ndarray
    """(chunks + 1,) int64: the sequences with which chunks begin."""
    bucket: np.ndarray
    """(holdings,) int32: the place of each holding's row in ``member``."""
    member: np.ndarray
    """(rows here,) int32: the rows that occur."""
    table: np.ndarray
    """(rows, lanes) float32: probabilities."""
    reach: np.ndarray
    """(chunks, holdings, `WIDTH`) float32: at the start of the street; 0 beyond a chunk's end."""
    leaf: np.ndarray
    """(rows here, leaves, `WIDTH`) float32: reach of folds, then ends, from the street's start."""


class Scratch(NamedTuple):
    """Room for a chunk of a street."""

    path: np.ndarray
    """(nodes, `WIDTH`) float32: the reach of a node."""
    some: np.ndarray
    """(`WIDTH`,) float32: for vectors that are not whole."""
    met: np.ndarray
    """(holdings of a level, `WIDTH`) float32."""
    by_card: np.ndarray
    """(`GROUP`, 53, `WIDTH`) float32: sums of the reach of leaves by card, and over all."""
    found: np.ndarray
    """(leaves, `WIDTH`) float32: what is won for each chip at stake."""


@uncounted_kernel
def _prepare(side: Side, chunk: int, first_seat: int, scratch: Scratch) -> None:
    """Fill the reach of leaves of who has ``first_seat`` in the first half."""
    player_of, first_slot, child = side.part[1], side.part[2], side.part[5]
    fold_of, end_of, folds = side.part[8], side.part[9], len(side.part[6])
    sequences, leaves, begin = len(side.part[0]), side.leaf.shape[1], side.bounds[chunk]
    count, path, one = side.bounds[chunk + 1] - begin, scratch.path, splat(np.float32(1))
    store(path, 0, one)
    for b in range(len(side.member)):
        for node in range(len(player_of)):
            here, half = load(path, node * WIDTH), player_of[node] ^ first_seat
            for slot in range(first_slot[node], first_slot[node + 1]):
                lane = slot * sequences + begin
                share = load_part(side.table, int(side.member[b]), lane, count, scratch.some)
                reached = here * in_half(half, share, one)
                if child[slot] >= 0:
                    store(path, child[slot] * WIDTH, reached)
                else:
                    to = fold_of[slot] if fold_of[slot] >= 0 else folds + end_of[slot]
                    store(side.leaf, (b * leaves + to) * WIDTH, reached)


@uncounted_kernel
def _is_reached(side: Side, chunk: int) -> bool:
    """Tell whether any holding reaches a chunk."""
    holdings, found = len(side.bucket), splat(np.float32(0))
    for i in range(holdings):
        found = found + load(side.reach, (chunk * holdings + i) * WIDTH)
    any_reach: bool = has_any(found)
    return any_reach


@uncounted_kernel
def _fold(
    own: Side, opponent: Side, chunk: int, leaf: int, count: int, deal: Deal, scratch: Scratch
) -> None:
    """Fill how often both come to some folds."""
    sums, found = scratch.by_card, scratch.found
    holdings, leaves = len(own.bucket), own.leaf.shape[1]
    sum_by_card(opponent, chunk, leaf, count, deal, sums)
    for begin in range(0, holdings, BLOCK):
        for k in range(count):
            here = k * SUMS * WIDTH
            total, won = load(sums, here + ALL), load(found, (leaf + k) * WIDTH)
            for i in range(begin, min(begin + BLOCK, holdings)):
                row = (chunk * holdings + i) * WIDTH
                mine = load(own.leaf, (own.bucket[i] * leaves + leaf + k) * WIDTH)
                its = load(opponent.leaf, (opponent.bucket[i] * leaves + leaf + k) * WIDTH)
                others = total - load(sums, here + deal.low[i]) - load(sums, here + deal.high[i])
                met = others + load(opponent.reach, row) * its
                won = won + load(own.reach, row) * mine * met
            store(found, (leaf + k) * WIDTH, won)


@uncounted_kernel
def _show_down(
    own: Side, opponent: Side, chunk: int, leaf: int, count: int, deal: Deal, scratch: Scratch
) -> None:
    """Fill how much more often than not some showdowns are won."""
    low, high, met = deal.low, deal.high, scratch.met
    sums, found = scratch.by_card, scratch.found
    holdings, leaves = len(own.bucket), own.leaf.shape[1]
    first = chunk * holdings * WIDTH
    sum_by_card(opponent, chunk, leaf, count, deal, sums)
    halve_sums(sums, count)
    for level in range(len(deal.begin) - 1):
        begin, stop = deal.begin[level], deal.begin[level + 1]
        for k in range(count):
            here = k * SUMS * WIDTH
            total, won = load(sums, here + ALL), load(found, (leaf + k) * WIDTH)
            for i in range(begin, stop):
                less = total - load(sums, here + low[i]) - load(sums, here + high[i])
                store(met, (i - begin) * WIDTH, less)
            for i in range(begin, stop):
                a, c = here + low[i], here + high[i]
                at = (opponent.bucket[i] * leaves + leaf + k) * WIDTH
                its = load(opponent.reach, first + i * WIDTH) * load(opponent.leaf, at)
                total = total + its
                store(sums, a, load(sums, a) + its)
                store(sums, c, load(sums, c) + its)
            store(sums, here + ALL, total)
            for i in range(begin, stop):
                mine = load(own.leaf, (own.bucket[i] * leaves + leaf + k) * WIDTH)
                more = total - load(sums, here + low[i]) - load(sums, here + high[i])
                beaten = load(met, (i - begin) * WIDTH) + more
                won = won + load(own.reach, first + i * WIDTH) * mine * beaten
            store(found, (leaf + k) * WIDTH, won)


@uncounted_kernel
def _settle(
    own: Side,
    opponent: Side,
    chunk: int,
    is_last: bool,
    deal: Deal,
    scratch: Scratch,
    won: np.ndarray,
) -> None:
    """Add what is won in a chunk to ``won`` (2,) float64, in chips, by one's own seat."""
    chips, player_of, node_of = own.part[0], own.part[1], own.part[4]
    fold_paid, end_paid, fold_of = own.part[6], own.part[7], own.part[8]
    folds, leaves, begin = len(fold_paid), own.leaf.shape[1], own.bounds[chunk]
    count, found = own.bounds[chunk + 1] - begin, scratch.found
    clear(found, leaves)
    for leaf in range(0, folds, GROUP):
        _fold(own, opponent, chunk, leaf, min(GROUP, folds - leaf), deal, scratch)
    for leaf in range(folds, leaves if is_last else folds, GROUP):
        _show_down(own, opponent, chunk, leaf, min(GROUP, leaves - leaf), deal, scratch)
    for seat in range(2):
        for slot in range(len(fold_of)):
            fold = fold_of[slot]
            if fold >= 0:
                sign = -1.0 if player_of[node_of[slot]] == seat else 1.0
                for k in range(count):
                    lost = sign * (chips[begin + k] + fold_paid[fold])
                    won[seat] += lost * found[fold, seat * HALF + k]
        for end in range(len(end_paid) if is_last else 0):
            for k in range(count):
                at_stake = float(chips[begin + k] + end_paid[end])
                won[seat] += at_stake * found[folds + end, seat * HALF + k]


@uncounted_kernel
def play_board(
    own: tuple[Side, ...],
    opponent: tuple[Side, ...],
    deal: Deal,
    scratch: tuple[Scratch, ...],
    won: np.ndarray,
) -> None:
    """Add what is won on all four streets to ``won`` (2,) float64, in chips, by one's own seat.

    That is the sum over all pairs of holdings.
    """
    before, after = own[0].reach, opponent[0].reach
    for i in range(before.shape[1]):
        for half in range(2):
            before[0, i, half * HALF] = after[0, i, half * HALF] = 1.0
    _follow(own[0], opponent[0], own[1], opponent[1], deal, scratch[0], won)
    _follow(own[1], opponent[1], own[2], opponent[2], deal, scratch[1], won)
    _follow(own[2], opponent[2], own[3], opponent[3], deal, scratch[2], won)
    for chunk in range(own[3].reach.shape[0]):
        if _is_reached(own[3], chunk) and _is_reached(opponent[3], chunk):
            _prepare(own[3], chunk, 0, scratch[3])
            _prepare(opponent[3], chunk, 1, scratch[3])
            _settle(own[3], opponent[3], chunk, True, deal, scratch[3], won)


@uncounted_kernel
def _follow(
    own: Side,
    opponent: Side,
    own_later: Side,
    its_later: Side,
    deal: Deal,
    scratch: Scratch,
    won: np.ndarray,
) -> None:
    """Add what is won on a street, and fill the reach of the next one."""
    for chunk in range(own.reach.shape[0]):
        _prepare(own, chunk, 0, scratch)
        _prepare(opponent, chunk, 1, scratch)
        _settle(own, opponent, chunk, False, deal, scratch, won)
        forwards(own, own_later, chunk)
        forwards(opponent, its_later, chunk)
