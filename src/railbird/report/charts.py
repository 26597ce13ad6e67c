"""Chart colours by meaning for any game, light and dark, for pages, figures and exported files.

A figure names a colour by its CSS variable, so one figure serves both themes and print, and a
file export replaces the names by one theme's values. Lines that share a figure differ in dash as
well as in colour.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from railbird._terminal_safe import visible
from railbird.report.altair import alt
from railbird.report.number_format import MINUS, display_name

if TYPE_CHECKING:
    from railbird.estimates import Estimate


class Theme(Enum):
    """The two themes of a page or an exported figure."""

    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class Colour:
    """One meaning's colour in both themes, ``#rrggbb``."""

    light: str
    dark: str

    def of(self, theme: Theme) -> str:
        """Return the value in a theme."""
        return self.light if theme is Theme.LIGHT else self.dark


COLOURS = {
    "paper": Colour("#fdfdfb", "#16181b"),
    "raised": Colour("#f4f4f0", "#1e2125"),
    "ink": Colour("#1b1c1e", "#e6e4df"),
    "muted": Colour("#5b5d61", "#a3a5a8"),
    "line": Colour("#dcdcd6", "#34383d"),
    "money": Colour("#b5480a", "#f2a057"),
    "skill": Colour("#0b5fa5", "#6db3f8"),
    "luck": Colour("#00796b", "#5ed3b4"),
    "position": Colour("#8f1f6f", "#f29bd0"),
    "preflop": Colour("#8a5a00", "#e5b84b"),
    "flop": Colour("#b0246a", "#f48bb9"),
    "turn": Colour("#00788c", "#5cc9db"),
    "river": Colour("#3b3f8f", "#a5aaf5"),
}
"""Colours by purpose; contrast with the background is 3:1 for marks and 4.5:1 for text."""

_REFERENCE = re.compile(r"var\(--([a-z]+)\)")


def variable(name: str) -> str:
    """Refer to a colour as a figure does.

    >>> variable("money")
    'var(--money)'
    """
    if name not in COLOURS:
        raise KeyError(name)
    return f"var(--{name})"


def resolve(spec: Any, theme: Theme) -> Any:
    """Replace every colour reference in a nested specification by its value in a theme.

    Hidden characters, which names from logs may contain, are replaced too.

    >>> resolve({"mark": {"color": "var(--ink)"}}, Theme.LIGHT)
    {'mark': {'color': '#1b1c1e'}}
    """
    match spec:
        case str():
            # XML knows no control characters: the renderer would abort the process.
            return visible(_REFERENCE.sub(lambda m: COLOURS[m.group(1)].of(theme), spec))
        case dict():
            return {key: resolve(value, theme) for key, value in spec.items()}
        case list():
            return [resolve(value, theme) for value in spec]
        case _:
            return spec


def finite(spec: Any) -> Any:
    """Replace numbers that are not finite in a nested specification by None, which is not drawn.

    An interval of too few values is unbounded. A chart reaches its renderer as JSON, which has
    neither infinity nor NaN.

    >>> finite({"values": [{"mean": 0.5, "low": -math.inf, "high": math.nan}]})
    {'values': [{'mean': 0.5, 'low': None, 'high': None}]}
    """
    match spec:
        case float():
            return spec if math.isfinite(spec) else None
        case dict():
            return {key: finite(value) for key, value in spec.items()}
        case list():
            return [finite(value) for value in spec]
        case _:
            return spec


def theme_css() -> str:
    """Write the palette as CSS variables: light, dark where the reader's system is, and print."""

    def block(selector: str, theme: Theme) -> str:
        values = ";".join(f"--{name}:{colour.of(theme)}" for name, colour in COLOURS.items())
        return f"{selector}{{color-scheme:{theme.value};{values}}}"

    return "\n".join(
        [
            block(":root", Theme.LIGHT),
            "@media (prefers-color-scheme:dark){" + block(":root", Theme.DARK) + "}",
            block(":root[data-theme=light]", Theme.LIGHT),
            block(":root[data-theme=dark]", Theme.DARK),
            # The doubled selector counts as much as that of a chosen theme, and comes last: paper
            # is always light.
            "@media print{" + block(":root:root", Theme.LIGHT) + "}\n",
        ]
    )


# Marks shared by all figures: lines through a match, and rows with intervals.


LINES_HEIGHT = 300
ROW_HEIGHT = 30
_LETTER_WIDTH = 7
_SYMBOL_WIDTH = 40
"""Of a legend's label and its symbol with the space about it, in pixels."""

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
        "titlePadding": 14,  # a reader's font may be wider than that of the layout
        "labelOverlap": True,
        "labelSeparation": 8,
    },
    "axisX": {"grid": False},
    "axisYBand": {"labelOverlap": False},  # a row without its name says nothing
    "header": {
        "labelColor": variable("ink"),
        "labelFontSize": 13,
        "titleColor": variable("muted"),
        "titleFontSize": 13,
        "titleFontWeight": "normal",
    },
    "legend": {
        "orient": "top",
        "direction": "horizontal",
        "labelColor": variable("ink"),
        "labelFontSize": 13,
        "labelLimit": 0,
        "titleColor": variable("muted"),
        "titleFontSize": 13,
        "titleFontWeight": "normal",
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
class ChartLine:
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


def _two_if_wide(labels: Sequence[str]) -> alt.ExprRef:
    """Return the columns of a legend: two where a chart has room for its longest labels."""
    column = _SYMBOL_WIDTH + _LETTER_WIDTH * max(map(len, labels))
    return alt.ExprRef(f"width < {2 * column} ? 1 : 2")


def lines(
    data: str,
    drawn: Sequence[ChartLine],
    *,
    counted: str,
    amount: str,
    areas: Sequence[alt.Chart] = (),
) -> alt.LayerChart:
    """Draw running sums over the named data, with a rule that follows the pointer.

    ``counted`` says what the horizontal axis counts and ``amount`` names the vertical one;
    ``areas`` lie below the lines. A line with an ``sd`` gets its curves ±sd·√hands.
    """
    has_deviations = any(line.sd is not None for line in drawn)
    # On two lines, for a phone has no room for one.
    axis = [counted, "shaded: ± one standard deviation"] if has_deviations else counted
    columns = [line.column for line in drawn]
    labels = ", ".join(f"{line.column}: '{line.label}'" for line in drawn)
    strokes = (
        over_hands(data, axis)
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
                    labelExpr=f"({{{labels}}})[datum.value]",
                    columns=1 if len(drawn) < 3 else _two_if_wide([line.label for line in drawn]),
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
    deviations = [_deviation(data, axis, amount, line) for line in drawn if line.sd is not None]
    layers = [*deviations, *areas, strokes, zero_row(), _follower(data, drawn, counted, axis)]
    return layered(*layers).properties(width="container", height=LINES_HEIGHT)


def layered(*layers: alt.Chart | alt.LayerChart) -> alt.LayerChart:
    """Lay charts over one another, the first at the bottom."""
    return alt.LayerChart(layer=list(layers))


def over_hands(data: str, counted: str | list[str]) -> alt.Chart:
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


class RowMark(Enum):
    """Mark for the value of a row."""

    BAR = "bar"
    POINT = "point"


def rows(
    values: Sequence[Mapping[str, object]],
    *,
    mark: RowMark,
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
    if mark is RowMark.BAR:
        marks = base(values).mark_bar(height=14, opacity=0.85)
        spans = base(known).mark_rule(strokeWidth=1.5).encode(color=alt.value(variable("ink")))
    else:
        marks = base(values).mark_point(filled=True, size=80, opacity=1)
        spans = base(known).mark_rule(strokeWidth=2).encode(color=colour)
    layers = [marks.encode(x=value, color=colour)]
    if known:  # Vega warns of an axis over values that are all absent
        # Over a bar, else it would hide half of them; under a point.
        layers.insert(1 if mark is RowMark.BAR else 0, spans.encode(x=low, x2="high"))
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


def _deviation(data: str, counted: str | list[str], amount: str, line: ChartLine) -> alt.LayerChart:
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


def _follower(
    data: str, drawn: Sequence[ChartLine], counted: str, axis: str | list[str]
) -> alt.Chart:
    nearest = alt.selection_point(
        name="at",
        nearest=True,
        on="pointermove, pointerdown",
        clear="pointerout",
        fields=["hand"],
        empty=False,
    )
    chart = over_hands(data, axis)
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


# Convergence curves on logarithmic axes.


_POWER_OF_TEN = "format(datum.value, datum.value < 5e-7 ? '.0e' : '~f')"
"""Label of a power of ten: as a decimal, where that can be read."""
_COLOURS = ("skill", "money", "luck", "position", "river")
_DASHES = (SOLID, DASHED, DOTTED, DASH_DOTTED, (2, 2))


def line_scales(labels: Sequence[object]) -> tuple[alt.Scale, alt.Scale]:
    """Return the colours and dashes of lines, in 25 different combinations."""
    many = len(_COLOURS)
    colours = [variable(_COLOURS[i % many]) for i in range(len(labels))]
    # After each round of colours the dashes move on by one, so no pair of colour and dash repeats
    # before the twenty-sixth line.
    dashes = [list(_DASHES[(i + i // many) % many]) for i in range(len(labels))]
    domain: list[Any] = list(labels)
    return alt.Scale(domain=domain, range=colours), alt.Scale(domain=domain, range=dashes)


def convergence_chart(
    curves: Mapping[str, Iterable[tuple[int, float]]], *, amount: str
) -> alt.LayerChart:
    """Draw points (iterations, value) of each curve by its label; values of zero are left out.

    ``amount`` names the vertical axis.
    """
    values: list[dict[str, Any]] = [
        {"iterations": iterations, "value": value, "line": label}
        for label, points in curves.items()
        for iterations, value in points
        if value > 0
    ]
    colours, dashes = line_scales(list(curves))
    magnitudes = [math.log10(value["value"]) for value in values]
    powers = range(
        math.floor(min(magnitudes, default=0)), math.ceil(max(magnitudes, default=0)) + 1
    )
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
            axis=alt.Axis(values=[10.0**power for power in powers], labelExpr=_POWER_OF_TEN),
        ),
        color=alt.Color(
            "line",
            type="nominal",
            title=None,
            scale=colours,
            legend=alt.Legend(columns=1),
        ),
        strokeDash=alt.StrokeDash("line", type="nominal", title=None, scale=dashes),
        tooltip=[
            alt.Tooltip("line", type="nominal", title="\N{NO-BREAK SPACE}"),
            alt.Tooltip("iterations", type="quantitative", format=",d"),
            alt.Tooltip("value", type="quantitative", title=amount, format=".2e"),
        ],
    )
    strokes = base.mark_line(strokeWidth=1.8, strokeJoin="round")
    points = base.mark_point(filled=True, size=18, opacity=1).encode(strokeDash=alt.value([1, 0]))
    return layered(strokes, points).properties(width="container", height=LINES_HEIGHT)


# Chart of whose decisions changed whose result: gains and losses by colour, with errors.


_WIDTH, _HEIGHT = 104, 46
_TITLE_WIDTH = 400
"""Width that holds the title of the columns."""
_STRONGEST = 0.45
"""Opacity of the largest cell: text in it keeps a contrast of 4.5 to 1 in both themes."""
_THOUSANDTHS = 1000


def crosstable_chart(
    cells: Mapping[tuple[str, str], Estimate], players: Sequence[str], unit: str
) -> alt.LayerChart:
    """Draw means per hand by who decided (rows) and whose result it is (columns).

    Values are written in thousandths of the unit with their standard errors; pairs that never met
    stay empty. A cell's colour is as strong as its value among all.
    """
    largest = max((abs(cell.value) for cell in cells.values()), default=0.0) or 1.0
    labels = _labels(players)
    rows = [
        {
            "decisions": labels[decider],
            "result": labels[affected_player],
            "value": _signed(_THOUSANDTHS * cell.value),
            "error": f"± {_THOUSANDTHS * cell.stderr:,.0f}",
            "gain": cell.value > 0,
            "strength": _STRONGEST * abs(cell.value) / largest,
        }
        for (decider, affected_player), cell in cells.items()
        if decider in labels and affected_player in labels
    ]
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X(
            "result:N",
            sort=list(labels.values()),
            title=f"changed the result of, m{unit} a hand ± standard error",
            axis=alt.Axis(orient="top", labelAngle=0, labelLimit=_WIDTH, domain=False, ticks=False),
        ),
        y=alt.Y(
            "decisions:N",
            sort=list(labels.values()),
            title="decisions of",
            axis=alt.Axis(domain=False, ticks=False, labelLimit=160),
        ),
    )
    area = base.mark_rect(stroke=variable("line")).encode(
        color=alt.condition(
            "datum.gain", alt.value(variable("skill")), alt.value(variable("money"))
        ),
        fillOpacity=alt.FillOpacity("strength:Q", scale=None),
    )
    value = base.mark_text(dy=-6, fontSize=14, fill=variable("ink")).encode(text="value:N")
    error = base.mark_text(dy=11, fontSize=11, fill=variable("ink")).encode(text="error:N")
    return alt.LayerChart(layer=[area, value, error]).properties(
        width=max(_WIDTH * len(players), _TITLE_WIDTH), height=_HEIGHT * len(players)
    )


def _labels(players: Sequence[str]) -> dict[str, str]:
    """Name the rows, and number names that look the same."""
    labels: dict[str, str] = {}
    for name in players:
        label, number = display_name(name), 2
        while label in labels.values():
            label, number = f"{display_name(name)} ({number})", number + 1
        labels[name] = label
    return labels


def _signed(value: float) -> str:
    return f"{value:+,.0f}".replace("-", MINUS)
