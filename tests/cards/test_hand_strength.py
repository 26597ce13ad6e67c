"""Strength: names, categories, and what is refused."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from railbird.cards import (
    STRENGTHS,
    Card,
    Category,
    Strength,
    category,
    describe,
    parse_cards,
    strength,
    strengths,
    tables,
)
from railbird.errors import BadInput, DuplicateCard


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("As Kd Tc 5h 3h 2d 9s", Category.HIGH_CARD, "high card, ace, king, ten, nine, five"),
        ("As Ad Tc 5h 3h 2d 9s", Category.PAIR, "pair, aces with ten, nine, five"),
        ("6s 6d 5c 5h 3h 3d 9s", Category.TWO_PAIR, "two pair, sixes and fives with nine"),
        ("6s 6d 6c 5h 3h 2d 9s", Category.TRIPS, "three of a kind, sixes with nine, five"),
        ("As 2d 3c 4h 5h Kd Ks", Category.STRAIGHT, "straight, five high"),
        ("As 2d 3c 4h 5h 6d Ks", Category.STRAIGHT, "straight, six high"),
        ("As Ts 9s 4s 3s 2s Ks", Category.FLUSH, "flush, ace, king, ten, nine, four"),
        ("Ts 6s Td 5h Th 5d 2c", Category.FULL_HOUSE, "full house, tens full of fives"),
        ("Ts Tc Td 5h 5s 5d 2c", Category.FULL_HOUSE, "full house, tens full of fives"),
        ("2s 2c 2d 2h 5s 5d 5c", Category.QUADS, "four of a kind, deuces with five"),
        ("As 2s 3s 4s 5s 6d 7d", Category.STRAIGHT_FLUSH, "straight flush, five high"),
        ("As Ks Qs Js Ts 6d 7d", Category.STRAIGHT_FLUSH, "straight flush, ace high"),
    ],
)
def test_names(text: str, kind: Category, words: str) -> None:
    value = strength(parse_cards(text))
    assert category(value) is kind
    assert describe(value) == words


def test_every_strength_has_its_own_name() -> None:
    assert len({describe(Strength(number)) for number in range(STRENGTHS)}) == STRENGTHS


def test_lists_and_arrays_of_cards_are_hands_too() -> None:
    cards = parse_cards("Ts 6s Td 5h Th 5d 2c")
    assert strength(list(cards)) == strength(cards)
    assert strength(np.array(cards, dtype=np.uint8)) == strength(cards)  # type: ignore[arg-type]


@pytest.mark.parametrize("count", [0, 4, 8])
def test_other_numbers_of_cards(count: int) -> None:
    with pytest.raises(BadInput, match=f"{count} cards have no strength"):
        strength([Card(card) for card in range(count)])


@pytest.mark.parametrize("wrong", [-1, 52, 1 << 40])
def test_numbers_that_are_no_cards(wrong: int) -> None:
    with pytest.raises(BadInput, match=f"no card has the number {wrong}"):
        strength([Card(card) for card in (0, 4, 8, 12, wrong)])


def test_a_card_twice() -> None:
    with pytest.raises(DuplicateCard, match="2d comes twice"):
        strength([Card(card) for card in (0, 1, 8, 12, 1, 20, 30)])


@pytest.mark.parametrize("shape", [(5,), (3, 4), (3, 8), (2, 2, 7)])
def test_arrays_of_other_shapes(shape: tuple[int, ...]) -> None:
    with pytest.raises(BadInput, match="5, 6 or 7 cards, one a row"):
        strengths(np.zeros(shape, dtype=np.uint8))


def test_arrays_of_other_types() -> None:
    with pytest.raises(BadInput, match="uint8 here, not int64"):
        strengths(np.zeros((1, 7), dtype=np.int64))


@pytest.mark.parametrize("wrong", [52, 63, 255])
def test_arrays_with_numbers_that_are_no_cards(wrong: int) -> None:
    hands = np.tile(np.arange(7, dtype=np.uint8), (5000, 1))
    hands[4321, 3] = wrong
    with pytest.raises(BadInput, match=f"{wrong} in row 4321 is no card"):
        strengths(hands)


def test_arrays_of_nothing_but_wrong_numbers() -> None:
    with pytest.raises(BadInput, match="255 in row 0"):
        strengths(np.full((3, 7), 255, dtype=np.uint8))


def test_a_card_repeated_in_an_array_reads_no_foreign_memory() -> None:
    for card in range(52):
        for size in (5, 6, 7):
            assert strengths(np.full((2, size), card, dtype=np.uint8)).max() < STRENGTHS


def test_no_hands() -> None:
    assert strengths(np.empty((0, 7), dtype=np.uint8)).tolist() == []


def test_rows_may_lie_anywhere_in_memory() -> None:
    rng = np.random.default_rng(7)
    hands = np.array([rng.permutation(52)[:7] for _ in range(100)], dtype=np.uint8)
    expected = strengths(hands).tolist()
    assert strengths(np.asfortranarray(hands)).tolist() == expected
    assert strengths(hands[::-1]).tolist() == expected[::-1]


# The tables behind strength: unique codes, an index without a gap, nothing to overwrite.


def multisets(size: int) -> list[tuple[int, ...]]:
    ranks = combinations_with_replacement(range(13), size)
    return [hand for hand in ranks if all(hand.count(rank) <= 4 for rank in set(hand))]


@pytest.mark.parametrize(
    ("limits", "codes"),
    [
        ((1,) * 4, [0, 1, 2, 4]),
        ((4, 4, 4), [0, 1, 5]),
        ((7, 4, 4), [0, 1, 5]),
    ],
)
def test_sum_codes_are_the_smallest(limits: tuple[int, ...], codes: list[int]) -> None:
    found, sums = tables.sum_codes(limits)
    assert found == codes
    assert all(
        len(some) == count for some, count in zip(sums, multiset_counts(limits), strict=True)
    )


def multiset_counts(limits: tuple[int, ...]) -> list[int]:
    sizes = Counter(map(sum, product(*(range(limit + 1) for limit in limits))))
    return [sizes[size] for size in range(8)]


def test_every_multiset_has_its_own_place() -> None:
    code_of = tables.RANK_CODE.astype(np.int64)
    places = []
    for size in (5, 6, 7):
        code = code_of[np.array(multisets(size))].sum(axis=1)
        code += int(tables.KEY_BIAS) & 0xFFFF_FFFF
        row, column = code >> 16 & 0xFFFF, code & 0xFFFF
        places += (tables.ROW_START[row] + tables.COLUMN_PLACE[column]).tolist()
    assert len(places) == 6_175 + 18_395 + 49_205
    assert sorted(places) == list(range(len(places)))


def test_tables_are_read_only() -> None:
    for name in ("CARD_KEY", "CARD_MASK", "ROW_START", "PLAIN_STRENGTH", "FLUSH_STRENGTH"):
        assert not getattr(tables, name).flags.writeable
