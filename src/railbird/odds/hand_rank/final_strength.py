"""Strength at the end of the hand: of one holding, of any holding on a board, and both compared."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from math import sqrt
from typing import Final

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
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
from railbird.cards.isomorphism.suit_key import SuitKey, cards_of_key, suit_key
from railbird.odds._checks import check_cards, known_cards
from railbird.odds.hand_rank._kernels_final_strength import (
    final_strength_moments,
    mean_final_strength,
)
from railbird.odds.settings import CACHED_STATES

_FILE: Final = "data/preflop_strengths.csv"


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

    Both are of strengths at the end, over the run-outs; 0 where all holdings tie. Booker (2004),
    section 7.3, whose deals were sampled.

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
    text = files(__package__).joinpath(_FILE).read_text("utf-8")
    strengths = np.empty(CLASSES)
    for row in csv.DictReader(io.StringIO(text)):
        strengths[parse_class(row["hand"])] = float(row["strength"])
    return strengths
