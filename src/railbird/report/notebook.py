"""Results of any game where Python shows them: in a notebook, and as a small table by ``print``.

A notebook shows the words and tables of the terminal as HTML, and the figures as charts.
`railbird._services.layout` finds this module. A kind of result gets figures by registering
`specifications`, other HTML than its table by registering `html`, and another small table than
the first rows of its data frame by registering `summary`.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial, singledispatch
from typing import TYPE_CHECKING, Any, Final, cast

from railbird._arguments import choice
from railbird.assessment import Assessment, StatisticsByPlayer
from railbird.assessment.own_play import OwnPlay
from railbird.errors import unknown_name
from railbird.report import assessment_report
from railbird.report.altair import alt
from railbird.report.charts import Theme, resolve
from railbird.report.document import Document, Section, Table
from railbird.report.html_page import fragment, together
from railbird.report.number_format import MINUS, counted, display_name, number
from railbird.report.play_document import short_play_document
from railbird.report.range_chart import range_chart
from railbird.report.statistics_document import players_table
from railbird.solve import PushFoldSolution

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import polars as pl

Specifications = Mapping[str, Callable[[], dict[str, Any]]]
"""Functions that return each figure's Vega-Lite specification, with colours named by meaning."""


def figure(result: object, name: str, *, theme: Theme | str = Theme.LIGHT) -> alt.LayerChart:
    """Draw one of the figures of a result. Raises `BadInput` if no figure has this name."""
    known = specifications(result)
    if name not in known:
        raise unknown_name("figure", name, known)
    spec = known[name]()
    # Pages leave the background out; Altair knows no such thing, and has the paper's above it.
    spec["config"] = {key: value for key, value in spec["config"].items() if value is not None}
    resolved = resolve(spec, choice(Theme, theme))
    return cast(alt.LayerChart, alt.Chart.from_dict(resolved))


def figure_names(result: object) -> tuple[str, ...]:
    """Name the figures of a result."""
    return tuple(specifications(result))


@singledispatch
def specifications(result: object) -> Specifications:
    """Return the specification of each figure of a result, by name."""
    return {}


@specifications.register
def _of_assessment(result: Assessment) -> Specifications:  # type: ignore[type-arg]
    return assessment_report.figures(result)


@specifications.register
def _of_equilibrium(result: PushFoldSolution) -> Specifications:
    stack = f"{result.game.stack:g} big blinds"
    sides = {"push": ("Small blind pushes", result.push), "call": ("Big blind calls", result.call)}
    return {
        name: partial(_range_figure, values, title=f"{words}, {stack}")
        for name, (words, values) in sides.items()
    }


def _range_figure(values: npt.NDArray[np.float64], title: str) -> dict[str, Any]:
    return together(range_chart(values, title=title))


@singledispatch
def html(result: Any) -> str:
    """Write a result as HTML: its table, unless more is known of its kind."""
    return str(result.to_polars()._repr_html_())


@html.register
def _words_of_assessment(result: Assessment) -> str:  # type: ignore[type-arg]
    return fragment(assessment_report.document(result))


# A small table of text, for plain Python.


_WIDTH: Final = 80
_LONGEST: Final = 1_500
"""Characters of the whole text."""
_ROWS: Final = 12
_GAP: Final = 2
"""Blanks between columns."""
_DIGITS: Final = 5
"""Significant digits of a number that is not whole."""
_TINY: Final = 1e-4
"""Below this, where zeros would hide the size, a number is written with a power of ten."""
_WHOLE: Final = "to_polars() has all"


def small_table(result: Any) -> str:
    """Write a result in at most 1,500 characters: its words, and what fits of its table."""
    document = summary(result)
    words = [display_name(document.title), document.lead] if document.lead else []
    lines = [line for text in words for line in textwrap.wrap(text, _WIDTH)]
    tables = [section.table for section in document.sections if section.table is not None]
    if not tables:
        return "\n".join(lines)[:_LONGEST]
    table = tables[0].without(
        [i for i, name in enumerate(tables[0].columns) if name in tables[0].page_only]
    )
    columns, most = _fitting(table), min(_ROWS, len(table.rows))
    while True:
        text = "\n".join([*lines, *_grid(table, columns, most, where=document.footer)])
        if len(text) <= _LONGEST or not most:
            return text[:_LONGEST]
        most -= 1


def _fitting(table: Table) -> int:
    """Return how many of the first columns fit side by side, at least one."""
    widths = [
        max(map(len, (head, *cells))) + _GAP
        for head, *cells in zip(table.columns, *table.rows, strict=True)
    ]
    return max(1, sum(sum(widths[: i + 1]) - _GAP <= _WIDTH for i in range(len(widths))))


def _grid(table: Table, columns: int, rows: int, *, where: str) -> list[str]:
    """Return the lines of the first columns and rows, and one that says how many there are."""
    cells = [[str(cell) for cell in row[:columns]] for row in table.rows[:rows]]
    if any(table.columns):
        cells.insert(0, [str(head) for head in table.columns[:columns]])
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    aligned = [str.rjust if table.is_numeric(i) else str.ljust for i in range(columns)]
    lines = [
        "  ".join(
            align(cell, width) for align, cell, width in zip(aligned, row, widths, strict=False)
        ).rstrip()
        for row in cells
    ]
    left = [
        f"{shown} of {counted(every, noun)}"
        for shown, every, noun in (
            (rows, len(table.rows), "row" if any(table.columns) else "column"),
            (columns, len(table.columns), "column"),
        )
        if shown < every
    ]
    if not left:
        return lines
    last = "; ".join(filter(None, (" and ".join(left), where)))
    return [*lines, last if len(last) <= _WIDTH else " and ".join(left)]


@singledispatch
def summary(result: Any) -> Document:
    """Return what ``print`` shows of a result: by default its data frame.

    An estimate is one column there, with its interval or standard error. A single row is turned on
    its side, one line for each column.
    """
    return _only(_table_of_frame(result.to_polars()))


def _only(table: Table) -> Document:
    return Document(title="", sections=[Section(table=table)], footer=_WHOLE)


def _table_of_frame(frame: pl.DataFrame) -> Table:
    names = [name for name in frame.columns if not _qualifies(name, frame.columns)]
    rows = [
        [_estimate_cell(row, name) for name in names]
        for row in frame.head(_ROWS + 1).iter_rows(named=True)
    ]
    if len(rows) == 1:
        return Table(("", ""), list(zip(names, rows[0], strict=True)), is_right=True)
    rows += [[""] * len(names)] * (frame.height - len(rows))  # which are counted, not shown
    return Table(tuple(names), rows)


def _qualifies(name: str, names: Sequence[str]) -> bool:
    """Return whether a column says how certain another one is."""
    estimate, _, suffix = name.rpartition("_")
    return estimate in names and suffix in ("stderr", "low", "high", "n")


def _estimate_cell(row: Mapping[str, Any], name: str) -> str:
    """Return a value with its interval or standard error, all to as many decimals."""
    value, stderr = row[name], row.get(f"{name}_stderr")
    low, high = row.get(f"{name}_low"), row.get(f"{name}_high")
    if not isinstance(value, float | int) or isinstance(value, bool):
        return _cell(value)
    if low is not None and high is not None:
        digits = _decimals(value, low, high)
        return f"{number(value, digits)} ({number(low, digits)} to {number(high, digits)})"
    if not stderr:
        return _cell(value)
    digits = _decimals(value, stderr)
    return f"{number(value, digits)} ± {number(stderr, digits)}"


def _cell(value: object) -> str:
    match value:
        case None | "":
            return "–" if value is None else ""
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case float() | Fraction():
            amount = float(value)
            if 0 < abs(amount) < _TINY:
                return f"{amount:.1e}".replace("-", MINUS)
            return number(amount, _decimals(amount))
        case _:
            return display_name(str(value))


def _decimals(*numbers: float) -> int:
    """Return the decimals that give the largest of some numbers five significant digits.

    >>> _decimals(0.5), _decimals(12.25, -0.003), _decimals(123_456.7), _decimals(0.0, math.inf)
    (5, 3, 0, 0)
    """
    sizes = [float(f"{abs(value):.{_DIGITS}g}") for value in numbers if math.isfinite(value)]
    largest = max(sizes, default=0.0)
    return max(0, _DIGITS - 1 - math.floor(math.log10(largest))) if largest else 0


@summary.register
def _of_players(result: StatisticsByPlayer) -> Document:
    return _only(players_table(result.players))


@summary.register
def _of_pushfold(result: PushFoldSolution) -> Document:
    value = result.value_sb_bb
    words = (
        f"With {result.game.stack:g} big blinds the small blind pushes "
        f"{100 * result.push_share:.2f} % of all hands, the big blind calls with "
        f"{100 * result.call_share:.2f} %. The small blind {'loses' if value < 0 else 'wins'} "
        f"{abs(value):.6f} big blinds a hand."
    )
    return replace(_only(_table_of_frame(result.to_polars())), title="Push/fold", lead=words)


@summary.register
def _of_judged_hands(result: Assessment) -> Document:  # type: ignore[type-arg]
    return assessment_report.document(result)


@summary.register
def _of_own_play(result: OwnPlay) -> Document:
    return short_play_document(result)
