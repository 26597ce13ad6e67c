"""Figure of a comparison of versions: the running average of each one's winnings per hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import altair as alt
import numpy as np
import polars as pl

from railbird.experiments.framework.figures import Drawing
from railbird.experiments.papp1998.ten_seats import SEATS, Standings
from railbird.report.match.running_sums import Curves
from railbird.report.toolkit import number_format
from railbird.report.toolkit.chart_marks import (
    DASH_DOTTED,
    DASHED,
    DOTTED,
    LINES_HEIGHT,
    SOLID,
    layered,
    over_hands,
    zero_row,
)
from railbird.report.toolkit.figure import Figure
from railbird.report.toolkit.palette import variable

if TYPE_CHECKING:
    from railbird.estimates import Estimate

DATA = "averages"
"""Name of the figure's data."""

_POINTS = 250
_WILD = 0.02
"""Initial share of the deals that is not plotted: averages of a few deals are noise."""
_COLOURS = ("skill", "money", "luck", "position", "preflop", "turn", "river", "ink")
_DASHES = (SOLID, DASHED, DOTTED, DASH_DOTTED)
_AMOUNT = "small bets a hand, average so far"


def averages(name: str, title: str, standings: Standings, *, subtitle: str, note: str) -> Drawing:
    """Plot each version's running average, with its 95 % interval at the end."""
    estimates = {version.label: standings.of(version.label) for version in standings.versions}
    ends = {
        label: f"{label} "
        f"{number_format.signed(average.value, number_format.decimals_for(average.stderr))}"
        for label, average in estimates.items()
    }
    return Drawing(
        figure=Figure(
            name=name,
            title=title,
            words=f"Line chart of the average small bets a hand of each version over "
            f"{standings.hands:,} hands; at the end {', '.join(ends.values())}.",
            note=note,
            chart=_chart(estimates, ends, hands=standings.hands),
        ),
        data={DATA: Curves(table=_table(standings), stride=_stride(standings.deals) * SEATS)},
        subtitle=subtitle,
    )


def _chart(
    estimates: Mapping[str, Estimate], ends: Mapping[str, str], *, hands: int
) -> alt.LayerChart:
    """Return lines by version, with final values in the legend and final intervals as bars."""
    labels = list(estimates)
    columns = _columns(labels)
    versions = dict(zip(columns, labels, strict=True))
    scale = alt.Scale(
        domain=labels,
        range=[variable(_COLOURS[i % len(_COLOURS)]) for i in range(len(labels))],
    )
    dashes = alt.Scale(
        domain=labels, range=[list(_DASHES[i % len(_DASHES)]) for i in range(len(labels))]
    )
    legend = alt.Legend(labelExpr=f"({dict(ends)!r})[datum.value]", columns=2)
    height = alt.Y(
        "average", type="quantitative", title=_AMOUNT, axis=alt.Axis(format="+.2f", tickCount=6)
    )
    lines = (
        over_hands(DATA, "hands")
        .transform_fold([*columns], as_=["column", "average"])
        .transform_calculate(version=f"({versions!r})[datum.column]")
        .mark_line(strokeWidth=1.8, strokeJoin="round")
        .encode(
            y=height,
            color=alt.Color("version", type="nominal", title=None, scale=scale, legend=legend),
            strokeDash=alt.StrokeDash("version", type="nominal", title=None, scale=dashes),
        )
    )
    spans = (
        alt.Chart(
            alt.InlineData(
                values=[
                    {"hand": hands, "version": label, "low": average.low, "high": average.high}
                    for label, average in estimates.items()
                ]
            )
        )
        .mark_rule(strokeWidth=3, opacity=0.6)
        .encode(
            x=alt.X("hand", type="quantitative"),
            xOffset=alt.value(0),
            y=alt.Y("low", type="quantitative"),
            y2="high",
            color=alt.Color("version", type="nominal", scale=scale, legend=None),
        )
    )
    return layered(zero_row(), lines, spans).properties(width="container", height=LINES_HEIGHT)


def _columns(labels: list[str]) -> list[str]:
    return [f"line_{i}" for i in range(len(labels))]


def _stride(deals: int) -> int:
    return max(1, -(-deals // _POINTS))


def _table(standings: Standings) -> pl.DataFrame:
    """Return thinned running averages by hands played, without the noisy beginning."""
    deals = standings.deals
    first = max(1, round(deals * _WILD))
    kept = np.unique([*range(first, deals, _stride(deals)), deals])
    sums = np.cumsum(standings.won, axis=0)[kept - 1] / kept[:, None]
    labels = [version.label for version in standings.versions]
    return pl.DataFrame(
        {
            "hand": kept * SEATS,
            **{column: sums[:, i].round(5) for i, column in enumerate(_columns(labels))},
        }
    )
