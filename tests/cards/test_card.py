"""Cards as text: what is forgiven and where an error points."""

from __future__ import annotations

import pytest

from railbird.cards import (
    DECK,
    RANKS,
    SUITS,
    Card,
    Suits,
    card_of,
    format_card,
    format_cards,
    parse_card,
    parse_cards,
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
