"""How an opponent is taken to rank its holdings on a board: EHS' with a crude, fast potential.

The strength of each holding is against anything, which makes it a percentile, and the potential is
what the next card adds to it on those cards that help: the chance to come from behind exceeds that
by what is lost on the way. Nothing in it depends on who looks, so a process works it out once for
each board.
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
"""Boards kept: those of a chunk of a match, which all its directions see."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardValues:
    """What each holding is worth on one board, (1326,); 0 where it shares a card with it."""

    strength: NDArray[np.float64]
    """Against one opponent who may hold anything, from 0 to 1."""
    gain: NDArray[np.float64]
    """What the next card adds to it on average, where it adds; 0 on the river."""
    potential: NDArray[np.float64]
    """Crude PPot: the gain by the chance to be behind."""

    @property
    def ehs(self) -> NDArray[np.float64]:
        """EHS', strength and gain."""
        return self.strength + self.gain


@dataclass(frozen=True, slots=True, eq=False)
class BoardOrder:
    """How holdings stand to each other on one board."""

    level: NDArray[np.int32]
    """(1326,) the strength of each; -1 where it shares a card with the board."""
    order: NDArray[np.int16]
    """(holdings,) the others, weakest first."""


@checked
@lru_cache(maxsize=_BOARDS)
def board_values(board: tuple[Card, ...]) -> BoardValues:
    """The values of all holdings on a board of three to five cards, ascending.

    Raises `BadInput` for another board.
    """
    dealt = cards_from(board)
    check_cards(dealt, board=dealt)
    if list(dealt) != sorted(dealt) or not dealt:
        raise BadInput(f"board {format_cards(dealt)}; allowed: three to five cards, ascending")
    ranks = _ranks(len(board))
    possible = HOLDING_MASK & CARD_MASK[list(board)].sum() == 0
    found = ranks.ranks[_places(ranks, [board])[0]]
    strength = np.where(possible, found / ranks.whole, 0.0)
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
    """The tables of the boards of one size."""

    start: NDArray[np.int32]
    pattern: NDArray[np.uint8]
    ranks: NDArray[np.uint16]
    """Immediate hand ranks in parts of ``whole``."""
    whole: int


@cache
def _ranks(cards: int) -> _Ranks:
    """Kept: to open the tables looks at their files, which takes longer than all the rest."""
    tables = open_tables()
    start, pattern, ranks = (
        (tables.flop_start, tables.flop_pattern, tables.flop_ihr),
        (tables.turn_start, tables.turn_pattern, tables.turn_ihr),
        (tables.river_start, tables.river_pattern, tables.river_ihr),
    )[cards - 3]
    return _Ranks(start, pattern, ranks, IHR_WHOLE[cards - 2])


def _places(ranks: _Ranks, boards: list[tuple[Card, ...]]) -> NDArray[np.int32]:
    """Where the ranks of every holding on each board stand, (boards, 1326)."""
    index = [board_index(board) for board in boards]
    places: NDArray[np.int32] = ranks.start[index, np.newaxis] + COLUMN[ranks.pattern[index]]
    return places
