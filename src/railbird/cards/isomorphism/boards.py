"""Classes of boards that are equal up to a permutation of the suits.

Boards are unordered sets of three, four or five cards: 22,100, 270,725 and 2,598,960 of them, in
1,755, 16,432 and 134,459 classes. A table with a row for each class and a column for each holding
is accessed in two steps:

>>> from railbird.cards import parse_cards, parse_holding
>>> row, permutation = canonical_board(parse_cards("Td5hTh"))
>>> column = HOLDING_UNDER[permutation, parse_holding("Ts6s")]

The column is the image of the holding under the suit permutation that maps the board to the
representative of its class. Kernels find the row by `index_of_3`, `index_of_4`, `index_of_5` of
`railbird.cards.isomorphism._kernels_isomorphism` and the arrays of `BoardClasses`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import comb
from typing import TYPE_CHECKING, NamedTuple, NewType

import numpy as np

from railbird.cards.card import format_cards
from railbird.cards.isomorphism._kernels_isomorphism import (
    CARD_UNDER,
    HOLDING_UNDER,
    SUIT_PERMUTATIONS,
    classify_boards,
    index_of_sorted,
)
from railbird.errors import BadInput, DuplicateCard

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from railbird.cards.card import Card

__all__ = [
    "BOARD_CLASSES",
    "CARD_UNDER",
    "HOLDING_UNDER",
    "SUIT_PERMUTATIONS",
    "BoardClasses",
    "BoardRow",
    "CanonicalBoard",
    "SuitPermutation",
    "board_classes",
    "board_index",
    "canonical_board",
]

BOARD_CLASSES = {3: 1755, 4: 16_432, 5: 134_459}
"""Classes of boards by the number of cards."""

BoardRow = NewType("BoardRow", int)
"""The number of a class of boards of one size, in order of its representative."""

SuitPermutation = NewType("SuitPermutation", int)
"""A row, 0 to 23, of `SUIT_PERMUTATIONS`, `CARD_UNDER` and `HOLDING_UNDER`."""


class CanonicalBoard(NamedTuple):
    """The class of a board, and the suit permutation that maps it to the representative."""

    row: BoardRow
    permutation: SuitPermutation


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardClasses:
    """All boards of one size, folded. The arrays are read-only."""

    row: npt.NDArray[np.int32]
    """(C(52, n),) the row of each board by its combination index."""
    permutation: npt.NDArray[np.uint8]
    """(C(52, n),) the suit permutation that maps each board to its representative."""
    representative: npt.NDArray[np.uint8]
    """(rows, n) ascending cards of the first member of each class."""
    orbit: npt.NDArray[np.uint8]
    """(rows,) the number of boards in each class, a divisor of 24."""


@cache
def board_classes(cards: int) -> BoardClasses:
    """Fold the boards of three, four or five ``cards``; computed once (0.2 s for five)."""
    if cards not in BOARD_CLASSES:
        raise BadInput(f"no classes of boards of {cards} cards; allowed: 3, 4, 5")
    boards, rows = comb(52, cards), BOARD_CLASSES[cards]
    classes = BoardClasses(
        row=np.empty(boards, dtype=np.int32),
        permutation=np.empty(boards, dtype=np.uint8),
        representative=np.empty((rows, cards), dtype=np.uint8),
        orbit=np.empty(rows, dtype=np.uint8),
    )
    classify_boards(classes.row, classes.permutation, classes.representative, classes.orbit)
    for array in (classes.row, classes.permutation, classes.representative, classes.orbit):
        array.flags.writeable = False
    return classes


def board_index(cards: Sequence[Card]) -> int:
    """Return the combination index of a board of three to five cards in any order.

    Raises `BadInput` for another number of cards and `DuplicateCard` for a repeated card.

    >>> from railbird.cards import parse_cards
    >>> board_index(parse_cards("2c2d2h")), board_index(parse_cards("AsAhAd"))
    (0, 22099)
    """
    if len(cards) not in BOARD_CLASSES:
        raise BadInput(f"a board of {len(cards)} cards has no index; allowed: 3, 4, 5 cards")
    board = np.array(sorted(cards), dtype=np.uint8)
    if np.any(board[1:] == board[:-1]):
        raise DuplicateCard(f"a card occurs twice on the board {format_cards(cards)}")
    return int(index_of_sorted(board))


def canonical_board(cards: Sequence[Card]) -> CanonicalBoard:
    """Return the class of a board of three to five cards in any order.

    >>> from railbird.cards import format_cards, parse_cards
    >>> row, permutation = canonical_board(parse_cards("AsKs2d"))
    >>> format_cards(board_classes(3).representative[row].tolist())
    '2dKcAc'
    >>> format_cards([CARD_UNDER[permutation, card] for card in parse_cards("AsKs2d")])
    'AcKc2d'
    """
    index = board_index(cards)
    classes = board_classes(len(cards))
    return CanonicalBoard(
        BoardRow(int(classes.row[index])), SuitPermutation(int(classes.permutation[index]))
    )
