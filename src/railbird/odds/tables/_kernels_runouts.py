"""Strengths of all holdings on one board at once, now and after each turn and river."""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.cards._tables_holding import HOLDING_CARDS
from railbird.cards.hand_strength._kernels_evaluator import (
    HOLDING_KEY,
    HOLDING_MASK,
    strength_of_key,
)
from railbird.odds.potential._kernels_ahead_behind import standing
from railbird.odds.tables._kernels_ranking import ABSENT_16, key_of, mask_of

_LEVELS = 7462


@kernel
def rank_runouts(board: np.ndarray, rows: np.ndarray, strengths: np.ndarray) -> None:
    """Fill strengths (1326, 1326) by holding and by the two cards to come, indexed as a holding.

    `ABSENT_16` marks clashes; ``rows`` (1326,) are the two cards to come by column.
    """
    base_key, base_mask = key_of(board), mask_of(board)
    for column in range(len(rows)):
        come = rows[column]
        clash = HOLDING_MASK[come] & base_mask != 0
        key, mask = base_key + HOLDING_KEY[come], base_mask | HOLDING_MASK[come]
        for holding in range(1326):
            if clash or HOLDING_MASK[holding] & mask != 0:
                strengths[holding, column] = ABSENT_16
            else:
                strengths[holding, column] = strength_of_key(
                    key + HOLDING_KEY[holding], mask | HOLDING_MASK[holding]
                )


@kernel
def compare_runouts(
    holding: int,
    board: np.ndarray,
    weights: np.ndarray,
    strengths: np.ndarray,
    completions: int,
    table: np.ndarray,
) -> None:
    """Fill ``table`` (3, 3) as `count_standings` does, from the strengths of `rank_runouts`.

    ``completions`` is the number that two holdings and the board leave.
    """
    base_key, base_mask = key_of(board), mask_of(board)
    used = base_mask | HOLDING_MASK[holding]
    mine_now = strength_of_key(base_key + HOLDING_KEY[holding], used)
    columns = strengths.shape[1]
    # No strength is below or equal to zero, so run-outs that my cards block do not count.
    mine = np.zeros(columns, dtype=np.uint16)
    for c in range(columns):
        if strengths[holding, c] != ABSENT_16:
            mine[c] = strengths[holding, c]
    for other in range(1326):
        if weights[other] != 0 and HOLDING_MASK[other] & used == 0:
            theirs = strengths[other]
            above, level = np.int32(0), np.int32(0)
            for c in range(columns):
                above += np.int32(theirs[c] < mine[c])
                level += np.int32(theirs[c] == mine[c])
            now = standing(
                mine_now,
                strength_of_key(base_key + HOLDING_KEY[other], base_mask | HOLDING_MASK[other]),
            )
            table[now, 0] += above * weights[other]
            table[now, 1] += level * weights[other]
            table[now, 2] += (completions - above - level) * weights[other]


@kernel
def rank_all(board: np.ndarray, level: np.ndarray, order: np.ndarray) -> int:
    """Fill level (1326,) with each holding's strength, -1 if it shares a card with the board.

    ``order`` receives the others, weakest first; returns their number.
    """
    key, mask = key_of(board), mask_of(board)
    start = np.zeros(_LEVELS + 1, dtype=np.int32)
    count = 0
    for h in range(1326):
        if HOLDING_MASK[h] & mask != 0:
            level[h] = -1
            continue
        level[h] = strength_of_key(key + HOLDING_KEY[h], mask | HOLDING_MASK[h])
        start[level[h] + 1] += 1
        count += 1
    for s in range(_LEVELS):
        start[s + 1] += start[s]
    for h in range(1326):
        if level[h] >= 0:
            order[start[level[h]]] = h
            start[level[h]] += 1
    return count


@kernel
def share_of_all(
    level: np.ndarray, order: np.ndarray, weights: np.ndarray, shares: np.ndarray
) -> None:
    """Fill ``shares`` as `strength_of_all` does, from the result of `rank_all`.

    Each weight is visited once: the weight below is a running sum, less the weight of holdings that
    share a card with the holding.
    """
    total, count = 0.0, len(order)
    by_card = np.zeros(52)
    for h in range(1326):
        if level[h] < 0:
            shares[h] = np.nan
            continue
        total += weights[h]
        by_card[HOLDING_CARDS[h, 0]] += weights[h]
        by_card[HOLDING_CARDS[h, 1]] += weights[h]
    below, below_card = 0.0, np.zeros(52)
    tied_card = np.zeros(52)
    first = 0
    while first < count:
        last, tied = first, 0.0
        while last < count and level[order[last]] == level[order[first]]:
            h = order[last]
            tied += weights[h]
            tied_card[HOLDING_CARDS[h, 0]] += weights[h]
            tied_card[HOLDING_CARDS[h, 1]] += weights[h]
            last += 1
        for place in range(first, last):
            h = order[place]
            a, b = HOLDING_CARDS[h, 0], HOLDING_CARDS[h, 1]
            whole = total - by_card[a] - by_card[b] + weights[h]
            won = below - below_card[a] - below_card[b]
            level_with = tied - tied_card[a] - tied_card[b] + weights[h]
            shares[h] = (won + level_with / 2) / whole if whole > 0.0 else 0.0
        for place in range(first, last):
            h = order[place]
            a, b = HOLDING_CARDS[h, 0], HOLDING_CARDS[h, 1]
            below += weights[h]
            below_card[a] += weights[h]
            below_card[b] += weights[h]
            tied_card[a] = 0.0
            tied_card[b] = 0.0
        first = last


@kernel
def strength_of_all(board: np.ndarray, weights: np.ndarray, shares: np.ndarray) -> None:
    """Fill ``shares`` (1326,) with each holding's share of the weights it beats, ties half.

    NaN for holdings that share a card with the board.
    """
    level, order = np.empty(1326, dtype=np.int32), np.empty(1326, dtype=np.int16)
    share_of_all(level, order[: rank_all(board, level, order)], weights, shares)
