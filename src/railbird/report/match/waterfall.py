"""Waterfall chart: parts that add up to a whole, each bar starting where the last ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import altair as alt

from railbird.report.match.match_summary import Summand
from railbird.report.toolkit import number_format
from railbird.report.toolkit.chart_marks import amount_axis, layered, row_axis, zero_column
from railbird.report.toolkit.palette import variable

_BAR_HEIGHT = 26
_LABEL_ROOM = 48
"""Pixels kept free for the numbers beside bars."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One bar; the fields are those of the chart's data."""

    part: str
    kind: str
    """The colour's name."""
    start: float
    end: float
    right: float
    """Horizontal place of the number."""
    shown: str


def steps_of(parts: Sequence[Summand]) -> list[Step]:
    """Compute the bars of the parts, and of the money that they sum to."""
    steps, running = list[Step](), 0.0
    for part in parts:
        steps.append(_step(part.label, part.kind, running, running + part.total))
        running += part.total
    return [*steps, _step("Money", "money", 0.0, running)]


def _step(part: str, kind: str, start: float, end: float) -> Step:
    shown = number_format.signed(end - start, 1)
    return Step(part=part, kind=kind, start=start, end=end, right=max(start, end), shown=shown)


def waterfall(steps: Sequence[Step], *, amount: str) -> alt.LayerChart:
    """Draw the bars with their numbers; ``amount`` names the horizontal axis."""
    kinds = list(dict.fromkeys(step.kind for step in steps))
    base = alt.Chart(alt.InlineData(values=[asdict(step) for step in steps])).encode(
        y=row_axis("part", [step.part for step in steps])
    )
    bars = base.mark_bar(height=14).encode(
        x=alt.X(
            "start",
            type="quantitative",
            title=amount,
            axis=amount_axis(),
            scale=alt.Scale(padding=_LABEL_ROOM, nice=False),
        ),
        x2="end",
        color=alt.Color(
            "kind",
            type="nominal",
            scale=alt.Scale(domain=kinds, range=[variable(kind) for kind in kinds]),
            legend=None,
        ),
        tooltip=[
            alt.Tooltip("part", type="nominal", title="\N{NO-BREAK SPACE}"),
            alt.Tooltip("shown", type="nominal", title=amount),
        ],
    )
    labels = base.mark_text(align="left", dx=5, fontSize=12, color=variable("muted")).encode(
        x=alt.X("right", type="quantitative"), text=alt.Text("shown", type="nominal")
    )
    return layered(zero_column(), bars, labels).properties(
        width="container", height=_BAR_HEIGHT * len(steps)
    )
