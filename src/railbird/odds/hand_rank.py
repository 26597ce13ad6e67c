"""Rank of a holding among all others now (IHR), at the end (7cHR), and both combined (EHR).

Results are exact, against one opponent with any two cards. With `railbird.odds.Tables` each is a
look-up; without them the same numbers come from direct enumeration.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from math import comb, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird._display import HasTable
from railbird._threads import in_slices
from railbird.cards import (
    CLASS_OF_HOLDING,
    CLASSES,
    HOLDING_INDEX,
    Card,
    CardsLike,
    Holding,
    HoldingLike,
    cards_from,
    cards_of,
    parse_class,
)
from railbird.cards.isomorphism import SuitKey, cards_of_key, suit_key
from railbird.odds.arguments import CACHED_STATES, check_cards, known_cards
from railbird.odds.rank_kernels import (
    count_final_ranks,
    final_strength_moments,
    look_up_final_ranks,
    mean_final_strength,
    rank_before_flop,
    rank_on_board,
)
from railbird.odds.rank_tables import HR7_WHOLE, Tables
from railbird.progress import Progress

RIVER_WHOLE = HR7_WHOLE[3]
"""2 * ahead + tied of a holding that nothing beats or ties on the river, 1980."""


@dataclass(frozen=True, slots=True)
class HandRank(HasTable):
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


# Strength at the end of the hand: of one holding, of any holding on a board, and both compared.


_FILE: Final = "preflop_strengths.csv"


@dataclass(frozen=True, slots=True)
class StrengthDistribution:
    """Strengths (0 to 7461) at the end, all holdings and run-outs being equally likely."""

    mean: float
    deviation: float
    """Standard deviation."""


ANY_BOARD: Final = StrengthDistribution(mean=3366.116409457, deviation=1773.405852361)
"""The distribution before the flop, of all 133,784,560 hands of seven cards."""


@checked
def final_strengths(board: CardsLike) -> StrengthDistribution:
    """Return the exact distribution of strengths that a board of 0, 3, 4 or 5 cards leads to.

    >>> river = final_strengths("AsAhAdAcKs")  # the board plays
    >>> river.mean, river.deviation
    (7451.0, 0.0)
    """
    cards = cards_from(board)
    check_cards(cards, board=cards)
    return _distribution(suit_key((), cards)) if cards else ANY_BOARD


@checked
def final_strength(hole: HoldingLike, board: CardsLike = ()) -> float:
    """Return the exact mean strength of a holding at the end, over all run-outs."""
    return state_strength(*known_cards(hole, board))


@checked
def rating(hole: HoldingLike, board: CardsLike = ()) -> float:
    """Return by how many standard deviations a holding exceeds the mean of its board.

    Both are over strengths at the end, on all run-outs; 0 if all holdings tie. From Booker (2004),
    section 7.3, who sampled the deals.

    >>> round(rating("AsAh"), 2), round(rating("7c2d"), 2)
    (0.92, -0.22)
    """
    return state_rating(*known_cards(hole, board))


def state_strength(holding: Holding, board: Sequence[Card]) -> float:
    """Return the result of `final_strength` for cards that are known to be valid."""
    if not board:
        return _preflop_strengths().item(CLASS_OF_HOLDING[holding])
    return _mean(suit_key(cards_of(holding), board))


def state_rating(holding: Holding, board: Sequence[Card]) -> float:
    """Return the result of `rating` for cards that are known to be valid."""
    # Suits are interchangeable, so cards are cached under a key that ignores which suit is which.
    strengths = _distribution(suit_key((), board)) if board else ANY_BOARD
    if not strengths.deviation:
        return 0.0
    return (state_strength(holding, board) - strengths.mean) / strengths.deviation


@lru_cache(maxsize=CACHED_STATES)
def _distribution(key: SuitKey) -> StrengthDistribution:
    moments = np.empty(2)
    final_strength_moments(np.array(cards_of_key(key)[1], np.uint8), moments)
    mean, variance = moments.tolist()
    return StrengthDistribution(mean, sqrt(max(variance, 0.0)))


@lru_cache(maxsize=CACHED_STATES)
def _mean(key: SuitKey) -> float:
    held, board = cards_of_key(key)
    return mean_final_strength(np.array(board, np.uint8), int(HOLDING_INDEX[held[0], held[1]]))


@cache
def _preflop_strengths() -> npt.NDArray[np.float64]:
    """Return the mean strength of each class, (169,), counted over all boards."""
    text = files("railbird.odds").joinpath("data", _FILE).read_text("utf-8")
    strengths = np.empty(CLASSES)
    for row in csv.DictReader(io.StringIO(text)):
        strengths[parse_class(row["hand"])] = float(row["strength"])
    return strengths
