"""Loops over all 133,784,560 hands of seven cards.

The outer loops accumulate the sum of the keys; the last two or three cards form one long inner
loop, because short inner loops cost a quarter of the speed. Pairs and triples are numbered like
holdings, by their highest card first, so those of cards below d are the first d * (d - 1) / 2 and
d * (d - 1) * (d - 2) / 6.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from railbird._jit import kernel
from railbird.cards._tables_holding import HOLDING_CARDS
from railbird.cards.hand_strength._kernels_evaluator import (
    CARD_KEY,
    CARD_MASK,
    CATEGORY_OF_STRENGTH,
    HOLDING_KEY,
    HOLDING_MASK,
    code_of_key,
    index_of_code,
    plain_strength,
    strength_of_key,
)
from railbird.cards.hand_strength._tables import FLUSH_STRENGTH, PLAIN_STRENGTH
from railbird.cards.hand_strength._tables_scores import (
    FULL_HOUSE,
    HIGH_CARD,
    PAIR,
    QUADS,
    STRAIGHT,
    TRIPS,
    TWO_PAIR,
)

_PLAIN_CATEGORIES = (HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FULL_HOUSE, QUADS)
"""Categories without a flush; seven counters of nine bits fit into one register."""
_COUNTER = np.uint64(9)
_COUNTER_BITS = np.uint64(511)
_BLOCK = np.uint64(511)
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


@kernel
def _add_counters(counters: np.uint64, counts: NDArray[np.int64]) -> None:
    for i in range(len(_PLAIN_CATEGORIES)):
        counts[_PLAIN_CATEGORIES[i]] += np.int64(
            (counters >> (np.uint64(i) * _COUNTER)) & _COUNTER_BITS
        )


@kernel
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
                    for first in range(np.uint64(0), triples, _BLOCK):
                        counters = np.uint64(0)
                        for triple in range(first, min(triples, first + _BLOCK)):
                            hand = np.uint32(code + _TRIPLE_CODE[triple])
                            counter = np.uint64(_PLAIN[index_of_code(hand)]) >> _CATEGORY
                            counters += np.uint64(1) << counter * _COUNTER
                        _add_counters(counters, counts)


@kernel
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


@kernel
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
