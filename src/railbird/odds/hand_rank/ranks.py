"""Rank of a holding among all others now (IHR), at the end (7cHR), and both combined (EHR).

Results are exact, against one opponent with any two cards. With `railbird.odds.Tables` each is a
look-up; without them the same numbers come from direct enumeration.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird._display import Tabular
from railbird._threads import in_slices
from railbird.cards import CardsLike, HoldingLike
from railbird.odds._checks import known_cards
from railbird.odds.hand_rank._kernels_hand_rank import (
    count_final_ranks,
    look_up_final_ranks,
    rank_before_flop,
    rank_on_board,
)
from railbird.odds.tables.rank_tables import HR7_WHOLE, Tables
from railbird.progress import Progress

RIVER_WHOLE = HR7_WHOLE[3]
"""2 * ahead + tied of a holding that nothing beats or ties on the river, 1980."""


@dataclass(frozen=True, slots=True)
class HandRank(Tabular):
    """Rank of a holding among all that an opponent may have."""

    ihr: float
    """Immediate hand rank: (ahead + tied / 2) / all, with the cards so far."""
    hr7: float
    """Seven-card hand rank: the mean of the river's hand rank over all completions."""
    ahead: int
    tied: int
    behind: int


@checked
def hand_rank(
    hole: HoldingLike,
    board: CardsLike = (),
    *,
    tables: Tables | None = None,
    progress: Progress | None = None,
) -> HandRank:
    """Rank a holding on a board of 0, 3, 4 or 5 cards.

    Before the flop, holdings are ranked by pairs, then high card, then low card, ignoring suits.
    Without ``tables`` enumeration before the flop takes some seconds.

    >>> rank = hand_rank("AcKc", "Kd9s2h")
    >>> rank.ahead, rank.tied, rank.behind
    (1044, 6, 31)
    >>> f"{rank.ihr:.6f} {rank.hr7:.6f}"
    '0.968548 0.885692'
    """
    holding, board = known_cards(hole, board)
    counts = final_ranks(holding, board, tables=tables, progress=progress)
    sum_of_ranks = int(counts @ np.arange(RIVER_WHOLE + 1))
    cards = np.array(board, dtype=np.uint8)
    ahead, tied = rank_on_board(holding, cards) if board else rank_before_flop(holding)
    opponents = comb(50 - len(board), 2)
    return HandRank(
        ihr=(2 * ahead + tied) / (2 * opponents),
        hr7=sum_of_ranks / (RIVER_WHOLE * int(counts.sum())),
        ahead=ahead,
        tied=tied,
        behind=opponents - ahead - tied,
    )


@checked
def final_ranks(
    hole: HoldingLike,
    board: CardsLike = (),
    *,
    tables: Tables | None = None,
    progress: Progress | None = None,
) -> npt.NDArray[np.int64]:
    """Count the completions of the board by the holding's rank on them.

    Returns (1981,): entry x is the number of completions on which 2 * ahead + tied is x of 1980.
    """
    holding, board = known_cards(hole, board)
    cards = np.array(board, dtype=np.uint8)
    completions = comb(50 - len(board), 5 - len(board))

    def count(start: int, stop: int) -> npt.NDArray[np.int64]:
        counts = np.zeros(RIVER_WHOLE + 1, dtype=np.int64)
        if tables is None:
            count_final_ranks(holding, cards, start, stop, counts)
        else:
            look_up_final_ranks(
                holding,
                cards,
                start,
                stop,
                tables.river_start,
                tables.river_pattern,
                tables.river_ihr,
                counts,
            )
        return counts

    slices = in_slices(count, completions, size=16_384, what="completions", progress=progress)
    total: npt.NDArray[np.int64] = np.sum(slices, axis=0)
    return total


@checked
def ehr(ihr: float, hr7: float, street: int, make1: float) -> float:
    """Return the effective hand rank on a street (0 preflop to 3 river), given its Make1 threshold.

    It is the greater of both if either exceeds the threshold; otherwise their mean on the flop,
    where a weak made hand still counts, and the 7cHR on other streets (source, chapter 3.1).

    >>> f"{ehr(0.004163, 0.150662, 1, 0.58):.6f}"
    '0.077412'
    """
    best = max(ihr, hr7)
    if best > make1:
        return best
    return (ihr + hr7) / 2 if street == 1 else hr7
