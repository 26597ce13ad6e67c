"""Figures: the share of tournaments won as a session goes on, and means with their intervals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import altair as alt
import numpy as np
from numpy.typing import NDArray

from railbird.experiments.framework.figures import Drawing
from railbird.report.toolkit import number_format
from railbird.report.toolkit.chart_marks import (
    DASH_DOTTED,
    DASHED,
    DOTTED,
    LINES_HEIGHT,
    ROW_HEIGHT,
    SOLID,
    layered,
    row_axis,
)
from railbird.report.toolkit.figure import Figure
from railbird.report.toolkit.palette import variable

if TYPE_CHECKING:
    from railbird.estimates import Estimate

_COLOURS = ("skill", "money", "luck", "position", "preflop", "turn", "river", "ink")
_DASHES = (SOLID, DASHED, DOTTED, DASH_DOTTED)
_SIGMAS = 1.96


def winning_curves(
    name: str,
    title: str,
    won: Mapping[str, NDArray[np.float64]],
    *,
    subtitle: str,
    note: str,
    fair: float = 0.5,
) -> Drawing:
    """Plot the share of tournaments won so far in a session, with 95 % bands.

    ``won`` (sessions, tournaments) by label; the horizontal line is at ``fair``.
    """
    values = [
        {
            "line": label,
            "tournament": number,
            "share": round(float(mean), 5),
            "low": round(float(max(0, mean - _SIGMAS * error)), 5),
            "high": round(float(min(1, mean + _SIGMAS * error)), 5),
        }
        for label, table in won.items()
        for number, mean, error in _so_far(table)
    ]
    labels = list(won)
    colours = alt.Scale(domain=labels, range=_cycled([variable(c) for c in _COLOURS], labels))
    dashes = alt.Scale(domain=labels, range=_cycled([list(dash) for dash in _DASHES], labels))
    base = alt.Chart(alt.InlineData(values=values)).encode(
        x=alt.X(
            "tournament",
            type="quantitative",
            title="tournaments since the players met",
            axis=alt.Axis(format="d", tickMinStep=1),
            scale=alt.Scale(nice=False),
        ),
        color=alt.Color(
            "line", type="nominal", title=None, scale=colours, legend=alt.Legend(columns=4)
        ),
    )
    share = alt.Y(
        "share",
        type="quantitative",
        title="won so far",
        axis=alt.Axis(format=".0%"),
        scale=alt.Scale(zero=False),
    )
    bands = base.mark_area(opacity=0.15).encode(
        y=alt.Y("low", type="quantitative", title="won so far"),
        y2="high",
        color=alt.Color("line", type="nominal", scale=colours, legend=None),
    )
    strokes = base.mark_line(strokeWidth=1.8).encode(
        y=share, strokeDash=alt.StrokeDash("line", type="nominal", title=None, scale=dashes)
    )
    even = (
        alt.Chart(alt.InlineData(values=[{"share": fair}]))
        .mark_rule(color=variable("muted"), strokeWidth=1)
        .encode(y=share)
    )
    ends = ", ".join(
        f"{label} {number_format.percent(float(table.mean()))}" for label, table in won.items()
    )
    return Drawing(
        figure=Figure(
            name=name,
            title=title,
            words=f"Line chart of the share of tournaments won so far in a session: {ends} in all.",
            note=note,
            chart=layered(strokes, bands, even).properties(width="container", height=LINES_HEIGHT),
        ),
        data={},
        subtitle=subtitle,
    )


def means_with_intervals(
    name: str,
    title: str,
    means: Mapping[str, Estimate],
    *,
    amount: str,
    subtitle: str,
    note: str,
) -> Drawing:
    """Plot means as points with their 95 % intervals, one row each, in the given order."""
    values = [
        {
            "row": label,
            "mean": mean.value,
            # Too few values have no interval; the point stands alone then.
            "low": mean.low if np.isfinite(mean.low) else mean.value,
            "high": mean.high if np.isfinite(mean.high) else mean.value,
        }
        for label, mean in means.items()
    ]
    base = alt.Chart(alt.InlineData(values=values)).encode(y=row_axis("row", list(means)))
    spans = base.mark_rule(strokeWidth=3, opacity=0.6, color=variable("skill")).encode(
        x=alt.X("low", type="quantitative", title=amount, scale=alt.Scale(zero=False)), x2="high"
    )
    points = base.mark_point(filled=True, size=60, color=variable("skill")).encode(
        x=alt.X("mean", type="quantitative", title=amount)
    )
    told = ", ".join(
        f"{label} {number_format.number(mean.value, number_format.decimals_for(mean.stderr))}"
        for label, mean in means.items()
    )
    return Drawing(
        figure=Figure(
            name=name,
            title=title,
            words=f"Points with intervals, {amount}: {told}.",
            note=note,
            chart=layered(spans, points).properties(
                width="container", height=ROW_HEIGHT * len(means)
            ),
        ),
        data={},
        subtitle=subtitle,
    )


def _so_far(table: NDArray[np.float64]) -> list[tuple[int, float, float]]:
    """Return the number, the mean over sessions of the share so far, and its standard error."""
    sessions, tournaments = table.shape
    shares = np.cumsum(table, axis=1) / np.arange(1, tournaments + 1)
    errors = (
        shares.std(axis=0, ddof=1) / np.sqrt(sessions) if sessions > 1 else np.zeros(tournaments)
    )
    means = shares.mean(axis=0)
    return list(zip(range(1, tournaments + 1), means.tolist(), errors.tolist(), strict=True))


def _cycled(styles: list, labels: list[str]) -> list:  # type: ignore[type-arg]
    return [styles[place % len(styles)] for place in range(len(labels))]
