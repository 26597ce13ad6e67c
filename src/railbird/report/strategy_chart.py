"""A blackjack strategy as the usual coloured chart.

`range_chart` is the chart of hold'em's hand classes.
"""

from __future__ import annotations

import csv
import io
from functools import partial

from railbird.blackjack.chart import HARD, PAIRS, SOFT_ROWS, UPCARDS, Chart
from railbird.report.altair import alt
from railbird.report.charts import variable
from railbird.report.document import Document, Figure, Section, Table
from railbird.report.number_format import percent

ACTIONS = {
    "H": ("H hit", "raised"),
    "S": ("S stand", "money"),
    "D": ("D double or else hit, Ds or else stand", "skill"),
    "P": ("P split", "luck"),
    "R": ("R surrender or else what follows", "position"),
}
"""First letter of a cell: what it means, and its colour."""
_CELL = 34
_OPACITY = 0.4


def strategy_document(chart: Chart, *, title: str, value: float) -> Document:
    """Return a document with the strategy's action for every hand; ``value`` is that of a wager."""
    groups = (("Hard totals", HARD), ("Soft totals", SOFT_ROWS), ("Pairs", PAIRS))
    letters = ", ".join(words for words, _ in ACTIONS.values())
    return Document(
        title=title,
        lead=f"House edge {percent(-value, 3)} of a wager.",
        sections=(
            Section(words=f"{letters}."),
            *(
                Section(
                    heading=name,
                    figures=(
                        Figure(
                            partial(strategy_chart, chart, rows, title=name),
                            f"{name} by the dealer's upcard.",
                        ),
                    ),
                    table=Table(("hand", *UPCARDS), [(row, *chart[row].values()) for row in rows]),
                    either=True,
                )
                for name, rows in groups
            ),
        ),
    )


def strategy_csv(chart: Chart) -> str:
    """Write the chart with a line for each hand."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["hand", *UPCARDS])
    # A comma in the name of a row would be a column's.
    writer.writerows([row.replace(",", "-"), *cells.values()] for row, cells in chart.items())
    return text.getvalue()


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
    letters = {cell[0] for row in rows for cell in chart[row].values()}
    words = [word for word, _ in ACTIONS.values()]
    colours = [variable(colour) for _, colour in ACTIONS.values()]
    tile = base.mark_rect(stroke=variable("line"), strokeWidth=0.5, opacity=_OPACITY).encode(
        color=alt.Color(
            "action",
            type="nominal",
            title=None,
            legend=alt.Legend(
                orient="bottom",
                columns=2,
                symbolType="square",
                symbolOpacity=_OPACITY,
                values=[ACTIONS[letter][0] for letter in ACTIONS if letter in letters],
            ),
            scale=alt.Scale(domain=words, range=colours),
        )
    )
    text = base.mark_text(fontSize=13).encode(
        text=alt.Text("cell", type="nominal"), color=alt.value(variable("ink"))
    )
    return alt.LayerChart(layer=[tile, text]).properties(
        width=len(UPCARDS) * _CELL, height=len(rows) * 26, title=title
    )
