"""One holding's strength and potential against weighted holdings, from a board's strengths."""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.cards._kernels import (
    CARD_KEY,
    CARD_MASK,
    HOLDING_KEY,
    HOLDING_MASK,
    strength_of_key,
)

NOWHERE = np.uint16(0xFFFF)
"""The strength of a holding that shares a card with the board."""

PARTS = 1_000_000
"""1,326 weights of so many parts still add up to an int32."""


@kernel
def fill_strengths(board: np.ndarray, out: np.ndarray) -> None:
    """Write the strength of every holding on a board to ``out`` (1326,)."""
    key, mask = np.uint64(0), np.uint64(0)
    for card in board:
        key += CARD_KEY[card]
        mask |= CARD_MASK[card]
    for holding in range(1326):
        if HOLDING_MASK[holding] & mask == 0:
            out[holding] = strength_of_key(key + HOLDING_KEY[holding], mask | HOLDING_MASK[holding])
        else:
            out[holding] = NOWHERE


@kernel
def fill_next_strengths(board: np.ndarray, out: np.ndarray) -> None:
    """Write the strengths on the board and one more card to ``out`` (52, 1326), by that card."""
    longer = np.empty(len(board) + 1, np.uint8)
    longer[:-1] = board
    for card in range(52):
        if np.any(board == card):
            out[card] = NOWHERE
        else:
            longer[-1] = card
            fill_strengths(longer, out[card])


@kernel
def tally_now(holding: int, now: np.ndarray, weights: np.ndarray, table: np.ndarray) -> None:
    """Add up the weights that are behind, tied and ahead of a holding: ``table`` (3,)."""
    mine, own = now[holding], HOLDING_MASK[holding]
    for other in range(1326):
        if now[other] != NOWHERE and HOLDING_MASK[other] & own == 0:
            table[int(now[other] == mine) + 2 * int(now[other] > mine)] += weights[other]


@kernel
def tally_next(
    holding: int,
    now: np.ndarray,
    after: np.ndarray,
    weights: np.ndarray,
    table: np.ndarray,
) -> None:
    """Add up weights by standing now and after one more card: ``table`` (3, 3).

    ``after`` is what `fill_next_strengths` wrote. Weights are rounded to `PARTS` of the largest:
    sums of integers come out the same in any order, and so they are added eight at a time.
    """
    mine, own = now[holding], HOLDING_MASK[holding]
    parts = np.zeros((3, 1326), np.int32)
    most = 0.0
    for other in range(1326):
        if now[other] != NOWHERE and HOLDING_MASK[other] & own == 0:
            most = max(most, weights[other])
    if most == 0.0:
        return
    for other in range(1326):
        if now[other] != NOWHERE and HOLDING_MASK[other] & own == 0:
            standing = int(now[other] == mine) + 2 * int(now[other] > mine)
            parts[standing, other] = np.int32(weights[other] / most * PARTS + 0.5)
    sums = np.zeros((3, 3), np.int64)
    for card in range(52):
        then = after[card]
        mine_then = then[holding]
        if mine_then == NOWHERE:
            continue
        for standing in range(3):
            ahead, tied, present = np.int32(0), np.int32(0), np.int32(0)
            row = parts[standing]
            for other in range(1326):
                theirs, part = then[other], row[other]
                ahead += part if theirs < mine_then else np.int32(0)
                tied += part if theirs == mine_then else np.int32(0)
                present += part if theirs != NOWHERE else np.int32(0)
            sums[standing, 0] += ahead
            sums[standing, 1] += tied
            sums[standing, 2] += present - ahead - tied
    for standing in range(3):
        for after_standing in range(3):
            table[standing, after_standing] += sums[standing, after_standing] * (most / PARTS)
