"""What the page of odds is asked, as its address says it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlencode

from railbird.cards import Card, format_card, format_cards, parse_cards
from railbird.errors import BadInput, DuplicateCard
from railbird.odds import Opponent

MOST_OPPONENTS: Final = 9
HOLE: Final = 2
BOARD: Final = 5
STREETS: Final = {"p": "preflop", "f": "flop", "t": "turn", "r": "river"}
"""Names of streets by the letter in the address."""
SEEN: Final = {"p": 0, "f": 3, "t": 4, "r": 5}
"""Cards of the board when a street is played."""
ACTS: Final = ("", "check", "call", "bet", "raise")
PREFLOP_ACTS: Final = ("", "check", "call", "raise")
LOOSENESS: Final = {"": "as usual", "0.5": "half as loose", "2": "twice as loose"}
MOST_AMOUNT: Final = 1e9
_LONGEST: Final = 40


@dataclass(frozen=True, slots=True)
class OpponentText:
    """What was set of one opponent: action by letter of the street, and looseness."""

    acts: Mapping[str, str]
    looseness: str = ""

    def opponent(self, board: int) -> Opponent:
        """Return the opponent on a board of so many cards; later actions do not count."""
        words = [
            f"{STREETS[street]}:{act}"
            for street, act in self.acts.items()
            if act and SEEN[street] <= board
        ]
        words += [f"loose={self.looseness}"] if self.looseness else []
        return Opponent.parse(" ".join(words))


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Cards, opponents and pot."""

    hole: tuple[Card, ...]
    board: tuple[Card, ...]
    opponents: tuple[OpponentText, ...]
    pot: float | None
    to_call: float | None

    @classmethod
    def parse(cls, values: Mapping[str, str]) -> Question:
        """Read an address's values. Raises `BadInput` for what the page does not send."""
        hole, board = _cards(values, "hole", HOLE), _cards(values, "board", BOARD)
        if len({*hole, *board}) < len(hole) + len(board):
            raise DuplicateCard("a card is in your hand and on the board")
        number = _number(values.get("n") or "1")
        opponents = [
            OpponentText(
                {street: _word(values, f"o{i}{street}", ACTS) for street in STREETS},
                _word(values, f"o{i}l", tuple(LOOSENESS)),
            )
            for i in range(1, number + 1)
        ]
        return cls(
            hole=hole,
            board=board,
            opponents=tuple(opponents),
            pot=_amount(values, "pot"),
            to_call=_amount(values, "call"),
        )

    @property
    def played(self) -> tuple[Card, ...]:
        """The board as far as whole streets are known: no flop of one or two cards."""
        return self.board if len(self.board) >= SEEN["f"] else ()

    def toggled(self, card: Card) -> Question:
        """Return the question with a card taken away, or added: to the hand, then to the board."""
        if card in self.hole:
            return replace(self, hole=tuple(each for each in self.hole if each != card))
        if card in self.board:
            return replace(self, board=tuple(each for each in self.board if each != card))
        if len(self.hole) < HOLE:
            return replace(self, hole=(*self.hole, card))
        if len(self.board) < BOARD:
            return replace(self, board=(*self.board, card))
        return self

    def address(self) -> str:
        """Return the query string; what is as usual is left out."""
        values: dict[str, str] = {}
        if self.hole:
            values["hole"] = format_cards(self.hole)
        if self.board:
            values["board"] = format_cards(self.board)
        if len(self.opponents) > 1:
            values["n"] = str(len(self.opponents))
        for i, each in enumerate(self.opponents, start=1):
            values |= {f"o{i}{street}": act for street, act in each.acts.items() if act}
            values |= {f"o{i}l": each.looseness} if each.looseness else {}
        values |= {"pot": f"{self.pot:.15g}"} if self.pot is not None else {}
        values |= {"call": f"{self.to_call:.15g}"} if self.to_call is not None else {}
        return urlencode(values)


def _cards(values: Mapping[str, str], name: str, most: int) -> tuple[Card, ...]:
    text = values.get(name, "")
    if len(text) > _LONGEST:
        raise BadInput(f"{name} of {len(text)} characters; allowed: {most} cards")
    cards = parse_cards(text)
    if len(cards) > most:
        raise BadInput(f"{name} of {len(cards)} cards; allowed: up to {most}")
    for card in cards:
        if cards.count(card) > 1:
            raise DuplicateCard(f"{format_card(card)} is named twice")
    return cards


def _number(text: str) -> int:
    if text not in {str(number) for number in range(1, MOST_OPPONENTS + 1)}:
        raise BadInput(f"{text[:_LONGEST]!r} opponents; allowed: 1 to {MOST_OPPONENTS}")
    return int(text)


def _word(values: Mapping[str, str], name: str, allowed: tuple[str, ...]) -> str:
    word = values.get(name, "")
    if word not in allowed:
        raise BadInput(
            f"{name} is {word[:_LONGEST]!r}; allowed: {', '.join(filter(None, allowed))}"
        )
    return word


def _amount(values: Mapping[str, str], name: str) -> float | None:
    text = values.get(name, "").strip()
    if not text:
        return None
    try:
        amount = float(text)
    except ValueError:
        amount = -1.0
    if not 0 <= amount <= MOST_AMOUNT:
        raise BadInput(f"{name} of {text[:_LONGEST]!r}; allowed: 0 to {MOST_AMOUNT:g}")
    return amount
