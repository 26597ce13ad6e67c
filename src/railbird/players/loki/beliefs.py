"""Loki's beliefs about its opponents' holdings."""

from __future__ import annotations

from functools import cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from railbird.cards import CLASS_OF_HOLDING, HOLDINGS
from railbird.game import Event, HandState, View
from railbird.modelling import BeliefUpdate, Frequencies, Tracker, income_rates
from railbird.modelling.learned import LearnedTracker, read_model
from railbird.modelling.learned.action_model import NO_FACTS, Table
from railbird.modelling.learned.learned_tracker import LearnedUpdate
from railbird.modelling.settings import LOW, PREFLOP_SPREAD
from railbird.players.loki.settings import FixedWeights, LokiSettings, Model, Modelling
from railbird.players.loki.simulation.selective_sampling import FurtherFacts
from railbird.players.loki.simulation.triples import actions_by
from railbird.units import Seat

Weights = NDArray[np.float64]
"""(1326,) non-negative; only ratios matter."""


class Beliefs(Protocol):
    """Weights for each opponent, updated by what is observed."""

    def reset(self) -> None:
        """Forget everything."""

    def meet(self, people: tuple[int, ...]) -> None:
        """Set the player in each seat of the next hand."""

    def introduce(self, names: tuple[str, ...]) -> None:
        """Set players' names by number."""

    def begin(self, view: View) -> None:
        """Begin a hand."""

    def observe(self, view: View, event: Event) -> None:
        """Something happened."""

    def end(self, view: View) -> None:
        """End the hand."""

    def weights(self, seat: Seat) -> Weights:
        """Return the weights of one opponent's holdings."""

    def field(self, seats: tuple[Seat, ...]) -> Weights:
        """Return the mean of several opponents' normalised weights."""

    def habits(self, seat: Seat) -> Frequencies:
        """Return a player's frequencies."""

    def learned(self) -> tuple[BeliefUpdate | LearnedUpdate, ...]:
        """Return the updates from the hand's actions so far."""

    def commit(self) -> None:
        """Forget everything, after writing what is to be kept."""

    def rollback(self) -> None:
        """Forget everything since `commit`."""

    def close(self) -> None:
        """Write what is to be kept."""


class FixedBeliefs:
    """The same beliefs about everybody, whatever happens."""

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
        """Return the default frequencies."""
        return Frequencies()

    def learned(self) -> tuple[BeliefUpdate, ...]:
        """Return nothing."""
        return ()

    def commit(self) -> None:
        """Do nothing."""

    def rollback(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


def later_actions(beliefs: Beliefs, seat: Seat) -> Table:
    """Return the probabilities of a player's actions from the flop on, (rows, classes, 3)."""
    if isinstance(beliefs, LearnedTracker):
        return beliefs.later_actions(seat)
    return actions_by(beliefs.habits(seat))


def chance_of_folds(beliefs: Beliefs, state: HandState) -> float | None:
    """Return the probability that everybody folds to a bet, if it is learned."""
    return beliefs.chance_of_folds(state) if isinstance(beliefs, LearnedTracker) else None


def further_facts(beliefs: Beliefs) -> FurtherFacts:
    """Return what further facts say of everybody's actions; nothing without a learned model."""
    if isinstance(beliefs, LearnedTracker):
        return FurtherFacts(beliefs.facts, *beliefs.raised)
    return FurtherFacts(NO_FACTS, 0, 0)


def beliefs_of(settings: LokiSettings) -> Beliefs:
    """Return fixed weights or a tracker, depending on the settings."""
    specific = settings.modelling is Modelling.SPECIFIC
    if settings.modelling is Modelling.NONE:
        return FixedBeliefs(settings.weights)
    if settings.model is Model.LEARNED:
        model = None if settings.actions is None else read_model(settings.actions)
        return LearnedTracker(model, specific=specific)
    return Tracker(
        specific=specific,
        decay=settings.decay,
        ranking=settings.scale,
        checks=settings.checks,
        sigma=settings.sigma,
        floor=settings.floor,
        memory=settings.database,
    )


@cache
def fixed_weights(kind: FixedWeights) -> Weights:
    """Return uniform weights, or typical ones, which increase with the income rate.

    Typical weights are those after a preflop call by the default frequencies (the best half of the
    hands, against six opponents): 0.01 up to 330 thousandths of a small bet below that threshold, 1
    from 330 above it, and linear in between.
    """
    weights = np.ones(HOLDINGS)
    if kind is FixedWeights.TYPICAL:
        rates = income_rates(6)[CLASS_OF_HOLDING]
        middle = float(np.quantile(rates, 0.5))
        weights = np.clip((rates - middle + PREFLOP_SPREAD) / (2 * PREFLOP_SPREAD), LOW, 1.0)
    weights.flags.writeable = False
    return weights
