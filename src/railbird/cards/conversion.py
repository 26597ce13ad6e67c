"""Conversion of texts, numbers or objects to cards and holdings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import index
from typing import TypeAlias, TypeVar

import numpy as np

from railbird.cards.card import DECK, Card, parse_card, parse_cards
from railbird.cards.holding import HOLDINGS, Holding, holding_of, parse_holding
from railbird.errors import BadInput, wrong_value

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
