"""DIVAT for several players, which the source leaves as future work (section 6.1), in limit.

Money and both estimators have the same expectation, so the mean of their paired difference must be
zero; the reduction of variance depends on the players. Nothing comparable was published.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import polars as pl

from railbird.arena import Match
from railbird.assessment.decision_divat.match import TableAssessment, assess_batches
from railbird.estimates import paired_difference
from railbird.experiments.framework.figures import Drawing
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import Row, measured, sigmas_for, zero
from railbird.experiments.framework.statistics import reduction
from railbird.experiments.framework.workspace import Workspace
from railbird.game import acpc_rules, limit_holdem
from railbird.histories import read_columns
from railbird.histories.columns import batches_of
from railbird.report.match.crosstable_chart import crosstable_chart
from railbird.report.toolkit import number_format
from railbird.report.toolkit.figure import Figure


class _Table(NamedTuple):
    players: tuple[str, ...]
    hands: int


TABLES: Final = (
    _Table(("loki", "baseline"), 20_000),
    _Table(("loki", "baseline", "always-call"), 20_000),
    _Table(("loki", "baseline", "always-call", "random", "loki:bpl", "baseline:tight-low"), 12_000),
)


def perform(workspace: Workspace) -> Result:
    """Play tables of two, three and six players, and assess each."""
    rows: list[Row] = []
    total = 0
    tests = sum(2 * len(table.players) for table in TABLES)
    cells, drawings = [], []
    for table in TABLES:
        hands = workspace.hands(table.hands)
        match = Match(
            players=table.players,
            rules=acpc_rules(limit_holdem(len(table.players))),
            deals=hands,
            seed=workspace.seed,
        )
        played = workspace.play(match)
        assessment = assess_batches(
            batches_of(read_columns(played.log)), progress=workspace.progress
        )
        rows += _rows(assessment, sigmas=sigmas_for(tests))
        cells.append(_cells(assessment))
        drawings.append(_drawing(assessment, workspace.seed))
        total += assessment.hands
    return Result(
        hands=total,
        rows=tuple(rows),
        drawings=tuple(drawings),
        tables={"crosstables": pl.concat(cells)},
    )


def _rows(assessment: TableAssessment, *, sigmas: float) -> list[Row]:
    size = f"{len(assessment.players)} players"
    scores = assessment.scores
    money = scores["money"].to_numpy()
    rows = [
        measured(
            f"{size}: variance of money ÷ that of {name}",
            reduction(money, scores[name].to_numpy()),
            note="All seats pooled.",
        )
        for name in ("divat", "fitted")
    ]
    for number, player in enumerate(assessment.players):
        mine = scores.filter(pl.col("player") == number)
        for name in ("divat", "fitted"):
            rows.append(
                zero(
                    f"{size}: money less {name} of {player}, paired",
                    paired_difference(mine["money"].to_numpy(), mine[name].to_numpy()),
                    sigmas=sigmas,
                )
            )
    return rows


def _drawing(assessment: TableAssessment, seed: int) -> Drawing:
    players = assessment.players
    own = ", ".join(
        f"{name} {number_format.signed(assessment.crosstable.cells[name, name].value, 3)}"
        for name in players
    )
    figure = Figure(
        name=f"crosstable-{len(players)}",
        title=f"Whose decisions changed whose result, {len(players)} players",
        words=f"Table of the mean change of each player's result by each player's decisions. "
        f"By their own decisions: {own} small bets a hand.",
        note="A row adds up to zero, a column to DIVAT less position. The diagonal says better "
        "than the baseline, not well played.",
        chart=crosstable_chart(assessment.crosstable.cells, players, assessment.unit),
    )
    return Drawing(
        figure=figure, data={}, subtitle=f"{assessment.hands:,} hands of limit, seed {seed}"
    )


def _cells(assessment: TableAssessment) -> pl.DataFrame:
    """Return the crosstable with a row for each cell, in thousandths of a small bet per hand."""
    return pl.DataFrame(
        [
            {
                "players": len(assessment.players),
                "decisions_of": one,
                "result_of": two,
                "value_msb": 1000 * cell.value,
                "stderr_msb": 1000 * cell.stderr,
                "hands": cell.n,
            }
            for (one, two), cell in assessment.crosstable.cells.items()
        ],
        schema_overrides={"value_msb": pl.Float64, "stderr_msb": pl.Float64},
    )
