"""Confidence sequences: intervals that remain valid however often they are inspected.

A fixed 95 % interval contains the mean 95 times in 100 if it is inspected once. Inspecting it
repeatedly and stopping when it excludes zero is wrong far more often. The intervals of a confidence
sequence *all together* contain the true mean 95 times in 100, so a match may be stopped at any
moment, for any reason.

>>> won = Moments(n=20_000, mean=0.1, deviations=19_999 * 4.0)
>>> print(confidence_sequence(won))
0.1000, 0.0567 to 0.1433 sb (95 % at any time, n = 20,000)
>>> parse_goal("decided", unit="sb").reached(confidence_sequence(won))
True
>>> parse_goal("0.02sb", unit="sb").reached(confidence_sequence(won))
False
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from railbird.errors import BadInput
from railbird.estimates.estimate import Moments, finite
from railbird.estimates.result_units import ResultUnit
from railbird.estimates.settings import ALPHA, FIRST_LOOK, TUNED_FOR


@dataclass(frozen=True, slots=True, kw_only=True)
class AnytimeInterval:
    """A mean with an interval that is valid at all times at once."""

    value: float
    half_width: float
    """Infinite while there are too few values."""
    n: int
    unit: str = ResultUnit.SMALL_BETS
    alpha: float = ALPHA
    """Largest probability that it ever misses the mean."""

    @property
    def low(self) -> float:
        """Lower end."""
        return self.value - self.half_width

    @property
    def high(self) -> float:
        """Upper end."""
        return self.value + self.half_width

    def as_json(self) -> dict[str, float | int | None]:
        """Return the numbers unrounded, None for those that are not finite."""
        return {**finite(value=self.value, low=self.low, high=self.high), "n": self.n}

    def __str__(self) -> str:
        ends = f"{self.low:.4f} to {self.high:.4f} {self.unit}"
        level = f"{100 * (1 - self.alpha):.4g} % at any time"
        return f"{self.value:.4f}, {ends} ({level}, n = {self.n:,})"

    def __neg__(self) -> AnytimeInterval:
        """Return the other side's interval in a zero-sum game."""
        return replace(self, value=-self.value)


def confidence_sequence(
    moments: Moments,
    *,
    alpha: float = ALPHA,
    tuned_for: int = TUNED_FOR,
    unit: str = ResultUnit.SMALL_BETS,
) -> AnytimeInterval:
    """Compute the current interval of an asymptotic confidence sequence for the mean.

    It is Robbins' normal mixture with the running standard deviation in place of the true one, and
    its width tuned for ``tuned_for`` values, after Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas,
    "Time-uniform central limit theory and asymptotic confidence sequences" (Annals of Statistics
    52, 2024; arXiv:2103.06476). It assumes independent values of finite variance, not necessarily
    bounded, and enough of them at the first look: below `FIRST_LOOK` the interval is infinite.
    """
    if moments.n < FIRST_LOOK:
        return AnytimeInterval(
            value=moments.mean, half_width=math.inf, n=moments.n, unit=unit, alpha=alpha
        )
    two_log = -2 * math.log(alpha)
    width = moments.n * (two_log + math.log1p(two_log)) / tuned_for
    scale = 2 * (width + 1) / width * math.log(math.sqrt(width + 1) / alpha)
    half_width = moments.sd * math.sqrt(scale / moments.n)
    return AnytimeInterval(
        value=moments.mean, half_width=half_width, n=moments.n, unit=unit, alpha=alpha
    )


def averaged(intervals: Sequence[AnytimeInterval]) -> AnytimeInterval:
    """Average several intervals: the result is valid whenever all of them are.

    Their error rates add up, whether they are independent or not.
    """
    return AnytimeInterval(
        value=fmean(interval.value for interval in intervals),
        half_width=fmean(interval.half_width for interval in intervals),
        n=min(interval.n for interval in intervals),
        unit=intervals[0].unit,
        alpha=sum(interval.alpha for interval in intervals),
    )


class Goal(Protocol):
    """The question that a match must answer."""

    def reached(self, interval: AnytimeInterval) -> bool:
        """Return whether the interval answers it."""


@dataclass(frozen=True, slots=True)
class Decided:
    """Goal of knowing who is ahead: the interval excludes zero."""

    def reached(self, interval: AnytimeInterval) -> bool:
        """Return whether the interval excludes zero."""
        return abs(interval.value) > interval.half_width


@dataclass(frozen=True, slots=True)
class Precision:
    """Goal of knowing the mean to within a half-width."""

    half_width: float

    def reached(self, interval: AnytimeInterval) -> bool:
        """Return whether the interval is narrow enough."""
        return interval.half_width <= self.half_width


def parse_goal(text: str, *, unit: str) -> Goal:
    """Parse ``decided``, or a half-width in the game's unit such as ``0.02sb``.

    Raises `BadInput` for anything else, including other units.
    """
    if text == "decided":
        return Decided()
    parsed = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+)([a-z]+)", text)
    if parsed is None or parsed[2] != unit or not float(parsed[1]) > 0:
        raise BadInput(f"until {text!r}; allowed: decided, or a half-width such as 0.02{unit}")
    return Precision(float(parsed[1]))


class Played(Protocol):
    """Some deals of a match."""

    @property
    def payoffs(self) -> NDArray[np.number]:
        """(directions, deals, players) in chips."""


class Watch:
    """Stopping rule that inspects the first player's winnings after every chunk of a match.

    Pass it to `arena.play` as ``until``. Its values are the deals' results, averaged over the
    directions in which each was played.
    """

    def __init__(self, goal: Goal, *, chips: int, unit: str, alpha: float = ALPHA) -> None:
        """Create a rule; ``chips`` is the number of chips in one ``unit``."""
        self._goal = goal
        self._chips = chips
        self._unit = unit
        self._alpha = alpha
        self._moments = Moments()

    def __call__(self, chunk: Played) -> bool:
        """Add a chunk and return whether the goal is reached."""
        self._moments += Moments.of(chunk.payoffs[:, :, 0].mean(axis=0) / self._chips)
        return self.reached

    @property
    def interval(self) -> AnytimeInterval:
        """The interval so far."""
        return confidence_sequence(self._moments, alpha=self._alpha, unit=self._unit)

    @property
    def reached(self) -> bool:
        """True if the goal is reached."""
        return self._goal.reached(self.interval)

    def as_json(self) -> dict[str, object]:
        """Return the interval, and whether the goal is reached."""
        return {"reached": self.reached, "interval": self.interval.as_json()}
