"""The tables of the room: holdings and classes as arrays, and those behind hand strength."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import product
from operator import or_

import numpy as np
from numpy.typing import NDArray


def _cards_of_holdings() -> NDArray[np.uint8]:
    high, low = np.tril_indices(52, -1)
    return np.stack([low, high], axis=1).astype(np.uint8)


def _index(cards: NDArray[np.uint8]) -> NDArray[np.int16]:
    index = np.full((52, 52), -1, dtype=np.int16)
    low, high = cards.T
    index[low, high] = index[high, low] = np.arange(len(cards))
    return index


def _classes(cards: NDArray[np.uint8]) -> NDArray[np.uint8]:
    weak, strong = (12 - cards // 4).T  # the chart counts down from the ace
    suited = cards[:, 0] % 4 == cards[:, 1] % 4
    row, column = np.where(suited, (strong, weak), (weak, strong))
    return np.asarray(13 * row + column, dtype=np.uint8)


HOLDING_CARDS = _cards_of_holdings()
"""(1326, 2) the lower and the higher card of each holding."""

HOLDING_INDEX = _index(HOLDING_CARDS)
"""(52, 52) the holding of two cards in either order, -1 on the diagonal."""

CLASS_OF_HOLDING = _classes(HOLDING_CARDS)
"""(1326,) the class of each holding, 0..168."""


# Order of hands, as scores of whole arrays of rank sets.
#
# A set of ranks is 13 bits, bit 0 the deuce. A score is the category followed by the deciding
# ranks, most important first, as hexadecimal digits; better hands have higher scores, equal hands
# the same.


HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = range(9)

RANKS = 13
RANK_SETS = 1 << RANKS
CATEGORY_SHIFT = 20
"""Lower bits of a score, for five ranks."""

Ints = NDArray[np.int64]


def _highest_ranks() -> Ints:
    highest = np.zeros(RANK_SETS, dtype=np.int64)
    for rank in range(RANKS):
        highest[1 << rank : 2 << rank] = rank
    return highest


_HIGHEST = _highest_ranks()
"""The highest rank of each set, 0 for the empty set."""


def straight_top(ranks: Ints, *, lowest: int = 0) -> Ints:
    """Return the top rank of the best straight in each set, -1 for none.

    The ace also counts as the card below rank ``lowest``.
    """
    runs = with_low_ace = ranks << 1 | ranks >> (RANKS - 1) << lowest
    for shift in range(1, 5):
        runs = runs & with_low_ace << shift
    tops = runs >> 1
    return np.where(tops > 0, _HIGHEST[tops], -1)


def _top(ranks: Ints, count: int) -> Ints:
    """Return the ``count`` highest ranks of each set as digits."""
    digits = np.zeros_like(ranks)
    for _ in range(count):
        highest = _HIGHEST[ranks]
        digits = digits << 4 | highest
        ranks = ranks & ~(1 << highest)
    return digits


def _score_of(category: int, decided: Ints, kickers: Ints | None = None, count: int = 0) -> Ints:
    """Return the score of a category, its deciding ranks and ``count`` digits of kickers."""
    score = (category << CATEGORY_SHIFT) + (decided << 4 * count)
    return score if kickers is None else score + _top(kickers, count)


def scores_without_flush(
    at_least: Sequence[Ints], straights: Callable[[Ints], Ints] = straight_top
) -> Ints:
    """Score multisets of five to seven ranks; ``at_least[k]`` are the ranks held over k times."""
    once, twice, thrice, four_times = at_least
    best_two, best_three, best_four = _HIGHEST[twice], _HIGHEST[thrice], _HIGHEST[four_times]
    straight = straights(once)
    under_three = twice & ~(1 << best_three)
    under_two = twice & ~(1 << best_two)
    second_two = _HIGHEST[under_two]
    ways = [
        (four_times > 0, _score_of(QUADS, best_four, once & ~(1 << best_four), 1)),
        (
            (thrice > 0) & (under_three > 0),
            _score_of(FULL_HOUSE, best_three << 4 | _HIGHEST[under_three]),
        ),
        (straight >= 0, _score_of(STRAIGHT, straight)),
        (thrice > 0, _score_of(TRIPS, best_three, once & ~(1 << best_three), 2)),
        (
            under_two > 0,
            _score_of(
                TWO_PAIR,
                best_two << 4 | second_two,
                once & ~(1 << best_two) & ~(1 << second_two),
                1,
            ),
        ),
        (twice > 0, _score_of(PAIR, best_two, once & ~(1 << best_two), 3)),
    ]
    conditions, scores = zip(*ways, strict=True)
    return np.select(conditions, scores, _score_of(HIGH_CARD, _top(once, 5)))


def scores_of_flushes(ranks: Ints, straights: Callable[[Ints], Ints] = straight_top) -> Ints:
    """Score sets of five or more ranks of one suit."""
    straight = straights(ranks)
    return np.where(
        straight >= 0, _score_of(STRAIGHT_FLUSH, straight), _score_of(FLUSH, _top(ranks, 5))
    )


# The tables behind hand strength, computed on import in a few milliseconds.
#
# Without suits a hand is a multiset of ranks; 73,775 multisets of five to seven cards occur. Each
# rank has a code such that the sum of a hand's codes identifies the multiset: high ranks add to the
# upper 16 bits of the sum (the row), low ranks to the lower 16 (the column). Two short tables give
# the start of each row and the place of each column in its row; their sum numbers the multisets
# without gaps. Six high and seven low ranks make these tables smallest.


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
        bits = [reduce(or_, (1 << code_sum for code_sum in some), 0) for some in sums]
        taken = 0
        for copies in range(1, limit + 1):
            # a code is excluded if some number of copies equals the gap between two sums
            gaps = 0
            for size in range(LARGEST + 1 - copies):
                for code_sum in sums[size]:
                    gaps |= bits[size + copies] >> code_sum
            every = format(gaps, "b")[::-copies]  # bits 0, copies, 2 * copies, ...
            taken |= int(every[::-1], 2)
        codes.append((~taken & (taken + 1)).bit_length() - 1)
        grown = [set[int]() for _ in sums]
        for size, copies in product(range(LARGEST + 1), range(limit + 1)):
            if size + copies <= LARGEST:
                grown[size + copies].update(
                    code_sum + copies * codes[-1] for code_sum in sums[size]
                )
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


def rank_multisets() -> tuple[Ints, Ints, list[Ints]]:
    """Return for each multiset of 5 to 7 ranks: cards, code, and the ranks held over k times."""
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
    numbers = np.zeros(_ALL_COLUMNS, dtype=np.uint16)
    for column, rows in kinds.items():
        used = reduce(or_, (taken[kind] for kind in rows))
        lowest_free = ~used & (used + 1)
        numbers[column] = lowest_free.bit_length() - 1
        for kind in rows:
            taken[kind] |= lowest_free
    return numbers


_size, _code, _at_least = rank_multisets()
_row, _column = _code >> COLUMN_BITS, _code & (1 << COLUMN_BITS) - 1
_lengths = np.bincount(_row, minlength=_ALL_ROWS)

ROW_START: NDArray[np.uint32] = (np.cumsum(_lengths) - _lengths).astype(np.uint32)
COLUMN_PLACE = _places()

_score = scores_without_flush(_at_least)
_suited = np.arange(RANK_SETS, dtype=np.int64)
_flush_score = scores_of_flushes(_suited)
_cards = np.bitwise_count(_suited)

SCORES: Ints = np.sort(np.concatenate([_score[_size == 5], _flush_score[_cards == 5]]))
"""(7462,) the score of each strength, by which hands are compared while the tables are made."""

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

for _table in (
    *(HOLDING_CARDS, HOLDING_INDEX, CLASS_OF_HOLDING),
    *(RANK_CODE, CARD_KEY, CARD_MASK, HOLDING_KEY, HOLDING_MASK, SCORES, CATEGORY_OF_STRENGTH),
    *(ROW_START, COLUMN_PLACE, PLAIN_STRENGTH, FLUSH_STRENGTH),
):
    _table.setflags(write=False)
del _size, _code, _at_least, _row, _column, _lengths, _score, _suited, _flush_score, _cards, _table
