"""Change of play in any hold'em: results that improve or worsen during a match.

Kan (2007, 5.2) infers learning from the bend of a DIVAT line. Such lines also bend by chance. So
this module gives the slopes of equal stretches with their intervals, and one test for a bend
anywhere, corrected for searching everywhere (`railbird.estimates.confidence_sequences`).

Results also change when the opponents change. So hands are compared only with hands against the
same opponents: a change that came with new opponents is not the player's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird._arrays import Floats
from railbird.estimates.confidence_sequences import ChangePoint, change_point, less_group_means
from railbird.estimates.estimate import Estimate, ratio

FEWEST_TO_COMPARE = 1_000
"""The fewest hands of a player for which the course of results is shown and tested."""

HANDS_OF_A_STRETCH = 500
"""The fewest hands in a stretch of the course."""

MOST_STRETCHES = 10
"""The most stretches of the course."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Several consecutive hands."""

    first: int
    """Number of the player's hands before it."""
    end: int
    mean: Estimate
    """Mean result of its hands by the estimator."""

    def __neg__(self) -> Stretch:
        """Return the other side's in a zero-sum game."""
        return replace(self, mean=-self.mean)

    def as_json(self) -> dict[str, Any]:
        """Return the hands, counted from 1, and the estimate."""
        return {"first": self.first + 1, "last": self.end, **self.mean.as_json()}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeOfPlay:
    """The course of one player's results."""

    estimator: str
    stretches: tuple[Stretch, ...]
    change: ChangePoint
    p_value: float
    """P-value of the change, corrected for testing several players (Holm 1979)."""
    before: Stretch
    after: Stretch
    """The stretches on both sides of the most likely place of a change, after subtracting the mean
    result against each set of opponents. The place is chosen where they differ most, so they
    exaggerate the difference."""
    lineups: int
    """Number of different sets of opponents that the player met."""

    def __neg__(self) -> ChangeOfPlay:
        """Return the other side's in a zero-sum game."""
        return replace(
            self,
            stretches=tuple(-stretch for stretch in self.stretches),
            before=-self.before,
            after=-self.after,
        )

    def as_json(self) -> dict[str, Any]:
        """Return the numbers unrounded."""
        return {
            "estimator": self.estimator,
            "lineups": self.lineups,
            "stretches": [stretch.as_json() for stretch in self.stretches],
            "change": {
                "after_hand": self.change.place,
                "statistic": self.change.statistic,
                "p_value": self.p_value,
                "p_value_alone": self.change.p_value,
                "by": self.change.by,
                "before": self.before.as_json(),
                "after": self.after.as_json(),
            },
        }


class PlayerResults(NamedTuple):
    """A player's results in the order of play."""

    values: Floats
    """(hands,) result of each hand."""
    deals: npt.NDArray[np.int64] | None = None
    """(hands,) number of the deal: hands of one deal are dependent. None if all are independent."""
    lineups: npt.NDArray[np.int64] | None = None
    """(hands,) equal numbers for equal sets of opponents; None if they never change."""


def changes_of_play(
    results: Mapping[str, PlayerResults], *, estimator: str, unit: str, seed: int = 0
) -> dict[str, ChangeOfPlay]:
    """Test each player's results for a change against the same opponents.

    Players with fewer than `FEWEST_TO_COMPARE` hands are omitted.
    """
    long = {name: of for name, of in results.items() if len(of.values) >= FEWEST_TO_COMPARE}
    tests = {
        name: change_point(of.values, of.deals, groups=of.lineups, seed=seed)
        for name, of in long.items()
    }
    corrected = dict(zip(tests, holm([test.p_value for test in tests.values()]), strict=True))
    return {
        name: _course(of, tests[name], corrected[name], estimator, unit)
        for name, of in long.items()
    }


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for their number by Holm's step-down method.

    >>> holm([0.04, 0.01, 0.03])
    [0.06, 0.03, 0.06]
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    corrected, highest = [1.0] * len(p_values), 0.0
    for rank, place in enumerate(order):
        # Corrected p-values must not fall where the uncorrected ones rise, hence the running
        # maximum.
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = highest
    return corrected


def _course(
    results: PlayerResults, change: ChangePoint, p_value: float, estimator: str, unit: str
) -> ChangeOfPlay:
    hands = len(results.values)
    lineup = np.zeros(hands, np.int64)
    if results.lineups is not None:
        lineup = np.unique(results.lineups, return_inverse=True)[1]
    comparable = less_group_means(results.values, lineup)
    count = max(2, min(MOST_STRETCHES, hands // HANDS_OF_A_STRETCH))
    edges = np.linspace(0, hands, count + 1).astype(np.int64).tolist()

    def stretch(values: Floats, first: int, end: int) -> Stretch:
        within = None if results.deals is None else results.deals[first:end]
        return Stretch(first, end, _mean(values[first:end], within, unit))

    return ChangeOfPlay(
        estimator=estimator,
        stretches=tuple(stretch(results.values, *ends) for ends in pairwise(edges)),
        change=change,
        p_value=p_value,
        before=stretch(comparable, 0, change.place),
        after=stretch(comparable, change.place, hands),
        lineups=int(lineup.max()) + 1,
    )


def _mean(values: Floats, deals: npt.NDArray[np.int64] | None, unit: str) -> Estimate:
    """Estimate the mean per hand from independent deals."""
    if deals is None:
        return ratio(values, np.ones(len(values)), unit=unit)
    _, deal = np.unique(deals, return_inverse=True)
    return ratio(np.bincount(deal, values), np.bincount(deal), unit=unit)
