"""Cards: integers internally, two characters as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from operator import index
from typing import NewType, TypeAlias, TypeVar

import numpy as np

from railbird._arguments import checked
from railbird.cards.tables import CLASS_OF_HOLDING, HOLDING_CARDS
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

    Raises `railbird.errors.ParseError`, whose message names the ``allowed`` values.
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


# Two hole cards as one number 0..1325, and their 169 preflop classes.


Holding = NewType("Holding", int)
"""Two cards a < b as b * (b - 1) / 2 + a: 0 (2d2c) to 1325 (AsAh)."""

HandClass = NewType("HandClass", int)
"""A cell of the 13 x 13 chart, row by row from AA: suited above the diagonal, offsuit below."""

HOLDINGS = 1326
CLASSES = 169


def _class_name(row: int, column: int) -> str:
    high, low = sorted((row, column))
    ranks = RANKS[12 - high] + RANKS[12 - low]
    if row == column:
        return ranks
    return ranks + ("s" if row < column else "o")


CLASS_NAMES: tuple[str, ...] = tuple(
    _class_name(row, column) for row in range(13) for column in range(13)
)
"""Names of the classes, AA, AKs, AQs, ... 22."""

_CLASS_OF_NAME = {name.upper(): HandClass(index) for index, name in enumerate(CLASS_NAMES)}


def holding_of(a: Card, b: Card) -> Holding:
    """Return the holding of two different cards in either order.

    Raises `railbird.errors.DuplicateCard` if they are the same card.

    >>> holding_of(Card(51), Card(50)), holding_of(Card(0), Card(1))
    (1325, 0)
    """
    try:
        low, high = (a, b) if a < b else (b, a)
        real, same = 0 <= low <= high < 52, a == b
        holding = high * (high - 1) // 2 + low
    except (TypeError, ValueError):  # checks only what does not fail anyway
        raise wrong_value("pair of cards", (a, b), "two of 0 to 51") from None
    if not real:
        raise BadInput(f"no holding of cards {a} and {b}: cards are 0-51")
    if same:
        raise DuplicateCard(f"a holding of {format_card(a)} twice")
    return Holding(holding)


def cards_of(holding: Holding) -> tuple[Card, Card]:
    """Return a holding's cards, the higher one first."""
    try:
        low, high = HOLDING_CARDS[holding].tolist()
    except (IndexError, TypeError, ValueError):
        raise wrong_value("holding", holding, f"0 to {HOLDINGS - 1}") from None
    return Card(high), Card(low)


@checked
def parse_holding(text: str) -> Holding:
    """Return the holding named by a text such as ``AsKd`` or ``K♦-A♠``.

    Raises `railbird.errors.ParseError` if that is not two cards.
    """
    cards = parse_cards(text)
    if len(cards) != 2:
        raise ParseError(
            "not a holding", text=text, position=len(text), allowed="two cards such as AsKd"
        )
    return holding_of(*cards)


@checked
def format_holding(holding: Holding, *, suits: Suits = Suits.LETTERS, separator: str = "") -> str:
    """Return a holding's cards, the higher one first.

    >>> format_holding(parse_holding("KdAs"))
    'AsKd'
    """
    return separator.join(format_card(card, suits=suits) for card in cards_of(holding))


def class_of(holding: Holding) -> HandClass:
    """Return the class of a holding."""
    try:
        return HandClass(int(CLASS_OF_HOLDING[holding]))
    except (IndexError, TypeError, ValueError):
        raise wrong_value("holding", holding, f"0 to {HOLDINGS - 1}") from None


def class_name(hand_class: HandClass) -> str:
    """Return the name of a class.

    >>> class_name(class_of(parse_holding("Td5d")))
    'T5s'
    """
    try:
        return CLASS_NAMES[hand_class]
    except (IndexError, TypeError):
        raise wrong_value("class of holdings", hand_class, f"0 to {CLASSES - 1}") from None


@checked
def parse_class(text: str) -> HandClass:
    """Return the class named ``AKs``, ``t5o``, ``77`` and the like, the ranks in either order.

    Raises `railbird.errors.ParseError`.
    """
    name = text.strip().upper()
    # The second attempt swaps the two ranks, as people write KAs as well as AKs.
    hand_class = _CLASS_OF_NAME.get(name, _CLASS_OF_NAME.get(name[1::-1] + name[2:]))
    if hand_class is None:
        raise ParseError(
            "not a class of holdings", text=text, position=0, allowed="names such as AKs, AKo, AA"
        )
    return hand_class


@checked
def holdings_of_class(hand_class: HandClass) -> tuple[Holding, ...]:
    """Return the 6, 4 or 12 holdings of a pair, a suited or an offsuit class, ascending."""
    members = np.flatnonzero(np.equal(CLASS_OF_HOLDING, hand_class))
    return tuple(Holding(index) for index in members.tolist())


# Conversion of texts, numbers or objects to cards and holdings.


CardsLike: TypeAlias = str | Iterable[Card | str]
"""Cards as one text, ``"Td5hTh"``, or one by one as numbers or texts."""

HoldingLike: TypeAlias = Holding | str | Sequence[Card | str]
"""A holding, its text, ``"AsKd"``, or its two cards."""

_Number = TypeVar("_Number", bound=int)


def cards_from(value: CardsLike) -> tuple[Card, ...]:
    """Return cards given as one text or one by one.

    Raises `railbird.errors.BadInput`.

    >>> cards_from("Td5h") == cards_from(["Td", "5h"]) == cards_from([33, 14])
    True
    """
    if isinstance(value, str):
        return parse_cards(value)
    try:
        return tuple(map(_card, value))
    except TypeError:
        raise wrong_value("run of cards", value, "text such as Td5hTh, or cards") from None


def holding_from(value: HoldingLike) -> Holding:
    """Return the holding given as a number, a text or two cards.

    Raises `railbird.errors.BadInput`.

    >>> holding_from("AsAh") == holding_from(["As", "Ah"]) == holding_from(1325)
    True
    """
    if isinstance(value, str):
        return parse_holding(value)
    if isinstance(value, int | np.integer):
        # NumPy's integers come out of arrays of holdings; `index` refuses a float, which `int`
        # would truncate.
        return _within(Holding(index(value)), HOLDINGS, "holding")
    cards = cards_from(value) if hasattr(value, "__iter__") else ()
    if len(cards) != 2:
        raise wrong_value("holding", value, "two cards, or text such as AsKd")
    return holding_of(*cards)


def _card(value: Card | str) -> Card:
    if isinstance(value, str):
        return parse_card(value)
    return _within(Card(index(value)), len(DECK), "card")


def _within(number: _Number, end: int, what: str) -> _Number:
    if not 0 <= number < end:
        raise BadInput(f"no {what} has the number {number}; allowed: 0 to {end - 1}")
    return number
