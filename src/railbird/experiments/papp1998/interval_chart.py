"""Chart of estimates with their intervals, a row for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from railbird.experiments.framework.figures import Drawing
from railbird.report.toolkit import number_format
from railbird.report.toolkit.chart_marks import Mark, rows
from railbird.report.toolkit.figure import Figure

if TYPE_CHECKING:
    from railbird.experiments.framework.rows import Row


def interval_chart(
    name: str, title: str, of: Sequence[Row], *, amount: str, subtitle: str, decimals: int = 2
) -> Drawing:
    """Draw the results of rows; ``amount`` names their unit."""
    values = [
        {
            "row": row.name,
            "value": row.ours.value,
            "low": row.ours.low,
            "high": row.ours.high,
            "shown": number_format.signed(row.ours.value, decimals),
            "interval": number_format.interval(row.ours.low, row.ours.high, decimals),
        }
        for row in of
    ]
    words = "; ".join(f"{value['row']} {value['shown']}" for value in values)
    colours = ["money"] * len(values)
    return Drawing(
        figure=Figure(
            name=name,
            title=title,
            words=f"{title}, in {amount}: {words}.",
            note="Lines are 95 % intervals.",
            chart=rows(values, mark=Mark.POINT, amount=amount, colours=colours),
        ),
        data={},
        subtitle=subtitle,
    )
