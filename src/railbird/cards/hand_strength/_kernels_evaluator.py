"""Strength of five to seven cards in kernels: add the cards' keys and look up the sum.

A loop over hands adds ``CARD_KEY`` and ``CARD_MASK`` of fixed cards once, and those of the others
to each: ``strength_of_key(board_key + HOLDING_KEY[h], board_mask | HOLDING_MASK[h])``. Keys and
masks must remain uint64: start sums with ``np.uint64(0)``.
"""

from __future__ import annotations

import numpy as np

from railbird._jit import inline_kernel, kernel
from railbird.cards.hand_strength._tables import (
    CARD_KEY,
    CARD_MASK,
    CATEGORY_OF_STRENGTH,
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
    "CATEGORY_OF_STRENGTH",
    "HOLDING_KEY",
    "HOLDING_MASK",
    "code_of_key",
    "flush_strength",
    "has_flush",
    "index_of_code",
    "plain_strength",
    "strength7",
    "strength_of_key",
]

_CODE_BIAS = np.uint32(int(KEY_BIAS) & 0xFFFF_FFFF)
_COLUMN = np.uint32(0xFFFF)
_ROW_SHIFT = np.uint32(16)
_SUIT_1, _SUIT_2, _SUIT_3 = (np.uint64(8 << bit) for bit in (36, 40, 44))
_MASK_BITS = np.uint64(16)
_RANKS = np.uint64(0x1FFF)


@inline_kernel
def has_flush(key: np.uint64) -> bool:
    """Return whether the hand with this key has five or more cards of one suit."""
    return bool((key + KEY_BIAS) & FLUSH_BITS)


@inline_kernel
def code_of_key(key: np.uint64) -> np.uint32:
    """Return the code of the multiset of ranks of the hand with this key."""
    return np.uint32(np.uint32(key) + _CODE_BIAS)


@inline_kernel
def index_of_code(code: np.uint32) -> np.uint32:
    """Return the index of a code's multiset in tables over multisets of ranks."""
    # 32 bits wrap in a register; signed or wider indices cost one or two more instructions
    return np.uint32(ROW_START[code >> _ROW_SHIFT] + COLUMN_PLACE[code & _COLUMN])


@inline_kernel
def plain_strength(key: np.uint64) -> np.uint16:
    """Return the strength of the hand with this key if it has no flush."""
    return np.uint16(PLAIN_STRENGTH[index_of_code(code_of_key(key))])


@inline_kernel
def flush_strength(key: np.uint64, mask: np.uint64) -> np.uint16:
    """Return the strength of the hand with this key and mask if it has a flush."""
    flush = (key + KEY_BIAS) & FLUSH_BITS
    suit = np.uint64(flush >= _SUIT_1) + np.uint64(flush >= _SUIT_2) + np.uint64(flush >= _SUIT_3)
    return np.uint16(FLUSH_STRENGTH[(mask >> (suit * _MASK_BITS)) & _RANKS])


@inline_kernel
def strength_of_key(key: np.uint64, mask: np.uint64) -> np.uint16:
    """Return the strength (0..7461, higher is better) of five, six or seven cards.

    ``key`` is the sum of their ``CARD_KEY``, ``mask`` the union or the sum of their ``CARD_MASK``;
    the mask is read only if there is a flush.
    """
    if has_flush(key):
        return flush_strength(key, mask)
    return plain_strength(key)


@kernel
def strength7(a: int, b: int, c: int, d: int, e: int, f: int, g: int) -> np.uint16:
    """Return the strength of seven different cards."""
    key, mask = np.uint64(0), np.uint64(0)
    for card in (a, b, c, d, e, f, g):
        key += CARD_KEY[np.uint64(card)]
        mask |= CARD_MASK[np.uint64(card)]
    return strength_of_key(key, mask)
