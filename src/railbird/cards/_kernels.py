"""Strength of 5, 6 or 7 cards inside kernels: add the cards' keys, look the sum up.

A loop over hands adds ``CARD_KEY`` and ``CARD_MASK`` of the cards that it has so far once, and
those of the last cards to each: ``strength_of_key(board_key + key, board_mask | mask)``.
"""

from __future__ import annotations

import numpy as np

from railbird._jit import inline_kernel, kernel
from railbird.cards._tables import (
    CARD_KEY,
    CARD_MASK,
    COLUMN_PLACE,
    FLUSH_BITS,
    FLUSH_STRENGTH,
    HOLDING_KEY,
    HOLDING_MASK,
    KEY_BIAS,
    PLAIN_STRENGTH,
    ROW_START,
)

__all__ = [
    "CARD_KEY",
    "CARD_MASK",
    "HOLDING_KEY",
    "HOLDING_MASK",
    "flush_strength",
    "has_flush",
    "plain_strength",
    "strength7",
    "strength_of_key",
]

_SUIT_1 = np.uint64(8 << 36)
_SUIT_2 = np.uint64(8 << 40)
_SUIT_3 = np.uint64(8 << 44)


@inline_kernel
def has_flush(key: np.uint64) -> bool:
    """Say whether the hand with this sum of keys has five or more cards of one suit."""
    return bool((key + KEY_BIAS) & FLUSH_BITS)


@inline_kernel
def plain_strength(key: np.uint64) -> np.uint16:
    """Return the strength (uint16) of the hand with this sum of keys if it has no flush."""
    code = np.uint32(key + KEY_BIAS)
    row, column = code >> np.uint32(16), code & np.uint32(0xFFFF)
    return np.uint16(PLAIN_STRENGTH[np.uint32(ROW_START[row] + COLUMN_PLACE[column])])


@inline_kernel
def flush_strength(key: np.uint64, mask: np.uint64) -> np.uint16:
    """Return the strength (uint16) of the hand with this sum of keys if it has a flush."""
    flush = (key + KEY_BIAS) & FLUSH_BITS
    suit = np.uint64(flush >= _SUIT_1) + np.uint64(flush >= _SUIT_2) + np.uint64(flush >= _SUIT_3)
    ranks = (mask >> (suit * np.uint64(16))) & np.uint64(0x1FFF)
    return np.uint16(FLUSH_STRENGTH[ranks])


@inline_kernel
def strength_of_key(key: np.uint64, mask: np.uint64) -> np.uint16:
    """Return the strength (uint16, 0..7461) of 5 to 7 cards.

    ``key`` is the sum of their ``CARD_KEY`` and ``mask`` the sum (or the union) of their
    ``CARD_MASK``, both uint64; the mask is read only if there is a flush.
    """
    if has_flush(key):
        return flush_strength(key, mask)
    return plain_strength(key)


@kernel
def strength7(a: int, b: int, c: int, d: int, e: int, f: int, g: int) -> np.uint16:
    """Return the strength (uint16) of seven cards."""
    key = (
        CARD_KEY[a]
        + CARD_KEY[b]
        + CARD_KEY[c]
        + CARD_KEY[d]
        + CARD_KEY[e]
        + CARD_KEY[f]
        + CARD_KEY[g]
    )
    mask = (
        CARD_MASK[a]
        | CARD_MASK[b]
        | CARD_MASK[c]
        | CARD_MASK[d]
        | CARD_MASK[e]
        | CARD_MASK[f]
        | CARD_MASK[g]
    )
    return strength_of_key(key, mask)
