"""Holdings and classes: numbers, names, arrays."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from railbird.cards import (
    CLASS_NAMES,
    CLASS_OF_HOLDING,
    DECK,
    HOLDING_CARDS,
    HOLDING_INDEX,
    HOLDINGS,
    Card,
    HandClass,
    Holding,
    Suits,
    cards_of,
    class_name,
    class_of,
    format_holding,
    holding_of,
    holdings_of_class,
    parse_class,
    parse_holding,
)
from railbird.errors import BadInput, DuplicateCard, ParseError


def test_numbers_are_colexicographic() -> None:
    pairs = sorted(combinations(DECK, 2), key=lambda pair: pair[::-1])
    assert [holding_of(low, high) for low, high in pairs] == list(range(HOLDINGS))
    assert [tuple(pair) for pair in HOLDING_CARDS.tolist()] == pairs
    assert all(cards_of(Holding(h)) == (high, low) for h, (low, high) in enumerate(pairs))


def test_index_is_the_inverse_of_cards() -> None:
    low, high = HOLDING_CARDS.T
    assert np.array_equal(HOLDING_INDEX[low, high], np.arange(HOLDINGS))
    assert np.array_equal(HOLDING_INDEX, HOLDING_INDEX.T)
    assert np.all(np.diag(HOLDING_INDEX) == -1)


def test_arrays_are_read_only() -> None:
    for array in (HOLDING_CARDS, HOLDING_INDEX, CLASS_OF_HOLDING):
        assert not array.flags.writeable


def test_the_chart_goes_row_by_row_from_aces() -> None:
    assert CLASS_NAMES[:3] == ("AA", "AKs", "AQs")
    assert CLASS_NAMES[13:16] == ("AKo", "KK", "KQs")
    assert CLASS_NAMES[168] == "22"
    assert len(set(CLASS_NAMES)) == 169


def test_sizes_of_classes() -> None:
    sizes = {"": 6, "s": 4, "o": 12}
    for number, name in enumerate(CLASS_NAMES):
        assert len(holdings_of_class(HandClass(number))) == sizes[name[2:]]
        assert {class_of(h) for h in holdings_of_class(HandClass(number))} == {number}


@pytest.mark.parametrize(
    ("text", "name"), [("AsKs", "AKs"), ("KdAs", "AKo"), ("2c2d", "22"), ("5d T♦", "T5s")]
)
def test_class_of_a_holding(text: str, name: str) -> None:
    assert class_name(class_of(parse_holding(text))) == name


@pytest.mark.parametrize("text", ["AKs", "aks", "KAs", " AKS "])
def test_classes_as_they_are_written_by_people(text: str) -> None:
    assert class_name(parse_class(text)) == "AKs"


@pytest.mark.parametrize("text", ["", "A", "AK", "AAs", "AKx", "AKss", "1Ks"])
def test_no_class(text: str) -> None:
    with pytest.raises(ParseError, match="not a class of holdings"):
        parse_class(text)


def test_the_higher_card_is_written_first() -> None:
    assert format_holding(parse_holding("KdAs")) == "AsKd"
    assert format_holding(parse_holding("2c 2s"), suits=Suits.SYMBOLS, separator="-") == "2♠-2♣"


@pytest.mark.parametrize("text", ["", "As", "AsKdQh"])
def test_a_holding_is_two_cards(text: str) -> None:
    with pytest.raises(ParseError, match="not a holding"):
        parse_holding(text)


def test_two_times_one_card() -> None:
    with pytest.raises(DuplicateCard, match="As"):
        holding_of(Card(51), Card(51))


@pytest.mark.parametrize(("a", "b"), [(-1, 0), (52, 0), (0, 52)])
def test_numbers_that_are_no_cards(a: int, b: int) -> None:
    with pytest.raises(BadInput, match="cards are 0-51"):
        holding_of(Card(a), Card(b))
