"""Figures of experiments in the report's style: running sums through a match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

import altair as alt
import polars as pl

from railbird.estimates import Moments
from railbird.report import number_format
from railbird.report.charts import (
    DASH_DOTTED,
    DASHED,
    DOTTED,
    SOLID,
    ChartLine,
    layered,
    lines,
    row_axis,
    variable,
)
from railbird.report.document import Figure
from railbird.report.running_sums import STREETS, thinned
from railbird_papers.framework.rows import SIGMAS

if TYPE_CHECKING:
    from railbird.report.running_sums import Curves

DATA = "sums"
"""Name of a figure's data."""

BY_ROUND = tuple(f"divat_{street}" for street in STREETS)
"""Columns of DIVAT on each street."""

_AMOUNT = "small bets, running sum"
# The standard settings are in the middle of a sweep: solid, and in the colour of text.
_COLOURS = ("money", "luck", "position", "preflop", "ink", "flop", "turn", "river", "skill")
_CELL = 26
_DASHES = (DASHED, DOTTED, DASH_DOTTED)


@dataclass(frozen=True, slots=True)
class Stroke:
    """Label and style of a column of amounts."""

    label: str
    colour: str


STROKES: Mapping[str, Stroke] = MappingProxyType(
    {
        "money": Stroke("Money", "money"),
        "divat": Stroke("DIVAT", "skill"),
        "aivat": Stroke("AIVAT", "position"),
        "rest": Stroke(f"Money {number_format.MINUS} DIVAT", "luck"),
    }
)
"""By column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A figure and its data."""

    figure: Figure
    data: Mapping[str, Curves]
    subtitle: str
    """The players and the length of the match."""


def running_sums(
    name: str,
    title: str,
    amounts: pl.DataFrame,
    *,
    player: str,
    subtitle: str,
    note: str,
    counted: str = "hands",
    unit: str = "small bets",
) -> Drawing:
    """Plot the running sum of each of `STROKES` in ``amounts``, with curves at ±sd·√n about zero.

    ``amounts`` are per hand, or per ``counted``, in small bets or another ``unit`` for ``player``.
    """
    columns = [column for column in STROKES if column in amounts.columns]
    drawn = amounts.select(columns)
    ends = " and ".join(f"{STROKES[column].label} at {_end(drawn[column])}" for column in columns)
    figure = Figure(
        name=name,
        title=title,
        words=f"Line chart of running sums for {player} over {drawn.height:,} {counted}: {ends} "
        f"{unit} at the end, each with its curves of one standard deviation about zero.",
        note=note,
        chart=lines(
            DATA,
            [_with_spread(STROKES[column], drawn[column], counted) for column in columns],
            counted=counted,
            amount=f"{unit}, running sum",
        ),
    )
    curves = "dashed: one standard deviation about zero"
    return Drawing(figure=figure, data={DATA: thinned(drawn)}, subtitle=f"{subtitle}; {curves}")


def round_lines(
    name: str,
    title: str,
    scores: pl.DataFrame,
    *,
    player: str,
    subtitle: str,
    note: str,
    counted: str = "hands",
) -> Drawing:
    """Plot the running sum of DIVAT on each street, from columns `BY_ROUND` of ``scores``.

    ``scores`` are per hand, or per ``counted``, in small bets for ``player``.
    """
    street_scores = scores.select(BY_ROUND)
    ends = ", ".join(f"{street} {_end(street_scores[f'divat_{street}'])}" for street in STREETS)
    rated = [
        _rated(Stroke(street.capitalize(), street), street_scores[f"divat_{street}"], dash=dash)
        for street, dash in zip(STREETS, (SOLID, *_DASHES), strict=True)
    ]
    drawn = [replace(line, label=f"{line.label} a hand") for line in rated]
    figure = Figure(
        name=name,
        title=title,
        words=f"Line chart of running DIVAT sums by betting round for {player} over "
        f"{street_scores.height:,} {counted}; at the end, in small bets: {ends}.",
        note=note,
        chart=lines(DATA, drawn, counted=counted, amount=f"DIVAT, {_AMOUNT}"),
    )
    return Drawing(figure=figure, data={DATA: thinned(street_scores)}, subtitle=subtitle)


def sweep_lines(
    name: str,
    title: str,
    divat: Mapping[str, pl.Series],
    *,
    subtitle: str,
    note: str,
    counted: str = "hands",
) -> Drawing:
    """Plot one DIVAT line for each of several settings, by label.

    The middle one is the standard; it is solid, with curves at one standard deviation.
    """
    columns = [f"line_{i}" for i in range(len(divat))]
    middle = len(divat) // 2
    drawn = [
        ChartLine(
            column=column,
            label=label,
            short=label,
            colour=_COLOURS[i % len(_COLOURS)],
            dash=SOLID if i == middle else _DASHES[i % len(_DASHES)],
            sd=Moments.of(divat[label]).sd if i == middle else None,
        )
        for i, (column, label) in enumerate(zip(columns, divat, strict=True))
    ]
    amounts = pl.DataFrame(dict(zip(columns, divat.values(), strict=True)))
    ends = ", ".join(f"{label} {_end(line)}" for label, line in divat.items())
    figure = Figure(
        name=name,
        title=title,
        words=f"Line chart of {len(divat)} running DIVAT sums over {amounts.height:,} {counted}; "
        f"at the end, in small bets: {ends}.",
        note=note,
        chart=lines(DATA, drawn, counted=counted, amount=_AMOUNT),
    )
    return Drawing(figure=figure, data={DATA: thinned(amounts)}, subtitle=subtitle)


def significance_chart(
    name: str,
    title: str,
    cells: Mapping[tuple[str, str], float],
    *,
    subtitle: str,
    note: str,
) -> Drawing:
    """Plot distances from zero in standard errors as a coloured table."""
    values = [
        {"row": row, "column": column, "value": value, "shown": number_format.signed(value, 1)}
        for (row, column), value in cells.items()
    ]
    columns = list(dict.fromkeys(column for _, column in cells))
    base = alt.Chart(alt.InlineData(values=values)).encode(
        x=alt.X(
            "column",
            type="nominal",
            sort=columns,
            title=None,
            axis=alt.Axis(
                labelAngle=-30, labelColor=variable("ink"), labelLimit=0, labelOverlap=False
            ),
        ),
        y=row_axis("row", list(dict.fromkeys(row for row, _ in cells))),
    )
    colours = alt.Scale(
        domain=[-SIGMAS, 0, SIGMAS],
        range=[variable("money"), variable("paper"), variable("skill")],
        interpolate="rgb",
        clamp=True,
    )
    squares = base.mark_rect(opacity=0.6).encode(
        color=alt.Color("value", type="quantitative", scale=colours, legend=None)
    )
    numbers = base.mark_text(fontSize=12, color=variable("ink")).encode(
        text=alt.Text("shown", type="nominal")
    )
    largest = max(cells.values(), key=abs)
    figure = Figure(
        name=name,
        title=title,
        words=f"Table of {len(cells)} numbers of standard errors; the largest is "
        f"{number_format.signed(largest, 2)}.",
        note=note,
        chart=layered(squares, numbers).properties(width="container", height=_CELL * 9),
    )
    return Drawing(figure=figure, data={}, subtitle=subtitle)


def _with_spread(stroke: Stroke, amounts: pl.Series, counted: str) -> ChartLine:
    """Return a line with its rate and standard deviation, and with curves of the latter."""
    sd = Moments.of(amounts).sd
    line = _rated(stroke, amounts)
    # What is counted in pairs are means of their two hands.
    unit_label = "hand, sd of a pair" if counted == "pairs" else f"{counted.removesuffix('s')}, sd"
    label = f"{line.label} a {unit_label} {number_format.number(sd, 3)}"
    return replace(line, label=label, sd=sd)


def _rated(stroke: Stroke, amounts: pl.Series, *, dash: tuple[int, ...] = SOLID) -> ChartLine:
    mean = Moments.of(amounts).estimate()
    rate = number_format.signed(mean.value, number_format.decimals_for(mean.stderr))
    return ChartLine(
        column=amounts.name,
        label=f"{stroke.label} {rate}",
        short=stroke.label,
        colour=stroke.colour,
        dash=dash,
    )


def _end(amounts: pl.Series) -> str:
    return number_format.signed(float(amounts.sum()), 1)
