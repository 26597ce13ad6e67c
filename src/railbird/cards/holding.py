"""Two hole cards as one number 0..1325, and their 169 preflop classes."""

from __future__ import annotations

from typing import NewType

import numpy as np

from railbird._arguments import checked
from railbird.cards._tables_holding import CLASS_OF_HOLDING, HOLDING_CARDS, HOLDING_INDEX
from railbird.cards.card import RANKS, Card, Suits, format_card, parse_cards
from railbird.errors import BadInput, DuplicateCard, ParseError, wrong_value

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


__all__ = [
    "CLASSES",
    "CLASS_NAMES",
    "CLASS_OF_HOLDING",
    "HOLDINGS",
    "HOLDING_CARDS",
    "HOLDING_INDEX",
    "HandClass",
    "Holding",
    "cards_of",
    "class_name",
    "class_of",
    "format_holding",
    "holding_of",
    "holdings_of_class",
    "parse_class",
    "parse_holding",
]
