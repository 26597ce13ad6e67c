"""Money and fitted result of each player, summed up hand by hand, a chart for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import altair as alt
import polars as pl

from railbird.report.toolkit.number_format import display_name
from railbird.report.toolkit.palette import variable

if TYPE_CHECKING:
    from railbird.assessment.decision_divat.match import TableAssessment

_POINTS: Final = 200
"""Most points of a line."""
_WIDTH, _HEIGHT = 330, 150
_LINES: Final = {"money": "money", "fitted": "skill"}
"""Columns and the colours of their lines."""


def running_sums_chart(assessment: TableAssessment, player: str) -> alt.LayerChart:
    """Draw the sums of ``money`` and ``fitted`` of a player, hand by hand."""
    lines = (
        alt.Chart(alt.InlineData(values=_points(assessment, player)))
        .mark_line(strokeWidth=1.75)
        .encode(
            x=alt.X("hand:Q", title="hands", axis=alt.Axis(tickCount=5, grid=False)),
            y=alt.Y("sum:Q", title=assessment.unit, axis=alt.Axis(tickCount=4)),
            color=alt.Color(
                "line:N",
                title=None,
                scale=alt.Scale(
                    domain=list(_LINES), range=[variable(name) for name in _LINES.values()]
                ),
                legend=alt.Legend(orient="top"),
            ),
            strokeDash=alt.StrokeDash(
                "line:N", title=None, scale=alt.Scale(domain=list(_LINES), range=[[4, 2], [1, 0]])
            ),
        )
    )
    return alt.LayerChart(layer=[lines], title=display_name(player)).properties(
        width=_WIDTH, height=_HEIGHT
    )


def _points(assessment: TableAssessment, player: str) -> list[dict[str, object]]:
    number = assessment.players.index(player)
    mine = assessment.scores.filter(pl.col("player") == number)
    stride = max(1, -(-mine.height // _POINTS))
    sums = mine.select(pl.col(name).cum_sum() for name in _LINES)
    kept = [*range(stride - 1, mine.height, stride)]
    if kept and kept[-1] != mine.height - 1:
        kept.append(mine.height - 1)
    return [
        {"line": line, "hand": hand, "sum": round(value, 3)}
        for line in _LINES
        for hand, value in [
            (0, 0.0),
            *zip([row + 1 for row in kept], sums[line].gather(kept).to_list(), strict=True),
        ]
    ]
