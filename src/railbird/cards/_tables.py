"""The tables behind hand strength, all computed here; the import takes some milliseconds.

Without suits a hand is a multiset of ranks; 73,775 multisets of five to seven cards occur. Each
rank has a code such that the sum of a hand's codes names the multiset: the high ranks count in the
upper 16 bits of the sum (the row), the low ranks in the lower 16 (the column). Where a row starts
and which place a column has in its row are two short tables, and their sum numbers the multisets
without a gap.
"""

from __future__ import annotations

from functools import reduce
from itertools import product
from operator import or_

import numpy as np
from numpy.typing import NDArray

from railbird.cards._tables_holding import HOLDING_CARDS

RANKS = 13
SUITS = 4
HIGH_RANKS = 6
LOW_RANKS = RANKS - HIGH_RANKS
SIZES = (7, 6, 5)
"""Cards in a hand, in the order in which their rows are placed."""

COLUMN_BITS = 16
SUIT_COUNT_SHIFT = 32
"""A key's upper half counts the cards of each suit, four bits a suit."""

(HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH) = range(9)

Ints = NDArray[np.int64]


def sum_codes(limits: tuple[int, ...]) -> list[int]:
    """Return the smallest codes, found greedily, whose sums over up to 7 cards are unique.

    ``limits[i]`` is how often code i can occur. Two sets with equally many cards never have the
    same sum. Sets of integers are kept as the bits of one integer.
    """
    sums = [{0}] + [set[int]() for _ in range(7)]  # by number of cards
    codes: list[int] = []
    for limit in limits:
        # x is taken if s + d*x == t for sums s, t that have d cards' difference
        taken = 0
        bits = [sum(1 << s for s in of_size) for of_size in sums]
        for copies in range(1, limit + 1):
            gaps = 0
            for size in range(8 - copies):
                for s in sums[size]:
                    gaps |= bits[size + copies] >> s
            for x in range(gaps.bit_length() // copies + 1):
                taken |= (gaps >> copies * x & 1) << x
        code = (~taken & (taken + 1)).bit_length() - 1
        codes.append(code)
        grown = [set[int]() for _ in range(8)]
        for size, copies in product(range(8), range(limit + 1)):
            if size + copies < 8:
                grown[size + copies].update(s + copies * code for s in sums[size])
        sums = grown
    return codes


LOW_CODES = sum_codes((4,) * LOW_RANKS)
_LOW_CARD, *HIGH_CODES = sum_codes((7,) + (4,) * HIGH_RANKS)  # any low card counts as one symbol
_HIGH_SPAN = 4 * HIGH_CODES[-1] + 3 * HIGH_CODES[-2] + 1
_PER_CARD = _LOW_CARD + _HIGH_SPAN  # puts the rows of six cards after all rows of five, and so on

RANK_CODE: NDArray[np.uint32] = np.array(
    [(_PER_CARD << COLUMN_BITS) + low for low in LOW_CODES]
    + [(_PER_CARD + high) << COLUMN_BITS for high in HIGH_CODES],
    dtype=np.uint32,
)
"""Code of each rank, (13,); the sum over 5, 6 or 7 cards names the multiset."""

CARD_KEY: NDArray[np.uint64] = np.repeat(RANK_CODE, SUITS).astype(np.uint64) + (
    np.uint64(1) << (SUIT_COUNT_SHIFT + 4 * np.arange(RANKS * SUITS, dtype=np.uint64) % 16)
)
"""Key of each card, (52,); add the keys of a hand's cards."""

CARD_MASK: NDArray[np.uint64] = np.uint64(1) << (
    16 * (np.arange(RANKS * SUITS, dtype=np.uint64) % SUITS)
    + np.arange(RANKS * SUITS, dtype=np.uint64) // SUITS
)
"""Bit of each card in a set of cards, (52,): 16 bits a suit, the rank within."""

HOLDING_KEY: NDArray[np.uint64] = CARD_KEY[HOLDING_CARDS].sum(axis=1, dtype=np.uint64)
"""Key of each holding, (1326,): the sum of its cards' keys."""

HOLDING_MASK: NDArray[np.uint64] = CARD_MASK[HOLDING_CARDS].sum(axis=1, dtype=np.uint64)
"""The two bits of each holding, (1326,)."""

KEY_BIAS = np.uint64(
    sum(3 << (SUIT_COUNT_SHIFT + 4 * suit) for suit in range(SUITS))
    - (5 * _PER_CARD << COLUMN_BITS)
)
"""Added to a hand's key: row 0 is then the first of five cards, and five of a suit set a bit."""

FLUSH_BITS = np.uint64(sum(8 << (SUIT_COUNT_SHIFT + 4 * suit) for suit in range(SUITS)))
"""The bits of a biased key one of which is set if the hand has five cards of one suit."""


def _highest_bit() -> Ints:
    """Return the highest rank of each set of ranks, (8192,); 0 for the empty set."""
    highest = np.zeros(1 << RANKS, dtype=np.int64)
    for rank in range(RANKS):
        highest[1 << rank : 2 << rank] = rank
    return highest


_HIGHEST = _highest_bit()


def _straight_top(ranks: Ints) -> Ints:
    """Return the top rank of the best straight in each set of ranks, -1 for none."""
    with_low_ace = ranks << 1 | ranks >> (RANKS - 1)  # bit r+1 is rank r
    runs = with_low_ace
    for _ in range(4):
        runs = runs & runs << 1
    return np.where(runs > 0, _HIGHEST[np.maximum(runs >> 1, 1) & 0x1FFF], -1)


def _top(ranks: Ints, count: int) -> Ints:
    """Return the ``count`` highest ranks of each set as hexadecimal digits, highest first."""
    digits = np.zeros_like(ranks)
    for _ in range(count):
        highest = _HIGHEST[ranks]
        digits = digits << 4 | highest
        ranks = ranks & ~(1 << highest)
    return digits


def _scores_without_flush(at_least: list[Ints]) -> Ints:
    """Score multisets so that better is higher: category, then the deciding ranks, in hexadecimal.

    ``at_least[k]`` are the sets of ranks that occur k + 1 times or more (k = 0..3).
    """
    one, two, three, four = at_least
    top_two = _HIGHEST[two]
    second_two = _HIGHEST[two & ~(1 << top_two)]
    top_three, top_four = _HIGHEST[three], _HIGHEST[four]
    straight = _straight_top(one)
    pair_under = two & ~(1 << top_three)

    def score(category: int, decided: Ints, kickers: Ints | int = 0, digits: int = 0) -> Ints:
        return (category << 20) + (decided << 4 * digits) + kickers

    return np.select(
        [
            four > 0,
            (three > 0) & (pair_under > 0),
            straight >= 0,
            three > 0,
            two & (two - 1) > 0,
            two > 0,
        ],
        [
            score(QUADS, top_four, _top(one & ~(1 << top_four), 1), 1),
            score(FULL_HOUSE, top_three, _HIGHEST[pair_under], 1),
            score(STRAIGHT, straight),
            score(TRIPS, top_three, _top(one & ~(1 << top_three), 2), 2),
            score(
                TWO_PAIR,
                top_two << 4 | second_two,
                _top(one & ~(1 << top_two) & ~(1 << second_two), 1),
                1,
            ),
            score(PAIR, top_two, _top(one & ~(1 << top_two), 3), 3),
        ],
        score(HIGH_CARD, _top(one, 5)),
    )


def _scores_of_flushes(ranks: Ints) -> Ints:
    """Score sets of five or more ranks of one suit."""
    straight = _straight_top(ranks)
    return np.where(
        straight >= 0, (STRAIGHT_FLUSH << 20) + straight, (FLUSH << 20) + _top(ranks, 5)
    )


def _multisets() -> tuple[Ints, Ints, Ints, list[Ints]]:
    """Return of all multisets of 5 to 7 cards: size, low cards, sum of codes, `at_least` sets."""
    size, low, code = (np.zeros(1, dtype=np.int64) for _ in range(3))
    at_least = [np.zeros(1, dtype=np.int64) for _ in range(4)]
    for rank in range(RANKS):
        copies = np.repeat(np.arange(5), len(size))
        keep = np.tile(size, 5) + copies <= max(SIZES)
        copies = copies[keep]
        size = np.tile(size, 5)[keep] + copies
        low = np.tile(low, 5)[keep] + copies * (rank < LOW_RANKS)
        code = np.tile(code, 5)[keep] + copies * int(RANK_CODE[rank])
        at_least = [
            np.tile(ranks, 5)[keep] | (copies >= times).astype(np.int64) << rank
            for times, ranks in enumerate(at_least, start=1)
        ]
    enough = size >= min(SIZES)
    return size[enough], low[enough], code[enough], [ranks[enough] for ranks in at_least]


def _places(low: Ints, column: Ints) -> NDArray[np.uint16]:
    """Return a place for each column such that no two columns of one row share theirs.

    Rows with equally many low cards hold the same columns, so there are eight kinds of row. Most
    columns stand in several kinds (more deuces do not change the sum); the smallest place that is
    free in all of them, given first to the columns of the shortest rows, leaves no gap anywhere.
    """
    kinds: dict[int, list[int]] = {}
    for kind, each in np.unique(np.stack([low, column], axis=1), axis=0).tolist():
        kinds.setdefault(each, []).append(kind)
    taken = [0] * (max(SIZES) + 1)
    place = np.zeros(max(kinds) + 1, dtype=np.uint16)
    for each, rows in kinds.items():
        used = reduce(or_, (taken[kind] for kind in rows))
        lowest_free = ~used & (used + 1)
        place[each] = lowest_free.bit_length() - 1
        for kind in rows:
            taken[kind] |= lowest_free
    return place


def _starts(size: Ints, row: Ints) -> NDArray[np.uint32]:
    """Return where each row starts: one after the other, those of seven cards first."""
    start = np.zeros(int(row.max()) + 1, dtype=np.uint32)
    filled = 0
    for cards in SIZES:
        rows, lengths = np.unique(row[size == cards], return_counts=True)
        start[rows] = filled + np.cumsum(lengths) - lengths
        filled += int(lengths.sum())
    return start


def _build() -> tuple[
    NDArray[np.uint32], NDArray[np.uint16], NDArray[np.uint16], NDArray[np.uint16], Ints
]:
    size, low, code, at_least = _multisets()
    code -= 5 * _PER_CARD << COLUMN_BITS
    score = _scores_without_flush(at_least)
    suited = np.arange(1 << RANKS, dtype=np.int64)
    flush_score = _scores_of_flushes(suited)
    enough = np.bitwise_count(suited) >= 5
    scores = np.unique(np.concatenate([score[size == 5], flush_score[enough]]))

    row, column = code >> COLUMN_BITS, code & ((1 << COLUMN_BITS) - 1)
    start, place = _starts(size, row), _places(low, column)
    plain = np.zeros(len(code), dtype=np.uint16)
    plain[start[row] + place[column]] = np.searchsorted(scores, score)
    flush = np.where(enough, np.searchsorted(scores, flush_score), 0).astype(np.uint16)
    return start, place, plain, flush, scores


ROW_START, COLUMN_PLACE, PLAIN_STRENGTH, FLUSH_STRENGTH, SCORES = _build()

for _array in (
    *(RANK_CODE, CARD_KEY, CARD_MASK, HOLDING_KEY, HOLDING_MASK),
    *(ROW_START, COLUMN_PLACE, PLAIN_STRENGTH, FLUSH_STRENGTH, SCORES),
):
    _array.setflags(write=False)
