"""Results in a notebook: the words and tables of the terminal as HTML, the figures as charts.

`railbird._display.Illustrated` finds this module by its name. A kind of result gets figures by
registering `specifications`, and other HTML than its table by registering `html`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial, singledispatch
from html import escape
from typing import TYPE_CHECKING, Any, cast

import altair as alt
from rich.console import Group
from rich.padding import Padding
from rich.table import Table

from railbird._arguments import choice
from railbird.assessment import Assessment
from railbird.errors import unknown_name
from railbird.report.match import charts as charts
from railbird.report.match.match_summary import summarise_match
from railbird.report.match.report_files import specification
from railbird.report.match.terminal import text
from railbird.report.pushfold.range_chart import range_chart, range_figure
from railbird.report.toolkit.palette import Theme, resolve
from railbird.report.toolkit.responsive_table import Fitted
from railbird.solve import PushFoldSolution

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from rich.console import RenderableType

Specifications = Mapping[str, Callable[[], dict[str, Any]]]
"""Functions that return each figure's Vega-Lite specification, with colours named by meaning."""


def figure(result: object, name: str, *, theme: Theme | str = Theme.LIGHT) -> alt.LayerChart:
    """Draw one of the figures of a result. Raises `BadInput` for a name that none of them has."""
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
def _of_match(result: Assessment) -> Specifications:
    facts = summarise_match(result)
    drawn = charts.figures(facts) if facts.hands else ()
    subtitle = f"{facts.first} against {facts.second}"
    data = charts.datasets(facts)
    return {
        figure.name: partial(specification, figure, data, subtitle=subtitle) for figure in drawn
    }


@specifications.register
def _of_equilibrium(result: PushFoldSolution) -> Specifications:
    stack = f"{result.game.stack:g} big blinds"
    sides = {"push": ("Small blind pushes", result.push), "call": ("Big blind calls", result.call)}
    return {
        name: partial(_range_figure, values, title=f"{words}, {stack}")
        for name, (words, values) in sides.items()
    }


def _range_figure(values: npt.NDArray[np.float64], title: str) -> dict[str, Any]:
    return range_figure(range_chart(values, title=title))


@singledispatch
def html(result: Any) -> str:
    """Write a result as HTML: its table, unless more is known of its kind."""
    return str(result.to_polars()._repr_html_())


@html.register
def _words_of_match(result: Assessment) -> str:
    return _html_of(text(result))


def _html_of(part: RenderableType | object) -> str:
    """Write what the terminal shows as HTML."""
    match part:
        case Group():
            return "".join(map(_html_of, part.renderables))
        case Padding():
            return _html_of(part.renderable)
        case Fitted():
            return _table(part.table)
        case Table():
            return _table(part)
        case _:
            return f"<p>{escape(str(part))}</p>"


def _table(table: Table) -> str:
    """Write a table; cells that were aligned to the right still are."""
    tags = [f'style="text-align:{column.justify}"' for column in table.columns]
    heads = [
        f"<th {tag}>{escape(str(column.header))}</th>"
        for tag, column in zip(tags, table.columns, strict=True)
    ]
    rows = [
        [f"<td {tag}>{escape(str(cell))}</td>" for tag, cell in zip(tags, row, strict=True)]
        for row in zip(*(column.cells for column in table.columns), strict=True)
    ]
    caption = f"<caption>{escape(str(table.title))}</caption>" if table.title else ""
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return f"<table>{caption}<thead><tr>{''.join(heads)}</tr></thead><tbody>{body}</tbody></table>"
