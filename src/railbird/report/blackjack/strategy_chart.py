"""The usual coloured chart of a strategy."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import altair as alt

from railbird._files import replace_files
from railbird.blackjack.chart import HARD, PAIRS, SOFT_ROWS, UPCARDS, Chart
from railbird.report.match.report_files import Image, render
from railbird.report.pushfold.range_chart import range_figure
from railbird.report.toolkit.charts_page import Chart as Picture
from railbird.report.toolkit.charts_page import Section, charts_page
from railbird.report.toolkit.number_format import percent
from railbird.report.toolkit.palette import variable

ACTIONS = {
    "H": ("hit", "raised"),
    "S": ("stand", "money"),
    "D": ("double", "skill"),
    "P": ("split", "luck"),
    "R": ("surrender", "position"),
}
"""First letter of a cell: the action, and its colour."""
_CELL = 34
_OPACITY = 0.4


def write_chart(chart: Chart, path: Path, *, title: str, value: float) -> None:
    """Write the chart; the ending of ``path`` is .html, .svg, .png or .csv."""
    kind = path.suffix.lower()
    if kind == ".csv":
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["hand", *UPCARDS])
        # A comma in the name of a row would be a column's.
        writer.writerows([row.replace(",", "-"), *cells.values()] for row, cells in chart.items())
        replace_files({path: text.getvalue().encode()})
        return
    groups = (("Hard totals", HARD), ("Soft totals", SOFT_ROWS), ("Pairs", PAIRS))
    pictures = [strategy_chart(chart, rows, title=name) for name, rows in groups]
    edge = f"House edge {percent(-value, 3)} of a wager."
    if kind == ".html":
        letters = "H hit, S stand, D double or else hit, Ds double or else stand, P split, "
        sections = [
            Section(words=letters + "R surrender or else what follows."),
            *(
                Section(
                    heading=name,
                    charts=(Picture(picture, f"{name} by the dealer's upcard."),),
                    columns=("hand", *UPCARDS),
                    rows=tuple((row, *chart[row].values()) for row in rows),
                    either=True,
                )
                for (name, rows), picture in zip(groups, pictures, strict=True)
            ),
        ]
        replace_files({path: charts_page(title, sections, lead=edge).encode()})
        return
    spec = range_figure(*pictures) | {"background": "var(--paper)", "padding": 16}
    spec["title"] = {"text": title, "subtitle": edge}
    replace_files({path: render(spec, Image(kind[1:]))})


def strategy_chart(chart: Chart, rows: tuple[str, ...], *, title: str) -> alt.LayerChart:
    """Draw some rows of a chart, by the dealer's upcard."""
    cells = [
        {"row": row, "upcard": upcard, "cell": cell, "action": ACTIONS[cell[0]][0]}
        for row in rows
        for upcard, cell in chart[row].items()
    ]
    base = alt.Chart(alt.InlineData(values=cells)).encode(
        x=alt.X(
            "upcard", type="ordinal", sort=list(UPCARDS),
            axis=alt.Axis(orient="top", title="dealer shows", labelAngle=0),
        ),
        y=alt.Y("row", type="ordinal", sort=list(rows), axis=alt.Axis(title=None)),
        tooltip=[
            alt.Tooltip("row", type="nominal", title="hand"),
            alt.Tooltip("upcard", type="nominal", title="dealer"),
            alt.Tooltip("action", type="nominal"),
        ],
    )  # fmt: skip
    words = [word for word, _ in ACTIONS.values()]
    colours = [variable(colour) for _, colour in ACTIONS.values()]
    tile = base.mark_rect(stroke=variable("line"), strokeWidth=0.5, opacity=_OPACITY).encode(
        color=alt.Color(
            "action",
            type="nominal",
            legend=None,
            scale=alt.Scale(domain=words, range=colours),
        )
    )
    text = base.mark_text(fontSize=13).encode(
        text=alt.Text("cell", type="nominal"), color=alt.value(variable("ink"))
    )
    return alt.LayerChart(layer=[tile, text]).properties(
        width=len(UPCARDS) * _CELL, height=len(rows) * 26, title=title
    )
