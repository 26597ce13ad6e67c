"""Money of each player and the estimate that decides, summed up hand by hand, a chart each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import altair as alt
import polars as pl

from railbird.report.several_players.headline import lines_of
from railbird.report.toolkit.number_format import display_name
from railbird.report.toolkit.palette import variable

if TYPE_CHECKING:
    from railbird.assessment.decision_divat.match import TableAssessment

_POINTS: Final = 200
"""Most points of a line."""
_WIDTH, _HEIGHT = 330, 150
_HANDS: Final = alt.Axis(tickCount=5, tickMinStep=1, grid=False, labelFlush=False)
_COLOURS: Final = ("money", "skill")


def running_sums_chart(assessment: TableAssessment, player: str) -> alt.LayerChart:
    """Draw the sums of money and of the estimate that decides for a player, hand by hand."""
    titles = list(lines_of(assessment, player).values())
    lines = (
        alt.Chart(alt.InlineData(values=_points(assessment, player)))
        .mark_line(strokeWidth=1.75)
        .encode(
            x=alt.X("hand:Q", title="hands", axis=_HANDS),
            y=alt.Y("sum:Q", title=assessment.unit, axis=alt.Axis(tickCount=4)),
            color=alt.Color(
                "line:N",
                title=None,
                scale=alt.Scale(
                    domain=titles, range=[variable(name) for name in _COLOURS[: len(titles)]]
                ),
                legend=alt.Legend(orient="top"),
            ),
            strokeDash=alt.StrokeDash(
                "line:N",
                title=None,
                scale=alt.Scale(domain=titles, range=[[4, 2], [1, 0]][: len(titles)]),
            ),
        )
    )
    return alt.LayerChart(layer=[lines], title=display_name(player)).properties(
        width=_WIDTH, height=_HEIGHT
    )


def _points(assessment: TableAssessment, player: str) -> list[dict[str, object]]:
    number, lines = assessment.players.index(player), lines_of(assessment, player)
    mine = assessment.every.filter(pl.col("player") == number)
    stride = max(1, -(-mine.height // _POINTS))
    sums = mine.select(pl.col(name).cum_sum() for name in lines)
    kept = [*range(stride - 1, mine.height, stride)]
    if kept and kept[-1] != mine.height - 1:
        kept.append(mine.height - 1)
    return [
        {"line": title, "hand": hand, "sum": round(value, 3)}
        for name, title in lines.items()
        for hand, value in [
            (0, 0.0),
            *zip([row + 1 for row in kept], sums[name].gather(kept).to_list(), strict=True),
        ]
    ]
