"""Strength of hands that come from Python: one by one, or as the rows of an array."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from railbird._jit import inline_kernel, kernel
from railbird.cards._kernels import (
    CARD_KEY,
    CARD_MASK,
    flush_strength,
    plain_strength,
    strength_of_key,
)
from railbird.cards._tables import FLUSH_BITS, KEY_BIAS

NOT_A_HAND = np.int64(-1)
_LAST_CARD = np.uint64(51)


# Any byte has a key here; those that are no card set bits above the suits' counts.
_NO_CARD = np.uint64(1 << 56)
_KEY_OF_BYTE = np.full(256, _NO_CARD, dtype=np.uint64)
_KEY_OF_BYTE[: len(CARD_KEY)] = CARD_KEY
_NOT_PLAIN = FLUSH_BITS | np.uint64(7 << 56)

_BLOCK = np.uint64(1024)
_FIVE, _SIX, _SEVEN = np.uint64(5), np.uint64(6), np.uint64(7)


@inline_kernel
def _strengths(cards: NDArray[np.uint8], count: np.uint64, out: NDArray[np.uint16]) -> bool:
    # Flushes are put off to the end of a block: a branch that is taken for three hands in a
    # hundred at random costs more than the two instructions that note them.
    put_off = np.empty(_BLOCK, dtype=np.uint64)
    hands = np.uint64(len(cards))
    all_cards = True
    for first in range(np.uint64(0), hands, _BLOCK):
        noted = np.uint64(0)
        for hand in range(first, min(hands, first + _BLOCK)):
            key = np.uint64(0)
            for i in range(count):
                key += _KEY_OF_BYTE[cards[hand, i]]
            put_off[noted] = hand
            noted += np.uint64((key + KEY_BIAS) & _NOT_PLAIN != 0)
            out[hand] = plain_strength(key)
        for note in range(noted):
            hand = put_off[note]
            key, mask = np.uint64(0), np.uint64(0)
            for i in range(count):
                card = np.uint64(cards[hand, i])
                all_cards &= bool(card <= _LAST_CARD)
                key += CARD_KEY[min(card, _LAST_CARD)]
                mask |= CARD_MASK[min(card, _LAST_CARD)]
            out[hand] = flush_strength(key, mask)
    return all_cards


@kernel
def strengths5(cards: NDArray[np.uint8], out: NDArray[np.uint16]) -> bool:
    """Put the strengths of the rows of ``cards``, (n, 5), into ``out``; say if all are cards."""
    return _strengths(cards, _FIVE, out)


@kernel
def strengths6(cards: NDArray[np.uint8], out: NDArray[np.uint16]) -> bool:
    """Put the strengths of the rows of ``cards``, (n, 6), into ``out``; say if all are cards."""
    return _strengths(cards, _SIX, out)


@kernel
def strengths7(cards: NDArray[np.uint8], out: NDArray[np.uint16]) -> bool:
    """Put the strengths of the rows of ``cards``, (n, 7), into ``out``; say if all are cards."""
    return _strengths(cards, _SEVEN, out)


@inline_kernel
def _checked_strength(cards: tuple[int, ...]) -> np.int64:
    key, mask, total = np.uint64(0), np.uint64(0), np.uint64(0)
    for card in cards:
        if np.uint64(card) > _LAST_CARD:  # negative numbers are large ones here
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
