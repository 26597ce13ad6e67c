"""Marks shared by all figures: lines through a match, and rows with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import altair as alt

from railbird.report.toolkit.palette import variable

LINES_HEIGHT = 300
ROW_HEIGHT = 30

SOLID = (1, 0)
DASHED = (7, 3)
DOTTED = (3, 2)
DASH_DOTTED = (9, 2, 2, 2)

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif"

CONFIG: dict[str, object] = {
    "background": None,
    "font": FONT,
    "view": {"stroke": None},
    "axis": {
        "domain": False,
        "ticks": False,
        "gridColor": variable("line"),
        "labelColor": variable("muted"),
        "titleColor": variable("muted"),
        "labelFontSize": 13,
        "titleFontSize": 13,
        "titleFontWeight": "normal",
        "labelPadding": 6,
        "titlePadding": 8,
        "labelOverlap": True,
        "labelSeparation": 8,
    },
    "axisX": {"grid": False},
    "legend": {
        "orient": "top",
        "direction": "horizontal",
        "labelColor": variable("ink"),
        "labelFontSize": 13,
        "labelLimit": 0,
        "symbolType": "stroke",
        "symbolStrokeWidth": 2.5,
        "symbolSize": 300,
        "rowPadding": 3,
        "columnPadding": 16,
        "offset": 10,
    },
    "title": {
        "anchor": "start",
        "color": variable("ink"),
        "fontSize": 15,
        "fontWeight": 600,
        "subtitleColor": variable("muted"),
        "subtitleFontSize": 12,
        "offset": 12,
    },
}
"""The look of every figure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a running-sum chart: a column of the data and how it is drawn."""

    column: str
    label: str
    """In the legend."""
    short: str
    """In the tooltip."""
    colour: str
    dash: tuple[int, ...] = SOLID
    sd: float | None = None
    """Standard deviation of one hand, for the curves about zero."""


def lines(
    data: str,
    drawn: Sequence[Line],
    *,
    counted: str,
    amount: str,
    areas: Sequence[alt.Chart] = (),
) -> alt.LayerChart:
    """Draw running sums over the named data, with a rule that follows the pointer.

    ``counted`` says what the horizontal axis counts and ``amount`` names the vertical one;
    ``areas`` lie below the lines. A line with an ``sd`` gets its curves ±sd·√hands.
    """
    columns = [line.column for line in drawn]
    labels = ", ".join(f"{line.column}: '{line.label}'" for line in drawn)
    strokes = (
        over_hands(data, counted)
        .transform_fold([*columns], as_=["line", "sum"])
        .mark_line(strokeWidth=1.8, strokeJoin="round")
        .encode(
            y=sum_axis("sum", amount),
            color=alt.Color(
                "line",
                type="nominal",
                title=None,
                scale=alt.Scale(domain=columns, range=[variable(line.colour) for line in drawn]),
                legend=alt.Legend(
                    labelExpr=f"({{{labels}}})[datum.value]", columns=1 if len(drawn) < 3 else 2
                ),
            ),
            strokeDash=alt.StrokeDash(
                "line",
                type="nominal",
                title=None,
                scale=alt.Scale(domain=columns, range=[list(line.dash) for line in drawn]),
            ),
        )
    )
    deviations = [_deviation(data, counted, amount, line) for line in drawn if line.sd is not None]
    layers = [*deviations, *areas, strokes, zero_row(), _follower(data, drawn, counted)]
    return layered(*layers).properties(width="container", height=LINES_HEIGHT)


def layered(*layers: alt.Chart | alt.LayerChart) -> alt.LayerChart:
    """Lay charts over one another, the first at the bottom."""
    return alt.LayerChart(layer=list(layers))


def over_hands(data: str, counted: str) -> alt.Chart:
    """Start a layer over the named data with its horizontal axis."""
    axis = alt.Axis(format=",d", tickCount=6, tickMinStep=1)
    return alt.Chart(alt.NamedData(name=data)).encode(
        x=alt.X("hand", type="quantitative", title=counted, axis=axis, scale=alt.Scale(nice=False))
    )


def sum_axis(field: str, amount: str) -> alt.Y:
    """Name the vertical axis of running sums."""
    axis = alt.Axis(format=",d", tickCount=6, tickMinStep=1)
    return alt.Y(field, type="quantitative", title=amount, axis=axis)


def zero_row() -> alt.Chart:
    """Draw the horizontal line at zero."""
    return _rule().encode(y=alt.datum(0))


def zero_column() -> alt.Chart:
    """Draw the vertical line at zero."""
    return _rule().encode(x=alt.datum(0))


class Mark(Enum):
    """Mark for the value of a row."""

    BAR = "bar"
    POINT = "point"


def rows(
    values: Sequence[Mapping[str, object]],
    *,
    mark: Mark,
    amount: str,
    colours: Sequence[str],
) -> alt.LayerChart:
    """Draw one row per value, a bar or a point with its 95 % interval.

    Each value has ``row`` (its label), ``value``, ``low`` and ``high``, None where there is no
    interval, and the texts ``shown`` and ``interval``; ``colours`` are by row.
    """
    labels = [str(value["row"]) for value in values]

    def base(values: Iterable[Mapping[str, object]]) -> alt.Chart:
        return alt.Chart(alt.InlineData(values=[dict(value) for value in values])).encode(
            y=row_axis("row", labels),
            tooltip=[
                alt.Tooltip("row", type="nominal", title="\N{NO-BREAK SPACE}"),
                alt.Tooltip("shown", type="nominal", title=amount),
                alt.Tooltip("interval", type="nominal", title="95 % interval"),
            ],
        )

    colour = alt.Color(
        "row",
        type="nominal",
        legend=None,
        scale=alt.Scale(domain=labels, range=[variable(name) for name in colours]),
    )
    value = alt.X(
        "value",
        type="quantitative",
        title=amount,
        axis=amount_axis(),
        scale=alt.Scale(padding=12, nice=False),
    )
    low = alt.X("low", type="quantitative")
    known = [value for value in values if value["low"] is not None]
    if mark is Mark.BAR:
        marks = base(values).mark_bar(height=14, opacity=0.85)
        spans = base(known).mark_rule(strokeWidth=1.5).encode(color=alt.value(variable("ink")))
    else:
        marks = base(values).mark_point(filled=True, size=80, opacity=1)
        spans = base(known).mark_rule(strokeWidth=2).encode(color=colour)
    layers = [marks.encode(x=value, color=colour)]
    if known:  # Vega warns of an axis over values that are all absent
        # Over a bar, else it would hide half of them; under a point.
        layers.insert(1 if mark is Mark.BAR else 0, spans.encode(x=low, x2="high"))
    return layered(zero_column(), *layers).properties(
        width="container", height=ROW_HEIGHT * len(values)
    )


def row_axis(field: str, labels: Sequence[str]) -> alt.Y:
    """List labels down the left side, in their order."""
    return alt.Y(
        field,
        type="nominal",
        sort=list(labels),
        title=None,
        axis=alt.Axis(labelColor=variable("ink"), labelLimit=0, grid=False),
    )


def amount_axis() -> alt.Axis:
    """Return the horizontal axis of amounts a faint grid."""
    return alt.Axis(grid=True, tickCount=5)


def _rule() -> alt.Chart:
    rule: alt.Chart = alt.Chart(alt.InlineData(values=[{}])).mark_rule(
        color=variable("muted"), strokeWidth=1, aria=False
    )
    return rule


def _deviation(data: str, counted: str, amount: str, line: Line) -> alt.LayerChart:
    base = over_hands(data, counted).transform_calculate(
        up=f"{line.sd:.6g} * sqrt(datum.hand)", down="-datum.up"
    )
    colour = variable(line.colour)
    area = base.mark_area(color=colour, opacity=0.07, aria=False).encode(
        y=sum_axis("up", amount), y2="down"
    )
    curves = [
        base.mark_line(
            color=colour, strokeDash=[4, 3], strokeWidth=1, opacity=0.8, aria=False
        ).encode(y=sum_axis(side, amount))
        for side in ("up", "down")
    ]
    return layered(area, *curves)


def _follower(data: str, drawn: Sequence[Line], counted: str) -> alt.Chart:
    nearest = alt.selection_point(
        name="at",
        nearest=True,
        on="pointermove, pointerdown",
        clear="pointerout",
        fields=["hand"],
        empty=False,
    )
    chart = over_hands(data, counted)
    tooltip = [alt.Tooltip("hand", type="quantitative", title=counted, format=",d")]
    for line in drawn:
        tooltip.append(
            alt.Tooltip(line.column, type="quantitative", title=line.short, format="+,.1f")
        )
        if line.sd is not None:
            field = f"{line.column}_sd"
            chart = chart.transform_calculate(**{field: f"{line.sd:.6g} * sqrt(datum.hand)"})
            tooltip.append(
                alt.Tooltip(field, type="quantitative", title=f"{line.short} ± 1 sd", format=",.1f")
            )
    rule: alt.Chart = (
        chart.mark_rule(color=variable("muted"), strokeWidth=1, aria=False)
        .encode(opacity=alt.condition(nearest, alt.value(1), alt.value(0)), tooltip=tooltip)
        .add_params(nearest)
    )
    return rule
