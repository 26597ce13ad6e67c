"""Selects the decisions of a heads-up no-limit spot to train: by street, board and hand.

`railbird.solve.spot.training` deals the hands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird import odds
from railbird.cards import HOLDINGS, Card, Holding
from railbird.errors import BadInput
from railbird.solve.spot.spot import STREETS

_FLOP_CARDS: Final = 3
_STRAIGHTS: Final = tuple({ace % 13 for ace in range(low, low + 5)} for low in range(-1, 9))


def _most_of_a_suit(board: tuple[Card, ...]) -> int:
    suits = [card % 4 for card in board]
    return max(map(suits.count, suits))


def _is_paired(board: tuple[Card, ...]) -> bool:
    return len({card // 4 for card in board}) < len(board)


def _is_connected(board: tuple[Card, ...]) -> bool:
    ranks = {card // 4 for card in board}
    return max(len(ranks & straight) for straight in _STRAIGHTS) >= _FLOP_CARDS


TEXTURES: Final[Mapping[str, Callable[[tuple[Card, ...]], bool]]] = {
    "paired": _is_paired,
    "unpaired": lambda board: not _is_paired(board),
    "monotone": lambda board: _most_of_a_suit(board) >= _FLOP_CARDS,
    "two-tone": lambda board: _most_of_a_suit(board) == 2,
    "rainbow": lambda board: _most_of_a_suit(board) == 1,
    "connected": _is_connected,
    "ace-high": lambda board: any(card // 4 == 12 for card in board),
}
"""Kinds of boards. Monotone has three or more cards of a suit, connected three of a straight."""
ONE_STREET: Final = "one street"


@lru_cache(maxsize=256)
def _hands_on(board: tuple[Card, ...]) -> odds.HandsOnBoard:
    return odds.hands_on_board(board)


def made_hand(board: tuple[Card, ...], holding: Holding) -> str:
    """Name the made hand of a holding, one of `railbird.odds.MADE_HANDS`."""
    return odds.MADE_HANDS[int(_hands_on(board).made[holding])]


class Drill(NamedTuple):
    """Which decisions are asked. Empty fields allow all."""

    street: str = ""
    texture: str = ""
    """One of `TEXTURES`, judged by all cards on the board at the decision."""
    hand: str = ""
    """A made hand or a draw, as `railbird.odds.range_hits` names them."""
    one_street: bool = False
    """Whether a hand ends with the street of its first question."""

    @classmethod
    def parse(cls, text: str) -> Drill:
        """Read words separated by commas, in any order. Raises `BadInput`.

        >>> Drill.parse("turn, paired, top pair, one street")
        Drill(street='turn', texture='paired', hand='top pair', one_street=True)
        >>> str(Drill.parse("gutshot, flop")), Drill.parse("") == Drill()
        ('flop, gutshot', True)
        """
        hands = (*odds.MADE_HANDS, *odds.DRAWS)
        parts = {"street": STREETS, "texture": (*TEXTURES,), "hand": hands}
        drill = cls()
        for word in filter(None, (" ".join(term.lower().split()) for term in text.split(","))):
            if word == ONE_STREET:
                drill = drill._replace(one_street=True)
                continue
            field_name = next((name for name, words in parts.items() if word in words), None)
            if field_name is None:
                allowed = ", ".join((*STREETS, *TEXTURES, *hands, ONE_STREET))
                raise BadInput(f"{word[:40]!r} is no drill; allowed: {allowed}")
            chosen = getattr(drill, field_name)
            if chosen:
                raise BadInput(f"{chosen!r} and {word!r}; allowed: one {field_name}")
            changed: dict[str, Any] = {field_name: word}
            drill = drill._replace(**changed)
        return drill

    def __str__(self) -> str:
        """Return the words that `parse` reads."""
        words = self.street, self.texture, self.hand, ONE_STREET if self.one_street else ""
        return ", ".join(filter(None, words))

    @property
    def asks_all(self) -> bool:
        """Whether every decision is asked."""
        return not (self.street or self.texture or self.hand)

    def takes_board(self, board: tuple[Card, ...]) -> bool:
        """Return whether a board has the street and the texture."""
        of_street = not self.street or self.street == STREETS[len(board) - _FLOP_CARDS]
        return of_street and (not self.texture or TEXTURES[self.texture](board))

    def takes(self, board: tuple[Card, ...]) -> npt.NDArray[np.bool_]:
        """Return (1326,) whether a decision with each holding on a board is asked."""
        if not self.takes_board(board):
            return np.zeros(HOLDINGS, dtype=np.bool_)
        if not self.hand:
            return np.ones(HOLDINGS, dtype=np.bool_)
        made, draws = _hands_on(board)
        if self.hand in odds.MADE_HANDS:
            of_class: npt.NDArray[np.bool_] = made == odds.MADE_HANDS.index(self.hand)
            return of_class
        needed = [np.uint8(flags) for flags in odds.DRAWS[self.hand]]
        has_all: npt.NDArray[np.bool_] = np.all([draws & flags > 0 for flags in needed], axis=0)
        return has_all
