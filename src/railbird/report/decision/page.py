"""Self-contained page on one decision; it runs no script."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import vl_convert

from railbird.report.decision.explain_text import by_class, concentration, shown
from railbird.report.pushfold.range_chart import RangeScale, range_chart, range_figure
from railbird.report.toolkit import number_format
from railbird.report.toolkit.palette import Theme, resolve
from railbird.report.toolkit.templates import fill, svg_uri

if TYPE_CHECKING:
    from railbird.players.explanation import Belief, Stage
    from railbird.report.decision.explain_text import ExplainedDecision

_WEIGHTS = RangeScale(factor=100, unit="%")
"""Without a legend: the page says what the weights are, and has many small charts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chart:
    what: str
    words: str
    holdings: str
    said: str
    light: str
    dark: str


def decision_page(decision: ExplainedDecision) -> str:
    """Write the page; names from a log are hostile input, which the template escapes."""
    return fill(
        "decision.html.jinja",
        decision=decision,
        shown=shown,
        beliefs=[(who, _charts(who, belief, decision)) for who, belief in decision.beliefs],
    )


def _charts(who: str, belief: Belief, decision: ExplainedDecision) -> list[_Chart]:
    return [_chart(who, stage, decision) for stage in belief.stages]


def _chart(who: str, stage: Stage, decision: ExplainedDecision) -> _Chart:
    held = number_format.number(concentration(stage.weights, decision.known), 0)
    svg = _svg(by_class(stage.weights, decision.known).tobytes())
    light, dark = (svg_uri(resolve(svg, theme)) for theme in Theme)
    return _Chart(
        what=stage.what,
        words=f"Weights of the 169 kinds of hands that {who} may hold, {stage.what}.",
        holdings=held,
        said=", ".join(f"{reading.name} {shown(reading)}" for reading in stage.readings),
        light=light,
        dark=dark,
    )


@lru_cache(maxsize=64)
def _svg(values: bytes) -> str:
    """Draw values (169,), colours still named; opponents who did the same have the same chart.

    Drawing is nearly all that the page costs. Inside an image nobody can read a cell's label,
    so there are none.
    """
    spec = range_figure(range_chart(np.frombuffer(values), title="", scale=_WEIGHTS))
    return vl_convert.vegalite_to_svg(spec | {"config": {**spec["config"], "aria": False}})
