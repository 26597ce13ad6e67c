"""Results of an assessment as rows of a table: one for each player and estimator."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from railbird.assessment import Assessment
    from railbird.assessment.decision_divat.match import TableAssessment
    from railbird.estimates import Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRow:
    """One estimate of one player's result."""

    player: str
    estimator: str
    title: str
    """Text of a heading."""
    estimate: Estimate
    unit: str
    variance_reduction: float | None
    settings: str


def match_rows(assessment: Assessment, wanted: Collection[str] | None = None) -> list[ResultRow]:
    """Lay out a match of two; ``wanted`` are names of estimators, by default those listed.

    Estimates of a selected sample are left out.
    """
    settings = "+".join(one.name for one in assessment.settings)
    return [
        ResultRow(
            player=player,
            estimator=estimator.name,
            title=estimator.title,
            estimate=assessment.estimates[player][estimator.name],
            unit=assessment.unit.value,
            variance_reduction=assessment.variance_reduction[player].get(estimator.name),
            settings=settings,
        )
        for player in assessment.players
        for estimator in assessment.estimators
        if (estimator.listed if wanted is None else estimator.name in wanted)
        and not assessment.withholds(estimator)
    ]


def table_rows(
    assessment: TableAssessment, players: Collection[str], wanted: Collection[str]
) -> Iterator[ResultRow]:
    """Lay out several players; what cannot be said is left out."""
    settings = "+".join(one.name for one in assessment.settings)
    for player in players:
        for estimator in assessment.estimators:
            estimate = assessment.estimate(player, estimator.name)
            if estimator.name in wanted and estimate is not None:
                yield ResultRow(
                    player=player,
                    estimator=estimator.name,
                    title=estimator.title,
                    estimate=estimate,
                    unit=assessment.unit,
                    variance_reduction=assessment.variance_reduction.get(player, {}).get(
                        estimator.name
                    ),
                    settings=settings,
                )
