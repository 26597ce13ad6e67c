"""Strength of hands from Python: one by one, or as rows of an array."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from railbird._jit import inline_kernel, kernel
from railbird.cards.hand_strength._kernels_evaluator import (
    CARD_KEY,
    CARD_MASK,
    flush_strength,
    plain_strength,
    strength_of_key,
)
from railbird.cards.hand_strength._tables import FLUSH_BITS, KEY_BIAS

NOT_A_HAND = np.int64(-1)
_LAST_CARD = 51


# Every byte has a key and a mask; those of invalid cards set bits that no card has.
_NO_CARD = np.uint64(1 << 56)
_KEY_OF_BYTE = np.full(256, _NO_CARD, dtype=np.uint64)
_KEY_OF_BYTE[: len(CARD_KEY)] = CARD_KEY
_NOT_PLAIN = FLUSH_BITS | np.uint64(7 << 56)
_NO_CARD_IN_MASK = np.uint64(1 << 63)
_MASK_OF_BYTE = np.full(256, _NO_CARD_IN_MASK, dtype=np.uint64)
_MASK_OF_BYTE[: len(CARD_MASK)] = CARD_MASK

_BLOCK = np.uint64(512)
_FIVE, _SIX, _SEVEN = np.uint64(5), np.uint64(6), np.uint64(7)


@inline_kernel
def _strengths(cards: NDArray[np.uint8], count: np.uint64, out: NDArray[np.uint16]) -> bool:
    # Several loops over a block of hands: each has a short chain of loads, so that the processor
    # works on many hands at once. Flushes are collected and come last, because an unpredictable
    # branch, taken for three hands in a hundred, costs more than collecting them.
    keys = np.empty(_BLOCK, dtype=np.uint64)
    noted = np.empty(_BLOCK, dtype=np.uint32)
    seen = np.uint64(0)
    hands = np.uint64(len(cards))
    for first in range(np.uint64(0), hands, _BLOCK):
        in_block = min(hands - first, _BLOCK)
        for hand in range(in_block):
            key = np.uint64(0)
            for i in range(count):
                key += _KEY_OF_BYTE[cards[first + hand, i]]
            keys[hand] = key
        flushes = np.uint64(0)
        for hand in range(in_block):
            noted[flushes] = hand
            flushes += np.uint64((keys[hand] + KEY_BIAS) & _NOT_PLAIN != 0)
            out[first + hand] = plain_strength(keys[hand])
        for i in range(flushes):
            flush = np.uint64(noted[i])
            mask = np.uint64(0)
            for j in range(count):
                mask |= _MASK_OF_BYTE[cards[first + flush, j]]
            seen |= mask
            out[first + flush] = flush_strength(keys[flush], mask)
    return not seen & _NO_CARD_IN_MASK


@kernel
def strengths5(cards: NDArray[np.uint8], out: NDArray[np.uint16]) -> bool:
    """Fill ``out`` with the strengths of the rows of ``cards``, (n, 5); return if all are cards."""
    return _strengths(cards, _FIVE, out)


@kernel
def strengths6(cards: NDArray[np.uint8], out: NDArray[np.uint16]) -> bool:
    """Fill ``out`` with the strengths of the rows of ``cards``, (n, 6); return if all are cards."""
    return _strengths(cards, _SIX, out)


@kernel
def strengths7(cards: NDArray[np.uint8], out: NDArray[np.uint16]) -> bool:
    """Fill ``out`` with the strengths of the rows of ``cards``, (n, 7); return if all are cards."""
    return _strengths(cards, _SEVEN, out)


@inline_kernel
def _checked_strength(cards: tuple[int, ...]) -> np.int64:
    key, mask, total = np.uint64(0), np.uint64(0), np.uint64(0)
    for card in cards:
        if card < 0 or card > _LAST_CARD:
            return NOT_A_HAND
        key += CARD_KEY[np.uint64(card)]
        mask |= CARD_MASK[np.uint64(card)]
        total += CARD_MASK[np.uint64(card)]
    if mask != total:
        return NOT_A_HAND
    return np.int64(strength_of_key(key, mask))


@kernel
def checked_strength5(a: int, b: int, c: int, d: int, e: int) -> np.int64:
    """Return the strength, or ``NOT_A_HAND`` unless these are five different cards."""
    return _checked_strength((a, b, c, d, e))


@kernel
def checked_strength6(a: int, b: int, c: int, d: int, e: int, f: int) -> np.int64:
    """Return the strength, or ``NOT_A_HAND`` unless these are six different cards."""
    return _checked_strength((a, b, c, d, e, f))


@kernel
def checked_strength7(a: int, b: int, c: int, d: int, e: int, f: int, g: int) -> np.int64:
    """Return the strength, or ``NOT_A_HAND`` unless these are seven different cards."""
    return _checked_strength((a, b, c, d, e, f, g))
