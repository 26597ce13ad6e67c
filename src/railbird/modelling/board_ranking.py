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
from railbird.errors import BadInput
from railbird.game import Street
from railbird.modelling._kernels_board_values import BoardTables, fill_ranks_and_gains
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
    ranks, gains = np.empty(HOLDINGS, np.int32), np.empty(HOLDINGS, np.int32)
    fill_ranks_and_gains(np.array(board, np.uint8), board_tables(), ranks, gains)
    street = Street(len(board) - 2)
    strength = ranks / IHR_WHOLE[street]
    gain = np.zeros(HOLDINGS)
    if street is not Street.RIVER:
        gain = gains / (IHR_WHOLE[street] * IHR_WHOLE[street + 1] * (50 - len(board)))
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


@cache
def board_tables() -> BoardTables:
    """Return the tables that kernels read, cached: opening their files takes longer than the rest.

    Raises `RailbirdError` if missing tables cannot be built.
    """
    tables = open_tables()
    return BoardTables(
        tables.flop_start,
        tables.flop_pattern,
        tables.flop_ihr,
        np.zeros(len(tables.flop_ihr), np.int32),
        tables.turn_start,
        tables.turn_pattern,
        tables.turn_ihr,
        np.zeros(len(tables.turn_ihr), np.int32),
        tables.river_start,
        tables.river_pattern,
        tables.river_ihr,
    )
