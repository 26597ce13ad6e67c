"""The tables behind hand strength, computed on import in a few milliseconds.

Without suits a hand is a multiset of ranks; 73,775 multisets of five to seven cards occur. Each
rank has a code such that the sum of a hand's codes identifies the multiset: high ranks add to the
upper 16 bits of the sum (the row), low ranks to the lower 16 (the column). Two short tables give
the start of each row and the place of each column in its row; their sum numbers the multisets
without gaps. Six high and seven low ranks make these tables smallest.
"""

from __future__ import annotations

from functools import reduce
from itertools import product
from operator import or_

import numpy as np
from numpy.typing import NDArray

from railbird.cards._tables_holding import HOLDING_CARDS
from railbird.cards.hand_strength._tables_scores import (
    CATEGORY_SHIFT,
    RANK_SETS,
    RANKS,
    Ints,
    scores_of_flushes,
    scores_without_flush,
)

SUITS = 4
LOW_RANKS = 7
HIGH_RANKS = RANKS - LOW_RANKS
HAND_SIZES = (5, 6, 7)
LARGEST = max(HAND_SIZES)

COLUMN_BITS = 16
SUIT_SHIFT = 32
"""A key's upper half counts the cards of each suit, four bits a suit."""


def sum_codes(limits: tuple[int, ...]) -> tuple[list[int], list[set[int]]]:
    """Return the smallest codes, chosen greedily, that make sums of up to 7 unique.

    Code i can occur up to ``limits[i]`` times. No two different multisets of equal size have the
    same sum. The second result is the sums by the number of codes, 0 to 7. To find gaps between
    sums, sets of integers are represented by the bits of one integer.
    """
    sums = [{0}] + [set[int]() for _ in range(LARGEST)]
    codes: list[int] = []
    for limit in limits:
        bits = [reduce(or_, (1 << each for each in some), 0) for some in sums]
        taken = 0
        for copies in range(1, limit + 1):
            # a code is excluded if some number of copies equals the gap between two sums
            gaps = 0
            for size in range(LARGEST + 1 - copies):
                for each in sums[size]:
                    gaps |= bits[size + copies] >> each
            every = format(gaps, "b")[::-copies]  # bits 0, copies, 2 * copies, ...
            taken |= int(every[::-1], 2)
        codes.append((~taken & (taken + 1)).bit_length() - 1)
        grown = [set[int]() for _ in sums]
        for size, copies in product(range(LARGEST + 1), range(limit + 1)):
            if size + copies <= LARGEST:
                grown[size + copies].update(each + copies * codes[-1] for each in sums[size])
        sums = grown
    return codes, sums


_LOW_CODES, _LOW_SUMS = sum_codes((SUITS,) * LOW_RANKS)
# For the high ranks any low card is one more symbol, with code 0, so that a row determines the
# number of low cards; otherwise its columns would be ambiguous.
_HIGH_CODES = sum_codes((LARGEST,) + (SUITS,) * HIGH_RANKS)[0][1:]
_ROWS = 4 * _HIGH_CODES[-1] + 3 * _HIGH_CODES[-2] + 1
"""Rows of one hand size; each card adds this number, which separates the sizes."""

# Seven cards that are not distinct stay below this, so that they give a wrong result rather than a
# read beyond the tables.
_ALL_ROWS = (LARGEST - min(HAND_SIZES)) * _ROWS + LARGEST * _HIGH_CODES[-1] + 1
_ALL_COLUMNS = LARGEST * _LOW_CODES[-1] + 1

RANK_CODE: NDArray[np.uint64] = np.array(
    [(_ROWS << COLUMN_BITS) + code for code in _LOW_CODES]
    + [(_ROWS + code) << COLUMN_BITS for code in _HIGH_CODES],
    dtype=np.uint64,
)
"""(13,) 32-bit codes; the sum over a hand's cards identifies its multiset of ranks."""

_CARD = np.arange(RANKS * SUITS, dtype=np.uint64)
_RANK, _SUIT = _CARD // np.uint64(SUITS), _CARD % np.uint64(SUITS)

CARD_KEY: NDArray[np.uint64] = RANK_CODE[_RANK] + (
    np.uint64(1) << (np.uint64(SUIT_SHIFT) + np.uint64(4) * _SUIT)
)
"""(52,) the key of each card; the keys of a hand's cards are added."""

CARD_MASK: NDArray[np.uint64] = np.uint64(1) << (np.uint64(16) * _SUIT + _RANK)
"""(52,) the bit of each card in a set of cards: 16 bits a suit, the rank within."""

HOLDING_KEY: NDArray[np.uint64] = CARD_KEY[HOLDING_CARDS].sum(axis=1, dtype=np.uint64)
"""(1326,) the sum of the keys of each holding's cards."""

HOLDING_MASK: NDArray[np.uint64] = CARD_MASK[HOLDING_CARDS].sum(axis=1, dtype=np.uint64)
"""(1326,) the two bits of each holding."""

_SMALLEST_CODE = min(HAND_SIZES) * _ROWS << COLUMN_BITS

KEY_BIAS = np.uint64(sum(3 << SUIT_SHIFT + 4 * suit for suit in range(SUITS)) - _SMALLEST_CODE)
"""Added to a hand's key: five cards of one suit then set a bit of `FLUSH_BITS`."""

FLUSH_BITS = np.uint64(sum(8 << SUIT_SHIFT + 4 * suit for suit in range(SUITS)))


def _multisets() -> tuple[Ints, Ints, list[Ints]]:
    """Return for each multiset of 5 to 7 ranks: cards, code, and the ranks held k + 1 times."""
    size, code, held = (np.zeros(1, dtype=np.int64) for _ in range(3))
    # k copies of a rank set its bit in k of four rank sets, which share one integer
    copies = np.arange(SUITS + 1)
    bits = np.array([sum(1 << RANKS * k for k in range(times)) for times in copies])
    for rank in range(RANKS):
        fits = [np.flatnonzero(size <= LARGEST - times) for times in copies]
        size = _with_copies(size, fits, copies)
        code = _with_copies(code, fits, copies * int(RANK_CODE[rank]))
        held = _with_copies(held, fits, bits << rank)
    hand = np.flatnonzero(size >= min(HAND_SIZES))
    at_least = [held[hand] >> RANKS * k & RANK_SETS - 1 for k in range(SUITS)]
    return size[hand], code[hand] - _SMALLEST_CODE, at_least


def _with_copies(sums: Ints, fits: list[Ints], gains: Ints) -> Ints:
    return np.concatenate([sums[fit] + gain for fit, gain in zip(fits, gains, strict=True)])


def _places() -> NDArray[np.uint16]:
    """Return a place for each column such that no two columns of one row share it.

    Rows with the same number of low cards have the same columns, so there are eight kinds of row.
    Most columns occur in several kinds (more deuces do not change the sum). Assigning the smallest
    place that is free in all of them, columns of the shortest rows first, leaves no gaps.
    """
    kinds: dict[int, list[int]] = {}
    for kind, columns in enumerate(_LOW_SUMS):
        for column in sorted(columns):
            kinds.setdefault(column, []).append(kind)
    taken = [0] * len(_LOW_SUMS)
    place = np.zeros(_ALL_COLUMNS, dtype=np.uint16)
    for column, rows in kinds.items():
        used = reduce(or_, (taken[kind] for kind in rows))
        lowest_free = ~used & (used + 1)
        place[column] = lowest_free.bit_length() - 1
        for kind in rows:
            taken[kind] |= lowest_free
    return place


_size, _code, _at_least = _multisets()
_row, _column = _code >> COLUMN_BITS, _code & (1 << COLUMN_BITS) - 1
_lengths = np.bincount(_row, minlength=_ALL_ROWS)

ROW_START: NDArray[np.uint32] = (np.cumsum(_lengths) - _lengths).astype(np.uint32)
COLUMN_PLACE = _places()

_score = scores_without_flush(_at_least)
_suited = np.arange(RANK_SETS, dtype=np.int64)
_flush_score = scores_of_flushes(_suited)
_cards = np.bitwise_count(_suited)

SCORES: Ints = np.sort(np.concatenate([_score[_size == 5], _flush_score[_cards == 5]]))
"""(7462,) the score of each strength; see `railbird.cards.hand_strength._tables_scores`."""

CATEGORY_OF_STRENGTH: NDArray[np.uint8] = (SCORES >> CATEGORY_SHIFT).astype(np.uint8)
"""(7462,) the category of each strength, 0 (high card) to 8 (straight flush)."""

PLAIN_STRENGTH: NDArray[np.uint16] = np.zeros(
    len(_code) + int(COLUMN_PLACE.max()) + 1, dtype=np.uint16
)
"""Strengths without a flush at ``ROW_START[row] + COLUMN_PLACE[column]``, 0 behind the 73,775th."""
PLAIN_STRENGTH[ROW_START[_row] + COLUMN_PLACE[_column]] = np.searchsorted(SCORES, _score)

FLUSH_STRENGTH: NDArray[np.uint16] = np.where(
    _cards >= min(HAND_SIZES), np.searchsorted(SCORES, _flush_score), 0
).astype(np.uint16)
"""(8192,) strengths of the sets of five or more ranks of one suit, 0 for smaller sets."""

for _array in (
    *(RANK_CODE, CARD_KEY, CARD_MASK, HOLDING_KEY, HOLDING_MASK, SCORES, CATEGORY_OF_STRENGTH),
    *(ROW_START, COLUMN_PLACE, PLAIN_STRENGTH, FLUSH_STRENGTH),
):
    _array.setflags(write=False)
del _size, _code, _at_least, _row, _column, _lengths, _score, _suited, _flush_score, _cards, _array
