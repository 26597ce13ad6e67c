"""Scores of a duplicate match by money, DIVAT and AIVAT, and the means of its pairs of hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from railbird.assessment import Assessment, Estimator, assess
from railbird.assessment.aivat.estimator import Aivat, strategy_of
from railbird.errors import BadInput

if TYPE_CHECKING:
    from railbird.experiments.framework.workspace import PlayedMatch, Workspace


def known_of(specs: dict[str, str]) -> dict[str, str]:
    """Return the players, by name, whose strategies are known beforehand."""
    known = {}
    for name, spec in specs.items():
        try:
            strategy_of(spec)
        except BadInput:
            continue
        known[name] = spec
    return known


def judged(workspace: Workspace, played: PlayedMatch, known: dict[str, str]) -> Assessment:
    """Assess a match for its first player, by AIVAT too if any player is known."""
    more: list[Estimator] = [Aivat(known=known)] if known else []
    return assess(
        played.log,
        player=played.match.names[0],
        more=more,
        threads=workspace.workers,
        progress=workspace.progress,
    )


def pairs_of(scores: pl.DataFrame, columns: list[str]) -> pl.DataFrame:
    """Return the mean of each deal's two hands, (pairs, columns)."""
    both = scores.filter(pl.col("pair").is_not_null())
    return both.group_by("pair", maintain_order=True).agg(pl.col(columns).mean()).drop("pair")
