"""All holdings on one board in order of strength, and what follows from the order.

Every question of "how many holdings does this one beat" is answered on one sorted list with card
removal: of the holdings below a level, those that share neither card with mine are the total less
those with my first card less those with my second (the one with both is mine, which is not below).
"""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.cards._kernels import CARD_KEY, CARD_MASK, strength_of_key
from railbird.cards._tables_holding import HOLDING_CARDS

LOW = np.ascontiguousarray(HOLDING_CARDS[:, 0])
"""(1326,) uint8: the lower card of each holding."""

HIGH = np.ascontiguousarray(HOLDING_CARDS[:, 1])
"""(1326,) uint8: the higher card of each holding."""

HOLDING_KEY = CARD_KEY[LOW] + CARD_KEY[HIGH]
"""(1326,) uint64: the two cards' part of the key that `strength_of_key` takes."""

HOLDING_MASK = CARD_MASK[LOW] | CARD_MASK[HIGH]
"""(1326,) uint64: the two cards' part of the mask that `strength_of_key` takes."""

ABSENT_16 = np.uint16(0xFFFF)
"""In a uint16 table: the holding shares a card with the board."""

ABSENT_32 = np.uint32(0xFFFFFFFF)
"""In a uint32 table: the holding shares a card with the board."""


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
def sort_by_strength(
    holdings: np.ndarray,
    key: np.uint64,
    mask: np.uint64,
    used: np.uint64,
    strength: np.ndarray,
    order: np.ndarray,
    scratch: np.ndarray,
) -> int:
    """Sort the holdings that share no card with ``used``, weakest first; return how many.

    ``key`` and ``mask`` are the board's; ``used`` is the mask of the board and all dead cards.
    ``strength`` (1326,) uint16 is written at each such holding; ``order`` and ``scratch`` are
    (1326,) int16. A radix sort by 7 and 6 bits, stable, several times faster than comparing.
    """
    low = np.zeros(128, dtype=np.int32)
    high = np.zeros(64, dtype=np.int32)
    n = 0
    for holding in holdings:
        if HOLDING_MASK[holding] & used == 0:
            value = strength_of_key(key + HOLDING_KEY[holding], mask | HOLDING_MASK[holding])
            strength[holding] = value
            order[n] = holding
            low[value & 127] += 1
            high[value >> 7] += 1
            n += 1
    _to_starts(low)
    _to_starts(high)
    for i in range(n):
        digit = strength[order[i]] & 127
        scratch[low[digit]] = order[i]
        low[digit] += 1
    for i in range(n):
        digit = strength[scratch[i]] >> 7
        order[high[digit]] = scratch[i]
        high[digit] += 1
    return n


@kernel
def _to_starts(counts: np.ndarray) -> None:
    start = 0
    for i in range(counts.size):
        count = counts[i]
        counts[i] = start
        start += count


@kernel
def level_end(start: int, n: int, order: np.ndarray, strength: np.ndarray) -> int:
    """Return the end of the run of equal strengths that begins at ``start``."""
    value = strength[order[start]]
    end = start + 1
    while end < n and strength[order[end]] == value:
        end += 1
    return end


@kernel
def rank_boards(boards: np.ndarray, start: int, stop: int, numerators: np.ndarray) -> None:
    """Fill rows start..stop of ``numerators`` (rows, 1326) uint16: 2 * ahead + tied.

    ``boards`` (rows, 3 to 5) uint8. Holdings that share a card with the board get `ABSENT_16`.
    """
    holdings = np.arange(1326).astype(np.int16)
    strength = np.empty(1326, dtype=np.uint16)
    order = np.empty(1326, dtype=np.int16)
    scratch = np.empty(1326, dtype=np.int16)
    with_card = np.empty(52, dtype=np.int32)
    for row in range(start, stop):
        board = boards[row]
        mask = mask_of(board)
        n = sort_by_strength(holdings, key_of(board), mask, mask, strength, order, scratch)
        numerators[row, :] = ABSENT_16
        with_card[:] = 0
        begin = 0
        while begin < n:
            end = level_end(begin, n, order, strength)
            for i in range(begin, end):
                holding = order[i]
                a, b = LOW[holding], HIGH[holding]
                numerators[row, holding] = begin - with_card[a] - with_card[b]
            for i in range(begin, end):
                holding = order[i]
                with_card[LOW[holding]] += 1
                with_card[HIGH[holding]] += 1
            # Ahead or tied, my own holding taken out: it is counted once and taken off twice.
            for i in range(begin, end):
                holding = order[i]
                a, b = LOW[holding], HIGH[holding]
                numerators[row, holding] += end - with_card[a] - with_card[b] + 1
            begin = end
