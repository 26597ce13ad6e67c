"""What a Loki believes that its opponents hold."""

from __future__ import annotations

from functools import cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from railbird.cards import CLASS_OF_HOLDING, HOLDINGS
from railbird.game import Event, View
from railbird.modelling import BeliefUpdate, Frequencies, Tracker, income_rates
from railbird.modelling.settings import LOW, PREFLOP_SPREAD
from railbird.players.loki.settings import FixedWeights, LokiSettings, Modelling
from railbird.units import Seat

Weights = NDArray[np.float64]
"""(1326,) not negative; only their proportions mean something."""


class Beliefs(Protocol):
    """Weights for each opponent, kept up to date with what is seen."""

    def reset(self) -> None:
        """Forget everything."""

    def meet(self, people: tuple[int, ...]) -> None:
        """Who sits where in the next hand."""

    def introduce(self, names: tuple[str, ...]) -> None:
        """What people are called, by number."""

    def begin(self, view: View) -> None:
        """A hand starts."""

    def observe(self, view: View, event: Event) -> None:
        """Something happened."""

    def end(self, view: View) -> None:
        """The hand is over."""

    def weights(self, seat: Seat) -> Weights:
        """What one opponent may hold."""

    def field(self, seats: tuple[Seat, ...]) -> Weights:
        """The mean of some opponents' weights, each brought to the same sum."""

    def habits(self, seat: Seat) -> Frequencies:
        """How often a player does what."""

    def learned(self) -> tuple[BeliefUpdate, ...]:
        """What each action of the hand so far has taught."""


class FixedBeliefs:
    """Believes the same of everybody, whatever happens."""

    def __init__(self, weights: FixedWeights) -> None:
        self._weights = fixed_weights(weights)

    def reset(self) -> None:
        """Do nothing."""

    def meet(self, people: tuple[int, ...]) -> None:
        """Do nothing."""

    def introduce(self, names: tuple[str, ...]) -> None:
        """Do nothing."""

    def begin(self, view: View) -> None:
        """Do nothing."""

    def observe(self, view: View, event: Event) -> None:
        """Do nothing."""

    def end(self, view: View) -> None:
        """Do nothing."""

    def weights(self, seat: Seat) -> Weights:
        """The fixed weights."""
        return self._weights

    def field(self, seats: tuple[Seat, ...]) -> Weights:
        """The fixed weights."""
        return self._weights

    def habits(self, seat: Seat) -> Frequencies:
        """What is expected of anybody."""
        return Frequencies()

    def learned(self) -> tuple[BeliefUpdate, ...]:
        """Return nothing."""
        return ()


def beliefs_of(settings: LokiSettings) -> Beliefs:
    """Fixed weights or a tracker, as the settings say."""
    if settings.modelling is Modelling.NONE:
        return FixedBeliefs(settings.weights)
    return Tracker(
        specific=settings.modelling is Modelling.SPECIFIC,
        decay=settings.decay,
        ranking=settings.scale,
        checks=settings.checks,
        sigma=settings.sigma,
        floor=settings.floor,
        memory=settings.memory,
    )


@cache
def fixed_weights(kind: FixedWeights) -> Weights:
    """Uniform weights, or those of a hand that rose with the income rate.

    Typical weights are 0.01 up to 330 thousandths of a small bet below the mean call of the
    default frequencies (the best half of the hands, against six opponents), 1 from as much above
    it on, and linear between: a call before the flop, once and for all.
    """
    weights = np.ones(HOLDINGS)
    if kind is FixedWeights.TYPICAL:
        rates = income_rates(6)[CLASS_OF_HOLDING]
        middle = float(np.quantile(rates, 0.5))
        weights = np.clip((rates - middle + PREFLOP_SPREAD) / (2 * PREFLOP_SPREAD), LOW, 1.0)
    weights.flags.writeable = False
    return weights
