"""Random deals, dealt and evaluated several hundred at a time; every deal is independent.

A deal consists of pieces: a combination of holdings for each group of ranges, two cards for each
player with any two cards, and two cards plus three for the board. Each piece is drawn from a table
of combinations with precomputed keys and masks, and redrawn until it shares no card with those
already dealt. Keeping the other pieces causes no bias, because all combinations of two or three
cards are equally likely and the number left does not depend on which cards were dealt. Between
groups of ranges that does not hold, so there the whole deal is rejected.

Each loop runs over all deals of a block and does one thing, so that loads do not wait for each
other and almost no branch is unpredictable: 13 ns per deal for two players and 19 for three;
dealing card by card and deal by deal took 170 to 190. Rejected: a random walk over the holdings
(OMPEval) saves draws, but its deals are dependent and their standard error is unknown; a table of
all 2,598,960 boards has no clashes between its cards, but does not fit into a cache.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import inline_kernel, kernel
from railbird.cards.hand_strength._kernels_evaluator import (
    HOLDING_KEY,
    HOLDING_MASK,
    flush_strength,
    has_flush,
    plain_strength,
)

BLOCK = 512
"""Deals per block: their arrays fit into the L1 cache."""

_ENOUGH = BLOCK * 3 // 4
"""Number of deals that makes a block worth its loops, since clashes reject some."""

NOBODY = np.uint64(0)
_COPIES = 4
_LOW = np.uint64(0xFFFF_FFFF)
_HALF = np.uint64(32)


class Groups(NamedTuple):
    """Possible holdings of each group of players, end to end."""

    begins: np.ndarray
    """(groups + 1,) int64: where the combinations of each group begin."""
    keep: np.ndarray
    """(n,) uint64: the probability of keeping a drawn row, in units of 2**-64."""
    other: np.ndarray
    """(n,) int64: the row to take instead; see `alias_table`."""
    masks: np.ndarray
    """(n,) uint64: cards of a combination."""
    holdings: np.ndarray
    """(n, players) uint16: its holdings, in the columns of the players of its group."""
    members: np.ndarray
    """(groups, players) bool: membership."""


class Deck(NamedTuple):
    """Combinations of the unknown cards."""

    pairs: np.ndarray
    """(n,) uint16: the holdings left."""
    pair_masks: np.ndarray
    """(n,) uint64."""
    first_masks: np.ndarray
    """(n,) uint64: masks of one or two cards for the board; empty if it is complete."""
    first_keys: np.ndarray
    """(n,) uint64: their keys."""
    second_masks: np.ndarray
    """(n,) uint64: masks of three more cards; empty if there is a flop."""
    second_keys: np.ndarray
    """(n,) uint64: their keys."""


@kernel
def alias_table(weights: np.ndarray, keep: np.ndarray, other: np.ndarray) -> None:
    """Build an alias table for drawing indices by ``weights`` with one random number (Walker 1977).

    A uniformly drawn index i is kept with probability ``keep[i]`` and otherwise becomes
    ``other[i]``; all are (n,), the weights positive.
    """
    n = weights.size
    below = np.empty(n, dtype=np.int64)
    above = np.empty(n, dtype=np.int64)
    below_count = above_count = 0
    scale = n / weights.sum()
    for i in range(n):
        keep[i] = weights[i] * scale
        other[i] = i
        if keep[i] < 1:
            below[below_count] = i
            below_count += 1
        else:
            above[above_count] = i
            above_count += 1
    while below_count > 0 and above_count > 0:
        below_count -= 1
        poor, rich = below[below_count], above[above_count - 1]
        other[poor] = rich
        keep[rich] -= 1 - keep[poor]
        if keep[rich] < 1:
            above_count -= 1
            below[below_count] = rich
            below_count += 1


@kernel
def fill_random(state: np.ndarray, numbers: np.ndarray, count: int) -> None:
    """Fill in ``count`` random uint64 by xoshiro256++ (Blackman and Vigna, ACM TOMS 47, 2021).

    ``state`` (4,) uint64, not all zero, is advanced. NumPy's generators work too, but one number
    per call through a pointer takes longer than a whole piece here.
    """
    a, b, c, d = state[0], state[1], state[2], state[3]
    for i in range(count):
        total = a + d
        numbers[i] = ((total << np.uint64(23)) | (total >> np.uint64(41))) + a
        shifted = b << np.uint64(17)
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= shifted
        d = (d << np.uint64(45)) | (d >> np.uint64(19))
    state[0], state[1], state[2], state[3] = a, b, c, d


@inline_kernel
def _place(number: np.uint64, size: np.uint64) -> np.int64:
    # The upper 64 bits of number * size, which has 96 bits.
    carry = ((number & _LOW) * size) >> _HALF
    return np.int64(((number >> _HALF) * size + carry) >> _HALF)


@kernel
def draw_groups(
    state: np.ndarray,
    groups: Groups,
    n: int,
    numbers: np.ndarray,
    rows: np.ndarray,
    alive: np.ndarray,
    cards: np.ndarray,
) -> int:
    """Draw ``n`` deals of all groups; return the number without a clash.

    ``rows`` (groups, BLOCK) int64 gets the combinations, ``cards`` (BLOCK,) uint64 their masks and
    ``alive`` (BLOCK,) uint32 the deals without a clash.
    """
    keep, other, masks = groups.keep, groups.other, groups.masks
    for i in range(n):
        alive[i] = i
        cards[i] = NOBODY
    for group in range(groups.begins.size - 1):
        begin = groups.begins[group]
        size = np.uint64(groups.begins[group + 1] - begin)
        fill_random(state, numbers, n)
        for k in range(n):
            row = begin + _place(numbers[k], size)
            rows[group, alive[k]] = row if numbers[k] * size <= keep[row] else other[row]
        left = 0
        for k in range(n):
            deal = alive[k]
            mask = masks[rows[group, deal]]
            alive[left] = deal
            left += mask & cards[deal] == 0
            cards[deal] |= mask
        n = left
    return n


@kernel
def draw_cards(
    state: np.ndarray,
    masks: np.ndarray,
    n: int,
    numbers: np.ndarray,
    halves: np.ndarray,
    pending: np.ndarray,
    places: np.ndarray,
    used: np.ndarray,
) -> None:
    """Draw for each of ``n`` deals one of all combinations whose cards are not yet ``used``.

    ``halves`` (2 * BLOCK,) uint32 is a view of ``numbers``, ``pending`` (BLOCK,) uint32 scratch for
    the deals that must redraw. ``places`` (BLOCK,) receives the combinations.
    """
    size = np.uint64(masks.size)
    # Numbers that would favour some combinations are redrawn (Lemire 2019).
    excess = (np.uint64(1) << _HALF) % size
    fill_random(state, numbers, (n + 1) >> 1)
    left = 0
    for deal in range(n):
        product = np.uint64(halves[deal]) * size
        mask = masks[product >> _HALF]
        again = (mask & used[deal] != 0) | (product & _LOW < excess)
        places[deal] = product >> _HALF
        used[deal] |= NOBODY if again else mask
        pending[left] = deal
        left += again
    while left > 0:
        n = left
        fill_random(state, numbers, (n + 1) >> 1)
        left = 0
        for k in range(n):
            deal = pending[k]
            product = np.uint64(halves[k]) * size
            mask = masks[product >> _HALF]
            again = (mask & used[deal] != 0) | (product & _LOW < excess)
            places[deal] = product >> _HALF
            used[deal] |= NOBODY if again else mask
            pending[left] = deal
            left += again


@kernel
def find_strengths(
    n: int,
    board_keys: np.ndarray,
    board_masks: np.ndarray,
    holdings: np.ndarray,
    keys: np.ndarray,
    flushes: np.ndarray,
    strengths: np.ndarray,
) -> None:
    """Evaluate one player's hand in each of ``n`` deals.

    ``keys`` (BLOCK,) uint64 and ``flushes`` (BLOCK,) uint32 are scratch. The few flushes are
    collected and evaluated last: a branch for each would be mispredicted.
    """
    count = 0
    for i in range(n):
        keys[i] = board_keys[i] + HOLDING_KEY[holdings[i]]
    for i in range(n):
        flushes[count] = i
        count += int(has_flush(keys[i]))
        strengths[i] = plain_strength(keys[i])
    for k in range(count):
        i = flushes[k]
        strengths[i] = flush_strength(keys[i], board_masks[i] | HOLDING_MASK[holdings[i]])


@kernel
def play_random_deals(
    state: np.ndarray,
    samples: int,
    known: np.ndarray,
    groups: Groups,
    anything: np.ndarray,
    deck: Deck,
    board_key: np.uint64,
    board_mask: np.uint64,
    outcomes: np.ndarray,
) -> None:
    """Deal and evaluate ``samples`` random trials, counting them by the set of winners.

    ``known`` (players,) uint16 are the holdings of players with a single one, ``anything`` lists
    the players with any two cards. Counts are added to ``outcomes`` (2**players,) int64, indexed by
    the mask of the winners, in which player p is bit p.
    """
    players = known.size
    numbers = np.empty(BLOCK, dtype=np.uint64)
    halves = numbers.view(np.uint32)
    pending = np.empty(BLOCK, dtype=np.uint32)
    used = np.empty(BLOCK, dtype=np.uint64)
    cards = np.empty(BLOCK, dtype=np.uint64)
    keys = np.empty(BLOCK, dtype=np.uint64)
    board_keys = np.empty(BLOCK, dtype=np.uint64)
    board_masks = np.empty(BLOCK, dtype=np.uint64)
    first = np.zeros(BLOCK, dtype=np.uint32)
    second = np.zeros(BLOCK, dtype=np.uint32)
    rows = np.empty((groups.begins.size - 1, BLOCK), dtype=np.int64)
    holdings = np.empty((players, BLOCK), dtype=np.uint16)
    strengths = np.empty((players, BLOCK), dtype=np.uint16)
    best = np.empty(BLOCK, dtype=np.uint16)
    winners = np.empty(BLOCK, dtype=np.uint16)
    # Consecutive deals often end alike, and adding to one count would wait for the last addition.
    counts = np.zeros((_COPIES, outcomes.size), dtype=np.int64)
    for p in range(players):
        for i in range(BLOCK):
            holdings[p, i] = known[p]
    while samples > 0:
        n = 0
        while n < _ENOUGH:
            fit = draw_groups(state, groups, BLOCK - n, numbers, rows, pending, cards)
            for i in range(fit):
                used[n + i] = cards[pending[i]]
            for group in range(groups.begins.size - 1):
                for p in range(players):
                    if groups.members[group, p]:
                        for i in range(fit):
                            row = rows[group, pending[i]]
                            holdings[p, n + i] = groups.holdings[row, p]
            n += fit
        n = min(n, samples)
        for p in anything:
            draw_cards(state, deck.pair_masks, n, numbers, halves, pending, first, used)
            for i in range(n):
                holdings[p, i] = deck.pairs[first[i]]
        for i in range(n):
            board_keys[i] = board_key
            board_masks[i] = board_mask
        if deck.first_masks.size > 0:
            draw_cards(state, deck.first_masks, n, numbers, halves, pending, first, used)
            for i in range(n):
                board_keys[i] += deck.first_keys[first[i]]
                board_masks[i] |= deck.first_masks[first[i]]
        if deck.second_masks.size > 0:
            draw_cards(state, deck.second_masks, n, numbers, halves, pending, second, used)
            for i in range(n):
                board_keys[i] += deck.second_keys[second[i]]
                board_masks[i] |= deck.second_masks[second[i]]
        for i in range(n):
            best[i] = 0
            winners[i] = 0
        for p in range(players):
            find_strengths(n, board_keys, board_masks, holdings[p], keys, pending, strengths[p])
            for i in range(n):
                best[i] = max(best[i], strengths[p, i])
        for p in range(players):
            bit = np.uint16(1 << p)
            for i in range(n):
                winners[i] |= bit if strengths[p, i] == best[i] else np.uint16(0)
        for i in range(n):
            counts[i % _COPIES, winners[i]] += 1
        samples -= n
    for copy in range(_COPIES):
        for mask in range(outcomes.size):
            outcomes[mask] += counts[copy, mask]
