"""Who plays the next hand: by upper confidence bounds, or by the chips."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from railbird.estimates import Moments
from railbird.estimates.confidence_sequences import AnytimeInterval, confidence_sequence
from railbird.players.coach.settings import ALPHA, LEFT, LOST, STAKE


class Chooser(Protocol):
    """Chooses an expert for each hand. Amounts are small bets a hand."""

    def choose(self) -> int:
        """Return who plays the next hand."""

    def learn(self, won: float, estimates: list[float | None]) -> None:
        """Learn what the hand won, and what each expert would have won, as far as that is told."""


@dataclass(slots=True)
class UpperBounds:
    """Chooses the expert whose upper confidence bound is the highest.

    The bounds are those of asymptotic confidence sequences: over many hands they hold at all times
    together for means of any distribution with a variance, as UCB1's do only for results between
    known limits. They assume that an expert's mean stays what it is, which that of a learning one
    or against a learning opponent does not.
    """

    experts: int
    moments: list[Moments] = field(init=False)
    """Of each expert's estimates."""

    def __post_init__(self) -> None:
        self.moments = [Moments() for _ in range(self.experts)]

    def intervals(self) -> list[AnytimeInterval]:
        """Return each expert's interval; all hold together at all times with about 95 %."""
        alpha = ALPHA / self.experts
        return [confidence_sequence(moments, alpha=alpha) for moments in self.moments]

    def choose(self) -> int:
        """Return the expert with the highest bound; of equal ones that known least."""
        bounds = [(each.high, -each.n, -number) for number, each in enumerate(self.intervals())]
        return -max(bounds)[2]

    def learn(self, won: float, estimates: list[float | None]) -> None:
        """Add the estimates."""
        for number, value in enumerate(estimates):
            if value is not None and math.isfinite(value):
                self.moments[number] += Moments.of(np.array([value]))


@dataclass(slots=True)
class ByChips:
    """The first expert plays until it has lost too much, then the second.

    When little is left of the stake, the first comes back.
    """

    stake: float = STAKE
    lost: float = LOST
    left: float = LEFT
    bankroll: float = field(default=0.0, init=False)

    def choose(self) -> int:
        """Return 0 or 1."""
        if self.stake + self.bankroll <= self.left:
            return 0
        return int(self.bankroll <= -self.lost)

    def learn(self, won: float, estimates: list[float | None]) -> None:
        """Count the chips."""
        self.bankroll += won
