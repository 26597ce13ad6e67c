"""Which holdings an opponent would have played as he did: the "is-bettable" heuristic of Peretz.

A holding is bettable if it is among a share of the best holdings on the board, which depends on
the street and on what was done with it. The order after the flop is by the greater of the rank now
and the rank at the end, so that draws are among the good hands before the river; before the flop
it is by the groups of Sklansky and Malmuth, which the source builds on, and within a group by the
odds against a random hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from railbird.cards import CLASS_OF_HOLDING, CLASSES, HOLDINGS, Card
from railbird.cards.isomorphism.boards import board_index
from railbird.cards.isomorphism.rank_classes import COLUMN
from railbird.cards.ranges._class_order import CLASS_ORDER
from railbird.cards.starting_groups import StartingGroups, starting_groups
from railbird.odds.potential.strength_and_potential import hand_strengths
from railbird.odds.settings import CACHED_BOARDS
from railbird.odds.spectra._kernels_spectra import sum_final_ranks
from railbird.odds.spectra.run_outs import completed_boards
from railbird.odds.tables.rank_tables import HR7_WHOLE, IHR_WHOLE, Tables

Floats = npt.NDArray[np.float64]


class Act(Enum):
    """What was done on a street."""

    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"


def kept_share(quantiles: Floats, share: float, softness: float = 0.0) -> Floats:
    """Return how likely each holding is to be played as it was, by its quantile, 0 the best.

    ``share`` of the holdings are bettable. With ``softness`` 0 they are played and the others are
    not; else the probability falls from one to zero around the share as a logistic function, with
    this width.

    >>> kept_share(np.array([0.1, 0.2, 0.3]), 0.2).tolist()
    [1.0, 0.0, 0.0]
    >>> kept_share(np.array([0.1, 0.2, 0.3]), 0.2, 0.1).round(2).tolist()
    [0.73, 0.5, 0.27]
    """
    if share >= 1:
        return np.ones_like(quantiles)
    if softness == 0:
        return (quantiles < share).astype(np.float64)
    # clipped far from the edge of what a float holds, where the result is 0 or 1 all the same
    kept: Floats = 1 / (1 + np.exp(np.clip((quantiles - share) / softness, -500, 500)))
    return kept


def board_quantiles(board: Sequence[Card], *, tables: Tables | None = None) -> Floats:
    """Return the share of better holdings, (1326,), 0 for the best; NaN for clashes with the board.

    Holdings are weighed equally; in the middle of those that are equal to it lies a holding. With
    ``tables`` ranks at the end are looked up, a tenth of the time of counting them on a flop.
    """
    if not board:
        return _preflop_quantiles()
    ascending = tuple(sorted(board))
    return _counted(ascending) if tables is None else _ordered(ascending, tables)


@lru_cache(maxsize=1)
def _preflop_quantiles() -> Floats:
    groups = starting_groups(StartingGroups.LIMIT)
    place = np.empty(CLASSES)
    place[list(CLASS_ORDER)] = np.arange(CLASSES)
    order = (groups * CLASSES + place)[CLASS_OF_HOLDING]
    return _frozen(_middle_of_equals(-order))


@lru_cache(maxsize=CACHED_BOARDS)
def _counted(board: tuple[Card, ...]) -> Floats:
    return _ordered(board, None)


def _ordered(board: tuple[Card, ...], tables: Tables | None) -> Floats:
    measure = hand_strengths(board)
    if len(board) < 5:
        later = _final_ranks(board) if tables is None else _known_final_ranks(board, tables)
        measure = np.where(np.isnan(measure), np.nan, np.maximum(measure, later))
    return _frozen(_middle_of_equals(measure))


def _final_ranks(board: tuple[Card, ...]) -> Floats:
    """Return each holding's mean rank on the completions of a flop or a turn, (1326,)."""
    left = np.setdiff1d(np.arange(52, dtype=np.uint8), np.array(board, dtype=np.uint8))
    sums, counts = np.zeros(HOLDINGS, dtype=np.int64), np.zeros(HOLDINGS, dtype=np.int64)
    sum_final_ranks(completed_boards(board, left), sums, counts)
    ranks: Floats = sums / (IHR_WHOLE[3] * np.maximum(counts, 1))
    return ranks


def _known_final_ranks(board: tuple[Card, ...], tables: Tables) -> Floats:
    """Return what `_final_ranks` counts from the tables, the same to the last bit."""
    index, flop = board_index(board), len(board) == 3
    pattern = (tables.flop_pattern if flop else tables.turn_pattern)[index]
    start = int((tables.flop_start if flop else tables.turn_start)[index])
    sums = (tables.flop_hr7 if flop else tables.turn_hr7)[start:][COLUMN[pattern]]
    ranks: Floats = sums / HR7_WHOLE[len(board) - 2]
    return ranks


def _middle_of_equals(measure: Floats) -> Floats:
    """Return the share of holdings with a greater measure, of equal ones half."""
    quantiles = np.full(HOLDINGS, np.nan)
    live = np.flatnonzero(np.isfinite(measure))
    _, place, count = np.unique(-measure[live], return_inverse=True, return_counts=True)
    quantiles[live] = (np.cumsum(count) - count / 2)[place] / len(live)
    return quantiles


def _frozen(array: Floats) -> Floats:
    array.flags.writeable = False
    return array
