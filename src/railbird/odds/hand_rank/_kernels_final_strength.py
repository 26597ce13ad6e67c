"""Strengths at the end of the hand: of one holding, and of all that a board allows."""

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
from railbird.odds.tables._kernels_ranking import key_of, mask_of


@kernel
def mean_final_strength(board: np.ndarray, holding: int) -> float:
    """Return the mean strength of a holding at the end, over the run-outs of 3 to 5 cards."""
    key = key_of(board) + HOLDING_KEY[holding]
    mask = mask_of(board) | HOLDING_MASK[holding]
    if board.size == 5:
        return float(strength_of_key(key, mask))
    total, count = np.int64(0), 0
    for a in range(52):
        if mask & CARD_MASK[a]:
            continue
        if board.size == 4:
            total += np.int64(strength_of_key(key + CARD_KEY[a], mask | CARD_MASK[a]))
            count += 1
            continue
        for b in range(a):
            if mask & CARD_MASK[b] == 0:
                total += np.int64(
                    strength_of_key(
                        key + CARD_KEY[a] + CARD_KEY[b], mask | CARD_MASK[a] | CARD_MASK[b]
                    )
                )
                count += 1
    return float(total / count)


@kernel
def final_strength_moments(board: np.ndarray, moments: np.ndarray) -> None:
    """Fill ``moments`` (2,) float64 with the mean and variance of the strength at the end.

    All holdings and run-outs of ``board``, three to five cards, are equally likely. Which of the
    unknown cards are held does not matter, so each set of them is counted once.
    """
    free = np.empty(52, dtype=np.int64)
    size = 0
    used = mask_of(board)
    for card in range(52):
        if used & CARD_MASK[card] == 0:
            free[size] = card
            size += 1
    board_key, board_mask = key_of(board), mask_of(board)
    more = 5 - board.size
    total, squares, count = np.int64(0), np.int64(0), 0
    for a in range(size if more >= 1 else 1):
        key_a, mask_a = board_key, board_mask
        if more >= 1:
            key_a += CARD_KEY[free[a]]
            mask_a |= CARD_MASK[free[a]]
        for b in range(a if more == 2 else 1):
            key_b, mask_b = key_a, mask_a
            if more == 2:
                key_b += CARD_KEY[free[b]]
                mask_b |= CARD_MASK[free[b]]
            below = size if more == 0 else (a if more == 1 else b)
            for c in range(below):
                key_c = key_b + CARD_KEY[free[c]]
                mask_c = mask_b | CARD_MASK[free[c]]
                for d in range(c):
                    strength = np.int64(
                        strength_of_key(key_c + CARD_KEY[free[d]], mask_c | CARD_MASK[free[d]])
                    )
                    total += strength
                    squares += strength * strength
                    count += 1
    mean = total / count
    moments[0] = mean
    moments[1] = squares / count - mean * mean


@kernel
def mean_preflop_strength(holding: int) -> float:
    """Return the mean strength of a holding at the end over all 2,118,760 boards."""
    free = np.empty(52, dtype=np.int64)
    size = 0
    for card in range(52):
        if HOLDING_MASK[holding] & CARD_MASK[card] == 0:
            free[size] = card
            size += 1
    total, count = np.int64(0), 0
    for a in range(size):
        for b in range(a):
            for c in range(b):
                key_c = HOLDING_KEY[holding] + CARD_KEY[free[a]] + CARD_KEY[free[b]]
                key_c += CARD_KEY[free[c]]
                mask_c = HOLDING_MASK[holding] | CARD_MASK[free[a]] | CARD_MASK[free[b]]
                mask_c |= CARD_MASK[free[c]]
                for d in range(c):
                    for e in range(d):
                        total += np.int64(
                            strength_of_key(
                                key_c + CARD_KEY[free[d]] + CARD_KEY[free[e]],
                                mask_c | CARD_MASK[free[d]] | CARD_MASK[free[e]],
                            )
                        )
                        count += 1
    return float(total / count)
