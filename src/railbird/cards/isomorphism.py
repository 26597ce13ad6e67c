"""Classes of boards that are equal up to a permutation of the suits.

Boards are unordered sets of three, four or five cards: 22,100, 270,725 and 2,598,960 of them, in
1,755, 16,432 and 134,459 classes. A table with a row for each class and a column for each holding
is accessed in two steps:

>>> from railbird.cards import parse_cards, parse_holding
>>> from railbird.cards.isomorphism_kernels import HOLDING_UNDER
>>> row, permutation = canonical_board(parse_cards("Td5hTh"))
>>> column = HOLDING_UNDER[permutation, parse_holding("Ts6s")]

The column is the image of the holding under the suit permutation that maps the board to the
representative of its class. Kernels find the row by `index_of_3`, `index_of_4`, `index_of_5` of
`railbird.cards.isomorphism_kernels` and the arrays of `BoardClasses`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from math import comb
from typing import TYPE_CHECKING, NamedTuple, NewType

import numpy as np

from railbird.cards.card import Card, format_cards
from railbird.cards.isomorphism_kernels import (
    NO_SUIT,
    ONE_SUIT,
    SUIT_PAIRS,
    TWO_SUITS,
    WIDTHS,
    classify_boards,
    index_of_sorted,
)
from railbird.errors import BadInput, DuplicateCard

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt


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
    """The boards of one size by classes that suit permutations make equal; read-only arrays."""

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
    """Return the classes of boards of three to five ``cards``; computed once (0.2 s for five)."""
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
    >>> from railbird.cards.isomorphism_kernels import CARD_UNDER
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


# Classes of boards on which hands rank alike, the rows of a table; see `COLUMN`.
#
# A row is found by the board's combination index: ``start`` is its beginning in a flat table and
# ``pattern`` the row of `COLUMN` with the columns of the holdings:
#
# >>> from railbird.cards import parse_cards, parse_holding
# >>> from railbird.cards.isomorphism import board_index
# >>> classes = rank_classes(5)
# >>> def entry(board, holding):
# ...     index = board_index(parse_cards(board))
# ...     return classes.start[index] + COLUMN[classes.pattern[index], parse_holding(holding)]
# >>> bool(entry("Td5hTh2d2h", "Jd5d") == entry("Th5dTd2h2d", "Jh5h"))
# True


RANK_ROWS = {4: 16_432, 5: 42_783}
"""Rows of a rank table, by the number of cards on the board."""

RANK_ENTRIES = {4: 6_616_181, 5: 13_411_333}
"""Entries of all rows of a rank table, by the number of cards on the board."""

_TO_FLUSH = 2
"""A suit matters on n cards from n - 2 of it: a flush needs three, and 5 - n are to come."""
_RANK_BITS = 13
_COUNT_BITS = 3
_BIT_OF_RANK = np.int64(1) << np.arange(52) // 4
_COUNT_OF_RANK = np.int64(1) << _COUNT_BITS * (np.arange(52) // 4)
_PAIR_OF_SUITS = {tuple(pair): n for n, pair in enumerate(SUIT_PAIRS.tolist())}


@dataclass(frozen=True, slots=True, kw_only=True)
class RankClasses:
    """The boards of one size by rows of the rank tables that they share; read-only arrays."""

    start: npt.NDArray[np.int32]
    """(C(52, n),) start of each board's row, by its combination index."""
    pattern: npt.NDArray[np.uint8]
    """(C(52, n),) the row of `COLUMN` for each board."""
    representative: npt.NDArray[np.uint8]
    """(rows, n) ascending cards of the first board of each row."""
    row_start: npt.NDArray[np.int32]
    """(rows,) start of each row."""
    row_pattern: npt.NDArray[np.uint8]
    """(rows,) the row of `COLUMN` for each representative."""


@cache
def rank_classes(cards: int) -> RankClasses:
    """Return the rows that boards of four or five ``cards`` share; computed once (1 s for five)."""
    if cards not in RANK_ROWS:
        raise BadInput(f"no rank classes of boards of {cards} cards; allowed: 4, 5")
    boards = _all_boards(cards)
    kind, pattern, key = _keys(boards)
    _, first, row = np.unique(key, return_index=True, return_inverse=True)
    widths = np.array(list(WIDTHS.values()))[kind[first]]
    row_start = (np.cumsum(widths) - widths).astype(np.int32)
    classes = RankClasses(
        start=row_start[row],
        pattern=pattern,
        representative=boards[first],
        row_start=row_start,
        row_pattern=pattern[first],
    )
    for array in (classes.start, classes.pattern, classes.representative):
        array.flags.writeable = False
    return classes


def _all_boards(cards: int) -> npt.NDArray[np.uint8]:
    """Return all boards (C(52, n), n), ascending, by combination index."""
    boards = np.arange(52, dtype=np.uint8)[:, np.newaxis]
    for size in range(2, cards + 1):
        # Below a highest card lie the first so many boards that are one card smaller.
        counts = [comb(highest, size - 1) for highest in range(52)]
        lower = np.concatenate([boards[:count] for count in counts])
        boards = np.column_stack([lower, np.repeat(np.arange(52, dtype=np.uint8), counts)])
    return np.ascontiguousarray(boards)


def _keys(
    boards: npt.NDArray[np.uint8],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Return for each board the number of suits that matter, the pattern, and a key of its row.

    The key consists of the ranks in each suit that matters, and the ranks of the other cards.
    """
    every = np.arange(len(boards))
    ranks = np.zeros((4, len(boards)), dtype=np.int64)
    for card in boards.T:
        ranks[card % 4, every] |= _BIT_OF_RANK[card]
    matters = np.bitwise_count(ranks) >= boards.shape[1] - _TO_FLUSH
    kind = matters.sum(axis=0)
    first, last = np.argmax(matters, axis=0), 3 - np.argmax(matters[::-1], axis=0)
    ranks_first, ranks_last = ranks[first, every], ranks[last, every]
    # Of two suits the one with the higher ranks comes first, so that both orders share a row.
    first, last = np.where(ranks_first < ranks_last, (last, first), (first, last))
    others = np.zeros(len(boards), dtype=np.int64)
    for card in boards.T:
        others += np.where(matters[card % 4, every], 0, _COUNT_OF_RANK[card])
    shift = _COUNT_BITS * _RANK_BITS
    most, least = np.maximum(ranks_first, ranks_last), np.minimum(ranks_first, ranks_last)
    key = np.select(
        [kind == 0, kind == 1],
        [others, 1 << 60 | ranks_first << shift | others],
        1 << 61 | most << shift | least,
    )
    pairs = np.zeros((4, 4), dtype=np.int64)
    for (first_suit, second_suit), number in _PAIR_OF_SUITS.items():
        pairs[first_suit, second_suit] = number
    pattern = np.select(
        [kind == 0, kind == 1], [NO_SUIT, ONE_SUIT + first], TWO_SUITS + pairs[first, last]
    )
    return kind, pattern.astype(np.uint8), key


# Holdings and boards up to a permutation of the suits, as a key of four integers.
#
# A class of boards is found by table (`railbird.cards.isomorphism`); with a holding there
# are too many, so the key is computed: the ranks held and on the board by suit, in ascending order.


SuitKey = tuple[int, int, int, int]
"""Two numbers by suit: 13 bits for the ranks on the board and, above them, 13 for those held."""

_HELD = 13
_RANKS = (1 << _HELD) - 1


def suit_key(held: Iterable[Card], board: Iterable[Card]) -> SuitKey:
    """Return the key; cards in another order or with other names of suits have the same.

    >>> from railbird.cards.card import parse_cards
    >>> one = suit_key(parse_cards("AsKs"), parse_cards("2s3s4d"))
    >>> one == suit_key(parse_cards("KcAc"), parse_cards("4h3c2c"))
    True
    """
    suits = [0, 0, 0, 0]
    for card in board:
        suits[card & 3] |= 1 << (card >> 2)
    for card in held:
        suits[card & 3] |= 1 << (card >> 2) + _HELD
    suits.sort()
    return suits[0], suits[1], suits[2], suits[3]


def cards_of_key(key: SuitKey) -> tuple[list[Card], list[Card]]:
    """Return the cards held and the board of one state with a key."""
    held: list[Card] = []
    board: list[Card] = []
    for suit, ranks in enumerate(key):
        if ranks:
            held += _cards(suit, ranks >> _HELD)
            board += _cards(suit, ranks & _RANKS)
    return held, board


@lru_cache(maxsize=1 << 13)
def _cards(suit: int, ranks: int) -> tuple[Card, ...]:
    return tuple([Card(4 * rank + suit) for rank in range(_HELD) if ranks >> rank & 1])
