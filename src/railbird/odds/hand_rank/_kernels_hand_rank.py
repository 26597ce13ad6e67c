"""Rank of one holding on one board, and of its final hands on all completions of the board."""

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
from railbird.cards.isomorphism._kernels_isomorphism import (
    combination_at,
    index_of_5,
    to_successor,
)
from railbird.cards.isomorphism._tables_columns import COLUMN
from railbird.odds.tables._kernels_ranking import HIGH, LOW, key_of, mask_of


@kernel
def unused_cards(used: np.uint64) -> np.ndarray:
    """Return the ascending cards whose bits are not in ``used``, uint8."""
    cards = np.empty(52, dtype=np.uint8)
    n = 0
    for card in range(52):
        if CARD_MASK[card] & used == 0:
            cards[n] = card
            n += 1
    return cards[:n]


@kernel
def compare_all(holding: int, key: np.uint64, mask: np.uint64) -> tuple[int, int]:
    """Count the holdings that a holding beats and ties, given the board's key and mask."""
    used = mask | HOLDING_MASK[holding]
    mine = strength_of_key(key + HOLDING_KEY[holding], used)
    left = unused_cards(used)
    ahead = 0
    tied = 0
    for i in range(left.size):
        first_key = key + CARD_KEY[left[i]]
        first_mask = mask | CARD_MASK[left[i]]
        for j in range(i):
            other = strength_of_key(first_key + CARD_KEY[left[j]], first_mask | CARD_MASK[left[j]])
            ahead += int(other < mine)
            tied += int(other == mine)
    return ahead, tied


@kernel
def rank_on_board(holding: int, board: np.ndarray) -> tuple[int, int]:
    """Count the opponents' holdings that a holding beats and ties on 3 to 5 cards."""
    return compare_all(holding, key_of(board), mask_of(board))


@kernel
def count_final_ranks(
    holding: int, board: np.ndarray, start: int, stop: int, counts: np.ndarray
) -> None:
    """Count the completions start..stop of a board in ``counts`` (1981,) int64 by 2 * ahead + tied.

    Enumerates every opponent's holding on every completion.
    """
    left = unused_cards(mask_of(board) | HOLDING_MASK[holding])
    chosen = np.empty(5 - board.size, dtype=np.uint8)
    combination_at(start, chosen)
    board_key, board_mask = key_of(board), mask_of(board)
    for _ in range(start, stop):
        key, mask = board_key, board_mask
        for place in chosen:
            key += CARD_KEY[left[place]]
            mask |= CARD_MASK[left[place]]
        ahead, tied = compare_all(holding, key, mask)
        counts[2 * ahead + tied] += 1
        to_successor(chosen)


@kernel
def look_up_final_ranks(
    holding: int,
    board: np.ndarray,
    start: int,
    stop: int,
    river_start: np.ndarray,
    river_pattern: np.ndarray,
    river_ihr: np.ndarray,
    counts: np.ndarray,
) -> None:
    """Do the same as `count_final_ranks` using the river's table."""
    left = unused_cards(mask_of(board) | HOLDING_MASK[holding])
    chosen = np.empty(5 - board.size, dtype=np.uint8)
    combination_at(start, chosen)
    full = np.empty(5, dtype=np.uint8)
    for i in range(board.size):
        full[i] = board[i]
    for _ in range(start, stop):
        for i in range(chosen.size):
            full[board.size + i] = left[chosen[i]]
        index = index_of_5(full[0], full[1], full[2], full[3], full[4])
        column = COLUMN[river_pattern[index], holding]
        counts[river_ihr[river_start[index] + column]] += 1
        to_successor(chosen)


@kernel
def rank_before_flop(holding: int) -> tuple[int, int]:
    """Count the holdings that a holding beats and ties, by pairs, then high card, then low card."""
    mine = _preflop_order(holding)
    used = HOLDING_MASK[holding]
    ahead = 0
    tied = 0
    for other in range(1326):
        if HOLDING_MASK[other] & used == 0:
            order = _preflop_order(other)
            ahead += order < mine
            tied += order == mine
    return ahead, tied


@kernel
def _preflop_order(holding: int) -> int:
    high, low = HIGH[holding] // 4, LOW[holding] // 4
    order: int = high * 13 + low + (169 if high == low else 0)
    return order
