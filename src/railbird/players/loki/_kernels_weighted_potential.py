"""A holding's strength and potential against weighted holdings, from the strengths on a board."""

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

NOWHERE = np.uint16(0xFFFF)
"""Strength of a holding that shares a card with the longer board."""

PARTS = 1_000_000
"""Resolution of integer weights; 1,326 of them still add up to an int32."""


@kernel
def fill_next_strengths(board: np.ndarray, order: np.ndarray, out: np.ndarray) -> None:
    """Fill ``out`` (52, holdings) with strengths of the holdings in ``order`` after each card."""
    key, mask = np.uint64(0), np.uint64(0)
    for card in board:
        key += CARD_KEY[card]
        mask |= CARD_MASK[card]
    for card in range(52):
        longer_key, longer_mask = key + CARD_KEY[card], mask | CARD_MASK[card]
        for place in range(len(order)):
            own_key, own_mask = HOLDING_KEY[order[place]], HOLDING_MASK[order[place]]
            if mask & CARD_MASK[card] != 0 or longer_mask & own_mask != 0:
                out[card, place] = NOWHERE
            else:
                out[card, place] = strength_of_key(longer_key + own_key, longer_mask | own_mask)


@kernel
def tally_now(holding: int, level: np.ndarray, weights: np.ndarray, table: np.ndarray) -> None:
    """Add up in ``table`` (3,) the weights that are behind, tied with and ahead of a holding."""
    mine, own = level[holding], HOLDING_MASK[holding]
    for other in range(1326):
        if level[other] >= 0 and HOLDING_MASK[other] & own == 0:
            table[int(level[other] == mine) + 2 * int(level[other] > mine)] += weights[other]


@kernel
def tally_next(
    holding: int,
    level: np.ndarray,
    order: np.ndarray,
    after: np.ndarray,
    weights: np.ndarray,
    table: np.ndarray,
) -> None:
    """Add up in ``table`` (3, 3) weights by who is ahead now and after one more card.

    ``order`` and ``after`` are those of `fill_next_strengths`, weakest holdings first, so that
    holdings behind, tied and ahead are contiguous. Weights are rounded to 1 / `PARTS` of the
    largest: integer sums do not depend on the order, so the compiler may add eight at a time.
    """
    mine, own = level[holding], HOLDING_MASK[holding]
    count = len(order)
    most = 0.0
    for other in order:
        if HOLDING_MASK[other] & own == 0:
            most = max(most, weights[other])
    if most == 0.0:
        return
    parts = np.zeros(count, np.int32)
    ends = np.zeros(4, np.int64)
    cards, me = 0, 0
    for place in range(count):
        other = order[place]
        if HOLDING_MASK[other] & own == 0:
            parts[place] = np.int32(weights[other] / most * PARTS + 0.5)
        ends[1] += level[other] < mine
        ends[2] += level[other] <= mine
        if other == holding:
            me = place
    ends[3] = count
    sums = np.zeros((3, 3), np.int64)
    for card in range(52):
        mine_then = after[card, me]
        if mine_then == NOWHERE:
            continue
        cards += 1
        for standing in range(3):
            then = after[card, ends[standing] : ends[standing + 1]]
            part = parts[ends[standing] : ends[standing + 1]]
            ahead, tied = np.int32(0), np.int32(0)
            for place in range(len(part)):
                ahead += part[place] if then[place] < mine_then else np.int32(0)
                tied += part[place] if then[place] == mine_then else np.int32(0)
            sums[standing, 0] += ahead
            sums[standing, 1] += tied
    for standing in range(3):
        whole = np.int64(0)
        for place in range(ends[standing], ends[standing + 1]):
            whole += parts[place]
        # Of the cards outside my holding, two are in each other holding.
        sums[standing, 2] = (cards - 2) * whole - sums[standing, 0] - sums[standing, 1]
        for then_standing in range(3):
            table[standing, then_standing] += sums[standing, then_standing] * (most / PARTS)
