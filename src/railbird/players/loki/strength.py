"""Evaluation of Loki's own hand on a board against the field of its opponents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDINGS, Card, Holding
from railbird.odds.potential.strength_and_potential import potential
from railbird.players.loki import _kernels_weighted_potential

_BOARDS = 64
"""Boards cached; all players at a table need the same ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandEvaluation:
    """Strength and potential of a hand, all from 0 to 1."""

    hs1: float
    """Probability of being ahead of one opponent with the field's weights."""
    hs: float
    """Probability of being ahead of all who count: ``hs1`` to the power of their number."""
    ppot: float
    """Probability of overtaking one opponent when behind; 0 on the river."""
    npot: float
    """Probability of falling behind one opponent when ahead; 0 on the river."""
    opponents: int
    """Number of opponents who count."""

    @property
    def ehs(self) -> float:
        """HS + (1 - HS) PPot - HS NPot, the estimated probability of winning at showdown."""
        return self.hs + (1 - self.hs) * self.ppot - self.hs * self.npot

    @property
    def optimistic_ehs(self) -> float:
        """HS + (1 - HS) PPot, the probability of being or getting ahead, by which Loki bets."""
        return self.hs + (1 - self.hs) * self.ppot


@dataclass(frozen=True, slots=True)
class BoardStrengths:
    """Strengths on a board, and with one more card."""

    level: NDArray[np.int32]
    """(1326,) strength of every holding; -1 if it shares a card with the board."""
    later: NDArray[np.int32]
    """(13, 91) strengths without flushes by next rank and pair of ranks; before the river only."""


@lru_cache(maxsize=_BOARDS)
def board_strengths(board: tuple[Card, ...]) -> BoardStrengths:
    """Rank all holdings on a board of three to five cards."""
    level, later = np.empty(HOLDINGS, np.int32), np.empty((13, 91), np.int32)
    _kernels_weighted_potential.fill_strengths(np.array(board, np.uint8), level, later)
    return BoardStrengths(level, later)


def worth(
    holding: Holding,
    board: Sequence[Card],
    field: NDArray[np.float64],
    *,
    opponents: int,
    lookahead: int = 1,
) -> HandEvaluation:
    """Evaluate a hand against a field array (1326,) by enumeration, from the flop on.

    ``lookahead`` is the number of cards that potential looks ahead, if so many are to come.
    """
    if lookahead == 2 and len(board) == 3:
        standing = potential(holding, board, to_come=2, weights=field)
        hs1, ppot, npot = standing.hs, standing.ppot, standing.npot
    else:
        cards, strengths = np.array(board, np.uint8), board_strengths(tuple(sorted(board)))
        hs1, ppot, npot = _kernels_weighted_potential.evaluate(
            holding, cards, strengths.level, strengths.later, field
        )
    return HandEvaluation(hs1=hs1, hs=hs1**opponents, ppot=ppot, npot=npot, opponents=opponents)


def ahead_of_each(
    holding: Holding, board: Sequence[Card], weights: Sequence[NDArray[np.float64]]
) -> float:
    """Return the probability of being ahead of several opponents, each with weights (1326,)."""
    level = board_strengths(tuple(sorted(board))).level
    standings = (
        _kernels_weighted_potential.strength_now(holding, level, weights_of_one)
        for weights_of_one in weights
    )
    return prod(standings)
