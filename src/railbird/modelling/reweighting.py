"""What actions say of the holding behind them (Papp 1998, chapter 7).

An action is taken to be done with the holdings above a threshold, which is the share of hands that
the player's frequencies leave out. Where holdings are ranked by value against the opponents, a
lesson depends on what is believed of these. Everything here is public, so players who have seen the
same hands share their arrays: beliefs and scales are kept, and told apart by identity.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from railbird.cards import CLASS_OF_HOLDING, HOLDING_CARDS, HOLDINGS, Card
from railbird.modelling._kernels_board_values import value_by_field
from railbird.modelling.board_ranking import board_order, board_values
from railbird.modelling.income_rates import income_rates
from railbird.modelling.settings import LOW, NO_LESSON, POSTFLOP_SPREAD, PREFLOP_SPREAD

Weights = NDArray[np.float64]
"""(1326,) from 0 to 1, in proportion to the chances of the holdings; 0 where a card lies open."""

_HANDS = 1 << 10
"""Arrays of each kind that are kept: for all observers of some dozens of hands. More hardly helps
those who meet the same cards again in other seats, as they do not meet the same actions."""


class Side(Enum):
    """Which holdings an action speaks for."""

    ABOVE = "above"
    """Those above the threshold: a call, a bet or a raise."""
    BELOW = "below"
    """Those below it: a check, where others would have been bet. Beyond the source."""


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """What one player may hold after some actions, before cards of later boards are ruled out."""

    weights: Weights


@dataclass(frozen=True, slots=True, eq=False)
class Scale:
    """How a player is taken to rank its holdings from the flop on, (1326,) each."""

    values: NDArray[np.float64]
    """EHS' against one opponent, with crude potential."""
    potential: NDArray[np.float64]
    """The crude potential."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one action says of its player's holding."""

    board: tuple[Card, ...]
    """Ascending; empty before the flop."""
    mean: float
    """Share of the hands below the threshold."""
    pot_odds: float
    """What the action asked of a draw: one with more potential keeps its weight; 1 for none."""
    scale: Scale | None = None
    """By which holdings are ranked from the flop on; before it, by income rate."""
    spread: float = 1.0
    """By how much of the usual spread the player's thresholds vary."""
    side: Side = Side.ABOVE
    floor: float = LOW
    """The least factor and the least weight."""

    @property
    def rank(self) -> tuple[bool, float]:
        """Of the lessons of one street the one of the highest rank counts; checks come last."""
        return self.side is Side.ABOVE, self.mean


ANYTHING = Belief(np.ones(HOLDINGS))
"""Before anything was seen."""
ANYTHING.weights.flags.writeable = False


@lru_cache(maxsize=_HANDS)
def reweight(belief: Belief, lesson: Evidence) -> Belief:
    """The belief after a lesson."""
    weights = np.maximum(belief.weights * factors(lesson), lesson.floor)
    weights.flags.writeable = False
    return Belief(weights)


@lru_cache(maxsize=_HANDS)
def visible(belief: Belief, board: tuple[Card, ...]) -> Weights:
    """The weights of a belief where the cards of a board lie open."""
    if not board:
        return belief.weights
    weights = np.where(_blocked(board), 0.0, belief.weights)
    weights.flags.writeable = False
    return weights


@lru_cache(maxsize=_HANDS)
def field_of(beliefs: tuple[Belief, ...], board: tuple[Card, ...]) -> Weights:
    """The mean of some players' weights on a board, each brought to a sum of one."""
    field = chances_of(beliefs[0], board).copy()
    for belief in beliefs[1:]:
        field += chances_of(belief, board)
    field /= len(beliefs)
    field.flags.writeable = False
    return field


@lru_cache(maxsize=_HANDS)
def chances_of(belief: Belief, board: tuple[Card, ...]) -> Weights:
    """The weights of a belief on a board, brought to a sum of one."""
    weights = visible(belief, board)
    chances: Weights = weights / weights.sum()
    return chances


@lru_cache(maxsize=_HANDS)
def field_scale(opponents: tuple[Belief, ...], board: tuple[Card, ...]) -> Scale:
    """Rank holdings on a board by strength against the field of a player's opponents.

    Against one of them, whatever their number, as in the source.
    """
    potential, ranked = board_values(board).potential, board_order(board)
    values = np.empty(HOLDINGS)
    value_by_field(ranked.level, ranked.order, field_of(opponents, board), potential, values)
    return Scale(values, potential)


@lru_cache(maxsize=1 << 12)
def percentile_scale(board: tuple[Card, ...]) -> Scale:
    """Rank holdings on a board by strength against anything."""
    values = board_values(board)
    return Scale(values.ehs, values.potential)


def factors(lesson: Evidence) -> Weights:
    """What an action multiplies the weight of each holding by."""
    if lesson.scale is None:
        return _preflop_factors(lesson.mean, lesson.spread, lesson.floor)
    spread = POSTFLOP_SPREAD * (1 - lesson.mean) * lesson.spread
    floor = lesson.floor
    found = interpolated(lesson.scale.values, lesson.mean, spread, least=0.0, floor=floor)
    if lesson.side is Side.BELOW:
        return 1 + floor - found
    return np.where(lesson.scale.potential >= lesson.pot_odds, 1.0, found)


@cache
def _preflop_factors(mean: float, spread: float, floor: float) -> Weights:
    if mean < NO_LESSON:
        return np.ones(HOLDINGS)
    rates = income_rates(6)[CLASS_OF_HOLDING]
    middle = float(np.quantile(rates, mean))
    return interpolated(rates, middle, PREFLOP_SPREAD * spread, least=-np.inf, floor=floor)


def interpolated(
    values: NDArray[np.float64], mean: float, spread: float, *, least: float, floor: float = LOW
) -> NDArray[np.float64]:
    """Factors from ``floor`` at ``mean`` - ``spread`` to 1 at ``mean`` + ``spread``, in a line.

    Where that begins below ``least``, the smallest value that there is, the line starts there, as
    high as leaves its area what it was.

    >>> interpolated(np.array([0.0, 0.5, 0.6, 0.9]), 0.5, 0.2, least=0.0).round(3).tolist()
    [0.01, 0.505, 0.752, 1.0]
    >>> interpolated(np.array([0.0]), 0.1, 0.3, least=0.0).round(3).tolist()
    [0.5]
    """
    if mean - spread < least:
        start = (spread - (mean - least)) / (spread + (mean - least))
        factors = start + (1 - start) * (values - least) / (mean + spread - least)
    else:
        factors = floor + (1 - floor) * (values - mean + spread) / max(2 * spread, 1e-9)
    return np.clip(factors, floor, 1.0)


@lru_cache(maxsize=_HANDS)
def _blocked(board: tuple[Card, ...]) -> NDArray[np.bool_]:
    either: NDArray[np.bool_] = np.isin(HOLDING_CARDS, board)
    return either[:, 0] | either[:, 1]
