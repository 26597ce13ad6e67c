"""One holding against weighted opponents on each completed board.

A board's 990 opposing holdings are evaluated once for all opponents. Keeping one row of sums for
each run-out costs nothing, and everything about several opponents can be computed from these rows:
against opponents who share no card, sums over pairs of holdings are the products of sums over
holdings, less those of the pairs that share a card, 52 products instead of half a million.
"""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel, uncounted_kernel
from railbird.cards.kernels import strength_of_key
from railbird.cards.tables import HOLDING_CARDS, HOLDING_KEY, HOLDING_MASK
from railbird.odds.rank_kernels import (
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


@uncounted_kernel
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
    count = ranges * (ranges + 1) // 2
    # By holding, so that everything that it adds is in a row.
    one_by_one = np.empty((len(free), ranges))
    products = np.empty((len(free), count))
    for i in range(len(free)):
        for r in range(ranges):
            one_by_one[i, r] = weights[r, i]
            for first in range(r + 1):
                products[i, r * (r + 1) // 2 + first] = weights[r, i] * weights[first, i]
    total = np.empty((3, ranges))
    by_card = np.empty((3, 52, ranges))
    same = np.empty((3, count))
    for b in range(len(boards)):
        key, mask = key_of(boards[b]), mask_of(boards[b])
        mine = strength_of_key(key + HOLDING_KEY[holding], mask | HOLDING_MASK[holding])
        total[:] = 0.0
        by_card[:] = 0.0
        same[:] = 0.0
        for i in range(len(free)):
            other = free[i]
            if HOLDING_MASK[other] & mask != 0:
                continue
            theirs = strength_of_key(key + HOLDING_KEY[other], mask | HOLDING_MASK[other])
            low, high = HOLDING_CARDS[other, 0], HOLDING_CARDS[other, 1]
            column = ALL if theirs > mine else TIE if theirs == mine else WIN
            for r in range(ranges):
                weight = one_by_one[i, r]
                total[column, r] += weight
                by_card[column, low, r] += weight
                by_card[column, high, r] += weight
            # Two of the same holding share both cards and are subtracted twice below.
            for row in range(count):
                same[column, row] += products[i, row]
        for r in range(ranges):
            total[ALL, r] += total[WIN, r] + total[TIE, r]
            for card in range(52):
                by_card[ALL, card, r] += by_card[WIN, card, r] + by_card[TIE, card, r]
        for row in range(count):
            same[ALL, row] += same[WIN, row] + same[TIE, row]
        for r in range(ranges):
            for column in range(3):
                sums[b, r, column] = total[column, r]
            for first in range(r + 1):
                row = r * (r + 1) // 2 + first
                win, tie, met = total[WIN], total[TIE], total[ALL]
                win_win = same[WIN, row] + win[first] * win[r]
                win_tie = win[first] * tie[r]
                tie_win = tie[first] * win[r]
                tie_tie = same[TIE, row] + tie[first] * tie[r]
                everything = same[ALL, row] + met[first] * met[r]
                for card in range(52):
                    win_win -= by_card[WIN, card, first] * by_card[WIN, card, r]
                    win_tie -= by_card[WIN, card, first] * by_card[TIE, card, r]
                    tie_win -= by_card[TIE, card, first] * by_card[WIN, card, r]
                    tie_tie -= by_card[TIE, card, first] * by_card[TIE, card, r]
                    everything -= by_card[ALL, card, first] * by_card[ALL, card, r]
                pairs[b, row, WIN_WIN] = win_win
                pairs[b, row, WIN_TIE] = win_tie
                pairs[b, row, TIE_WIN] = tie_win
                pairs[b, row, TIE_TIE] = tie_tie
                pairs[b, row, ALL_ALL] = everything


@uncounted_kernel
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


@uncounted_kernel
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
