"""Cards as text: what is forgiven and where an error points."""

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
    RANKS,
    SUITS,
    Card,
    HandClass,
    Holding,
    Suits,
    card_of,
    cards_of,
    class_name,
    class_of,
    format_card,
    format_cards,
    format_holding,
    holding_of,
    holdings_of_class,
    parse_card,
    parse_cards,
    parse_class,
    parse_holding,
    rank_of,
    suit_of,
)
from railbird.errors import BadInput, DuplicateCard, ParseError


def test_numbers_run_by_rank_and_then_by_suit() -> None:
    assert [format_card(card) for card in DECK] == [rank + suit for rank in RANKS for suit in SUITS]
    assert [card_of(rank_of(card), suit_of(card)) for card in DECK] == list(DECK)


@pytest.mark.parametrize(("rank", "suit"), [(-1, 0), (13, 0), (0, -1), (0, 4)])
def test_no_other_numbers_make_a_card(rank: int, suit: int) -> None:
    with pytest.raises(BadInput, match=f"no card has rank {rank} and suit {suit}"):
        card_of(rank, suit)


@pytest.mark.parametrize(
    "text",
    [
        *("Td5hTh", "td5HtH", "10d5h10h", "T♦5♥T♥", "T♢5♡T♡"),
        *("Td 5h Th", "Td,5h,Th", "Td-5h-Th", "T♦-5♥-T♥", "Td5h/Th", " Td, 5h;Th\n"),
    ],
)
def test_cards_as_they_are_written_by_people(text: str) -> None:
    assert parse_cards(text) == (33, 14, 34)


def test_no_cards() -> None:
    assert parse_cards("") == parse_cards(" - ") == ()
    assert format_cards(()) == ""


def test_symbols_and_separators() -> None:
    cards = parse_cards("Td5hTh")
    assert format_cards(cards) == "Td5hTh"
    assert format_cards(cards, suits=Suits.SYMBOLS, separator="-") == "T♦-5♥-T♥"


@pytest.mark.parametrize(
    ("text", "problem", "character"),
    [
        ("TsXx", "not a rank", 3),
        ("Ts1s", "not a rank", 3),
        ("Tx", "not a suit", 2),
        ("Ts 5", "not a suit", 5),
        ("10", "not a suit", 3),
        ("T s", "not a suit", 2),
    ],
)
def test_errors_point_at_the_character(text: str, problem: str, character: int) -> None:
    with pytest.raises(ParseError, match=f"{problem}: .* at character {character} "):
        parse_cards(text)


def test_the_same_card_twice() -> None:
    with pytest.raises(DuplicateCard, match=r"Td comes twice: 'Td5hT♦' at character 5"):
        parse_cards("Td5hT♦")


@pytest.mark.parametrize(("text", "character"), [("", 1), ("TsTh", 3), ("Ts ", 3)])
def test_one_card_is_one_card(text: str, character: int) -> None:
    with pytest.raises(ParseError, match=f"at character {character} "):
        parse_card(text)


def test_one_card() -> None:
    assert parse_card("2c") == Card(0)
    assert parse_card("A♠") == Card(51)


# Holdings and classes: numbers, names, arrays.


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
