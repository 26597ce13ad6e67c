"""Everything that the odds of one holding on one board come to, in one answer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from railbird._arguments import checked
from railbird._display import Tabular
from railbird.cards import CardsLike, HoldingLike
from railbird.odds._checks import check_opponents, known_cards
from railbird.odds.hand_rank.ranks import RIVER_WHOLE, ehr, final_ranks, hand_rank
from railbird.odds.potential.strength_and_potential import hand_strength, potential
from railbird.odds.tables.rank_tables import Tables
from railbird.progress import Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOdds(Tabular):
    """Odds of one holding; None where the street does not define them."""

    ihr: float
    """Immediate hand rank, against one opponent."""
    hr7: float
    """Seven-card hand rank, against one opponent."""
    ehr: float
    """Effective hand rank, against one opponent."""
    hs: float | None
    """Hand strength: the chance to be ahead now of all opponents; from the flop on."""
    ppot1: float | None
    """Positive potential with one card to come; flop and turn."""
    ppot2: float | None
    """Positive potential with two cards to come; flop."""
    npot1: float | None
    npot2: float | None
    raw_odds: float
    """Chance to be best at showdown against all opponents."""


@checked
def hand_odds(
    hole: HoldingLike,
    board: CardsLike = (),
    *,
    opponents: int = 1,
    make1: float = 0.58,
    tables: Tables | None = None,
    progress: Progress | None = None,
) -> HandOdds:
    """Work out all odds of a holding against opponents who may hold anything.

    ``make1`` is the threshold of the effective hand rank. Without ``tables`` the odds before the
    flop take some seconds.

    >>> odds = hand_odds("AcKc", "Kd9s2h", opponents=2)
    >>> f"{odds.hs:.4f} {odds.raw_odds:.4f}"
    '0.9381 0.7875'
    """
    holding, board = known_cards(hole, board)
    check_opponents(opponents)
    rank = hand_rank(holding, board, tables=tables, progress=progress)
    street = max(0, len(board) - 2)
    one = potential(holding, board, to_come=1) if street in (1, 2) else None
    two = potential(holding, board, to_come=2) if street == 1 else None
    return HandOdds(
        ihr=rank.ihr,
        hr7=rank.hr7,
        ehr=ehr(rank.ihr, rank.hr7, street, make1),
        hs=hand_strength(holding, board, opponents=opponents) if board else None,
        ppot1=one.ppot if one else None,
        ppot2=two.ppot if two else None,
        npot1=one.npot if one else None,
        npot2=two.npot if two else None,
        raw_odds=raw_odds(holding, board, opponents=opponents, tables=tables, progress=progress),
    )


@checked
def raw_odds(
    hole: HoldingLike,
    board: CardsLike = (),
    *,
    opponents: int = 1,
    tables: Tables | None = None,
    progress: Progress | None = None,
) -> float:
    """Chance to be best at showdown if nobody folds, each opponent's holding being independent.

    The rank among one opponent's holdings is raised to the number of opponents on each completed
    board separately and then averaged (Peretz 2005, "Raw Hand Odds vs. n Opponents"), so that a
    draw to the nuts does not lose its value in a crowd. Against one opponent it is the exact
    equity.

    >>> [round(raw_odds("As5s", "Ks9s2d", opponents=n), 2) for n in (1, 2, 3)]
    [0.67, 0.53, 0.46]
    """
    check_opponents(opponents)
    counts = final_ranks(hole, board, tables=tables, progress=progress)
    ranks = np.arange(RIVER_WHOLE + 1) / RIVER_WHOLE
    return float(counts @ ranks**opponents / counts.sum())
