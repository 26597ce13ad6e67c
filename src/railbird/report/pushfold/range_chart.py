"""The 13×13 chart of the hand classes, as a figure and as text: suited above the diagonal."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

import altair as alt
import numpy as np
import numpy.typing as npt
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from railbird.cards import CLASS_NAMES, CLASSES
from railbird.errors import BadInput
from railbird.report.toolkit.chart_marks import CONFIG
from railbird.report.toolkit.number_format import MINUS
from railbird.report.toolkit.palette import variable
from railbird.report.toolkit.responsive_table import Fitted

SIDE = 13
_CELL = 27
_STRONGEST = 0.72
"""Opacity of a full cell: the text in it stays legible."""


class Shade(Enum):
    """What a cell's colour stands for: how much, or how much to which side of nought."""

    AMOUNT = "amount"
    BALANCE = "balance"


@dataclass(frozen=True, slots=True, kw_only=True)
class RangeScale:
    """How values become colours and words."""

    shade: Shade = Shade.AMOUNT
    full: float = 1.0
    """The value of the strongest colour, on both sides of nought; beyond it nothing changes."""
    factor: float = 1.0
    """What a value is multiplied by before it is written."""
    digits: int = 0
    unit: str = ""

    def words(self, value: float) -> str:
        """Write a value in a cell; a dot for nought, nothing where there is none.

        >>> FREQUENCY.words(0.714), DIFFERENCE.words(-0.5), FREQUENCY.words(0.0)
        ('71', '−50', '·')
        """
        if not np.isfinite(value):
            return ""
        sign = "+" if self.shade is Shade.BALANCE else ""
        text = f"{value * self.factor:{sign}.{self.digits}f}"
        if float(text) == 0:
            return "·"
        return text.replace("-", MINUS)


FREQUENCY = RangeScale(factor=100, unit="%")
"""Chances from 0 to 1, written in per cent."""
DIFFERENCE = RangeScale(shade=Shade.BALANCE, factor=100, unit="percentage points")
"""Differences of chances, from -1 to 1."""


def stack_scale(full: float) -> RangeScale:
    """Stacks in big blinds up to ``full``."""
    return RangeScale(full=full, digits=1, unit="big blinds")


def range_chart(
    values: npt.ArrayLike, *, title: str, scale: RangeScale = FREQUENCY
) -> alt.LayerChart:
    """Draw values (169,) by hand class, NaN where there is none.

    Colours are named by CSS variables, as in all figures. Raises `BadInput` for another shape.
    """
    cells = [
        {
            "hand": name,
            "row": place // SIDE,
            "column": place % SIDE,
            "shown": scale.words(value),
            "strength": _strength(value, scale),
            "side": bool(value < 0),
        }
        for place, (name, value) in enumerate(zip(CLASS_NAMES, _checked(values), strict=True))
    ]
    base = alt.Chart(alt.InlineData(values=cells)).encode(
        x=alt.X("column", type="ordinal", axis=None),
        y=alt.Y("row", type="ordinal", axis=None),
        tooltip=[
            alt.Tooltip("hand", type="nominal", title="hand"),
            alt.Tooltip("shown", type="nominal", title=scale.unit or "value"),
        ],
    )
    tile = base.mark_rect(stroke=variable("line"), strokeWidth=0.5)
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
        base.mark_text(dy=-5, fontSize=10).encode(
            text=alt.Text("hand", type="nominal"), color=alt.value(variable("ink"))
        ),
        base.mark_text(dy=7, fontSize=8.5).encode(
            text=alt.Text("shown", type="nominal"), color=alt.value(variable("ink"))
        ),
    ]
    size = SIDE * _CELL
    chart = alt.LayerChart(layer=layers).properties(width=size, height=size)
    return chart.properties(title=title) if title else chart


def range_figure(*charts: alt.LayerChart) -> dict[str, Any]:
    """Put charts side by side, as one figure's specification in the look of all figures."""
    beside = charts[0] if len(charts) == 1 else alt.HConcatChart(hconcat=list(charts), spacing=24)
    spec: dict[str, Any] = beside.to_dict()
    return spec | {"config": CONFIG | {"view": {"stroke": None}}}


def range_text(values: npt.ArrayLike, scale: RangeScale = FREQUENCY) -> RenderableType:
    """Lay values (169,) out for a terminal of any width; colours only add to the numbers."""
    array = _checked(values).reshape(SIDE, SIDE)
    ranks = [name[0] for name in CLASS_NAMES[:: SIDE + 1]]
    table = Table(box=None, padding=(0, 0, 0, 1), pad_edge=False, header_style="")
    table.add_column("")
    for rank in ranks:
        table.add_column(rank, justify="right", min_width=3)
    for rank, row in zip(ranks, array, strict=True):
        table.add_row(rank, *(Text(scale.words(value), _style(value, scale)) for value in row))
    unit = f"; {scale.unit}" if scale.unit else ""
    return Group(Fitted(table), Text(f"suited above the diagonal{unit}", "dim"))


def _checked(values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    array = np.asarray(values, dtype=np.float64)
    if array.shape != (CLASSES,):
        raise BadInput(f"a chart of shape {array.shape}; allowed: ({CLASSES},), a value by class")
    return array


def _strength(value: float, scale: RangeScale) -> float:
    if not np.isfinite(value):
        return 0.0
    return round(_STRONGEST * min(abs(value) / scale.full, 1.0), 3)


def _style(value: float, scale: RangeScale) -> str:
    strength = _strength(value, scale) / _STRONGEST
    if strength < 0.005:
        return "dim"
    strong = "bold " if strength > 0.5 else ""
    return strong + ("yellow" if value < 0 else "cyan")
