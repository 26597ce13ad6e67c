"""Kernels of equity: ranges swept board by board, single deals, and random deals by the hundred."""

# Three ways to an equity, of which `all_in_equity` takes the cheapest that is possible:
#
# - two ranges, exact: `sweep_boards` goes through the completions of the board and needs no pairs
#   of holdings, only the order of strength on each board (`rank_kernels`), so its cost grows with
#   the sum of the ranges' sizes and not with their product;
# - any number of players, exact: `list_deals` writes down all ways to deal the holdings,
#   `play_deals` all completions for each;
# - sampled: `play_random_deals`, below, where it is explained.
#
# Exact answers without weights are integers. In `sweep_boards` the weights are then int16, since
# they are ones and the sums by level are at most 1,326, and in `showdown` a pot is `SHARES` parts,
# which two to ten winners divide without a remainder. So the result does not depend on how the work
# was cut into pieces for threads, and it can be printed as wins and ties out of a number of boards.
#
# `showdown` and the loops of the sampling have no branches where the cards decide: the winner of a
# random hand cannot be predicted, and a wrong guess costs more than the comparisons that it saves.
#
# What must stay: the order of draws in `play_random_deals`, `BLOCK` included, because a seed
# promises the same answer; and that a clash redraws one piece within a deal but the whole deal
# between groups of ranges, which is what keeps the deals unbiased.
#
# Who would notice: tests/twins/test_odds_twins.py enumerates in exact fractions;
# tests/oracles/test_odds_oracles.py has published equities; tests/odds/test_all_in_equity.py
# checks that intervals cover as often as they say, that the seed alone decides, and the generator's
# published numbers; tests/laws/test_odds_laws.py renames suits and players.

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import inline_kernel, kernel, uncounted_kernel
from railbird.cards.isomorphism_kernels import combination_at, to_successor
from railbird.cards.kernels import flush_strength, has_flush, plain_strength, strength_of_key
from railbird.cards.tables import CARD_KEY, CARD_MASK, HOLDING_KEY, HOLDING_MASK
from railbird.odds.rank_kernels import (
    HIGH,
    LOW,
    empty_sums,
    find_levels,
    key_of,
    mask_of,
    sum_below,
    unused_cards,
    weight_below,
)

SHARES = 2520
"""Parts of a pot: divisible evenly among two to ten players."""


@kernel
def sweep_boards(
    first: np.ndarray,
    second: np.ndarray,
    mine: np.ndarray,
    either: np.ndarray,
    board: np.ndarray,
    dead: np.uint64,
    start: int,
    stop: int,
    counts: np.ndarray,
) -> None:
    """Add to ``counts`` (2,) the first range's wins and ties on completions start..stop.

    ``first`` and ``second`` (1326,) are weights, int16 with int64 ``counts`` or all float64;
    ``mine`` and ``either`` uint16 list the holdings with weight in the first range, and in any.
    Completions are those of the cards neither on the board nor ``dead``. The cost is linear in
    the number of holdings.
    """
    base_key, base_mask = key_of(board), mask_of(board)
    left = unused_cards(base_mask | dead)
    chosen = np.empty(5 - board.size, dtype=np.uint8)
    combination_at(start, chosen)
    live = np.empty(1326, dtype=np.uint16)
    level = np.empty(1326, dtype=np.uint16)
    below = empty_sums(second)
    for _ in range(start, stop):
        key, mask = base_key, base_mask
        for place in chosen:
            key += CARD_KEY[left[place]]
            mask |= CARD_MASK[left[place]]
        used = mask | dead
        n, levels = find_levels(either, key, mask, used, live, level)
        sum_below(live, n, level, levels, second, below)
        for holding in mine:
            if HOLDING_MASK[holding] & used == 0:
                a, b = LOW[holding], HIGH[holding]
                ahead = weight_below(below, level[holding], a, b)
                # This count includes the same holding in the second range.
                ahead_or_tied = weight_below(below, level[holding] + 1, a, b) + second[holding]
                counts[0] += first[holding] * ahead
                counts[1] += first[holding] * (ahead_or_tied - ahead)
        to_successor(chosen)


@kernel
def list_deals(
    holdings: np.ndarray, begins: np.ndarray, used: np.uint64, limit: int, deals: np.ndarray
) -> int:
    """List all ways to give each player one of their holdings; return their number.

    Player p may have ``holdings[begins[p] : begins[p + 1]]`` (uint16). ``deals`` is (limit,
    players) uint16; beyond ``limit`` deals the search stops and returns ``limit + 1``.
    """
    players = begins.size - 1
    position = begins[:-1].copy()
    masks = np.empty(players + 1, dtype=np.uint64)
    masks[0] = used
    player = 0
    n = 0
    while player >= 0:
        if position[player] == begins[player + 1]:
            position[player] = begins[player]
            player -= 1
            continue
        holding = holdings[position[player]]
        position[player] += 1
        if HOLDING_MASK[holding] & masks[player] != 0:
            continue
        masks[player + 1] = masks[player] | HOLDING_MASK[holding]
        if player + 1 < players:
            player += 1
            continue
        if n == limit:
            return limit + 1
        for p in range(players):
            deals[n, p] = holdings[position[p] - 1]
        n += 1
    return n


SHARE_OF = np.array([0] + [SHARES // winners for winners in range(1, 11)], dtype=np.int64)
"""(11,) int64: each winner's part of a pot, by the number of winners."""


@uncounted_kernel
def showdown(
    key: np.uint64,
    mask: np.uint64,
    keys: np.ndarray,
    masks: np.ndarray,
    strengths: np.ndarray,
    tally: np.ndarray,
) -> None:
    """Add one board's outcome to ``tally`` (3, players): wins, ties, shares; branch-free."""
    best = np.uint16(0)
    for p in range(keys.size):
        strengths[p] = strength_of_key(key + keys[p], mask | masks[p])
        best = max(best, strengths[p])
    winners = 0
    for p in range(keys.size):
        winners += int(strengths[p] == best)
    alone = int(winners == 1)
    for p in range(keys.size):
        among = int(strengths[p] == best)
        tally[0, p] += among & alone
        tally[1, p] += among & ~alone
        tally[2, p] += among * SHARE_OF[winners]


@kernel
def play_deals(
    deals: np.ndarray,
    weights: np.ndarray,
    board: np.ndarray,
    dead: np.uint64,
    completions: int,
    start: int,
    stop: int,
    wins: np.ndarray,
    ties: np.ndarray,
    shares: np.ndarray,
) -> None:
    """Evaluate trials start..stop, where a trial is deal * completions + completion.

    ``deals`` (deals, players) uint16, ``weights`` (deals,) int64 or float64; ``wins``, ``ties`` and
    ``shares`` (players,) of the same type are added to, shares in `SHARES` parts of a pot.
    """
    players = deals.shape[1]
    chosen = np.empty(5 - board.size, dtype=np.uint8)
    keys = np.empty(players, dtype=np.uint64)
    masks = np.empty(players, dtype=np.uint64)
    strengths = np.empty(players, dtype=np.uint16)
    tally = np.empty((3, players), dtype=np.int64)
    base_key, base_mask = key_of(board), mask_of(board)
    trial = start
    while trial < stop:
        deal = trial // completions
        completion = trial % completions
        count = min(completions - completion, stop - trial)
        used = base_mask | dead
        for p in range(players):
            keys[p] = HOLDING_KEY[deals[deal, p]]
            masks[p] = HOLDING_MASK[deals[deal, p]]
            used |= masks[p]
        left = unused_cards(used)
        combination_at(completion, chosen)
        tally[:] = 0
        done = 0
        while done < count:
            key, mask = base_key, base_mask
            for index in chosen[1:]:
                key += CARD_KEY[left[index]]
                mask |= CARD_MASK[left[index]]
            if chosen.size == 0:
                showdown(key, mask, keys, masks, strengths, tally)
                done += 1
                continue
            # The loop over the lowest card makes most of the steps.
            end = chosen[1] if chosen.size > 1 else left.size
            run = min(end - chosen[0], count - done)
            for index in range(chosen[0], chosen[0] + run):
                card = left[index]
                showdown(
                    key + CARD_KEY[card], mask | CARD_MASK[card], keys, masks, strengths, tally
                )
            done += run
            chosen[0] += run - 1
            to_successor(chosen)
        for p in range(players):
            wins[p] += weights[deal] * tally[0, p]
            ties[p] += weights[deal] * tally[1, p]
            shares[p] += weights[deal] * tally[2, p]
        trial += count


# Random deals, dealt and evaluated several hundred at a time; every deal is independent.
#
# A deal consists of pieces: a combination of holdings for each group of ranges, two cards for each
# player with any two cards, and two cards plus three for the board. Each piece is drawn from a
# table of combinations with precomputed keys and masks, and redrawn until it shares no card with
# those already dealt. Keeping the other pieces causes no bias, because all combinations of two or
# three cards are equally likely and the number left does not depend on which cards were dealt.
# Between groups of ranges that does not hold, so there the whole deal is rejected.
#
# Each loop runs over all deals of a block and does one thing, so that loads do not wait for each
# other and almost no branch is unpredictable: 13 ns per deal for two players and 19 for three;
# dealing card by card and deal by deal took 170 to 190. Rejected: a random walk over the holdings
# (OMPEval) saves draws, but its deals are dependent and their standard error is unknown; a table of
# all 2,598,960 boards has no clashes between its cards, but does not fit into a cache.


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
def alias_table(weights: np.ndarray, keep: np.ndarray, alias: np.ndarray) -> None:
    """Build an alias table for drawing indices by ``weights`` with one random number (Walker 1977).

    A uniformly drawn index i is kept with probability ``keep[i]`` and otherwise becomes
    ``alias[i]``; all are (n,), the weights positive.
    """
    n = weights.size
    below = np.empty(n, dtype=np.int64)
    above = np.empty(n, dtype=np.int64)
    below_count = above_count = 0
    scale = n / weights.sum()
    for i in range(n):
        keep[i] = weights[i] * scale
        alias[i] = i
        if keep[i] < 1:
            below[below_count] = i
            below_count += 1
        else:
            above[above_count] = i
            above_count += 1
    while below_count > 0 and above_count > 0:
        below_count -= 1
        poor, rich = below[below_count], above[above_count - 1]
        alias[poor] = rich
        keep[rich] -= 1 - keep[poor]
        if keep[rich] < 1:
            above_count -= 1
            below[below_count] = rich
            below_count += 1


@uncounted_kernel
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


@uncounted_kernel
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
    keep, alias, masks = groups.keep, groups.other, groups.masks
    for i in range(n):
        alive[i] = i
        cards[i] = NOBODY
    for group in range(groups.begins.size - 1):
        begin = groups.begins[group]
        size = np.uint64(groups.begins[group + 1] - begin)
        fill_random(state, numbers, n)
        for k in range(n):
            # The upper half of the product is the place, the lower one serves as a second number.
            row = begin + _place(numbers[k], size)
            rows[group, alive[k]] = row if numbers[k] * size <= keep[row] else alias[row]
        left = 0
        for k in range(n):
            deal = alive[k]
            mask = masks[rows[group, deal]]
            alive[left] = deal
            left += mask & cards[deal] == 0
            cards[deal] |= mask
        n = left
    return n


@uncounted_kernel
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


@uncounted_kernel
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
