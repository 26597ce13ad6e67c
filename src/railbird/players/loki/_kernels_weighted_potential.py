"""A holding's strength and potential against weighted holdings, from the strengths on a board."""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.cards._tables_holding import HOLDING_CARDS
from railbird.cards.hand_strength._kernels_evaluator import (
    CARD_KEY,
    CARD_MASK,
    HOLDING_KEY,
    HOLDING_MASK,
    flush_strength,
    plain_strength,
    strength_of_key,
)
from railbird.players.loki._tables_rank_pairs import (
    ALL,
    PAIR_KEY,
    PAIR_OF,
    PAIR_OF_RANKS,
    SUITED,
    WITH_SUIT,
)

PARTS = 1_000_000
"""Resolution of integer weights; 1,326 of them still add up to an int32."""

_PAIRS = len(PAIR_KEY)
_RANK = np.uint8(2)
"""Bits of a card below its rank."""
_SUITS_OF_BOARD = 3
"""Cards of a suit on the board from which on there are flushes."""


@kernel
def fill_strengths(board: np.ndarray, level: np.ndarray, later: np.ndarray) -> None:
    """Fill ``level`` (1326,) with the strength of each holding; -1 if it shares a card.

    Before the river also fill ``later`` (13, 91), int32, with the strengths that are no flushes, by
    the rank of the next card and the holding's pair of ranks.
    """
    key, mask = np.uint64(0), np.uint64(0)
    for card in board:
        key += CARD_KEY[card]
        mask |= CARD_MASK[card]
    for holding in range(1326):
        level[holding] = -1
        if HOLDING_MASK[holding] & mask == 0:
            level[holding] = strength_of_key(
                key + HOLDING_KEY[holding], mask | HOLDING_MASK[holding]
            )
    if len(board) < 5:
        for rank in range(13):
            for pair in range(_PAIRS):
                later[rank, pair] = plain_strength(key + CARD_KEY[4 * rank] + PAIR_KEY[pair])


@kernel
def tally_now(holding: int, level: np.ndarray, weights: np.ndarray, table: np.ndarray) -> None:
    """Add up in ``table`` (3,) the weights that are behind, tied with and ahead of a holding."""
    mine, own = level[holding], HOLDING_MASK[holding]
    for other in range(1326):
        if level[other] >= 0 and HOLDING_MASK[other] & own == 0:
            table[int(level[other] == mine) + 2 * int(level[other] > mine)] += weights[other]


@kernel
def _flushes(board: np.ndarray, card: int) -> np.ndarray:
    """Return the holdings that have a flush on the board and one more card, if they share none."""
    found: np.ndarray = ALL[:0]
    for suit in range(4):
        count = int(card % 4 == suit)
        for other in board:
            count += int(other % 4 == suit)
        if count == _SUITS_OF_BOARD:
            found = SUITED[suit]
        elif count == _SUITS_OF_BOARD + 1:
            found = WITH_SUIT[suit]
        elif count > _SUITS_OF_BOARD + 1:
            found = ALL
    return found


@kernel
def tally_next(
    holding: int,
    board: np.ndarray,
    level: np.ndarray,
    later: np.ndarray,
    weights: np.ndarray,
    table: np.ndarray,
) -> None:
    """Add up in ``table`` (3, 3) weights by who is ahead now and after one more card.

    ``level`` and ``later`` are those of `fill_strengths`. Without a flush a strength depends on the
    ranks alone, so weights are added up by pair of ranks, and by card for those that the next card
    rules out; only flushes are compared one by one. To rank all holdings after each card took
    thirty times as long. Weights are rounded to 1 / `PARTS` of the largest: integer sums do not
    depend on the order.
    """
    mine, own = level[holding], HOLDING_MASK[holding]
    most = 0.0
    for other in range(1326):
        if level[other] >= 0 and HOLDING_MASK[other] & own == 0:
            most = max(most, weights[other])
    if most == 0.0:
        return
    key, mask = np.uint64(0), np.uint64(0)
    for card in board:
        key += CARD_KEY[card]
        mask |= CARD_MASK[card]
    parts = np.zeros(1326, np.int32)
    standing = np.empty(1326, np.uint8)
    by_pair = np.zeros((3, _PAIRS), np.int32)
    by_card = np.zeros((52, 3, 13), np.int32)
    for other in range(1326):
        now = int(level[other] >= mine) + int(level[other] > mine)
        standing[other] = now
        if level[other] >= 0 and HOLDING_MASK[other] & own == 0:
            part = np.int32(weights[other] / most * PARTS + 0.5)
            parts[other] = part
            low, high = HOLDING_CARDS[other, 0], HOLDING_CARDS[other, 1]
            by_pair[now, PAIR_OF[other]] += part
            by_card[low, now, high >> _RANK] += part
            by_card[high, now, low >> _RANK] += part
    sums = np.zeros((3, 2), np.int64)
    cards = 0
    for card in range(52):
        if (mask | own) & CARD_MASK[card] != 0:
            continue
        cards += 1
        later_key, later_mask = key + CARD_KEY[card], mask | CARD_MASK[card]
        then, pairs = later[card >> 2], PAIR_OF_RANKS[card >> 2]
        mine_then = np.int32(strength_of_key(later_key + HOLDING_KEY[holding], later_mask | own))
        for now in range(3):
            part_ahead, part_tied = np.int32(0), np.int32(0)
            for pair in range(_PAIRS):
                part_ahead += by_pair[now, pair] if then[pair] < mine_then else np.int32(0)
                part_tied += by_pair[now, pair] if then[pair] == mine_then else np.int32(0)
            for rank in range(13):
                strength = then[pairs[rank]]
                part_ahead -= by_card[card, now, rank] if strength < mine_then else np.int32(0)
                part_tied -= by_card[card, now, rank] if strength == mine_then else np.int32(0)
            sums[now, 0] += part_ahead
            sums[now, 1] += part_tied
        for other in _flushes(board, card):
            if parts[other] != 0 and HOLDING_MASK[other] & CARD_MASK[card] == 0:
                plain = then[PAIR_OF[other]]
                flush = flush_strength(
                    later_key + HOLDING_KEY[other], later_mask | HOLDING_MASK[other]
                )
                ahead = int(flush < mine_then) - int(plain < mine_then)
                tied = int(flush == mine_then) - int(plain == mine_then)
                sums[standing[other], 0] += ahead * parts[other]
                sums[standing[other], 1] += tied * parts[other]
    for now in range(3):
        whole = np.int64(0)
        for pair in range(_PAIRS):
            whole += by_pair[now, pair]
        # Of the cards outside my holding, two are in each other holding.
        behind = (cards - 2) * whole - sums[now, 0] - sums[now, 1]
        table[now, 0] += sums[now, 0] * (most / PARTS)
        table[now, 1] += sums[now, 1] * (most / PARTS)
        table[now, 2] += behind * (most / PARTS)


@kernel
def strength_now(holding: int, level: np.ndarray, weights: np.ndarray) -> float:
    """Return the share of weighted holdings that are behind a holding, ties half."""
    table = np.zeros(3)
    tally_now(holding, level, weights, table)
    whole = table[0] + table[1] + table[2]
    return (table[0] + table[1] / 2) / whole if whole > 0.0 else 0.0


@kernel
def evaluate(
    holding: int, board: np.ndarray, level: np.ndarray, later: np.ndarray, weights: np.ndarray
) -> tuple[float, float, float]:
    """Return HS, PPot and NPot by one card against one opponent; see `railbird.odds.Potential`."""
    if len(board) == 5:
        return strength_now(holding, level, weights), 0.0, 0.0
    table = np.zeros((3, 3))
    tally_next(holding, board, level, later, weights, table)
    ahead = table[0, 0] + table[0, 1] + table[0, 2]
    tied = table[1, 0] + table[1, 1] + table[1, 2]
    behind = table[2, 0] + table[2, 1] + table[2, 2]
    whole = ahead + tied + behind
    gained = table[2, 0] + table[2, 1] / 2 + table[1, 0] / 2
    lost = table[0, 2] + table[0, 1] / 2 + table[1, 2] / 2
    may_gain, may_lose = behind + tied / 2, ahead + tied / 2
    return (
        may_lose / whole if whole > 0.0 else 0.0,
        gained / may_gain if may_gain > 0.0 else 0.0,
        lost / may_lose if may_lose > 0.0 else 0.0,
    )
