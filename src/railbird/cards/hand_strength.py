"""Strength of five, six or seven cards: a number, its category and its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Any, NewType

import numpy as np
from numpy.typing import NDArray

from railbird._arguments import checked
from railbird.cards import kernels
from railbird.cards.card import Card, cards_from, format_card
from railbird.cards.tables import CATEGORY_OF_STRENGTH, SCORES
from railbird.errors import BadInput, DuplicateCard, wrong_value

Strength = NewType("Strength", int)
"""0 (seven-five high) to 7461 (royal flush): higher wins, equal ties."""

STRENGTHS = 7462


class Category(IntEnum):
    """The nine kinds of hand, weakest first."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    TRIPS = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    QUADS = 7
    STRAIGHT_FLUSH = 8


_ONE_HAND: dict[int, Any] = {
    5: kernels.checked_strength5,
    6: kernels.checked_strength6,
    7: kernels.checked_strength7,
}
_MANY_HANDS = {5: kernels.strengths5, 6: kernels.strengths6, 7: kernels.strengths7}
_SIZES = "a hand is 5, 6 or 7 cards"

_entries: dict[int, Callable[..., Strength]] = {}


def strength(cards: Sequence[Card] | str) -> Strength:
    """Return the strength of the best five of five, six or seven cards.

    Raises `railbird.errors.BadInput` for another number of cards or an invalid card, and
    `railbird.errors.DuplicateCard` for a repeated card.

    >>> strength("Ts Js Qs Ks As"), strength("2c 3d 4h 5s 7c")
    (7461, 0)
    """
    try:
        value = _entries[len(cards)](*cards)
    except (KeyError, OverflowError, TypeError):
        cards = cards_from(cards)
        value = _entry(len(cards))(*cards)
    if value < 0:
        raise _not_a_hand(cards_from(cards))
    return value


def _entry(count: int) -> Callable[..., Strength]:
    """Return the compiled function for ``count`` cards, bypassing Numba's dispatch on types."""
    if count not in _ONE_HAND:
        raise BadInput(f"{count} cards have no strength: {_SIZES}") from None
    kernel = _ONE_HAND[count]
    kernel(*range(count))
    (compiled,) = kernel.overloads.values()
    return _entries.setdefault(count, compiled.entry_point)


def _not_a_hand(cards: Sequence[Card]) -> BadInput:
    for card in cards:
        if not 0 <= card < 52:
            return BadInput(f"{card} is no card: cards are 0-51")
    twice = max(cards, key=list(cards).count)
    return DuplicateCard(f"{format_card(twice)} comes twice in a hand")


@checked
def strengths(cards: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """Return the strength of each row of ``cards``, (n, 5), (n, 6) or (n, 7), as (n,).

    The cards of a row must differ; this is not checked. Raises `railbird.errors.BadInput` for
    another shape or type and for invalid cards.
    """
    if cards.ndim != 2 or cards.shape[1] not in _MANY_HANDS:
        raise BadInput(f"an array of shape {cards.shape} has no strengths: {_SIZES}, one a row")
    if cards.dtype != np.uint8:
        raise BadInput(f"cards are uint8 here, not {cards.dtype}")
    out = np.empty(len(cards), dtype=np.uint16)
    if not _MANY_HANDS[cards.shape[1]](np.ascontiguousarray(cards), out):
        row = int(np.argmax(np.any(cards > 51, axis=1)))
        raise BadInput(f"{int(cards[row].max())} in row {row} is no card: cards are 0-51")
    return out


def category(strength: Strength) -> Category:
    """Return the category of a strength."""
    try:
        return Category(int(CATEGORY_OF_STRENGTH[strength]))
    except (IndexError, TypeError, ValueError):
        raise wrong_value("strength", strength, f"0 to {STRENGTHS - 1}") from None


_NAMES = (
    *("deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "queen", "king", "ace"),
)
_CATEGORY_NAMES = {
    Category.HIGH_CARD: "high card",
    Category.PAIR: "pair",
    Category.TWO_PAIR: "two pair",
    Category.TRIPS: "three of a kind",
    Category.STRAIGHT: "straight",
    Category.FLUSH: "flush",
    Category.FULL_HOUSE: "full house",
    Category.QUADS: "four of a kind",
    Category.STRAIGHT_FLUSH: "straight flush",
}
_DECIDING_RANKS = {
    Category.HIGH_CARD: 5,
    Category.PAIR: 4,
    Category.TWO_PAIR: 3,
    Category.TRIPS: 3,
    Category.STRAIGHT: 1,
    Category.FLUSH: 5,
    Category.FULL_HOUSE: 2,
    Category.QUADS: 2,
    Category.STRAIGHT_FLUSH: 1,
}


def _plural(name: str) -> str:
    return name + ("es" if name == "six" else "s")


@checked
def describe(strength: Strength) -> str:
    """Return a strength in words, including all deciding ranks.

    >>> describe(strength("Ts 6s Td 5h Th 5d 2c"))
    'full house, tens full of fives'
    >>> describe(strength("As 2s 3d 4h 5h Kd Kc"))
    'straight, five high'
    """
    kind, score = category(strength), int(SCORES[strength])
    digits = range(_DECIDING_RANKS[kind] - 1, -1, -1)
    first, *others = (_NAMES[score >> 4 * digit & 15] for digit in digits)
    return f"{_CATEGORY_NAMES[kind]}, {_ranks_in_words(kind, first, others)}"


def _ranks_in_words(kind: Category, first: str, others: list[str]) -> str:
    match kind:
        case Category.HIGH_CARD | Category.FLUSH:
            return ", ".join([first, *others])
        case Category.STRAIGHT | Category.STRAIGHT_FLUSH:
            return f"{first} high"
        case Category.FULL_HOUSE:
            return f"{_plural(first)} full of {_plural(others[0])}"
        case Category.TWO_PAIR:
            return f"{_plural(first)} and {_plural(others[0])} with {others[1]}"
        case Category.PAIR | Category.TRIPS | Category.QUADS:
            return f"{_plural(first)} with {', '.join(others)}"


# Counts over all 133,784,560 hands of seven cards.


def category_counts() -> dict[Category, int]:
    """Return the number of seven-card hands in each category (about 0.15 s).

    >>> category_counts()[Category.STRAIGHT_FLUSH]
    41584
    """
    counts = np.zeros(len(Category), dtype=np.int64)
    kernels.count_plain_categories(counts)
    kernels.recount_flushes(counts)
    return dict(zip(Category, counts.tolist(), strict=True))


def strength_counts() -> NDArray[np.int64]:
    """Return the number of seven-card hands with each strength, (7462,) (about 0.3 s).

    Only 4,824 strengths occur: seven cards always make more than, say, seven-five high.
    """
    counts = np.zeros(STRENGTHS, dtype=np.uint32)
    kernels.count_strengths(counts)
    return counts.astype(np.int64)
