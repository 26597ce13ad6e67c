"""One holding against weighted opponents on each completed board.

A board's 990 opposing holdings are evaluated once for all opponents. Keeping one row of sums for
each run-out costs nothing, and everything about several opponents can be computed from these rows:
against opponents who share no card, sums over pairs of holdings are the products of sums over
holdings, less those of the pairs that share a card, 52 products instead of half a million.
"""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.cards._tables_holding import HOLDING_CARDS
from railbird.cards.hand_strength._kernels_evaluator import (
    HOLDING_KEY,
    HOLDING_MASK,
    strength_of_key,
)
from railbird.odds.tables._kernels_ranking import (
    empty_sums,
    find_levels,
    key_of,
    mask_of,
    sum_below,
    weight_below,
)

WIN, TIE, ALL = range(3)
"""Columns of the sums over an opponent's holdings."""

WIN_WIN, WIN_TIE, TIE_WIN, TIE_TIE, ALL_ALL = range(5)
"""Columns of the sums over pairs of holdings, the first opponent's result named first."""


@kernel
def sum_run_outs(
    holding: int, boards: np.ndarray, free: np.ndarray, weights: np.ndarray, sums: np.ndarray
) -> None:
    """Fill ``sums`` (boards, ranges, 3): weights that the holding beats, ties, and all.

    ``boards`` (boards, 5) uint8 share no card with the holding; ``free`` (n,) are the holdings that
    may occur on any of them, ``weights`` (ranges, n) float64 theirs.
    """
    for b in range(len(boards)):
        key, mask = key_of(boards[b]), mask_of(boards[b])
        mine = strength_of_key(key + HOLDING_KEY[holding], mask | HOLDING_MASK[holding])
        for r in range(len(weights)):
            for column in range(3):
                sums[b, r, column] = 0.0
        for i in range(len(free)):
            other = free[i]
            if HOLDING_MASK[other] & mask == 0:
                theirs = strength_of_key(key + HOLDING_KEY[other], mask | HOLDING_MASK[other])
                for r in range(len(weights)):
                    weight = weights[r, i]
                    sums[b, r, ALL] += weight
                    if theirs < mine:
                        sums[b, r, WIN] += weight
                    elif theirs == mine:
                        sums[b, r, TIE] += weight


@kernel
def sum_pairs(
    holding: int,
    boards: np.ndarray,
    free: np.ndarray,
    weights: np.ndarray,
    sums: np.ndarray,
    pairs: np.ndarray,
) -> None:
    """Fill ``sums`` as `sum_run_outs` does, and ``pairs`` (boards, ranges * (ranges + 1) / 2, 5).

    Ranges i <= j have the row j * (j + 1) / 2 + i; the sums are over pairs that share no card.
    """
    ranges = len(weights)
    by_card = np.empty((ranges, 3, 52))
    for b in range(len(boards)):
        key, mask = key_of(boards[b]), mask_of(boards[b])
        mine = strength_of_key(key + HOLDING_KEY[holding], mask | HOLDING_MASK[holding])
        by_card[:] = 0.0
        sums[b] = 0.0
        pairs[b] = 0.0
        for i in range(len(free)):
            other = free[i]
            if HOLDING_MASK[other] & mask != 0:
                continue
            theirs = strength_of_key(key + HOLDING_KEY[other], mask | HOLDING_MASK[other])
            low, high = HOLDING_CARDS[other, 0], HOLDING_CARDS[other, 1]
            for r in range(ranges):
                weight = weights[r, i]
                if weight == 0.0:
                    continue
                sums[b, r, ALL] += weight
                by_card[r, ALL, low] += weight
                by_card[r, ALL, high] += weight
                if theirs <= mine:
                    column = TIE if theirs == mine else WIN
                    sums[b, r, column] += weight
                    by_card[r, column, low] += weight
                    by_card[r, column, high] += weight
                # Two of the same holding share both cards and are subtracted twice below.
                for first in range(r + 1):
                    both = weight * weights[first, i]
                    row = r * (r + 1) // 2 + first
                    pairs[b, row, ALL_ALL] += both
                    if theirs < mine:
                        pairs[b, row, WIN_WIN] += both
                    elif theirs == mine:
                        pairs[b, row, TIE_TIE] += both
        for r in range(ranges):
            for first in range(r + 1):
                row = r * (r + 1) // 2 + first
                one, other_sums = sums[b, first], sums[b, r]
                pairs[b, row, WIN_WIN] += one[WIN] * other_sums[WIN]
                pairs[b, row, WIN_TIE] += one[WIN] * other_sums[TIE]
                pairs[b, row, TIE_WIN] += one[TIE] * other_sums[WIN]
                pairs[b, row, TIE_TIE] += one[TIE] * other_sums[TIE]
                pairs[b, row, ALL_ALL] += one[ALL] * other_sums[ALL]
                a, c = by_card[first], by_card[r]
                for card in range(52):
                    pairs[b, row, WIN_WIN] -= a[WIN, card] * c[WIN, card]
                    pairs[b, row, WIN_TIE] -= a[WIN, card] * c[TIE, card]
                    pairs[b, row, TIE_WIN] -= a[TIE, card] * c[WIN, card]
                    pairs[b, row, TIE_TIE] -= a[TIE, card] * c[TIE, card]
                    pairs[b, row, ALL_ALL] -= a[ALL, card] * c[ALL, card]


@kernel
def count_spectra(
    holding: int,
    boards: np.ndarray,
    free: np.ndarray,
    weights: np.ndarray,
    own: np.ndarray,
    theirs: np.ndarray,
) -> None:
    """Add final hands to ``own`` and ``theirs`` (7462,), by strength.

    The free holdings have ``weights`` (n,).
    """
    for b in range(len(boards)):
        key, mask = key_of(boards[b]), mask_of(boards[b])
        own[strength_of_key(key + HOLDING_KEY[holding], mask | HOLDING_MASK[holding])] += 1.0
        for i in range(len(free)):
            h = free[i]
            if HOLDING_MASK[h] & mask == 0:
                theirs[strength_of_key(key + HOLDING_KEY[h], mask | HOLDING_MASK[h])] += weights[i]


@kernel
def find_winning(holding: int, boards: np.ndarray, free: np.ndarray, winning: np.ndarray) -> None:
    """Set ``winning`` (n,) uint8 to 1 for the free holdings that are better on some board."""
    for b in range(len(boards)):
        key, mask = key_of(boards[b]), mask_of(boards[b])
        mine = strength_of_key(key + HOLDING_KEY[holding], mask | HOLDING_MASK[holding])
        for i in range(len(free)):
            h = free[i]
            if winning[i] == 0 and HOLDING_MASK[h] & mask == 0:
                theirs = strength_of_key(key + HOLDING_KEY[h], mask | HOLDING_MASK[h])
                if theirs > mine:
                    winning[i] = 1


@kernel
def sum_final_ranks(boards: np.ndarray, sums: np.ndarray, counts: np.ndarray) -> None:
    """Add each holding's river rank on each board to ``sums`` (1326,) int64, of 1980 each.

    ``counts`` (1326,) int64 gets the number of boards that share no card with the holding.
    """
    holdings = np.arange(1326).astype(np.uint16)
    live = np.empty(1326, dtype=np.uint16)
    level = np.empty(1326, dtype=np.uint16)
    ones = np.ones(1326, dtype=np.int16)
    below = empty_sums(ones)
    for b in range(len(boards)):
        mask = mask_of(boards[b])
        n, levels = find_levels(holdings, key_of(boards[b]), mask, mask, live, level)
        sum_below(live, n, level, levels, ones, below)
        for i in range(n):
            h = live[i]
            low, high = HOLDING_CARDS[h, 0], HOLDING_CARDS[h, 1]
            sums[h] += np.int64(weight_below(below, level[h], low, high))
            # This count includes the holding itself.
            sums[h] += np.int64(weight_below(below, level[h] + 1, low, high)) + 1
            counts[h] += 1
