"""Errors of two approximations of strength against two opponents, by exact enumeration.

Loki raises the strength against the field array (the mean of the opponents' arrays) to the power of
their number; the alternative multiplies the strengths against each. Both allow two opponents to
hold the same card; the exact joint enumeration does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import altair as alt
import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDING_INDEX, Card, Holding, Range
from railbird.estimates.estimate import estimate
from railbird.experiments.framework.figures import Drawing
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import Row, measured
from railbird.odds import joint_hand_strength, model_odds
from railbird.report.toolkit.chart_marks import amount_axis, layered, zero_row
from railbird.report.toolkit.figure import Figure
from railbird.report.toolkit.palette import variable

if TYPE_CHECKING:
    from railbird.experiments.framework.workspace import Workspace

SITUATIONS = 1000
"""Hands examined on each street with each pair of ranges."""

_STREETS = {"flop": 3, "turn": 4, "river": 5}
_TIGHT = "77+, ATs+, KJs+, QJs, AJo+, KQo"
_LOOSE = "22+, A2s+, K6s+, Q8s+, J8s+, T8s+, 97s+, 86s+, 75s+, 65s, A7o+, K9o+, Q9o+, J9o+, T9o"
PAIRS = {
    "any two": ("random", "random"),
    "tight both": (_TIGHT, _TIGHT),
    "tight and loose": (_TIGHT, _LOOSE),
    "tight and any two": (_TIGHT, "random"),
}
"""Ranges of the two opponents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Errors:
    """Exact strengths, and the errors of both approximations, by situation."""

    exact: NDArray[np.float64]
    power: NDArray[np.float64]
    product: NDArray[np.float64]


def errors(pair: tuple[str, str], cards: int, *, situations: int, seed: int) -> Errors:
    """Deal hands and boards of ``cards`` cards, and compute the errors of both approximations."""
    rng = np.random.default_rng([seed, cards, *map(ord, "".join(pair))])
    ranges = [Range.parse(text) for text in pair]
    table = np.empty((situations, 3))
    for row in table:
        dealt = rng.choice(52, cards + 2, replace=False).tolist()
        hole = Holding(int(HOLDING_INDEX[dealt[0], dealt[1]]))
        board = tuple(map(Card, dealt[2:]))
        odds = model_odds(hole, board, ranges)
        exact = joint_hand_strength(hole, board, *(opponent.weights for opponent in ranges))
        row[:] = exact, odds.hs_field - exact, odds.hs - exact
    return Errors(exact=table[:, 0], power=table[:, 1], product=table[:, 2])


def perform(workspace: Workspace) -> Result:
    """Measure on every street with every pair of ranges."""
    situations = workspace.hands(SITUATIONS, least=20)
    rows: list[Row] = []
    points: list[dict[str, object]] = []
    steps = [(name, street) for name in PAIRS for street in _STREETS]
    for done, (name, street) in enumerate(steps):
        workspace.tell(done, len(steps), "strength")
        measured_errors = errors(
            PAIRS[name], _STREETS[street], situations=situations, seed=workspace.seed
        )
        for which, wrong in (
            ("HS^n of the field", measured_errors.power),
            ("product", measured_errors.product),
        ):
            about = f"{which}, {street}, {name}"
            rows += [
                measured(f"mean error, {about}", estimate(wrong, unit="")),
                measured(f"mean size of the error, {about}", estimate(abs(wrong), unit="")),
            ]
            worst = float(abs(wrong).max())
            rows[-1] = measured(rows[-1].name, rows[-1].ours, note=f"Worst {worst:.3f}, {about}.")
            points += [
                {"exact": float(a), "error": float(b), "which": which}
                for a, b in zip(measured_errors.exact, wrong, strict=True)
                if street == "flop" and name == "tight and any two"
            ]
    return Result(
        hands=situations, noun="situation", rows=tuple(rows), drawings=(_drawing(points),)
    )


def _drawing(points: list[dict[str, object]]) -> Drawing:
    names = list(dict.fromkeys(str(point["which"]) for point in points))
    scale = alt.Scale(domain=names, range=[variable("money"), variable("skill")])
    dots = (
        alt.Chart(alt.InlineData(values=points))
        .mark_point(filled=True, size=14, opacity=0.5)
        .encode(
            x=alt.X("exact", type="quantitative", title="exact strength", axis=amount_axis()),
            y=alt.Y("error", type="quantitative", title="shortcut less exact"),
            color=alt.Color("which", type="nominal", title=None, scale=scale),
        )
    )
    return Drawing(
        figure=Figure(
            name="shortcuts",
            title="Errors of the shortcuts on the flop, a tight opponent and one with any two",
            words="Scatter of both shortcuts' errors by exact strength against two opponents.",
            note="The field array mixes a strong and a weak range, and its square is above the "
            "product of their strengths wherever these differ; what the product lacks is that "
            "two opponents cannot hold one card.",
            chart=layered(zero_row(), dots).properties(width="container", height=320),
        ),
        data={},
        subtitle="random hands and flops",
    )
