"""One board dealt to both ranges: reach forwards, values backwards, sums by bucket.

Public chance sampling (Johanson, Bard, Lanctot, Gibson and Bowling, "Efficient Nash equilibrium
approximation through Monte Carlo counterfactual regret minimization", 2012). Holdings stand in the
order of strength, so that all showdowns of an end of the betting take one pass over them. Betting
sequences come in *chunks* of at most 96 *lanes*, padded to whole vectors, so that the sums by card
fit the first cache level.

Only regrets by bucket are wanted, so values are added up by bucket at the leaves, and the rest of
the betting is followed once for each bucket, not for each holding.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import kernel, uncounted_kernel
from railbird.cards._tables_holding import HOLDING_CARDS
from railbird.odds.tables._kernels_ranking import find_levels, key_of, mask_of

VECTOR = 16
"""Half a row is padded to a multiple of so many lanes."""


class Street(NamedTuple):
    """What one board needs on one street.

    A row has the lanes of player 0, then those of player 1, each padded to ``width``. In the place
    of player q stand q's reach, and the values of the other, for which it is needed.
    """

    part: tuple[np.ndarray, ...]
    """The betting, `round_arrays`."""
    chunk: int
    """Sequences in a chunk, of which the last one may have fewer."""
    bucket: np.ndarray
    """(holdings,) int32: the place of each holding's bucket in ``member``."""
    member: np.ndarray
    """(buckets here,) int32: the buckets that occur."""
    regrets: np.ndarray
    """(buckets, lanes) float32."""
    reach: np.ndarray
    """(chunks, holdings, 2 * width) float32: at the start of the street."""
    value: np.ndarray
    """(chunks, holdings, 2 * width) float32: what is won from there on."""
    share: np.ndarray
    """(buckets here, slots, width) float32: the strategy."""
    leaf: np.ndarray
    """(buckets here, leaves, 2 * width) float32: reach of folds, then ends."""
    other: np.ndarray
    """(buckets here, leaves, 2 * width) float32: the same with the players exchanged."""
    own: np.ndarray
    """(buckets here, 2 * width) float32: the reach of the street, summed."""
    total: np.ndarray
    """(buckets here, leaves, 2 * width) float32: values of leaves, summed."""
    regret_change: np.ndarray
    """(buckets here, lanes) float32."""
    sum_change: np.ndarray
    """(buckets here, lanes) float32."""


class Place(NamedTuple):
    """Room for a chunk of a street; the first two are filled anew for each bucket."""

    path: np.ndarray
    """(nodes, 2, width) float32: each player's reach of a node."""
    node_value: np.ndarray
    """(nodes, width) float32."""
    stake: np.ndarray
    """(2 * width,) float32: what is won at a leaf."""
    opposed: np.ndarray
    """(holdings, 2 * width) float32: the reach of a leaf times the stake."""
    met: np.ndarray
    """(holdings of a level, 2 * width) float32."""
    by_card: np.ndarray
    """(53, 2 * width) float32: sums of ``opposed`` by card, and of all."""


@kernel
def sort_holdings(board: np.ndarray, order: np.ndarray, begin: np.ndarray) -> int:
    """Fill ``order`` (1081,) int64 with the holdings that a board leaves, the weakest first.

    Those of level l are at ``begin[l]`` to ``begin[l + 1]``; returns the number of levels.
    """
    live, level = np.empty(1326, dtype=np.uint16), np.empty(1326, dtype=np.uint16)
    holdings, used = np.arange(1326).astype(np.uint16), mask_of(board)
    count, levels = find_levels(holdings, key_of(board), used, used, live, level)
    place = np.zeros(levels + 2, dtype=np.int64)
    for k in range(count):
        place[level[live[k]] + 2] += 1
    for each in range(levels):
        place[each + 2] += place[each + 1]
    for k in range(count):
        order[place[level[live[k]] + 1]] = live[k]
        place[level[live[k]] + 1] += 1
    for each in range(levels + 1):
        begin[each] = place[each]
    return levels


@uncounted_kernel
def _prepare(street: Street, chunk: int, path: np.ndarray, with_sums: bool) -> None:
    """Fill the strategy, the reach of leaves and, if asked for, changes of the average's sums."""
    player_of, first_slot, child = street.part[1], street.part[2], street.part[5]
    fold_of, end_of = street.part[8], street.part[9]
    sequences, nodes, folds = len(street.part[0]), len(player_of), len(street.part[6])
    begin, width = chunk * street.chunk, street.share.shape[2]
    count = min(street.chunk, sequences - begin)
    share, regrets = street.share, street.regrets
    if with_sums:
        for b in range(len(street.member)):
            for s in range(2 * width):
                street.own[b, s] = 0.0
        for i in range(len(street.bucket)):
            b = street.bucket[i]
            for s in range(2 * width):
                street.own[b, s] += street.reach[chunk, i, s]
    for b in range(len(street.member)):
        row = street.member[b]
        for q in range(2):
            for s in range(width):
                path[0, q, s] = 1.0
        for node in range(nodes):
            first, last = first_slot[node], first_slot[node + 1]
            q = player_of[node]
            equal = np.float32(1.0) / np.float32(last - first)
            for slot in range(first, last):
                at = slot * sequences + begin
                for s in range(count):
                    share[b, slot, s] = max(regrets[row, at + s], np.float32(0.0))
            _normalise(share, b, first, last, count, equal)
            for slot in range(first, last):
                if child[slot] >= 0:
                    to = child[slot]
                    for s in range(width):
                        path[to, q, s] = path[node, q, s] * share[b, slot, s]
                    for s in range(width):
                        path[to, 1 - q, s] = path[node, 1 - q, s]
                else:
                    to = fold_of[slot] if fold_of[slot] >= 0 else folds + end_of[slot]
                    here, there = q * width, (1 - q) * width
                    for s in range(width):
                        reached = path[node, q, s] * share[b, slot, s]
                        street.leaf[b, to, here + s] = reached
                        street.other[b, to, there + s] = reached
                    for s in range(width):
                        reached = path[node, 1 - q, s]
                        street.leaf[b, to, there + s] = reached
                        street.other[b, to, here + s] = reached
                if with_sums:
                    at = slot * sequences + begin
                    for s in range(count):
                        street.sum_change[b, at + s] = (
                            street.own[b, q * width + s] * path[node, q, s] * share[b, slot, s]
                        )


@uncounted_kernel
def _normalise(
    share: np.ndarray, b: int, first: int, last: int, count: int, equal: np.float32
) -> None:
    """Divide the slots first..last by their sum; where that is 0, all get the same."""
    if last - first == 2:
        for s in range(count):
            one, two = share[b, first, s], share[b, first + 1, s]
            summed = one + two
            share[b, first, s] = one / summed if summed > 0 else equal
            share[b, first + 1, s] = two / summed if summed > 0 else equal
        return
    for s in range(count):
        summed = np.float32(0.0)
        for slot in range(first, last):
            summed += share[b, slot, s]
        for slot in range(first, last):
            share[b, slot, s] = share[b, slot, s] / summed if summed > 0 else equal


@uncounted_kernel
def _forwards(street: Street, later: Street, chunk: int) -> None:
    """Fill the reach of the next street from that of a chunk of this one."""
    sequences, folds, ends = len(street.part[0]), len(street.part[6]), len(street.part[7])
    width, later_width = street.share.shape[2], later.share.shape[2]
    count = min(street.chunk, sequences - chunk * street.chunk)
    for end in range(ends):
        done = 0
        while done < count:
            start = end * sequences + chunk * street.chunk + done
            to, lane = start // later.chunk, start % later.chunk
            length = min(count - done, later.chunk - lane)
            for i in range(len(street.bucket)):
                b = street.bucket[i]
                for q in range(2):
                    here, there = q * width + done, q * later_width + lane
                    for s in range(length):
                        later.reach[to, i, there + s] = (
                            street.reach[chunk, i, here + s] * street.leaf[b, folds + end, here + s]
                        )
            done += length


@uncounted_kernel
def _oppose(street: Street, chunk: int, leaf: int, order: np.ndarray, place: Place) -> None:
    """Fill the reach of a leaf times its stake, and its sums by card."""
    opposed, by_card = place.opposed, place.by_card
    for card in range(53):
        for s in range(by_card.shape[1]):
            by_card[card, s] = 0.0
    for i in range(len(order)):
        a, c, b = HOLDING_CARDS[order[i], 0], HOLDING_CARDS[order[i], 1], street.bucket[i]
        for s in range(opposed.shape[1]):
            one = street.reach[chunk, i, s] * street.leaf[b, leaf, s] * place.stake[s]
            opposed[i, s] = one
            by_card[52, s] += one
            by_card[a, s] += one
            by_card[c, s] += one


@uncounted_kernel
def _fold(street: Street, chunk: int, leaf: int, order: np.ndarray, place: Place) -> None:
    """Add what is won at a fold to the totals of buckets and the values of holdings."""
    opposed, by_card, total, value = place.opposed, place.by_card, street.total, street.value
    _oppose(street, chunk, leaf, order, place)
    for i in range(len(order)):
        a, c, b = HOLDING_CARDS[order[i], 0], HOLDING_CARDS[order[i], 1], street.bucket[i]
        for s in range(opposed.shape[1]):
            won = by_card[52, s] - by_card[a, s] - by_card[c, s] + opposed[i, s]
            total[b, leaf, s] += won
            value[chunk, i, s] += street.other[b, leaf, s] * won


@uncounted_kernel
def _show_down(
    street: Street,
    chunk: int,
    leaf: int,
    order: np.ndarray,
    begin: np.ndarray,
    levels: int,
    place: Place,
) -> None:
    """Add what is won at a showdown to the totals of buckets and the values of holdings."""
    opposed, by_card, total, value = place.opposed, place.by_card, street.total, street.value
    met = place.met
    _oppose(street, chunk, leaf, order, place)
    # Running sums that begin at minus half of the whole: twice what is below a level, once without
    # it and once with it, is then what is weaker less what is stronger.
    for card in range(53):
        for s in range(by_card.shape[1]):
            by_card[card, s] *= np.float32(-0.5)
    for level in range(levels):
        first, stop = begin[level], begin[level + 1]
        for i in range(first, stop):
            a, c = HOLDING_CARDS[order[i], 0], HOLDING_CARDS[order[i], 1]
            for s in range(met.shape[1]):
                met[i - first, s] = by_card[52, s] - by_card[a, s] - by_card[c, s]
        for i in range(first, stop):
            a, c = HOLDING_CARDS[order[i], 0], HOLDING_CARDS[order[i], 1]
            for s in range(met.shape[1]):
                one = opposed[i, s]
                by_card[52, s] += one
                by_card[a, s] += one
                by_card[c, s] += one
        for i in range(first, stop):
            a, c, b = HOLDING_CARDS[order[i], 0], HOLDING_CARDS[order[i], 1], street.bucket[i]
            for s in range(met.shape[1]):
                won = met[i - first, s] + by_card[52, s] - by_card[a, s] - by_card[c, s]
                total[b, leaf, s] += won
                value[chunk, i, s] += street.other[b, leaf, s] * won


@uncounted_kernel
def _settle(street: Street, chunk: int, node_value: np.ndarray) -> None:
    """Fill the changes of both players' regrets from the leaves' values by bucket."""
    player_of, first_slot, child = street.part[1], street.part[2], street.part[5]
    fold_of, end_of = street.part[8], street.part[9]
    sequences, nodes, folds = len(street.part[0]), len(player_of), len(street.part[6])
    begin, width = chunk * street.chunk, street.share.shape[2]
    count = min(street.chunk, sequences - begin)
    share, total, change = street.share, street.total, street.regret_change
    for b in range(len(street.member)):
        for player in range(2):
            lane = (1 - player) * width
            for node in range(nodes - 1, -1, -1):
                first, last = first_slot[node], first_slot[node + 1]
                for s in range(count):
                    node_value[node, s] = 0.0
                if player_of[node] != player:
                    for slot in range(first, last):
                        if child[slot] >= 0:
                            for s in range(count):
                                node_value[node, s] += node_value[child[slot], s]
                        else:
                            leaf = fold_of[slot] if fold_of[slot] >= 0 else folds + end_of[slot]
                            for s in range(count):
                                node_value[node, s] += total[b, leaf, lane + s]
                    continue
                for slot in range(first, last):
                    at = slot * sequences + begin
                    if child[slot] >= 0:
                        for s in range(count):
                            won = node_value[child[slot], s]
                            change[b, at + s] = won
                            node_value[node, s] += share[b, slot, s] * won
                    else:
                        leaf = fold_of[slot] if fold_of[slot] >= 0 else folds + end_of[slot]
                        for s in range(count):
                            won = total[b, leaf, lane + s]
                            change[b, at + s] = won
                            node_value[node, s] += share[b, slot, s] * won
                for slot in range(first, last):
                    at = slot * sequences + begin
                    for s in range(count):
                        change[b, at + s] -= node_value[node, s]


@uncounted_kernel
def _backwards(
    street: Street,
    later: Street,
    is_last: bool,
    chunk: int,
    order: np.ndarray,
    begin: np.ndarray,
    levels: int,
    place: Place,
) -> None:
    """Fill the values of a chunk and its changes; ``later`` is of no matter on the last street."""
    chips, player_of, node_of = street.part[0], street.part[1], street.part[4]
    fold_paid, end_paid, fold_of = street.part[6], street.part[7], street.part[8]
    sequences, folds, ends = len(chips), len(fold_paid), len(end_paid)
    first, width, later_width = chunk * street.chunk, street.share.shape[2], later.share.shape[2]
    count = min(street.chunk, sequences - first)
    stake, total, value = place.stake, street.total, street.value
    _prepare(street, chunk, place.path, True)
    for b in range(len(street.member)):
        for leaf in range(folds + ends):
            for s in range(2 * width):
                total[b, leaf, s] = 0.0
    for i in range(len(order)):
        for s in range(2 * width):
            value[chunk, i, s] = 0.0
    for slot in range(len(fold_of)):
        fold = fold_of[slot]
        if fold >= 0:
            # In the place of q are the values of the other, who wins if q folds.
            for q in range(2):
                sign = 1.0 if player_of[node_of[slot]] == q else -1.0
                for s in range(count):
                    stake[q * width + s] = sign * (chips[first + s] + fold_paid[fold])
            _fold(street, chunk, fold, order, place)
    for end in range(ends):
        leaf = folds + end
        if is_last:
            for q in range(2):
                for s in range(count):
                    stake[q * width + s] = chips[first + s] + end_paid[end]
            _show_down(street, chunk, leaf, order, begin, levels, place)
            continue
        done = 0
        while done < count:
            start = end * sequences + first + done
            to, lane = start // later.chunk, start % later.chunk
            length = min(count - done, later.chunk - lane)
            for i in range(len(order)):
                b = street.bucket[i]
                for q in range(2):
                    here, there = q * width + done, q * later_width + lane
                    for s in range(length):
                        won = later.value[to, i, there + s]
                        total[b, leaf, here + s] += won
                        value[chunk, i, here + s] += street.other[b, leaf, here + s] * won
            done += length
    _settle(street, chunk, place.node_value)


@uncounted_kernel
def visit_board(
    streets: tuple[Street, ...],
    order: np.ndarray,
    begin: np.ndarray,
    levels: int,
    places: tuple[Place, ...],
) -> None:
    """Fill the changes of regrets and sums that a board makes on all four streets."""
    first, second, third, fourth = streets
    for i in range(len(order)):
        for s in range(first.reach.shape[2]):
            first.reach[0, i, s] = 1.0
    _prepare(first, 0, places[0].path, False)
    _forwards(first, second, 0)
    for chunk in range(second.reach.shape[0]):
        _prepare(second, chunk, places[1].path, False)
        _forwards(second, third, chunk)
    for chunk in range(third.reach.shape[0]):
        _prepare(third, chunk, places[2].path, False)
        _forwards(third, fourth, chunk)
    for chunk in range(fourth.reach.shape[0]):
        _backwards(fourth, fourth, True, chunk, order, begin, levels, places[3])
    for chunk in range(third.reach.shape[0]):
        _backwards(third, fourth, False, chunk, order, begin, levels, places[2])
    for chunk in range(second.reach.shape[0]):
        _backwards(second, third, False, chunk, order, begin, levels, places[1])
    _backwards(first, second, False, 0, order, begin, levels, places[0])


@uncounted_kernel
def visit_turn(
    turn: Street,
    river: Street,
    order: np.ndarray,
    begin: np.ndarray,
    levels: int,
    places: tuple[Place, ...],
) -> None:
    """Fill the changes of the last two streets, where the turn's reach has been filled."""
    for chunk in range(turn.reach.shape[0]):
        _prepare(turn, chunk, places[0].path, False)
        _forwards(turn, river, chunk)
    for chunk in range(river.reach.shape[0]):
        _backwards(river, river, True, chunk, order, begin, levels, places[1])
    for chunk in range(turn.reach.shape[0]):
        _backwards(turn, river, False, chunk, order, begin, levels, places[0])


@uncounted_kernel
def visit_river(
    river: Street, order: np.ndarray, begin: np.ndarray, levels: int, place: Place
) -> None:
    """Fill the changes of the last street, whose reach has been filled."""
    for chunk in range(river.reach.shape[0]):
        _backwards(river, river, True, chunk, order, begin, levels, place)


@kernel
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
