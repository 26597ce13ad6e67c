"""All odds of one holding on one board in one result."""

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
    """Odds of one holding; None if undefined on the street."""

    ihr: float
    """Immediate hand rank, against one opponent."""
    hr7: float
    """Seven-card hand rank, against one opponent."""
    ehr: float
    """Effective hand rank, against one opponent."""
    hs: float | None
    """Hand strength: the probability of being ahead of all opponents now; from the flop on."""
    ppot1: float | None
    """Positive potential with one card to come; flop and turn."""
    ppot2: float | None
    """Positive potential with two cards to come; flop."""
    npot1: float | None
    npot2: float | None
    raw_odds: float
    """Probability of having the best hand at showdown against all opponents."""


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
    """Compute all odds of a holding against opponents with any two cards.

    ``make1`` is the threshold in the effective hand rank. Without ``tables`` preflop odds take some
    seconds.

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
    """Return the probability of the best hand at showdown if nobody folds, opponents independent.

    On each completed board the hand rank against one opponent is raised to the power of the number
    of opponents, and the results are averaged (Peretz 2005, "Raw Hand Odds vs. n Opponents"), so
    that a draw to the nuts keeps its value in a crowd. Against one opponent this is the exact
    equity.

    >>> [round(raw_odds("As5s", "Ks9s2d", opponents=n), 2) for n in (1, 2, 3)]
    [0.67, 0.53, 0.46]
    """
    check_opponents(opponents)
    counts = final_ranks(hole, board, tables=tables, progress=progress)
    ranks = np.arange(RIVER_WHOLE + 1) / RIVER_WHOLE
    return float(counts @ ranks**opponents / counts.sum())
