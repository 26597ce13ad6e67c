"""Assumed ranking of an opponent's holdings on a board: EHS' with a crude, fast potential.

The strength of a holding is against any holding, which makes it a percentile; the potential is the
strength gained on those next cards that help, and ignores the strength lost on the others. Nothing
depends on the observer, so each process computes it once per board.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from railbird._arguments import checked
from railbird.cards import HOLDINGS, Card, cards_from, format_cards
from railbird.cards.hand_strength._kernels_evaluator import CARD_MASK, HOLDING_MASK
from railbird.cards.isomorphism.boards import board_index
from railbird.cards.isomorphism.rank_classes import COLUMN
from railbird.errors import BadInput
from railbird.modelling._kernels_board_values import add_gains
from railbird.odds._checks import check_cards
from railbird.odds.tables._kernels_runouts import rank_all
from railbird.odds.tables.rank_tables import IHR_WHOLE, open_tables

_BOARDS = 4096
"""Boards cached: those of a chunk of a match, which all its directions share."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardValues:
    """Value of each holding on one board, (1326,); 0 if it shares a card with the board."""

    strength: NDArray[np.float64]
    """Strength against one random holding, from 0 to 1."""
    gain: NDArray[np.float64]
    """Mean increase in strength by the next card, decreases counting as 0; 0 on the river."""
    potential: NDArray[np.float64]
    """Crude PPot: the gain divided by the probability of being behind."""

    @property
    def ehs(self) -> NDArray[np.float64]:
        """EHS': strength plus gain."""
        return self.strength + self.gain


@dataclass(frozen=True, slots=True, eq=False)
class BoardOrder:
    """Order of holdings on one board."""

    level: NDArray[np.int32]
    """(1326,) strength class of each; -1 if it shares a card with the board."""
    order: NDArray[np.int16]
    """(holdings,) the others, weakest first."""


@checked
@lru_cache(maxsize=_BOARDS)
def board_values(board: tuple[Card, ...]) -> BoardValues:
    """Return the values of all holdings on a board of three to five cards, ascending.

    Raises `BadInput` for another board.
    """
    dealt = cards_from(board)
    check_cards(dealt, board=dealt)
    if list(dealt) != sorted(dealt) or not dealt:
        raise BadInput(f"board {format_cards(dealt)}; allowed: three to five cards, ascending")
    ranks = _ranks(len(board))
    possible = HOLDING_MASK & CARD_MASK[list(board)].sum() == 0
    immediate = ranks.ranks[_places(ranks, [board])[0]]
    strength = np.where(possible, immediate / ranks.whole, 0.0)
    gain = np.zeros(HOLDINGS)
    if len(board) < 5:
        cards = np.setdiff1d(np.arange(52), board)
        longer = [(*board, Card(card)) for card in cards.tolist()]
        later = _ranks(len(board) + 1)
        add_gains(strength, later.whole, cards, _places(later, longer), later.ranks, gain)
        gain *= possible / (len(longer) - 2)
    potential = np.minimum(gain / np.maximum(1 - strength, 1e-9), 1.0)
    for array in (strength, gain, potential):
        array.flags.writeable = False
    return BoardValues(strength, gain, potential)


@lru_cache(maxsize=_BOARDS)
def board_order(board: tuple[Card, ...]) -> BoardOrder:
    """Rank all holdings on a board of three to five cards, ascending."""
    level, order = np.empty(HOLDINGS, np.int32), np.empty(HOLDINGS, np.int16)
    count = rank_all(np.array(board, np.uint8), level, order)
    return BoardOrder(level, order[:count])


@dataclass(frozen=True, slots=True)
class _Ranks:
    """Tables for boards of one size."""

    start: NDArray[np.int32]
    pattern: NDArray[np.uint8]
    ranks: NDArray[np.uint16]
    """Immediate hand ranks, in units of 1 / ``whole``."""
    whole: int


@cache
def _ranks(cards: int) -> _Ranks:
    """Return the tables, cached: opening their files takes longer than all the rest."""
    tables = open_tables()
    start, pattern, ranks = (
        (tables.flop_start, tables.flop_pattern, tables.flop_ihr),
        (tables.turn_start, tables.turn_pattern, tables.turn_ihr),
        (tables.river_start, tables.river_pattern, tables.river_ihr),
    )[cards - 3]
    return _Ranks(start, pattern, ranks, IHR_WHOLE[cards - 2])


def _places(ranks: _Ranks, boards: list[tuple[Card, ...]]) -> NDArray[np.int32]:
    """Return the table indices of every holding on each board, (boards, 1326)."""
    index = [board_index(board) for board in boards]
    places: NDArray[np.int32] = ranks.start[index, np.newaxis] + COLUMN[ranks.pattern[index]]
    return places
