"""Convergence curves on logarithmic axes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import altair as alt

from railbird.report.toolkit.chart_marks import (
    DASH_DOTTED,
    DASHED,
    DOTTED,
    LINES_HEIGHT,
    SOLID,
    layered,
)
from railbird.report.toolkit.palette import variable

_COLOURS = ("skill", "money", "luck", "position", "river")
_DASHES = (SOLID, DASHED, DOTTED, DASH_DOTTED, (2, 2))


def convergence_chart(
    curves: Mapping[str, Iterable[tuple[int, float]]], *, amount: str
) -> alt.LayerChart:
    """Draw points (iterations, value) of each curve by its label; values of zero are left out.

    ``amount`` names the vertical axis. At most five curves.
    """
    values = [
        {"iterations": iterations, "value": value, "line": label}
        for label, points in curves.items()
        for iterations, value in points
        if value > 0
    ]
    labels = list(curves)
    base = alt.Chart(alt.InlineData(values=values)).encode(
        x=alt.X(
            "iterations",
            type="quantitative",
            title="iterations",
            scale=alt.Scale(type="log", nice=False),
            axis=alt.Axis(format="~s", grid=False),
        ),
        y=alt.Y(
            "value",
            type="quantitative",
            title=amount,
            scale=alt.Scale(type="log"),
            axis=alt.Axis(format=".0e", tickCount=6),
        ),
        color=alt.Color(
            "line",
            type="nominal",
            title=None,
            scale=alt.Scale(domain=labels, range=[variable(name) for name in _COLOURS]),
            legend=alt.Legend(columns=1),
        ),
        strokeDash=alt.StrokeDash(
            "line",
            type="nominal",
            title=None,
            scale=alt.Scale(domain=labels, range=[list(dash) for dash in _DASHES]),
        ),
        tooltip=[
            alt.Tooltip("line", type="nominal", title="\N{NO-BREAK SPACE}"),
            alt.Tooltip("iterations", type="quantitative", format=",d"),
            alt.Tooltip("value", type="quantitative", title=amount, format=".2e"),
        ],
    )
    strokes = base.mark_line(strokeWidth=1.8, strokeJoin="round")
    points = base.mark_point(filled=True, size=18, opacity=1).encode(strokeDash=alt.value([1, 0]))
    return layered(strokes, points).properties(width="container", height=LINES_HEIGHT)
