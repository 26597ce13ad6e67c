"""Results of any game in a notebook: the terminal's words and tables as HTML, figures as charts.

`railbird._display.Illustrated` finds this module by its name. A kind of result gets figures by
registering `specifications`, and other HTML than its table by registering `html`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial, singledispatch
from typing import TYPE_CHECKING, Any, cast

from railbird._arguments import choice
from railbird.assessment import Assessment
from railbird.errors import unknown_name
from railbird.report import assessment_report
from railbird.report.altair import alt
from railbird.report.charts import Theme, resolve
from railbird.report.html_page import fragment, together
from railbird.report.range_chart import range_chart
from railbird.solve import PushFoldSolution

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

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
