"""Holdings and boards up to a permutation of the suits, as a key of four integers.

A class of boards is found by table (`railbird.cards.isomorphism.boards`); with a holding there are
too many, so the key is computed: the ranks held and on the board by suit, in ascending order.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from railbird.cards.card import Card

SuitKey = tuple[int, int, int, int]
"""By suit: 13 bits for the ranks on the board and, above them, 13 for those held."""

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
