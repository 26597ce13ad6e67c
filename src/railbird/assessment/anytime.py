"""Intervals that hold at all times simultaneously, for unbiased estimators of any heads-up match.

`league` does so for many players at any table.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from railbird._arguments import checked
from railbird._arrays import Floats
from railbird.assessment.any_table import AnyTable, TableAssessment
from railbird.assessment.assessment import Assessment
from railbird.assessment.divat.any_game_estimators import Fitted
from railbird.assessment.divat.estimators import ROUNDS, FittedByRounds
from railbird.assessment.estimator import Estimator, EstimatorKind, Scoring
from railbird.assessment.limit_pair import MatchAssessment
from railbird.assessment.limit_rows import deals_of_pairs
from railbird.errors import BadInput
from railbird.estimates.confidence_sequences import (
    AnytimeInterval,
    bounded_sequence,
    confidence_sequence,
)
from railbird.estimates.estimate import Moments
from railbird.game import Betting


@dataclass(frozen=True, slots=True, kw_only=True)
class AnytimeEstimate:
    """One estimator's intervals for the first player's result a hand."""

    name: str
    title: str
    asymptotic: AnytimeInterval
    """An interval that is nearly exact for many values and as narrow as possible: for stopping
    rules."""
    certain: AnytimeInterval | None
    """An exact but wide interval; None if no bound of the values is known."""
    bound: float | None
    """The largest possible absolute value, in the unit."""

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
    assessment: MatchAssessment | TableAssessment, estimators: Collection[str] | None = None
) -> list[AnytimeEstimate]:
    """Return the intervals of the first player's result after the last deal.

    Raises `BadInput` unless it is a match of two.

    A deal is one value, even if it was played from both sides. ``estimators`` selects some.
    Estimators that are biased or measure something else have no interval; a fitted one has an
    interval only if its coefficients come from earlier hands alone (`Assessment.forward`). There
    are no intervals if hands are missing or out of order.
    """
    if len(assessment.players) > 2:
        raise BadInput("--show anytime with more than two players; allowed: a match of two")
    if assessment.withheld() or not assessment.integrity.ordered:
        return []
    intervals = []
    most = _most_won(assessment)
    bounds = {} if most is None else {"money": most}
    if most is not None and not isinstance(assessment.form, AnyTable):
        # Each round compares two values, neither of them beyond the most that a hand can win, so
        # they differ by at most twice that.
        bounds["divat"] = 2 * most * len(ROUNDS)
    for estimator in assessment.estimators:
        if estimator.kind is not EstimatorKind.UNBIASED or estimator.name in assessment.selected:
            continue
        if not (estimator.listed if estimators is None else estimator.name in estimators):
            continue
        # Coefficients fitted to the whole match know results that come later, so a bet made at any
        # moment before its end would be a bet with knowledge.
        if isinstance(estimator, FittedByRounds | Fitted) and not assessment.forward:
            continue
        values, bound = _by_deal(assessment, estimator), bounds.get(estimator.name)
        if not len(values):
            continue
        unit = assessment.unit
        intervals.append(
            AnytimeEstimate(
                name=estimator.name,
                title=estimator.title,
                asymptotic=confidence_sequence(Moments.of(values), unit=unit),
                certain=None if bound is None else bounded_sequence(values, bound=bound, unit=unit),
                bound=bound,
            )
        )
    return intervals


def _most_won(assessment: Assessment[Any]) -> float | None:
    """Return the most that a hand can win, in the unit; None without a cap on bets or stacks.

    DIVAT compares two values in each round. Other estimators add many corrections, and a bound of
    their sum would be useless in a match of any sensible length.
    """
    most = 0.0
    for batch in assessment.played.batches():
        for rules in batch.rules:
            if rules.betting is not Betting.LIMIT and rules.stacks is not None:
                most = max(most, min(rules.stacks) / rules.chips_per_unit)
                continue
            if rules.max_raises is None or rules.lift_cap_heads_up:
                return None
            caps = (rules.max_raises[0] + 1, *rules.max_raises[1:])
            bets = sum(cap * size for cap, size in zip(caps, rules.bet_sizes, strict=True))
            most = max(most, bets / rules.bet_sizes[0])
    return most


def _by_deal(assessment: Assessment[Any], estimator: Estimator) -> Floats:
    """Return the mean of each deal's hands, (deals,), in the order of their first hands."""
    rows = assessment.scores
    if isinstance(assessment.form, AnyTable):
        rows = rows.filter(pl.col("player") == 0)
        values = rows[estimator.name].cast(pl.Float64).fill_null(np.nan).to_numpy()
        _, first, deal = np.unique(rows["deal"].to_numpy(), return_index=True, return_inverse=True)
        # Deals are numbered by their value; two argsorts number them by their first hand instead,
        # since a sequence of intervals needs the order of play.
        deal = np.argsort(np.argsort(first))[deal]
    else:
        values = estimator.values(rows, Scoring()).to_numpy()
        deal = deals_of_pairs(rows["pair"])
    there = ~np.isnan(values)
    totals = np.bincount(deal[there], values[there], len(values))
    counts = np.bincount(deal[there], minlength=len(values))
    some = counts > 0
    means: Floats = totals[some] / counts[some]
    return means
