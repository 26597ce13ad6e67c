"""Laws of cards, holdings and strength."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from railbird.cards import (
    CLASSES,
    HOLDINGS,
    Card,
    HandClass,
    Holding,
    Suits,
    cards_of,
    class_name,
    class_of,
    describe,
    format_card,
    format_cards,
    format_holding,
    holding_of,
    holdings_of_class,
    parse_card,
    parse_cards,
    parse_class,
    parse_holding,
    strength,
    strengths,
)

CARDS = st.integers(0, 51).map(Card)
SUIT_ORDERS = list(permutations(range(4)))

compiled = settings(deadline=None)
"""The first example of a law may compile a kernel."""


def hands(smallest: int = 5, largest: int = 7) -> st.SearchStrategy[list[Card]]:
    return st.lists(CARDS, min_size=smallest, max_size=largest, unique=True)


@given(CARDS, st.sampled_from(Suits))
def test_a_card_is_read_as_it_is_written(card: Card, suits: Suits) -> None:
    assert parse_card(format_card(card, suits=suits)) == card


@given(
    st.lists(CARDS, unique=True),
    st.sampled_from(Suits),
    st.sampled_from(["", " ", ",", ", ", "-", "/"]),
)
def test_cards_are_read_as_they_are_written(
    cards: list[Card], suits: Suits, separator: str
) -> None:
    text = format_cards(cards, suits=suits, separator=separator)
    assert parse_cards(text) == parse_cards(text.swapcase()) == tuple(cards)


@given(st.integers(0, HOLDINGS - 1).map(Holding))
def test_a_holding_is_its_cards_and_its_text(holding: Holding) -> None:
    first, second = cards_of(holding)
    assert first > second
    assert holding_of(first, second) == holding_of(second, first) == holding
    assert parse_holding(format_holding(holding)) == holding


@given(st.integers(0, CLASSES - 1).map(HandClass))
def test_a_class_is_its_name_and_its_holdings(hand_class: HandClass) -> None:
    assert parse_class(class_name(hand_class)) == hand_class
    assert {class_of(holding) for holding in holdings_of_class(hand_class)} == {hand_class}


@compiled
@given(
    hands().flatmap(lambda hand: st.tuples(st.just(hand), st.permutations(hand))),
    st.sampled_from(SUIT_ORDERS),
)
def test_neither_order_nor_suits_matter(
    orders: tuple[list[Card], list[Card]], suits: tuple[int, ...]
) -> None:
    hand, shuffled = orders
    renamed = [Card(card // 4 * 4 + suits[card % 4]) for card in shuffled]
    assert strength(renamed) == strength(hand)


@compiled
@given(hands(6, 7))
def test_a_hand_is_as_strong_as_its_best_five(hand: list[Card]) -> None:
    assert strength(hand) == max(strength(five) for five in combinations(hand, 5))


@compiled
@given(hands(6, 7))
def test_another_card_never_hurts(hand: list[Card]) -> None:
    assert strength(hand) >= strength(hand[:-1])


@pytest.mark.slow
@compiled
@given(st.integers(5, 7).flatmap(lambda size: st.lists(hands(size, size), min_size=1, max_size=9)))
def test_a_batch_is_its_hands(dealt: list[list[Card]]) -> None:
    assert strengths(np.array(dealt, dtype=np.uint8)).tolist() == [strength(h) for h in dealt]


@compiled
@given(hands(5, 5), hands(5, 5))
def test_hands_that_tie_are_described_alike(one: list[Card], other: list[Card]) -> None:
    alike = describe(strength(one)) == describe(strength(other))
    assert alike == (strength(one) == strength(other))
