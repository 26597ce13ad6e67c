"""Showdowns of every holding against a range, on all boards that may follow one."""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.cards.kernels import strength_of_key
from railbird.cards.tables import (
    CARD_KEY,
    CARD_MASK,
    HOLDING_CARDS,
    HOLDING_KEY,
    HOLDING_MASK,
)
from railbird.odds.rank_kernels import key_of, mask_of

STRENGTHS = 7462
"""Strengths of hands: 0 is the weakest."""


@kernel
def sort_holdings(board: np.ndarray, order: np.ndarray, strengths: np.ndarray) -> None:
    """Sort the holdings on each board of five cards that may follow, weakest first.

    Fills ``order`` and ``strengths``, (boards, 1081), the holdings and how strong they are.
    """
    key, mask = key_of(board), mask_of(board)
    left = np.array([card for card in range(52) if CARD_MASK[card] & mask == 0])
    held, strong = np.empty(order.shape[1], np.int64), np.empty(order.shape[1], np.int64)
    ends = np.zeros(STRENGTHS + 1, np.int64)
    number = 0
    for first in range(len(left) if len(board) < 5 else 1):
        for second in range(first + 1, len(left) if len(board) == 3 else first + 2):
            whole_key, whole_mask = key, mask
            if len(board) < 5:
                whole_key += CARD_KEY[left[first]]
                whole_mask |= CARD_MASK[left[first]]
            if len(board) == 3:
                whole_key += CARD_KEY[left[second]]
                whole_mask |= CARD_MASK[left[second]]
            count = 0
            for holding in range(1326):
                if HOLDING_MASK[holding] & whole_mask == 0:
                    held[count] = holding
                    strong[count] = strength_of_key(
                        whole_key + HOLDING_KEY[holding], whole_mask | HOLDING_MASK[holding]
                    )
                    count += 1
            # Sorted by counting: a general sort takes five times as long.
            weakest, strongest = STRENGTHS, np.int64(0)
            for index in range(count):
                weakest, strongest = min(weakest, strong[index]), max(strongest, strong[index])
                ends[strong[index] + 1] += 1
            for strength in range(weakest, strongest + 1):
                ends[strength + 1] += ends[strength]
            for index in range(count):
                after = ends[strong[index]]
                ends[strong[index]] += 1
                order[number, after] = held[index]
                strengths[number, after] = strong[index]
            ends[weakest : strongest + 2] = 0
            number += 1


@kernel
def add_wins(order: np.ndarray, strengths: np.ndarray, reach: np.ndarray, won: np.ndarray) -> None:
    """Add to ``won`` (1326,) what each holding wins from ``reach`` (1326,), ties counting half.

    A holding meets those that share no card with it: what shares either card is taken off, and
    itself, which shares both, is put back.
    """
    by_card = np.empty(52)
    for board in range(len(order)):
        by_card[:] = 0.0
        total = 0.0
        start = 0
        while start < order.shape[1]:
            end = start
            while end < order.shape[1] and strengths[board, end] == strengths[board, start]:
                holding = order[board, end]
                low, high = HOLDING_CARDS[holding, 0], HOLDING_CARDS[holding, 1]
                won[holding] += 0.5 * (total - by_card[low] - by_card[high])
                end += 1
            for index in range(start, end):
                holding = order[board, index]
                total += reach[holding]
                by_card[HOLDING_CARDS[holding, 0]] += reach[holding]
                by_card[HOLDING_CARDS[holding, 1]] += reach[holding]
            for index in range(start, end):
                holding = order[board, index]
                low, high = HOLDING_CARDS[holding, 0], HOLDING_CARDS[holding, 1]
                won[holding] += 0.5 * (total - by_card[low] - by_card[high] + reach[holding])
            start = end


@kernel
def add_wins_of_many(
    order: np.ndarray, strengths: np.ndarray, reach: np.ndarray, won: np.ndarray
) -> None:
    """Add to ``won`` (1326, ranges) what `add_wins` does for each of several ranges.

    Ranges lie side by side, so that they are added up in vectors.
    """
    ranges = reach.shape[1]
    by_card, total = np.empty((52, ranges)), np.empty(ranges)
    for board in range(len(order)):
        by_card[:] = 0.0
        total[:] = 0.0
        start = 0
        while start < order.shape[1]:
            end = start
            while end < order.shape[1] and strengths[board, end] == strengths[board, start]:
                holding = order[board, end]
                low, high = HOLDING_CARDS[holding, 0], HOLDING_CARDS[holding, 1]
                for lane in range(ranges):
                    won[holding, lane] += 0.5 * (
                        total[lane] - by_card[low, lane] - by_card[high, lane]
                    )
                end += 1
            for index in range(start, end):
                holding = order[board, index]
                low, high = HOLDING_CARDS[holding, 0], HOLDING_CARDS[holding, 1]
                for lane in range(ranges):
                    some = reach[holding, lane]
                    total[lane] += some
                    by_card[low, lane] += some
                    by_card[high, lane] += some
            for index in range(start, end):
                holding = order[board, index]
                low, high = HOLDING_CARDS[holding, 0], HOLDING_CARDS[holding, 1]
                for lane in range(ranges):
                    won[holding, lane] += 0.5 * (
                        total[lane]
                        - by_card[low, lane]
                        - by_card[high, lane]
                        + reach[holding, lane]
                    )
            start = end
