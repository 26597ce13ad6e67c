"""Cards: integers internally, two characters as text."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import NewType

from railbird._arguments import checked
from railbird.errors import BadInput, DuplicateCard, ParseError, wrong_value

Card = NewType("Card", int)
"""4 * rank + suit: ranks 0 (deuce) to 12 (ace), suits 0 to 3 (clubs, diamonds, hearts, spades)."""

RANKS = "23456789TJQKA"
SUITS = "cdhs"
SUIT_SYMBOLS = "♣♦♥♠"


class Suits(Enum):
    """Style of writing suits."""

    LETTERS = SUITS
    SYMBOLS = SUIT_SYMBOLS


DECK: tuple[Card, ...] = tuple(Card(card) for card in range(52))

TEXT_OF_CARD = tuple(rank + suit for rank in RANKS for suit in SUITS)
"""(52,) by card, its two characters."""
CARD_OF_TEXT = {text: card for card, text in zip(DECK, TEXT_OF_CARD, strict=True)}
"""Cards by exactly these characters; `parse_cards` is more lenient and slower."""

SEPARATORS = frozenset(" \t\n,;-/_|")
"""Characters allowed between two cards."""

_RANK_OF = {character: RANKS.index(character.upper()) for character in RANKS + RANKS.lower()}
_SUIT_OF = {
    character: index % 4
    for index, character in enumerate(SUITS + SUITS.upper() + SUIT_SYMBOLS + "♧♢♡♤")
}
SUIT_CHARACTERS = frozenset(_SUIT_OF)
_ALLOWED_RANKS = f"ranks {RANKS[0]}-{RANKS[7:]} and 10"
_ALLOWED_SUITS = f"suits {SUITS} and {SUIT_SYMBOLS}"


@checked
def card_of(rank: int, suit: int) -> Card:
    """Return the card of a rank (0..12, deuce to ace) and a suit (0..3, clubs to spades).

    Raises `railbird.errors.BadInput` for any other number.
    """
    if not (0 <= rank < 13 and 0 <= suit < 4):
        raise BadInput(f"no card has rank {rank} and suit {suit}: ranks are 0-12, suits 0-3")
    return Card(4 * rank + suit)


def rank_of(card: Card) -> int:
    """Return the rank of a card, 0 (deuce) to 12 (ace)."""
    try:
        return card >> 2
    except TypeError:
        raise wrong_value("card", card, "0 to 51") from None


def suit_of(card: Card) -> int:
    """Return the suit of a card, 0 to 3 (clubs, diamonds, hearts, spades)."""
    try:
        return card & 3
    except TypeError:
        raise wrong_value("card", card, "0 to 51") from None


def read_card(text: str, position: int) -> tuple[Card, int]:
    """Read one card at ``position`` of a longer text; return it and the position after it.

    Raises `railbird.errors.ParseError`, pointing at the first invalid character.
    """
    rank, after = read_rank(text, position)
    suit = _SUIT_OF.get(text[after : after + 1])
    if suit is None:
        raise ParseError("not a suit", text=text, position=after, allowed=_ALLOWED_SUITS)
    return Card(4 * rank + suit), after + 1


def read_rank(text: str, position: int, *, allowed: str = _ALLOWED_RANKS) -> tuple[int, int]:
    """Read one rank at ``position`` of a longer text; return it and the position after it.

    Raises `railbird.errors.ParseError`, which says what was ``allowed``.
    """
    if text.startswith("10", position):
        return RANKS.index("T"), position + 2
    rank = _RANK_OF.get(text[position : position + 1])
    if rank is None:
        raise ParseError("not a rank", text=text, position=position, allowed=allowed)
    return rank, position + 1


@checked
def parse_card(text: str) -> Card:
    """Return the card named by a text such as ``Ts``, ``10s`` or ``t♠``.

    Raises `railbird.errors.ParseError`, which points at the character.

    >>> parse_card("2c"), parse_card("As")
    (0, 51)
    """
    card, after = read_card(text, 0)
    if after != len(text):
        raise ParseError("more than one card", text=text, position=after, allowed="the end")
    return card


@checked
def parse_cards(text: str) -> tuple[Card, ...]:
    """Return the cards in a text, in its order.

    Spaces, commas, hyphens and slashes between cards are allowed; case is ignored.
    Raises `railbird.errors.ParseError` at the invalid character, and
    `railbird.errors.DuplicateCard` for a repeated card.

    >>> parse_cards("Td5hTh") == parse_cards("10♦-5♥, th")
    True
    """
    cards: list[Card] = []
    position = 0
    while position < len(text):
        if text[position] in SEPARATORS:
            position += 1
            continue
        card, after = read_card(text, position)
        if card in cards:
            raise DuplicateCard(
                f"{format_card(card)} comes twice: {text!r} at character {position + 1}"
            )
        cards.append(card)
        position = after
    return tuple(cards)


def format_card(card: Card, *, suits: Suits = Suits.LETTERS) -> str:
    """Return a card's two characters.

    >>> format_card(Card(33)), format_card(Card(33), suits=Suits.SYMBOLS)
    ('Td', 'T♦')
    """
    try:
        return RANKS[card >> 2] + suits.value[card & 3]
    except (AttributeError, IndexError, TypeError):
        raise wrong_value("card", card, "0 to 51") from None


@checked
def format_cards(
    cards: Iterable[Card], *, suits: Suits = Suits.LETTERS, separator: str = ""
) -> str:
    """Return the cards' characters in their order.

    >>> format_cards(parse_cards("Td 5h Th"), suits=Suits.SYMBOLS, separator="-")
    'T♦-5♥-T♥'
    """
    return separator.join(format_card(card, suits=suits) for card in cards)
