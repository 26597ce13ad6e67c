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


def match_rows(found: Assessment, wanted: Collection[str] | None = None) -> list[ResultRow]:
    """Lay out a match of two; ``wanted`` are names of estimators, by default those listed.

    Estimates of a selected sample are left out.
    """
    from railbird.assessment import Form, estimators_of

    settings = "+".join(each.name for each in found.settings)
    return [
        ResultRow(
            player=player,
            estimator=each.name,
            title=each.title,
            estimate=found.estimates[player][each.name],
            unit=found.unit.value,
            variance_reduction=found.variance_reduction[player].get(each.name),
            settings=settings,
        )
        for player in found.players
        for each in estimators_of(Form.MATCH)
        if (each.listed if wanted is None else each.name in wanted) and not found.withholds(each)
    ]


def table_rows(
    found: TableAssessment, players: Collection[str], wanted: Collection[str]
) -> Iterator[ResultRow]:
    """Lay out several players; what cannot be said is left out."""
    for player in players:
        for each in found.estimators:
            estimate = found.estimate(player, each.name)
            if each.name in wanted and estimate is not None:
                yield ResultRow(
                    player=player,
                    estimator=each.name,
                    title=each.title,
                    estimate=estimate,
                    unit=found.unit,
                    variance_reduction=found.variance_reduction.get(player, {}).get(each.name),
                    settings=found.settings.name,
                )
