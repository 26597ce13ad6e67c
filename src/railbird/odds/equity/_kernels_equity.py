"""Kernels for exact equity: two ranges swept board by board, and single deals."""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.cards.hand_strength._kernels_evaluator import (
    CARD_KEY,
    CARD_MASK,
    HOLDING_KEY,
    HOLDING_MASK,
    strength_of_key,
)
from railbird.cards.isomorphism._kernels_isomorphism import combination_at, to_successor
from railbird.odds.hand_rank._kernels_hand_rank import unused_cards
from railbird.odds.tables._kernels_ranking import (
    HIGH,
    LOW,
    empty_sums,
    find_levels,
    key_of,
    mask_of,
    sum_below,
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
    place = begins[:-1].copy()
    masks = np.empty(players + 1, dtype=np.uint64)
    masks[0] = used
    player = 0
    n = 0
    while player >= 0:
        if place[player] == begins[player + 1]:
            place[player] = begins[player]
            player -= 1
            continue
        holding = holdings[place[player]]
        place[player] += 1
        if HOLDING_MASK[holding] & masks[player] != 0:
            continue
        masks[player + 1] = masks[player] | HOLDING_MASK[holding]
        if player + 1 < players:
            player += 1
            continue
        if n == limit:
            return limit + 1
        for p in range(players):
            deals[n, p] = holdings[place[p] - 1]
        n += 1
    return n


SHARE_OF = np.array([0] + [SHARES // winners for winners in range(1, 11)], dtype=np.int64)
"""(11,) int64: each winner's part of a pot, by the number of winners."""


@kernel
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
            for place in chosen[1:]:
                key += CARD_KEY[left[place]]
                mask |= CARD_MASK[left[place]]
            if chosen.size == 0:
                showdown(key, mask, keys, masks, strengths, tally)
                done += 1
                continue
            # The loop over the lowest card makes most of the steps.
            end = chosen[1] if chosen.size > 1 else left.size
            run = min(end - chosen[0], count - done)
            for place in range(chosen[0], chosen[0] + run):
                card = left[place]
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
