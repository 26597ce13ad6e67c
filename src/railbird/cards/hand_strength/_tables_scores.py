"""Order of hands, as scores of whole arrays of rank sets.

A set of ranks is 13 bits, bit 0 the deuce. A score is the category followed by the deciding ranks,
most important first, as hexadecimal digits; better hands have higher scores, equal hands the same.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

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


def _straight_top(ranks: Ints) -> Ints:
    """Return the top rank of the best straight in each set, -1 for none."""
    runs = with_low_ace = ranks << 1 | ranks >> (RANKS - 1)
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


def _score(category: int, decided: Ints, kickers: Ints | None = None, count: int = 0) -> Ints:
    """Return the score of a category, its deciding ranks and ``count`` digits of kickers."""
    score = (category << CATEGORY_SHIFT) + (decided << 4 * count)
    return score if kickers is None else score + _top(kickers, count)


def scores_without_flush(at_least: Sequence[Ints]) -> Ints:
    """Score multisets of five to seven ranks; ``at_least[k]`` are the ranks held over k times."""
    one, two, three, four = at_least
    best_two, best_three, best_four = _HIGHEST[two], _HIGHEST[three], _HIGHEST[four]
    straight = _straight_top(one)
    under_three = two & ~(1 << best_three)
    under_two = two & ~(1 << best_two)
    second_two = _HIGHEST[under_two]
    ways = [
        (four > 0, _score(QUADS, best_four, one & ~(1 << best_four), 1)),
        (
            (three > 0) & (under_three > 0),
            _score(FULL_HOUSE, best_three << 4 | _HIGHEST[under_three]),
        ),
        (straight >= 0, _score(STRAIGHT, straight)),
        (three > 0, _score(TRIPS, best_three, one & ~(1 << best_three), 2)),
        (
            under_two > 0,
            _score(
                TWO_PAIR,
                best_two << 4 | second_two,
                one & ~(1 << best_two) & ~(1 << second_two),
                1,
            ),
        ),
        (two > 0, _score(PAIR, best_two, one & ~(1 << best_two), 3)),
    ]
    conditions, scores = zip(*ways, strict=True)
    return np.select(conditions, scores, _score(HIGH_CARD, _top(one, 5)))


def scores_of_flushes(ranks: Ints) -> Ints:
    """Score sets of five or more ranks of one suit."""
    straight = _straight_top(ranks)
    return np.where(straight >= 0, _score(STRAIGHT_FLUSH, straight), _score(FLUSH, _top(ranks, 5)))
