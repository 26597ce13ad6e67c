"""How often hands occur: published counts, all of them enumerated here."""

from __future__ import annotations

from itertools import chain, combinations
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from railbird.cards import STRENGTHS, Category, strengths
from railbird.cards.hand_strength._tables import CATEGORY_OF_STRENGTH
from railbird.cards.hand_strength.census import category_counts, strength_counts

# High card to straight flush. Five and seven cards: any table of poker probabilities, for example
# Wikipedia's "Poker probability"; six: B. Alspach, "6-Card Poker Hands" (2000).
FIVE_CARDS = [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40]
SIX_CARDS = [6_612_900, 9_730_740, 2_532_816, 732_160, 361_620, 205_792, 165_984, 14_664, 1_844]
SEVEN_CARDS = [
    *(23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020),
    *(4_047_644, 3_473_184, 224_848, 41_584),
]
# Distinct strengths: Cactus Kev's 7,462 classes of five cards; Wikipedia's 4,824 of seven.
DISTINCT_OF_FIVE = [1_277, 2_860, 858, 858, 10, 1_277, 156, 156, 10]
DISTINCT_OF_SEVEN = [407, 1_470, 763, 575, 10, 1_277, 156, 156, 10]


def by_category(counts: NDArray[np.int64]) -> list[int]:
    sums = np.zeros(len(Category), dtype=np.int64)
    np.add.at(sums, CATEGORY_OF_STRENGTH, counts)
    return [int(count) for count in sums]


def all_hands(size: int) -> NDArray[np.uint8]:
    cards = chain.from_iterable(combinations(range(52), size))
    return np.fromiter(cards, dtype=np.uint8, count=size * comb(52, size)).reshape(-1, size)


def counts_of(size: int) -> NDArray[np.int64]:
    return np.bincount(strengths(all_hands(size)), minlength=STRENGTHS)


def test_the_published_counts_are_complete() -> None:
    assert sum(FIVE_CARDS) == comb(52, 5)
    assert sum(SIX_CARDS) == comb(52, 6)
    assert sum(SEVEN_CARDS) == comb(52, 7) == 133_784_560
    assert sum(DISTINCT_OF_FIVE) == STRENGTHS
    assert sum(DISTINCT_OF_SEVEN) == 4_824


def test_all_hands_of_five_cards() -> None:
    counts = counts_of(5)
    assert by_category(counts) == FIVE_CARDS
    assert by_category((counts > 0).astype(np.int64)) == DISTINCT_OF_FIVE


@pytest.mark.slow
def test_all_hands_of_six_cards() -> None:
    assert by_category(counts_of(6)) == SIX_CARDS


def test_all_hands_of_seven_cards() -> None:
    counts = strength_counts()
    assert by_category(counts) == SEVEN_CARDS
    assert by_category((counts > 0).astype(np.int64)) == DISTINCT_OF_SEVEN


def test_the_fast_census_of_seven_cards() -> None:
    assert list(category_counts().values()) == SEVEN_CARDS
