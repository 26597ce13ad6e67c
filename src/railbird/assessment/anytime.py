"""Intervals of a match that hold at all times at once, by every estimator without bias."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from railbird._arguments import checked
from railbird.assessment.divat.estimators import ROUNDS
from railbird.assessment.estimator import Estimator, Floats, Kind, Scoring
from railbird.assessment.match import Assessment
from railbird.assessment.score_frame import deals_of_pairs
from railbird.estimates.bounded_sequence import bounded_sequence
from railbird.estimates.confidence_sequences import AnytimeInterval, confidence_sequence
from railbird.estimates.estimate import Moments


@dataclass(frozen=True, slots=True, kw_only=True)
class AnytimeEstimate:
    """One estimator's intervals for the first player's result in a hand."""

    name: str
    title: str
    asymptotic: AnytimeInterval
    """Nearly exact for many values, and no wider than it must be: the rule by which to stop."""
    certain: AnytimeInterval | None
    """Exact, but wide; None where no bound of the values is known."""
    bound: float | None
    """What a value cannot exceed, in small bets."""

    def as_json(self) -> dict[str, Any]:
        """Return the numbers unrounded."""
        return {
            "estimator": self.name,
            "asymptotic": self.asymptotic.as_json(),
            "certain": None if self.certain is None else self.certain.as_json(),
            "bound": self.bound,
        }


@checked
def anytime_intervals(
    assessment: Assessment, estimators: Collection[str] | None = None
) -> list[AnytimeEstimate]:
    """Return the intervals of the first player's results, after the last deal.

    A deal is one value, also if it was played from both sides. ``estimators`` selects some; those
    that are biased or measure something else have none, nor has ``fitted``, whose coefficients
    come from all hands, unless from earlier ones alone (`Assessment.forward`).
    """
    found = []
    most = _most_won(assessment)
    bounds = {} if most is None else {"money": most, "divat": 2 * most * len(ROUNDS)}
    for one in assessment.estimators:
        if one.kind is not Kind.UNBIASED or assessment.withholds(one):
            continue
        if not (one.listed if estimators is None else one.name in estimators):
            continue
        if one.name == "fitted" and not assessment.forward:
            continue
        values, bound = _by_deal(assessment, one), bounds.get(one.name)
        if not len(values):
            continue
        unit = assessment.unit
        found.append(
            AnytimeEstimate(
                name=one.name,
                title=one.title,
                asymptotic=confidence_sequence(Moments.of(values), unit=unit),
                certain=None if bound is None else bounded_sequence(values, bound=bound, unit=unit),
                bound=bound,
            )
        )
    return found


def _most_won(assessment: Assessment) -> float | None:
    """Return the most that a hand can win, in small bets; None without a cap on bets.

    DIVAT compares two values in each round. Other estimators add up many corrections, and a bound
    of all of them says nothing in a match of any sensible length.
    """
    most = 0.0
    for batch in assessment.played.batches():
        for rules in batch.rules:
            if rules.max_raises is None or rules.lift_cap_heads_up:
                return None
            caps = (rules.max_raises[0] + 1, *rules.max_raises[1:])
            bets = sum(cap * size for cap, size in zip(caps, rules.bet_sizes, strict=True))
            most = max(most, bets / rules.bet_sizes[0])
    return most


def _by_deal(assessment: Assessment, estimator: Estimator) -> Floats:
    """Return the mean of each deal's hands, (deals,), in the order of their first hands."""
    values = estimator.values(assessment.scores, Scoring()).to_numpy()
    deal = deals_of_pairs(assessment.scores["pair"])
    there = ~np.isnan(values)
    totals = np.bincount(deal[there], values[there], len(values))
    counts = np.bincount(deal[there], minlength=len(values))
    some = counts > 0
    means: Floats = totals[some] / counts[some]
    return means
