"""Chart of whose decisions changed whose result: gains and losses by colour, with errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import altair as alt

from railbird.report.toolkit.number_format import MINUS, display_name
from railbird.report.toolkit.palette import variable

if TYPE_CHECKING:
    from railbird.estimates import Estimate

_WIDTH, _HEIGHT = 104, 46
_TITLE_WIDTH = 312
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
            "decisions": labels[one],
            "result": labels[two],
            "value": _signed(_THOUSANDTHS * cell.value),
            "error": f"± {_THOUSANDTHS * cell.stderr:,.0f}",
            "gain": cell.value > 0,
            "strength": _STRONGEST * abs(cell.value) / largest,
        }
        for (one, two), cell in cells.items()
        if one in labels and two in labels
    ]
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X(
            "result:N",
            sort=list(labels.values()),
            title=f"changed the result of, m{unit} a hand",
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
    """Name the rows; names that look alike are told apart by numbers."""
    labels: dict[str, str] = {}
    for name in players:
        label, number = display_name(name), 2
        while label in labels.values():
            label, number = f"{display_name(name)} ({number})", number + 1
        labels[name] = label
    return labels


def _signed(value: float) -> str:
    return f"{value:+,.0f}".replace("-", MINUS)
