"""Cards and shoes as text: ``A27``, ``10,6``, ``A:10,2-9:10,T:55``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from railbird.blackjack.rules import Rules
from railbird.blackjack.settings import MOST_OF_A_RANK
from railbird.errors import BadInput, ParseError

RANKS: Final = "A23456789T"
"""Ranks 0 to 9 as they are written; ten, jack, queen and king are one."""

_TENS: Final = str.maketrans("JQK", "TTT")

Shoe = npt.NDArray[np.float64]
"""Number of unseen cards by rank (10,); whole numbers for real shoes."""


def full_shoe(rules: Rules) -> Shoe:
    """Return the shoe before anything is dealt; that of one deck for infinitely many."""
    decks = float(rules.decks or 1)
    return np.array([4.0] * 9 + [16.0]) * decks


def parse_cards(text: str, *, least: int = 1, most: int = 21) -> tuple[int, ...]:
    """Read ranks, in any case, with commas, spaces or suits between or not. Raises `ParseError`.

    >>> parse_cards("4,5"), parse_cards("AsKd"), parse_cards("10 6")
    ((3, 4), (0, 9), (9, 5))
    """
    ranks: list[int] = []
    place = 0
    while place < len(text):
        match = re.compile(r"(10|[A2-9TJQK])[cdhs♣♦♥♠]?|[\s,;-]+", re.IGNORECASE).match(text, place)
        if match is None:
            raise ParseError("not a card", text=text, position=place, allowed="A, 2-9, T, J, Q, K")
        if match[1]:
            ranks.append(_rank(match[1]))
        place = match.end()
    if not least <= len(ranks) <= most:
        allowed = str(least) if least == most else f"{least} to {most}"
        raise BadInput(f"{text!r}: {len(ranks)} cards; allowed: {allowed}")
    return tuple(ranks)


def _rank(text: str) -> int:
    return RANKS.index("T" if text == "10" else text.upper().translate(_TENS))


def cards_text(ranks: Iterable[int], separator: str = "") -> str:
    """Write ranks.

    >>> cards_text([0, 9, 3], ",")
    'A,T,4'
    """
    return separator.join(RANKS[rank] for rank in ranks)


def parse_shoe(text: str) -> Shoe:
    """Read counts by rank or by range of ranks; a rank that is not named has no cards.

    Raises `BadInput` for anything else, and for a rank named twice.

    >>> parse_shoe("A-9:10, T:55").tolist()
    [10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 55.0]
    """
    shoe = np.zeros(len(RANKS))
    named: set[int] = set()
    for part in re.split(r"[\s,]+", text.strip()):
        found = re.fullmatch(r"(10|[A2-9TJQK])(?:-(10|[A2-9TJQK]))?:(\d{1,7})", part, re.I | re.A)
        if found is None:
            raise BadInput(f"shoe {part!r}; allowed: ranks and counts such as A:4,2-9:4,T:16")
        first, last = _rank(found[1]), _rank(found[2] or found[1])
        ranks = range(first, last + 1)
        twice = named.intersection(ranks)
        if not ranks or twice:
            raise BadInput(f"shoe {part!r}: {'rank twice' if twice else 'no rank'}")
        if int(found[3]) > MOST_OF_A_RANK:
            raise BadInput(f"shoe {part!r}; allowed: up to {MOST_OF_A_RANK:,} cards of a rank")
        named.update(ranks)
        shoe[first : last + 1] = int(found[3])
    return shoe


def shoe_text(shoe: Sequence[float] | Shoe) -> str:
    """Write a shoe as `parse_shoe` reads it."""
    return ",".join(f"{rank}:{count:g}" for rank, count in zip(RANKS, shoe, strict=True))


def without(shoe: Shoe, ranks: Iterable[int]) -> Shoe:
    """Return the shoe less these cards. Raises `BadInput` if it does not have them."""
    left = shoe.copy()
    for rank in ranks:
        left[rank] -= 1
        if left[rank] < 0:
            raise BadInput(f"more cards {RANKS[rank]} than the {shoe[rank]:g} in the shoe")
    return left


def check_shoe(shoe: Shoe, rules: Rules) -> None:
    """Raise `BadInput` for a shoe that a round could use up, where values would mean nothing."""
    if not rules.decks:
        return
    cards = [rank + 1 for rank, count in enumerate(shoe) for _ in range(min(int(count), 300))]
    pairs = bool((shoe >= 2).any())
    needed = 0
    # The most cards that a round can take: the lowest ones, each hand up to where it is bust.
    for limit in [*[22] * (rules.most_hands if pairs else 1), 17]:
        total = 0
        while total < limit:
            total += cards[needed] if needed < len(cards) else limit
            needed += 1
    if needed > len(cards):
        raise BadInput(f"a shoe of {shoe.sum():g} cards; allowed: enough for any round")
