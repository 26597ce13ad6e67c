"""Cards in logs, two and four characters at a time, by lookup."""

from __future__ import annotations

from itertools import permutations
from typing import Final, NamedTuple

from railbird.cards import DECK, Card, Holding, cards_of, format_card, holding_of, parse_cards
from railbird.errors import DuplicateCard, ParseError
from railbird.histories.record import BadHand, SkipReason


class Hole(NamedTuple):
    """A seat's two cards as a log wrote them."""

    holding: Holding | None
    low_first: int
    """1 if the lower card was written first, else 0."""


UNKNOWN: Final = Hole(None, 0)

HOLE_OF_TEXT: Final[dict[str, Hole]] = {"": UNKNOWN} | {
    format_card(a) + format_card(b): Hole(holding_of(a, b), int(a < b))
    for a, b in permutations(DECK, 2)
}
"""Holes by text such as ``7d3d``; the empty text is a hole that is not shown."""

TEXT_OF_HOLE: Final[dict[Hole, str]] = {hole: text for text, hole in HOLE_OF_TEXT.items()}


def read_cards(text: str, count: int) -> tuple[Card, ...]:
    """Read exactly ``count`` cards in any spelling. Raises `BadHand`."""
    try:
        cards = parse_cards(text)
    except DuplicateCard as error:
        raise BadHand(SkipReason.DUPLICATE_CARD, str(error)) from None
    except ParseError as error:
        raise BadHand(SkipReason.UNREADABLE, str(error)) from None
    if len(cards) != count:
        raise BadHand(SkipReason.UNREADABLE, f"{text!r}: {len(cards)} cards instead of {count}")
    return cards


def read_hole(text: str) -> Hole:
    """Read two cards in any spelling; empty for a hole that is not shown. Raises `BadHand`."""
    known = HOLE_OF_TEXT.get(text)
    if known is not None:
        return known
    first, second = read_cards(text, 2)
    return Hole(holding_of(first, second), int(first < second))


def after_showing(before: Hole, shown: Hole, who: str) -> Hole:
    """Return a hole after cards were shown. Raises `BadHand` if it held other cards before."""
    if before is UNKNOWN:
        return shown
    if before.holding != shown.holding:
        raise BadHand(SkipReason.UNREADABLE, f"{who} shows other cards than before")
    return before


def hole_cards(holding: Holding, *, low_first: int) -> tuple[Card, Card]:
    """Return the two cards in the order in which they were dealt."""
    low, high = sorted(cards_of(holding))
    return (low, high) if low_first else (high, low)
