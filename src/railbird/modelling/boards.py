"""How an opponent is taken to rank its holdings on a board: EHS' with a crude, fast potential.

The strength of each holding is against anything, which makes it a percentile, and the potential is
what the next card adds to it on those cards that help: the chance to come from behind exceeds that
by what is lost on the way. Nothing in it depends on who looks, so a process works it out once for
each board.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDINGS, Card
from railbird.cards.isomorphism import HOLDING_UNDER, board_index
from railbird.odds.tables import ABSENT_16, IHR_WHOLE, Tables, open_tables

_BOARDS = 4096
"""Boards kept: those of a chunk of a match, which all its directions see."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardValues:
    """What each holding is worth on one board, (1326,); 0 where it shares a card with it."""

    strength: NDArray[np.float64]
    """Against one opponent who may hold anything, from 0 to 1."""
    gain: NDArray[np.float64]
    """What the next card adds to it on average, where it adds; 0 on the river."""
    ehs: NDArray[np.float64]
    """EHS', their sum."""

    @property
    def potential(self) -> NDArray[np.float64]:
        """Crude PPot: the gain by the chance to be behind."""
        behind = np.maximum(1 - self.strength, 1e-9)
        potential: NDArray[np.float64] = np.minimum(self.gain / behind, 1.0)
        return potential


@lru_cache(maxsize=_BOARDS)
def board_values(board: tuple[Card, ...]) -> BoardValues:
    """The values of all holdings on a board of three to five cards, ascending."""
    tables = open_tables()
    (now,) = _strengths(tables, [board])
    possible = now >= 0
    strength = np.where(possible, now, 0.0)
    gain = np.zeros(HOLDINGS)
    if len(board) < 5:
        longer = [(*board, Card(card)) for card in range(52) if card not in board]
        # A card that the holding has itself cannot come; its entry is negative and adds nothing.
        gain = np.maximum(_strengths(tables, longer) - strength, 0.0).sum(axis=0)
        gain *= possible / (len(longer) - 2)
    values = BoardValues(strength, gain, strength + gain)
    for array in (values.strength, values.gain, values.ehs):
        array.flags.writeable = False
    return values


def _strengths(tables: Tables, boards: list[tuple[Card, ...]]) -> NDArray[np.float64]:
    """Immediate hand rank of every holding on each board; negative where they share a card."""
    street = len(boards[0]) - 2
    row, permutation, ranks = (
        (tables.flop_row, tables.flop_permutation, tables.flop_ihr),
        (tables.turn_row, tables.turn_permutation, tables.turn_ihr),
        (tables.river_row, tables.river_permutation, tables.river_ihr),
    )[street - 1]
    index = [board_index(board) for board in boards]
    found = np.take_along_axis(ranks[row[index]], HOLDING_UNDER[permutation[index]], axis=1)
    strengths: NDArray[np.float64] = np.where(found == ABSENT_16, -1.0, found / IHR_WHOLE[street])
    return strengths
