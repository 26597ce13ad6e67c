"""Comparison of a holding with every weighted holding, now and after the next cards."""

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
from railbird.odds.tables._kernels_ranking import key_of, mask_of


@kernel
def standing(mine: np.uint16, other: np.uint16) -> int:
    """Return 0 for ahead, 1 for a tie, 2 for behind."""
    return int(other == mine) + 2 * int(other > mine)


@kernel
def count_standings(
    holding: int,
    board: np.ndarray,
    weights: np.ndarray,
    to_come: int,
    completions: int,
    table: np.ndarray,
) -> None:
    """Add to ``table`` (3, 3) the weights of the opponent's holdings by who is ahead now and later.

    ``weights`` (1326,) and ``table`` are both int64 or both float64; "later" is after each of the
    ``completions`` ways to deal ``to_come`` more cards from the rest of the deck.
    """
    base_key, base_mask = key_of(board), mask_of(board)
    used = base_mask | HOLDING_MASK[holding]
    mine = strength_of_key(base_key + HOLDING_KEY[holding], used)
    others = np.empty(1326, dtype=np.uint16)
    now = np.empty(1326, dtype=np.uint8)
    n = 0
    for other in range(1326):
        if weights[other] != 0 and HOLDING_MASK[other] & used == 0:
            others[n] = other
            now[n] = standing(
                mine,
                strength_of_key(base_key + HOLDING_KEY[other], base_mask | HOLDING_MASK[other]),
            )
            n += 1
    left = unused_cards(used)
    chosen = np.empty(to_come, dtype=np.uint8)
    combination_at(0, chosen)
    for _ in range(completions):
        key, mask = base_key, base_mask
        for place in chosen:
            key += CARD_KEY[left[place]]
            mask |= CARD_MASK[left[place]]
        mine = strength_of_key(key + HOLDING_KEY[holding], mask | HOLDING_MASK[holding])
        for i in range(n):
            other = others[i]
            if HOLDING_MASK[other] & mask == 0:
                theirs = strength_of_key(key + HOLDING_KEY[other], mask | HOLDING_MASK[other])
                table[now[i], standing(mine, theirs)] += weights[other]
        to_successor(chosen)
