"""Strength of five to seven cards in kernels: add the cards' keys and look up the sum.

A loop over hands adds ``CARD_KEY`` and ``CARD_MASK`` of fixed cards once, and those of the others
to each: ``strength_of_key(board_key + HOLDING_KEY[h], board_mask | HOLDING_MASK[h])``. Keys and
masks must remain uint64: start sums with ``np.uint64(0)``.
"""

# A hand's strength is a sum and a few look-ups. Each card has a key, and the keys of a hand are
# added up. The upper half of the sum counts the cards of each suit; the lower half identifies the
# multiset of ranks. Adding is what makes it fast where it matters: in a loop over holdings the
# board's keys are added once, and no hand is ever put together or sorted.
#
# If a suit's count reaches five, the set of that suit's ranks is looked up in a table of its own
# (`flush_strength`); seven cards with a flush have no room for four of a kind or a full house, so
# nothing else can be better. Otherwise the lower half is split into a row and a column, and two
# short tables give the place in the table of the 73,775 multisets, which has no gaps
# (`plain_strength`). `railbird.cards.tables` tells how the codes of the ranks were chosen.
#
# Types are part of the speed. Keys and masks are uint64 and indices uint32: a signed index costs a
# test for negative ones, and an int64 with a uint64 makes a float.
#
# The bulk functions run several short loops over a block of hands and collect the flushes, and the
# counts of all hands have long inner loops; the reasons stand there.
#
# Who would notice: tests/oracles/test_odds_oracles.py counts all hands of five, six and seven
# cards against published numbers; tests/twins/test_odds_twins.py goes by the rules of the game
# alone (tests/twins/slow_odds.py); tests/laws/test_cards_laws.py knows that neither order nor
# suits matter.

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from railbird._jit import inline_kernel, kernel, uncounted_kernel
from railbird.cards.tables import (
    CARD_KEY,
    CARD_MASK,
    CATEGORY_OF_STRENGTH,
    COLUMN_PLACE,
    FLUSH_BITS,
    FLUSH_STRENGTH,
    FULL_HOUSE,
    HIGH_CARD,
    HOLDING_CARDS,
    HOLDING_KEY,
    HOLDING_MASK,
    KEY_BIAS,
    PAIR,
    PLAIN_STRENGTH,
    QUADS,
    ROW_START,
    STRAIGHT,
    TRIPS,
    TWO_PAIR,
)

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
def ranks_of_flush(key: np.uint64, mask: np.uint64) -> np.uint64:
    """Return the set of ranks of the suit of which there is a flush in the hand."""
    flush = (key + KEY_BIAS) & FLUSH_BITS
    suit = np.uint64(flush >= _SUIT_1) + np.uint64(flush >= _SUIT_2) + np.uint64(flush >= _SUIT_3)
    return np.uint64((mask >> (suit * _MASK_BITS)) & _RANKS)


@inline_kernel
def flush_strength(key: np.uint64, mask: np.uint64) -> np.uint16:
    """Return the strength of the hand with this key and mask if it has a flush."""
    return np.uint16(FLUSH_STRENGTH[ranks_of_flush(key, mask)])


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


# Strength of hands from Python: one by one, or as rows of an array.


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


@uncounted_kernel
def checked_strength5(a: int, b: int, c: int, d: int, e: int) -> np.int64:
    """Return the strength, or ``NOT_A_HAND`` unless these are five different cards."""
    return _checked_strength((a, b, c, d, e))


@uncounted_kernel
def checked_strength6(a: int, b: int, c: int, d: int, e: int, f: int) -> np.int64:
    """Return the strength, or ``NOT_A_HAND`` unless these are six different cards."""
    return _checked_strength((a, b, c, d, e, f))


@uncounted_kernel
def checked_strength7(a: int, b: int, c: int, d: int, e: int, f: int, g: int) -> np.int64:
    """Return the strength, or ``NOT_A_HAND`` unless these are seven different cards."""
    return _checked_strength((a, b, c, d, e, f, g))


# Loops over all 133,784,560 hands of seven cards.
#
# The outer loops accumulate the sum of the keys; the last two or three cards form one long inner
# loop, because short inner loops cost a quarter of the speed. Pairs and triples are numbered like
# holdings, by their highest card first, so those of cards below d are the first d * (d - 1) / 2 and
# d * (d - 1) * (d - 2) / 6.


_PLAIN_CATEGORIES = (HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FULL_HOUSE, QUADS)
"""Categories without a flush; seven counters of nine bits fit into one register."""
_COUNTER = np.uint64(9)
_COUNTER_BITS = np.uint64(511)
_TRIPLES_AT_ONCE = np.uint64(511)
_CATEGORY = np.uint64(13)


def _strength_and_counter() -> NDArray[np.uint16]:
    counter = np.zeros(9, dtype=np.uint16)
    counter[list(_PLAIN_CATEGORIES)] = np.arange(len(_PLAIN_CATEGORIES))
    return PLAIN_STRENGTH | counter[CATEGORY_OF_STRENGTH[PLAIN_STRENGTH]] << _CATEGORY


_PLAIN = _strength_and_counter()
"""`PLAIN_STRENGTH` with its category's counter number in the three unused bits."""

_HOLDING_CODE = HOLDING_KEY.astype(np.uint32)
_TRIPLE_CODE = np.concatenate(
    [_HOLDING_CODE[: c * (c - 1) // 2] + np.uint32(CARD_KEY[c] & 0xFFFF_FFFF) for c in range(52)]
)
"""(22100,) the sum of the codes of three cards."""


def _keys_of_the_rest() -> NDArray[np.uint64]:
    rest = np.zeros((4, 741 + 39 + 1), dtype=np.uint64)
    for suit in range(4):
        others = np.all(np.not_equal(HOLDING_CARDS % 4, suit), axis=1)
        rest[suit, :741] = HOLDING_KEY[others]
        rest[suit, 741:780] = CARD_KEY[np.arange(52) % 4 != suit]
    return rest


_REST_KEY = _keys_of_the_rest()
"""By suit, the keys of two, one and no card of the other suits."""
_REST_FROM = (0, 741, 780, 781)


@uncounted_kernel
def _add_counters(counters: np.uint64, counts: NDArray[np.int64]) -> None:
    for i in range(len(_PLAIN_CATEGORIES)):
        counts[_PLAIN_CATEGORIES[i]] += np.int64(
            (counters >> (np.uint64(i) * _COUNTER)) & _COUNTER_BITS
        )


@uncounted_kernel
def count_plain_categories(counts: NDArray[np.int64]) -> None:
    """Add all hands to the counts of their categories, (9,), ignoring flushes."""
    for a in range(6, 52):
        key_a = CARD_KEY[a]
        for b in range(5, a):
            key_b = key_a + CARD_KEY[b]
            for c in range(4, b):
                key_c = key_b + CARD_KEY[c]
                for d in range(3, c):
                    code = code_of_key(key_c + CARD_KEY[d])
                    triples = np.uint64(d * (d - 1) * (d - 2) // 6)
                    for first in range(np.uint64(0), triples, _TRIPLES_AT_ONCE):
                        counters = np.uint64(0)
                        for triple in range(first, min(triples, first + _TRIPLES_AT_ONCE)):
                            hand = np.uint32(code + _TRIPLE_CODE[triple])
                            counter = np.uint64(_PLAIN[index_of_code(hand)]) >> _CATEGORY
                            counters += np.uint64(1) << counter * _COUNTER
                        _add_counters(counters, counts)


@uncounted_kernel
def recount_flushes(counts: NDArray[np.int64]) -> None:
    """Move hands with a flush out of the categories in which they were counted."""
    for suit in range(4):
        for ranks in range(len(FLUSH_STRENGTH)):
            key, suited = np.uint64(0), 0
            for rank in range(13):
                if ranks >> rank & 1:
                    key += CARD_KEY[4 * rank + suit]
                    suited += 1
            if suited < 5 or suited > 7:
                continue
            first, end = _REST_FROM[suited - 5], _REST_FROM[suited - 4]
            counts[CATEGORY_OF_STRENGTH[FLUSH_STRENGTH[ranks]]] += end - first
            for rest in range(first, end):
                plain = plain_strength(key + _REST_KEY[suit, rest])
                counts[CATEGORY_OF_STRENGTH[plain]] -= 1


@uncounted_kernel
def count_strengths(counts: NDArray[np.uint32]) -> None:
    """Add all hands to the counts of their strengths, (7462,)."""
    for a in range(6, 52):
        key_a, mask_a = CARD_KEY[a], CARD_MASK[a]
        for b in range(5, a):
            key_b, mask_b = key_a + CARD_KEY[b], mask_a | CARD_MASK[b]
            for c in range(4, b):
                key_c, mask_c = key_b + CARD_KEY[c], mask_b | CARD_MASK[c]
                for d in range(3, c):
                    key_d, mask_d = key_c + CARD_KEY[d], mask_c | CARD_MASK[d]
                    for e in range(2, d):
                        key, mask = key_d + CARD_KEY[e], mask_d | CARD_MASK[e]
                        for holding in range(np.uint64(e * (e - 1) // 2)):
                            strength = strength_of_key(
                                key + HOLDING_KEY[holding], mask | HOLDING_MASK[holding]
                            )
                            counts[strength] += np.uint32(1)
