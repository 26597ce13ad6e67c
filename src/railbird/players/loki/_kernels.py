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

    ``after`` is what `fill_next_strengths` wrote.
    """
    mine, own = now[holding], HOLDING_MASK[holding]
    others = np.empty(1326, np.int64)
    rows = np.empty(1326, np.int64)
    n = 0
    for other in range(1326):
        if now[other] != NOWHERE and weights[other] > 0 and HOLDING_MASK[other] & own == 0:
            others[n] = other
            rows[n] = 3 * (int(now[other] == mine) + 2 * int(now[other] > mine))
            n += 1
    cells = np.zeros(10)
    for card in range(52):
        then = after[card]
        mine_then = then[holding]
        if mine_then == NOWHERE:
            continue
        for i in range(n):
            other = others[i]
            theirs = then[other]
            cell = rows[i] + int(theirs == mine_then) + 2 * int(theirs > mine_then)
            cells[9 if theirs == NOWHERE else cell] += weights[other]
    for cell in range(9):
        table[cell // 3, cell % 3] += cells[cell]
