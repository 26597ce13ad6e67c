"""Evaluation of Loki's own hand on a board against the field of its opponents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod

import numpy as np
from numpy.typing import NDArray

from railbird.cards import Card, Holding
from railbird.modelling.board_ranking import BoardOrder, board_order
from railbird.odds.potential.strength_and_potential import Potential, potential
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
    """Strength of every holding on a board and, before the river, after each next card."""

    now: BoardOrder
    after: NDArray[np.uint16] | None
    """(52, holdings) in that order, by the next card; None on the river."""


@lru_cache(maxsize=_BOARDS)
def board_strengths(board: tuple[Card, ...]) -> BoardStrengths:
    """Rank all holdings on a board of three to five cards."""
    ranked = board_order(board)
    if len(board) == 5:
        return BoardStrengths(ranked, None)
    after = np.empty((52, len(ranked.order)), np.uint16)
    _kernels_weighted_potential.fill_next_strengths(np.array(board, np.uint8), ranked.order, after)
    return BoardStrengths(ranked, after)


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
    strengths = board_strengths(tuple(sorted(board)))
    level, order = strengths.now.level, strengths.now.order
    if strengths.after is None:
        standing = _standing(holding, level, field)
    elif lookahead == 2 and len(board) == 3:
        standing = potential(holding, board, to_come=2, weights=field)
    else:
        table = np.zeros((3, 3))
        _kernels_weighted_potential.tally_next(holding, level, order, strengths.after, field, table)
        standing = Potential(table=tuple(map(tuple, table.tolist())))
    hs1, river = standing.hs, strengths.after is None
    return HandEvaluation(
        hs1=hs1,
        hs=hs1**opponents,
        ppot=0.0 if river else standing.ppot,
        npot=0.0 if river else standing.npot,
        opponents=opponents,
    )


def ahead_of_each(
    holding: Holding, board: Sequence[Card], weights: Sequence[NDArray[np.float64]]
) -> float:
    """Return the probability of being ahead of several opponents, each with weights (1326,)."""
    level = board_order(tuple(sorted(board))).level
    return prod(_standing(holding, level, weights_of_one).hs for weights_of_one in weights)


def _standing(
    holding: Holding, level: NDArray[np.int32], weights: NDArray[np.float64]
) -> Potential:
    """Return a holding's current strength, as a `Potential` with no cards to come."""
    row = np.zeros(3)
    _kernels_weighted_potential.tally_now(holding, level, weights, row)
    ahead, tied, behind = row.tolist()
    return Potential(table=((ahead, 0.0, 0.0), (0.0, tied, 0.0), (0.0, 0.0, behind)))
