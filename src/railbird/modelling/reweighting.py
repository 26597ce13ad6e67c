"""Inference from an action to the holding behind it (Papp 1998, chapter 7).

An action is assumed to be taken with the holdings above a threshold: the share of hands with which
the player, by its frequencies, would not have taken it. If holdings are ranked against the
opponents, the evidence also depends on beliefs about these. Everything here is public, so players
who have seen the same hands share arrays: beliefs and scales are cached and compared by identity.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from railbird.cards import CLASS_OF_HOLDING, HOLDING_CARDS, HOLDINGS, Card
from railbird.cards.hand_strength._kernels_evaluator import CARD_MASK
from railbird.modelling._kernels_board_values import value_by_field
from railbird.modelling._kernels_tracker import normalise
from railbird.modelling.board_ranking import board_order, board_values
from railbird.modelling.income_rates import income_rates
from railbird.modelling.settings import LEAST_PREFLOP_MEAN, LOW, POSTFLOP_SPREAD, PREFLOP_SPREAD

Weights = NDArray[np.float64]
"""(1326,) from 0 to 1, proportional to the holdings' probabilities; 0 if a card is exposed."""

_HANDS = 1 << 10
"""Arrays of each kind that are cached: enough for all observers of some dozens of hands. More would
hardly help when the same cards return with seats exchanged, since the actions differ."""


class Side(Enum):
    """Holdings that an action makes more likely."""

    ABOVE = "above"
    """Those above the threshold: a call, a bet or a raise."""
    BELOW = "below"
    """Those below it: a check, where others would have been bet. Beyond the source."""


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """Weights of one player's holdings after some actions, before excluding later board cards."""

    weights: Weights


@dataclass(frozen=True, slots=True, eq=False)
class Scale:
    """A player's assumed ranking of its holdings from the flop on, (1326,) each."""

    values: NDArray[np.float64]
    """EHS' against one opponent, with crude potential."""
    potential: NDArray[np.float64]
    """The crude potential."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Evidence of one action about its player's holding."""

    board: tuple[Card, ...]
    """Ascending; empty before the flop."""
    mean: float
    """Threshold: the share of hands below it."""
    pot_odds: float
    """Potential at which a draw keeps its weight: the pot odds of the action; 1 for never."""
    scale: Scale | None = None
    """Ranking of holdings from the flop on; before it they are ranked by income rate."""
    spread: float = 1.0
    """Variation of the player's thresholds, relative to the usual spread."""
    side: Side = Side.ABOVE
    floor: float = LOW
    """The smallest factor and weight."""

    @property
    def rank(self) -> tuple[bool, float]:
        """Return the sort key: only the highest of a street counts, and checks come last."""
        return self.side is Side.ABOVE, self.mean


ANYTHING = Belief(np.ones(HOLDINGS))
"""The belief before any observation."""
ANYTHING.weights.flags.writeable = False


@lru_cache(maxsize=_HANDS)
def reweight(belief: Belief, evidence: Evidence) -> Belief:
    """Return the belief after an action's evidence."""
    weights = np.maximum(belief.weights * factors(evidence), evidence.floor)
    weights.flags.writeable = False
    return Belief(weights)


@lru_cache(maxsize=_HANDS)
def visible(belief: Belief, board: tuple[Card, ...]) -> Weights:
    """Return the weights of a belief given a board: 0 for holdings that contain its cards."""
    if not board:
        return belief.weights
    weights = np.where(_blocked(board), 0.0, belief.weights)
    weights.flags.writeable = False
    return weights


@lru_cache(maxsize=_HANDS)
def field_of(beliefs: tuple[Belief, ...], board: tuple[Card, ...]) -> Weights:
    """Return the mean of several players' normalised weights on a board."""
    field = chances_of(beliefs[0], board).copy()
    for belief in beliefs[1:]:
        field += chances_of(belief, board)
    field /= len(beliefs)
    field.flags.writeable = False
    return field


@lru_cache(maxsize=_HANDS)
def chances_of(belief: Belief, board: tuple[Card, ...]) -> Weights:
    """Return the normalised weights of a belief on a board."""
    chances = np.empty(HOLDINGS)
    normalise(belief.weights, CARD_MASK[list(board)].sum(), chances)
    return chances


@lru_cache(maxsize=_HANDS)
def field_scale(opponents: tuple[Belief, ...], board: tuple[Card, ...]) -> Scale:
    """Rank holdings on a board by strength against the field of a player's opponents.

    Whatever their number, the strength is against one of them, as in the source.
    """
    potential, ranked = board_values(board).potential, board_order(board)
    values = np.empty(HOLDINGS)
    value_by_field(ranked.level, ranked.order, field_of(opponents, board), potential, values)
    return Scale(values, potential)


@lru_cache(maxsize=1 << 12)
def percentile_scale(board: tuple[Card, ...]) -> Scale:
    """Rank holdings on a board by strength against any holding."""
    values = board_values(board)
    return Scale(values.ehs, values.potential)


def factors(evidence: Evidence) -> Weights:
    """Return the factors by which an action multiplies the weight of each holding."""
    if evidence.scale is None:
        return _preflop_factors(evidence.mean, evidence.spread, evidence.floor)
    spread = POSTFLOP_SPREAD * (1 - evidence.mean) * evidence.spread
    floor = evidence.floor
    rising = interpolated(evidence.scale.values, evidence.mean, spread, least=0.0, floor=floor)
    if evidence.side is Side.BELOW:
        return 1 + floor - rising
    return np.where(evidence.scale.potential >= evidence.pot_odds, 1.0, rising)


@lru_cache(maxsize=_HANDS)
def _preflop_factors(mean: float, spread: float, floor: float) -> Weights:
    if mean < LEAST_PREFLOP_MEAN:
        return np.ones(HOLDINGS)
    rates, ascending = _rates()
    place = mean * (HOLDINGS - 1)
    below = min(int(place), HOLDINGS - 2)
    step = ascending[below + 1] - ascending[below]
    middle = float(ascending[below] + (place - below) * step)
    return interpolated(rates, middle, PREFLOP_SPREAD * spread, least=-np.inf, floor=floor)


@cache
def _rates() -> tuple[Weights, Weights]:
    """Return the income rate of each holding against six, and the same in ascending order."""
    rates = income_rates(6)[CLASS_OF_HOLDING]
    return rates, np.sort(rates)


def interpolated(
    values: NDArray[np.float64], mean: float, spread: float, *, least: float, floor: float = LOW
) -> NDArray[np.float64]:
    """Return factors on a line from ``floor`` at ``mean - spread`` to 1 at ``mean + spread``.

    If it would begin below ``least``, the smallest possible value, the line starts there instead,
    at the height that keeps the area under it.

    >>> interpolated(np.array([0.0, 0.5, 0.6, 0.9]), 0.5, 0.2, least=0.0).round(3).tolist()
    [0.01, 0.505, 0.752, 1.0]
    >>> interpolated(np.array([0.0]), 0.1, 0.3, least=0.0).round(3).tolist()
    [0.5]
    """
    base, low, width = floor, mean - spread, max(2 * spread, 1e-9)
    if low < least:
        base = (spread - (mean - least)) / (spread + (mean - least))
        low, width = least, mean + spread - least
    return np.clip(base + (1 - base) * (values - low) / width, floor, 1.0)


@lru_cache(maxsize=_HANDS)
def _blocked(board: tuple[Card, ...]) -> NDArray[np.bool_]:
    either: NDArray[np.bool_] = np.isin(HOLDING_CARDS, board)
    return either[:, 0] | either[:, 1]
