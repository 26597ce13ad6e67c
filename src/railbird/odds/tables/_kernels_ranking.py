"""All holdings on one board in order of strength, and sums that depend on the order.

No sorting is needed. On any board the holdings have at most 136 different strengths: they are
marked in a bit set, and a strength's level is the number of marks below it. The weights of the
holdings below each level are summed by card: the weight of those that share no card with mine is
the total less that with my first card less that with my second (the holding with both is mine,
which is not below).
"""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.cards._tables_holding import HOLDING_CARDS
from railbird.cards.hand_strength._kernels_evaluator import (
    CARD_KEY,
    CARD_MASK,
    HOLDING_KEY,
    HOLDING_MASK,
    strength_of_key,
)
from railbird.cards.isomorphism._tables_columns import COLUMN

LOW = np.ascontiguousarray(HOLDING_CARDS[:, 0])
"""(1326,) uint8: the lower card of each holding."""

HIGH = np.ascontiguousarray(HOLDING_CARDS[:, 1])
"""(1326,) uint8: the higher card of each holding."""

MAX_LEVELS = 255
"""Bound on the levels of a board: 91 pairs of ranks, and at most 45 holdings with a flush."""

ALL = 52
"""The column of `sum_below` for holdings with any card."""

COLUMNS = 64
"""Columns of `sum_below`: 52 cards and `ALL`, padded to whole vectors."""

STRENGTH_WORDS = 7462 // 64 + 1
ONE = np.uint64(1)

ABSENT_16 = np.uint16(0xFFFF)
"""In a uint16 table: all holdings of the entry share a card with the board."""

ABSENT_32 = np.uint32(0xFFFFFFFF)
"""In a uint32 table: all holdings of the entry share a card with the board."""


@kernel
def key_of(cards: np.ndarray) -> np.uint64:
    """Return the sum of the cards' `CARD_KEY`."""
    key = np.uint64(0)
    for card in cards:
        key += CARD_KEY[card]
    return key


@kernel
def mask_of(cards: np.ndarray) -> np.uint64:
    """Return the union of the cards' `CARD_MASK`."""
    mask = np.uint64(0)
    for card in cards:
        mask |= CARD_MASK[card]
    return mask


@kernel
def count_bits(bits: np.uint64) -> np.uint64:
    """Count the bits set; the compiler recognises the pattern as one instruction."""
    bits -= (bits >> np.uint64(1)) & np.uint64(0x5555555555555555)
    pairs = np.uint64(0x3333333333333333)
    bits = (bits & pairs) + ((bits >> np.uint64(2)) & pairs)
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (bits * np.uint64(0x0101010101010101)) >> np.uint64(56)


@kernel
def find_levels(
    holdings: np.ndarray,
    key: np.uint64,
    mask: np.uint64,
    used: np.uint64,
    live: np.ndarray,
    level: np.ndarray,
) -> tuple[int, int]:
    """Find the level of each holding that shares no card with ``used``, the weakest being 0.

    ``holdings`` uint16; ``key`` and ``mask`` are the board's, ``used`` is the mask of the board
    and all dead cards. Writes those holdings into ``live`` (1326,) uint16 and their levels into
    ``level`` (1326,) uint16, which is indexed by holding. Returns (holdings, levels).
    """
    marks = np.zeros(STRENGTH_WORDS, dtype=np.uint64)
    below = np.empty(STRENGTH_WORDS, dtype=np.uint16)
    n = 0
    for holding in holdings:
        if HOLDING_MASK[holding] & used == 0:
            strength = strength_of_key(key + HOLDING_KEY[holding], mask | HOLDING_MASK[holding])
            level[holding] = strength
            live[n] = holding
            n += 1
            marks[strength >> 6] |= ONE << np.uint64(strength & 63)
    levels = 0
    for word in range(STRENGTH_WORDS):
        below[word] = levels
        levels += int(count_bits(marks[word]))
    for i in range(n):
        strength = level[live[i]]
        word = strength >> 6
        lower = (ONE << np.uint64(strength & 63)) - ONE
        level[live[i]] = below[word] + count_bits(marks[word] & lower)
    return n, levels


@kernel
def sum_below(
    live: np.ndarray,
    n: int,
    level: np.ndarray,
    levels: int,
    weights: np.ndarray,
    below: np.ndarray,
) -> None:
    """Sum the weights of the holdings below each level, in total and by card.

    ``weights`` (1326,); ``below`` of the same type, from `empty_sums`, is flat with `COLUMNS` per
    level, so that the running sum is one vector loop: below[l * COLUMNS + c] is the weight of the
    holdings with card c below level l, and column `ALL` that of all of them, for levels 0 to
    ``levels``.
    """
    end = (levels + 1) * COLUMNS
    for i in range(end):
        below[i] = 0
    for i in range(n):
        holding = live[i]
        above = (level[holding] + 1) * COLUMNS
        below[above + LOW[holding]] += weights[holding]
        below[above + HIGH[holding]] += weights[holding]
        below[above + ALL] += weights[holding]
    for i in range(COLUMNS, end):
        below[i] += below[i - COLUMNS]


@kernel
def empty_sums(weights: np.ndarray) -> np.ndarray:
    """Return an array for the sums of `sum_below`."""
    return np.empty((MAX_LEVELS + 1) * COLUMNS, dtype=weights.dtype)


@kernel
def weight_below(below: np.ndarray, level: int, a: int, b: int) -> float:
    """Return the weight of the holdings below a level with neither of two cards.

    A holding with both, if it is among them, is counted once and subtracted twice.
    """
    row = level * COLUMNS
    weight: float = below[row + ALL] - below[row + a] - below[row + b]
    return weight


@kernel
def rank_boards(
    boards: np.ndarray,
    starts: np.ndarray,
    patterns: np.ndarray,
    start: int,
    stop: int,
    numerators: np.ndarray,
) -> None:
    """Fill the rows of boards start..stop in ``numerators`` (flat) uint16: 2 * ahead + tied.

    ``boards`` (rows, 3 to 5) uint8, ``starts`` and ``patterns`` (rows,) those of their rows.
    Entries that no holding has, because all share a card with the board, are left alone.
    """
    holdings = np.arange(1326).astype(np.uint16)
    live = np.empty(1326, dtype=np.uint16)
    level = np.empty(1326, dtype=np.uint16)
    ones = np.ones(1326, dtype=np.int16)
    below = empty_sums(ones)
    for row in range(start, stop):
        board = boards[row]
        mask = mask_of(board)
        n, levels = find_levels(holdings, key_of(board), mask, mask, live, level)
        sum_below(live, n, level, levels, ones, below)
        for i in range(n):
            holding = live[i]
            a, b = LOW[holding], HIGH[holding]
            ahead = weight_below(below, level[holding], a, b)
            # This count includes my own holding.
            ahead_or_tied = weight_below(below, level[holding] + 1, a, b) + 1
            numerators[starts[row] + COLUMN[patterns[row], holding]] = ahead + ahead_or_tied


@kernel
def rank_boards_by_weight(
    boards: np.ndarray,
    starts: np.ndarray,
    patterns: np.ndarray,
    start: int,
    stop: int,
    weights: np.ndarray,
    whole: float,
    numerators: np.ndarray,
) -> None:
    """Fill rows as `rank_boards` does, opponents counted by ``weights`` (1326,) float64.

    An entry is the share of weight that is beaten, ties halved, out of ``whole``, rounded.
    """
    holdings = np.arange(1326).astype(np.uint16)
    live = np.empty(1326, dtype=np.uint16)
    level = np.empty(1326, dtype=np.uint16)
    below = empty_sums(weights)
    for row in range(start, stop):
        board = boards[row]
        mask = mask_of(board)
        n, levels = find_levels(holdings, key_of(board), mask, mask, live, level)
        sum_below(live, n, level, levels, weights, below)
        for i in range(n):
            holding = live[i]
            a, b = LOW[holding], HIGH[holding]
            own = weights[holding]
            ahead = weight_below(below, level[holding], a, b)
            # My own holding is among these, and is taken off twice.
            ahead_or_tied = weight_below(below, level[holding] + 1, a, b) + own
            everybody = weight_below(below, levels, a, b) + own
            share = whole * (ahead + ahead_or_tied) / (2.0 * everybody)
            numerators[starts[row] + COLUMN[patterns[row], holding]] = np.uint16(share + 0.5)
