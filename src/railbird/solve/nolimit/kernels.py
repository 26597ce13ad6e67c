"""Kernels of heads-up no-limit blueprints: deals in buckets, and what betting then is worth."""

from __future__ import annotations

import numpy as np

from railbird._jit import inline_kernel, kernel
from railbird.cards.isomorphism_kernels import COLUMN, index_of_3, index_of_4, index_of_5
from railbird.cards.kernels import strength7, strength_of_key
from railbird.cards.tables import CARD_KEY, CARD_MASK, CLASS_OF_HOLDING, HOLDING_INDEX
from railbird.solve.external_kernels import FOLD, INSIDE, ON

DEALT = 9
"""Cards of a deal: two of each player and the board."""

_DECK = 52


@kernel
def deal_buckets(
    draws: np.ndarray,
    starts: tuple[np.ndarray, np.ndarray, np.ndarray],
    patterns: tuple[np.ndarray, np.ndarray, np.ndarray],
    tables: tuple[np.ndarray, np.ndarray, np.ndarray],
    states: np.ndarray,
    results: np.ndarray,
) -> None:
    """Fill ``states`` (deals, 2, 4) int32 and ``results`` (deals,) int8 of `sample_deals`.

    ``draws`` (deals, 9) are numbers from 0 to 1. By street from the flop on there are the start and
    the pattern of every board in a table, and its buckets.
    """
    deck, seat = np.empty(_DECK, dtype=np.int64), np.empty(2, dtype=np.int64)
    for deal in range(len(draws)):
        for card in range(_DECK):  # a new deck, for a deal must not depend on those before
            deck[card] = card
        for place in range(DEALT):
            other = place + int(draws[deal, place] * (_DECK - place))
            deck[place], deck[other] = deck[other], deck[place]
        a, b, c, d, e = deck[4], deck[5], deck[6], deck[7], deck[8]
        boards = (index_of_3(a, b, c), index_of_4(a, b, c, d), index_of_5(a, b, c, d, e))
        for player in range(2):
            low, high = deck[2 * player], deck[2 * player + 1]
            holding = HOLDING_INDEX[low, high]
            states[deal, player, 0] = CLASS_OF_HOLDING[holding]
            for street in range(3):
                board = boards[street]
                pattern = patterns[street][board]
                entry = starts[street][board] + COLUMN[pattern, holding]
                states[deal, player, street + 1] = tables[street][entry]
            seat[player] = strength7(low, high, a, b, c, d, e)
        results[deal] = int(seat[0] > seat[1]) - int(seat[0] < seat[1])


@kernel
def deal_edges(decks: np.ndarray, edges: np.ndarray) -> None:
    """Fill ``edges`` (deals, 3) of deals from the top of ``decks`` (deals, 52).

    It is how much more often seat 0 wins a showdown than it loses one, on all boards that may
    follow the flop, the turn and the river: seat 0 has the first two cards, seat 1 the next two.
    """
    key, mask = np.empty(2, dtype=np.uint64), np.empty(2, dtype=np.uint64)
    for deal in range(len(decks)):
        deck = decks[deal]
        for street in range(3):
            known = 7 + street
            for seat in range(2):
                key[seat], mask[seat] = np.uint64(0), np.uint64(0)
                for position in range(known):
                    if position // 2 == seat or position >= 4:
                        key[seat] += CARD_KEY[deck[position]]
                        mask[seat] |= CARD_MASK[deck[position]]
            won, boards = 0, 0
            for turn in range(known, _DECK - 1 if street == 0 else known + 1):
                for river in range(turn + 1 if street == 0 else known, _DECK):
                    more_key, more_mask = np.uint64(0), np.uint64(0)
                    if street < 2:
                        more_key += CARD_KEY[deck[river]]
                        more_mask |= CARD_MASK[deck[river]]
                    if street == 0:
                        more_key += CARD_KEY[deck[turn]]
                        more_mask |= CARD_MASK[deck[turn]]
                    first = strength_of_key(key[0] + more_key, mask[0] | more_mask)
                    second = strength_of_key(key[1] + more_key, mask[1] | more_mask)
                    won += int(first > second) - int(first < second)
                    boards += 1
                    if street == 2:
                        break
            edges[deal, street] = won / boards


Forests = tuple[tuple[np.ndarray, ...], ...]
"""The arrays of a betting's `Forest` by street: roots, players, firsts, kinds and leads."""


@inline_kernel
def _is_followed(first: float, second: float, by_either: bool) -> bool:
    """Tell whether a root is followed to which both come with these probabilities."""
    return first + second > 0 if by_either else first * second > 0


@kernel
def _follow_deal(
    forests: Forests,
    tables: tuple[np.ndarray, ...],
    states: np.ndarray,
    showdown: float,
    by_either: bool,
    scratch: tuple[list[np.ndarray], ...],
) -> None:
    """Follow all betting of a strategy on one deal, whose ``showdown`` is what seat 0 wins there.

    ``tables`` (states, actions) uint8 are the strategy's by street, ``states`` (2, 4) the buckets.
    ``scratch`` are, by street, how likely both reach a root (roots, 2) and what seat 0 wins from
    there (roots,), and the same of nodes. Without ``by_either`` only what both reach is followed,
    else all that one of them does; elsewhere what seat 0 wins has no meaning.
    """
    roots, players, firsts, kinds, leads = forests
    reach, worth, inside, value = scratch
    reach[0][0, :] = 1.0
    for street in range(len(roots)):
        root, player, first = roots[street], players[street], firsts[street]
        kind, lead, table = kinds[street], leads[street], tables[street]
        if street + 1 < len(roots):
            reach[street + 1][:] = 0.0
        for begin in range(len(root) - 1):
            come = reach[street][begin]
            if not _is_followed(come[0], come[1], by_either):
                continue
            inside[street][root[begin]] = come
            for node in range(root[begin], root[begin + 1]):
                own = player[node]
                row = table[states[own, street]]
                # Bytes of a row add up to about 255 only, since each was rounded.
                total = 0.0
                for slot in range(first[node], first[node + 1]):
                    total += row[slot]
                for slot in range(first[node], first[node + 1]):
                    share = row[slot] / total
                    if kind[slot] == INSIDE:
                        inside[street][lead[slot]] = inside[street][node]
                        inside[street][lead[slot], own] *= share
                    elif kind[slot] == ON:
                        reach[street + 1][lead[slot]] = inside[street][node]
                        reach[street + 1][lead[slot], own] *= share
    for street in range(len(roots) - 1, -1, -1):
        root, player, first = roots[street], players[street], firsts[street]
        kind, lead, table = kinds[street], leads[street], tables[street]
        for begin in range(len(root) - 1):
            come = reach[street][begin]
            if not _is_followed(come[0], come[1], by_either):
                continue
            for node in range(root[begin + 1] - 1, root[begin] - 1, -1):
                own = player[node]
                row = table[states[own, street]]
                total, won = 0.0, 0.0
                for slot in range(first[node], first[node + 1]):
                    share = float(row[slot])
                    total += share
                    if share == 0:
                        continue
                    if kind[slot] == INSIDE:
                        won += share * value[street][lead[slot]]
                    elif kind[slot] == ON:
                        won += share * worth[street + 1][lead[slot]]
                    elif kind[slot] == FOLD:
                        won += share * (-lead[slot] if own == 0 else lead[slot])
                    else:
                        won += share * showdown * lead[slot]
                value[street][node] = won / total
            worth[street][begin] = value[street][root[begin]]


@kernel
def follow_deals(
    forests: Forests,
    tables: tuple[np.ndarray, ...],
    states: np.ndarray,
    edges: np.ndarray,
    sums: tuple[np.ndarray, ...],
) -> None:
    """Follow all betting of a strategy on each deal, and add to the sums of `fit_lines`.

    ``tables`` (states, actions) uint8 are the strategy's by street, ``states`` (deals, 2, 4) as in
    `deal_buckets`, ``edges`` (deals, 3) as in `deal_edges`. ``sums`` (roots, 6) float64, by street
    from the flop on, are those of w, wx, wxx, wv, wxv and ww: x is the edge, v what seat 0 wins in
    chips, and w how likely both come to the root with their buckets.
    """
    scratch = _scratch(forests[0], forests[1])
    reach, worth = scratch[0], scratch[1]
    for deal in range(len(states)):
        _follow_deal(forests, tables, states[deal], edges[deal, 2], False, scratch)
        for street in range(1, len(reach)):
            for begin in range(len(reach[street])):
                weight = reach[street][begin, 0] * reach[street][begin, 1]
                if weight == 0:
                    continue
                won = worth[street][begin]
                x, into = edges[deal, street - 1], sums[street - 1][begin]
                into[0] += weight
                into[1] += weight * x
                into[2] += weight * x * x
                into[3] += weight * won
                into[4] += weight * x * won
                into[5] += weight * weight


@kernel
def sum_turn_values(
    forests: Forests,
    tables: tuple[np.ndarray, ...],
    states: np.ndarray,
    results: np.ndarray,
    sums: np.ndarray,
    strengths: np.ndarray,
) -> None:
    """Follow all betting on each deal, and add what the turn's buckets win where it begins.

    The other arguments are as in `follow_deals`; ``results`` (deals,) is 1 where seat 0 wins a
    showdown, -1 where it loses. ``sums`` (2, roots, buckets, 3) float64 are those of w, wv and ww
    of a seat with a bucket: w is how likely the *other* comes to the root, and v what the seat wins
    in chips. ``strengths`` (buckets, 2) counts the holdings of a bucket and adds their results.
    """
    scratch = _scratch(forests[0], forests[1])
    reach, worth = scratch[0][2], scratch[1][2]
    for deal in range(len(states)):
        showdown = float(results[deal])
        _follow_deal(forests, tables, states[deal], showdown, True, scratch)
        for seat in range(2):
            bucket, sign = states[deal, seat, 2], 1.0 if seat == 0 else -1.0
            strengths[bucket, 0] += 1.0
            strengths[bucket, 1] += sign * showdown
            for begin in range(len(reach)):
                weight = reach[begin, 1 - seat]
                if weight > 0:
                    into = sums[seat, begin, bucket]
                    into[0] += weight
                    into[1] += weight * sign * worth[begin]
                    into[2] += weight * weight


@kernel
def _scratch(
    roots: tuple[np.ndarray, ...], players: tuple[np.ndarray, ...]
) -> tuple[list[np.ndarray], ...]:
    """Return memory for `_follow_deal`."""
    return (
        [np.zeros((len(root) - 1, 2)) for root in roots],
        [np.zeros(len(root) - 1) for root in roots],
        [np.zeros((len(player), 2)) for player in players],
        [np.zeros(len(player)) for player in players],
    )
