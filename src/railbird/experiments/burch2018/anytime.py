"""Intervals under continuous looking: how many matches leave their interval at any hand.

A match is missed if its interval leaves out the true mean at any time. Hands are mixtures: mostly
small results, seldom one near the bound, and a skew, as in limit hold'em and as AIVAT leaves them.
"""

from __future__ import annotations

import math
import time
from functools import cache
from typing import Final

import altair as alt
import numpy as np
import numpy.typing as npt

from railbird.estimates.bounded_sequence import bounded_path
from railbird.estimates.confidence_sequences import confidence_sequence
from railbird.estimates.estimate import Moments
from railbird.estimates.settings import FEWEST, FIRST_LOOK, LEVEL, TUNED_FOR
from railbird.estimates.wilson_proportion import Proportion
from railbird.experiments.framework.figures import Drawing
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import Row, beside, claimed
from railbird.experiments.framework.workspace import Work, Workspace
from railbird.report.toolkit import number_format
from railbird.report.toolkit.chart_marks import LINES_HEIGHT, layered
from railbird.report.toolkit.figure import Figure
from railbird.report.toolkit.palette import variable

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

MATCHES: Final = 2000
HANDS: Final = TUNED_FOR
BOUND: Final = 24.0
"""Most small bets that a hand of limit can win or lose."""
RARE: Final = {"often large": 0.3, "seldom large": 0.02}
"""Parts of the hands with a large result."""
LIMITS: Final = {"asymptotic": 0.07, "certain": 0.05}
"""Parts of the matches that may be missed; the asymptotic one holds in the limit only."""
PUBLISHED_NAIVE: Final = "0.6135"
"""False claims by fixed intervals under continuous looking (Li, Chen and Huang 2026)."""

_AT_ONCE: Final = 100
_FIXED: Final = "fixed, looked at all the time"
_COLOURS: Final = ("skill", "luck", "money")
_POINTS: Final = 60


def perform(workspace: Workspace) -> Result:
    """Simulate matches with results of both kinds; count those missed up to every hand."""
    matches = workspace.hands(MATCHES, least=_AT_ONCE)
    rng = np.random.default_rng(workspace.seed)
    started = time.perf_counter()
    rows: list[Row] = []
    curves: dict[str, dict[str, Floats]] = {}
    for place, (kind, rare) in enumerate(RARE.items()):
        first = {name: np.zeros(HANDS) for name in (*LIMITS, _FIXED)}
        at_the_end = np.zeros(0, dtype=np.bool_)
        for done in range(0, matches, _AT_ONCE):
            workspace.tell(place * matches + done, len(RARE) * matches, "matches")
            values, true = results(rng, (min(_AT_ONCE, matches - done), HANDS), rare)
            outside, last = missed(values, true)
            at_the_end = np.concatenate([at_the_end, last])
            for name, flags in outside.items():
                hit = flags.any(axis=1)
                np.add.at(first[name], flags[hit].argmax(axis=1), 1)
        curves[kind] = {name: counts.cumsum() / matches for name, counts in first.items()}
        rows += _rows(kind, curves[kind], at_the_end)
    workspace.record(Work("simulated", len(RARE) * matches * HANDS, time.perf_counter() - started))
    return Result(
        hands=len(RARE) * matches,
        noun="match",
        rows=tuple(rows),
        drawings=tuple(_drawing(kind, found, matches) for kind, found in curves.items()),
    )


def results(rng: np.random.Generator, shape: tuple[int, int], rare: float) -> tuple[Floats, float]:
    """Return results of hands (matches, hands), and their mean: a part ``rare`` is large."""
    sizes = np.array([-24.0, -12.0, 7.0, 18.0, -1.0, -0.5, 0.0, 1.5])
    chances = np.array([rare / 4] * 4 + [(1 - rare) / 4] * 4)
    return rng.choice(sizes, shape, p=chances), float(sizes @ chances)


def missed(values: Floats, true: float) -> tuple[dict[str, Flags], Flags]:
    """Return where each interval leaves out the mean (matches, hands), and the fixed one at last.

    A fixed interval is looked at from the `FEWEST`-th hand on.
    """
    hands = values.shape[1]
    count = np.arange(1, hands + 1)
    mean = values.cumsum(axis=1) / count
    deviations = np.maximum(np.square(values).cumsum(axis=1) - count * np.square(mean), 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        sd = np.sqrt(deviations / (count - 1))
        half_width = sd * _unit_widths(hands)
        fixed = np.abs(mean - true) > 1.96 * sd / np.sqrt(count)
    last = fixed[:, -1].copy()
    fixed[:, : FEWEST - 1] = False
    path = bounded_path(values, bound=BOUND)
    return {
        "asymptotic": np.abs(mean - true) > half_width,
        "certain": np.abs(path.centre - true) > path.half_width,
        _FIXED: fixed,
    }, last


@cache
def _unit_widths(hands: int) -> Floats:
    """Return the half-width of `confidence_sequence` after every value of variance 1."""
    widths = np.full(hands, math.inf)
    for n in range(FIRST_LOOK, hands + 1):
        widths[n - 1] = confidence_sequence(Moments(n, 0.0, n - 1.0)).half_width
    return widths


def _rows(kind: str, curves: dict[str, Floats], at_the_end: Flags) -> list[Row]:
    matches = len(at_the_end)
    ever = {name: round(float(curve[-1]) * matches) for name, curve in curves.items()}
    shares = {name: _share(count, matches) for name, count in ever.items()}
    rows = [
        claimed(
            f"{kind}: matches that the {name} interval ever misses",
            shares[name],
            shares[name].low <= limit,
            rule=f"95 % interval reaches down to {limit:g}",
        )
        for name, limit in LIMITS.items()
    ]
    once = Proportion.of_trials(at_the_end)
    return [
        *rows,
        beside(
            f"{kind}: by a fixed one, looked at after every hand",
            PUBLISHED_NAIVE,
            shares[_FIXED],
            "Published are false claims about poker agents in matches of other lengths.",
        ),
        claimed(
            f"{kind}: by a fixed one, looked at once at the end",
            once,
            once.low <= 1 - LEVEL <= once.high,
            rule=f"95 % interval contains {1 - LEVEL:.2g}",
        ),
    ]


def _share(count: int, matches: int) -> Proportion:
    return Proportion.of_trials(np.arange(matches) < count)


def _drawing(kind: str, curves: dict[str, Floats], matches: int) -> Drawing:
    """Plot the part of the matches missed so far by the hands played."""
    shown = np.unique(np.geomspace(FEWEST, HANDS, _POINTS).astype(int))
    values = [
        {"interval": name, "hands": hand, "missed": round(float(curve[hand - 1]), 5)}
        for name, curve in curves.items()
        for hand in shown.tolist()
    ]
    base = alt.Chart(alt.InlineData(values=values)).encode(
        x=alt.X(
            "hands",
            type="quantitative",
            title="hands",
            scale=alt.Scale(type="log", nice=False),
            axis=alt.Axis(format="~s", grid=False),
        ),
        y=alt.Y(
            "missed",
            type="quantitative",
            title="matches missed so far",
            axis=alt.Axis(format=".0%"),
        ),
        color=alt.Color(
            "interval",
            type="nominal",
            title=None,
            scale=alt.Scale(domain=[*curves], range=[variable(name) for name in _COLOURS]),
        ),
    )
    level = (
        alt.Chart(alt.InlineData(values=[{"missed": 1 - LEVEL}]))
        .mark_rule(color=variable("ink"), strokeDash=[2, 2])
        .encode(y=alt.Y("missed", type="quantitative"))
    )
    told = "; ".join(
        f"{name} {number_format.percent(float(curve[-1]))}" for name, curve in curves.items()
    )
    figure = Figure(
        name=kind.replace(" ", "-"),
        title=f"Matches whose interval has left out the mean, results {kind}",
        words=f"Line chart of the part of the matches missed up to each hand; at the end: {told}.",
        note="The dotted line is at the 5 % that intervals of 95 % promise.",
        chart=layered(level, base.mark_line(strokeWidth=1.8)).properties(
            width="container", height=LINES_HEIGHT
        ),
    )
    return Drawing(figure=figure, data={}, subtitle=f"{matches:,} matches of {HANDS:,} hands")
