"""The 13×13 chart of the hand classes of any hold'em, as a figure and as text.

Suited classes are above the diagonal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from railbird.cards import CLASS_NAMES, CLASSES
from railbird.errors import BadInput
from railbird.report.altair import alt
from railbird.report.charts import variable
from railbird.report.document import Wrapped
from railbird.report.number_format import MINUS

SIDE = 13
_CELL = 40
_STRONGEST = 0.45
"""Opacity of a full cell: text in it keeps a contrast of 4.5 to 1 in both themes."""
_LEGEND_ROW = SIDE + 1


class Shade(Enum):
    """Meaning of a cell's colour: an amount, or an amount to either side of a middle."""

    AMOUNT = "amount"
    BALANCE = "balance"


@dataclass(frozen=True, slots=True, kw_only=True)
class RangeScale:
    """Mapping of values to colours and words."""

    shade: Shade = Shade.AMOUNT
    full: float = 1.0
    """How far from the middle the colour is strongest; beyond it nothing changes."""
    middle: float = 0.0
    """The value without a colour."""
    is_open: bool = False
    """Values of ``full`` may represent larger ones, and are marked as such."""
    factor: float = 1.0
    """Factor applied to a value before it is written."""
    digits: int = 0
    unit: str = ""
    legend: str = ""
    """Meaning of the numbers in the cells."""

    def words(self, value: float) -> str:
        """Write a value in a cell; a dot for zero, nothing where there is none.

        >>> FREQUENCY.words(0.714), DIFFERENCE.words(-0.5), FREQUENCY.words(0.0)
        ('71', '−50', '·')
        >>> stack_scale(20.0).words(9.5), stack_scale(20.0).words(20.0)
        ('9.5', '≥20')
        """
        if not np.isfinite(value):
            return ""
        if self.is_open and value >= self.full:
            return f"≥{self.full * self.factor:g}"
        sign = "+" if self.shade is Shade.BALANCE and not self.middle else ""
        text = f"{value * self.factor:{sign}.{self.digits}f}"
        if float(text) == 0:
            return "·"
        return text.replace("-", MINUS)

    def samples(self) -> list[float]:
        """Return the values that a legend shows, from one end to the other."""
        least = self.middle - self.full if self.shade is Shade.BALANCE else self.middle
        return [float(value) for value in np.linspace(least, self.middle + self.full, _SAMPLES)]


_SAMPLES = 5
FREQUENCY = RangeScale(factor=100, unit="%", legend="% of the time")
"""Probabilities from 0 to 1, written in per cent."""
DIFFERENCE = RangeScale(
    shade=Shade.BALANCE, factor=100, unit="percentage points", legend="percentage points"
)
"""Differences of probabilities, from -1 to 1."""
GAIN = RangeScale(shade=Shade.BALANCE, digits=2, unit="big blinds", legend="big blinds")
"""Gain of playing a hand over folding it."""


def count_scale(most: float) -> RangeScale:
    """Counts up to ``most``."""
    return RangeScale(full=max(most, 1.0), legend="decisions")


def stack_scale(full: float, *, is_whole: bool = False) -> RangeScale:
    """Stacks in big blinds up to ``full``, the largest that was looked at; perhaps all whole."""
    digits = 0 if is_whole else 1
    return RangeScale(
        full=full, is_open=True, digits=digits, unit="big blinds", legend="big blinds"
    )


def range_chart(
    values: npt.ArrayLike,
    *,
    title: str,
    scale: RangeScale = FREQUENCY,
    notes: Sequence[str] | None = None,
) -> alt.LayerChart:
    """Draw values (169,) by hand class, NaN where there is none, above a legend.

    ``notes`` are words (169,) below the values, such as how many decisions there were. Colours are
    named by CSS variables, as in all figures. Raises `BadInput` for another shape.
    """
    array = _checked(values)
    cells = [
        _cell(place, name, float(value), scale) | {"note": note}
        for place, (name, value, note) in enumerate(
            zip(CLASS_NAMES, array, notes or [""] * CLASSES, strict=True)
        )
    ]
    if scale.legend:
        cells += _legend(scale, array)
    lines = 2 if notes is None else 3
    base = alt.Chart(alt.InlineData(values=cells)).encode(
        x=alt.X("column", type="ordinal", axis=None),
        y=alt.Y("row", type="ordinal", axis=None),
        tooltip=[
            alt.Tooltip("hand", type="nominal", title="hand"),
            alt.Tooltip("shown", type="nominal", title=scale.unit or "value"),
        ],
    )
    tile = base.transform_filter("datum.strength !== null").mark_rect(
        stroke=variable("line"), strokeWidth=0.5
    )
    layers = [
        tile.encode(color=alt.value(variable("raised"))),
        tile.encode(
            color=alt.Color(
                "side",
                type="nominal",
                legend=None,
                scale=alt.Scale(domain=[False, True], range=[variable("skill"), variable("money")]),
            ),
            opacity=alt.Opacity("strength", type="quantitative", scale=None, legend=None),
        ),
        *(
            base.mark_text(**style).encode(
                text=alt.Text(field, type="nominal"), color=alt.value(variable("ink"))
            )
            for field, style in _TEXTS[lines].items()
        ),
        base.mark_text(align="left", dx=-12, dy=9, fontSize=13).encode(
            text=alt.Text("label", type="nominal"), color=alt.value(variable("muted"))
        ),
    ]
    rows = _LEGEND_ROW + 1 if scale.legend else SIDE
    chart = alt.LayerChart(layer=layers).properties(width=SIDE * _CELL, height=rows * _CELL)
    return chart.properties(title=title) if title else chart


_TEXTS: dict[int, dict[str, dict[str, Any]]] = {
    2: {"hand": {"dy": -7, "fontSize": 15}, "shown": {"dy": 9, "fontSize": 12}},
    3: {
        "hand": {"dy": -11, "fontSize": 12.5},
        "shown": {"dy": 2, "fontSize": 11.5},
        "note": {"dy": 13.5, "fontSize": 10},
    },
}
"""Vertical positions of a cell's lines, by their number."""


def _cell(place: int, name: str, value: float, scale: RangeScale) -> dict[str, object]:
    return {
        "hand": name,
        "row": place // SIDE,
        "column": place % SIDE,
        "shown": scale.words(value),
        "strength": _strength(value, scale),
        "side": bool(value < scale.middle),
        "label": "",
        "note": "",
    }


def _legend(scale: RangeScale, values: npt.NDArray[np.float64]) -> list[dict[str, object]]:
    """Cells of a row below the chart, and what their numbers are; an end may stand for more."""
    start = _LEGEND_ROW * SIDE
    cells = [
        _cell(start + column, "", value, scale) | ({} if value else {"shown": "0"})
        for column, value in enumerate(scale.samples())
    ]
    distances = values[np.isfinite(values)] - scale.middle
    for end, sign, is_beyond in (
        (cells[0], "≤", bool((distances < -scale.full).any())),
        (cells[-1], "≥", bool((distances > scale.full).any())),
    ):
        if is_beyond and not scale.is_open:
            end["shown"] = f"{sign}{end['shown']}"
    empty = _cell(start, "", math.nan, scale) | {"strength": None}
    # The row between is named so that the axis keeps it free.
    gap = empty | {"row": SIDE}
    words = empty | {"column": len(cells), "label": scale.legend}
    return [gap, *cells, words]


def range_text(values: npt.ArrayLike, scale: RangeScale = FREQUENCY) -> RenderableType:
    """Lay values (169,) out for a terminal of any width; colours only add to the numbers.

    NaN is a class that is not in the range; it stays blank, and the legend says so.
    """
    array = _checked(values).reshape(SIDE, SIDE)
    ranks = [name[0] for name in CLASS_NAMES[:: SIDE + 1]]
    table = Table(box=None, padding=(0, 0, 0, 1), pad_edge=False, header_style="")
    table.add_column("")
    for rank in ranks:
        table.add_column(rank, justify="right", min_width=3, no_wrap=True)
    for rank, row in zip(ranks, array, strict=True):
        table.add_row(rank, *(Text(scale.words(value), _style(value, scale)) for value in row))
    unit = f"; {scale.unit}" if scale.unit else ""
    if scale.is_open:
        unit += f", ≥{scale.full:g}: the largest stack looked at, perhaps more"
    if not np.isfinite(array).all():
        unit += "; · rounds to 0, a blank is no hand of this range"
    return Group(Wrapped(table), Text(f"suited above the diagonal{unit}", "dim"))


def _checked(values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    array = np.asarray(values, dtype=np.float64)
    if array.shape != (CLASSES,):
        raise BadInput(f"a chart of shape {array.shape}; allowed: ({CLASSES},), a value by class")
    return array


def _strength(value: float, scale: RangeScale) -> float:
    if not np.isfinite(value):
        return 0.0
    return round(_STRONGEST * min(abs(value - scale.middle) / scale.full, 1.0), 3)


def _style(value: float, scale: RangeScale) -> str:
    strength = _strength(value, scale) / _STRONGEST
    if strength < 0.005:
        return "dim"
    strong = "bold " if strength > 0.5 else ""
    return strong + ("yellow" if value < scale.middle else "cyan")
