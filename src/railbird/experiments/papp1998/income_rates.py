"""Income rates of the 169 classes of starting hands: the published tables and ours.

Papp 1998, appendix A: everybody calls one bet before the flop, all cards are dealt, and the best
hand wins; the rate is a class's mean gain per deal, in thousandths of the bet. The published rates
are simulated.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import altair as alt
import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.stats import rankdata, spearmanr

from railbird.cards import CLASS_NAMES, parse_class
from railbird.estimates import Estimate
from railbird.experiments.framework.figures import Drawing
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import Row, claimed, measured
from railbird.experiments.papp1998.published import published_income_rates
from railbird.modelling import income_rates
from railbird.report.toolkit import number_format
from railbird.report.toolkit.chart_marks import amount_axis, layered
from railbird.report.toolkit.figure import Figure
from railbird.report.toolkit.palette import variable

if TYPE_CHECKING:
    from railbird.experiments.framework.workspace import Workspace

OPPONENTS = (1, 3, 6)
"""Numbers of opponents in the published tables."""
LEAST_CORRELATION = 0.99

_UNIT = "thousandths"
SKLANSKY_MALMUTH = (
    ("AA", "KK", "QQ", "JJ", "AKs"),
    ("TT", "AQs", "AJs", "KQs", "AKo"),
    ("99", "JTs", "QJs", "KJs", "ATs", "AQo"),
    ("T9s", "KQo", "88", "QTs", "98s", "J9s", "AJo", "KTs"),
    (
        *("77", "87s", "Q9s", "T8s", "KJo", "QJo", "JTo", "76s", "97s", "65s"),
        *("A9s", "A8s", "A7s", "A6s", "A5s", "A4s", "A3s", "A2s"),
    ),
    ("66", "ATo", "55", "86s", "KTo", "QTo", "54s", "K9s", "J8s", "75s"),
    (
        *("44", "J9o", "64s", "T9o", "53s", "33", "98o", "43s", "22", "T7s", "Q8s"),
        *("K8s", "K7s", "K6s", "K5s", "K4s", "K3s", "K2s"),
    ),
    (
        *("87o", "A9o", "Q9o", "76o", "42s", "32s", "96s", "85s", "J8o", "J7s"),
        *("65o", "54o", "74s", "K9o", "T8o"),
    ),
)
"""The eight groups of Sklansky and Malmuth (Hold'em Poker for Advanced Players), best first."""


def differences() -> pl.DataFrame:
    """Return the published rate, ours and the difference by class and number of opponents."""
    columns: dict[str, object] = {"hand": list(CLASS_NAMES)}
    for opponents in OPPONENTS:
        theirs, ours = published_income_rates(opponents), income_rates(opponents)
        columns |= {
            f"published_{opponents}": theirs,
            f"ours_{opponents}": ours.round(1),
            f"difference_{opponents}": (ours - theirs).round(1),
        }
    return pl.DataFrame(columns)


def groups(rates: NDArray[np.float64]) -> list[set[str]]:
    """Return the best classes by income rate, in groups as large as Sklansky's and Malmuth's."""
    best = [CLASS_NAMES[i] for i in np.argsort(-rates, kind="stable")]
    ends = np.cumsum([0, *map(len, SKLANSKY_MALMUTH)])
    return [set(best[a:b]) for a, b in pairwise(ends)]


def shifts(rates: NDArray[np.float64]) -> dict[str, int]:
    """Return by how many groups Sklansky's and Malmuth's hands are lower by income rate.

    A hand in none of our groups counts as one group below the last.
    """
    ours = groups(rates)
    place = {hand: number for number, group in enumerate(ours) for hand in group}
    return {
        hand: place.get(hand, len(ours)) - number
        for number, group in enumerate(SKLANSKY_MALMUTH)
        for hand in group
    }


def perform(workspace: Workspace) -> Result:
    """Compare the tables; nothing is played."""
    del workspace
    rows = [row for opponents in OPPONENTS for row in _rows(opponents)]
    return Result(
        hands=len(rows),
        noun="income rate",
        rows=(*rows, *_group_rows()),
        drawings=tuple(map(_drawing, OPPONENTS)),
        tables={"differences": differences()},
    )


def _exact(value: float, unit: str = "") -> Estimate:
    return Estimate(value, 0.0, len(CLASS_NAMES), unit=unit)


def _rows(opponents: int) -> list[Row]:
    theirs, ours = published_income_rates(opponents), income_rates(opponents)
    apart = ours - theirs
    known = ~np.isnan(apart)
    correlation = float(spearmanr(theirs[known], ours[known]).statistic)
    which = f"{opponents} opponent{'s' if opponents > 1 else ''}"
    farthest = [CLASS_NAMES[i] for i in np.argsort(-np.abs(np.where(known, apart, 0)))[:5]]
    moved = np.abs(rankdata(theirs[known]) - rankdata(ours[known]))
    slope, level = np.polyfit(theirs[known], ours[known], 1)
    return [
        claimed(
            f"rank correlation, {which}",
            _exact(correlation),
            correlation > LEAST_CORRELATION,
            rule=f"above {LEAST_CORRELATION}",
        ),
        measured(f"mean of the differences, {which}", _exact(float(np.nanmean(apart)), _UNIT)),
        measured(
            f"mean size of the differences, {which}", _exact(float(np.nanmean(abs(apart))), _UNIT)
        ),
        measured(
            f"largest difference, {which}",
            _exact(float(np.nanmax(abs(apart))), _UNIT),
            note=f"Farthest apart, {which}: "
            + ", ".join(
                f"{hand} {number_format.signed(float(apart[parse_class(hand)]), 0)}"
                for hand in farthest
            )
            + ".",
        ),
        measured(
            f"scatter about the line ours = a + b published, {which}",
            _exact(float(np.std(ours[known] - level - slope * theirs[known])), _UNIT),
            note=f"a = {number_format.signed(float(level), 0)}, b = {slope:.3f}, {which}.",
        ),
        measured(f"places moved in the order, at most, {which}", _exact(float(moved.max()))),
    ]


def _group_rows() -> list[Row]:
    rows = []
    for name, rates in (("ours", income_rates(6)), ("published", published_income_rates(6))):
        for number, (wanted, ours) in enumerate(
            zip(SKLANSKY_MALMUTH, groups(rates), strict=True), 1
        ):
            out, into = sorted(set(wanted) - ours), sorted(ours - set(wanted))
            rows.append(
                measured(
                    f"group {number} shared with Sklansky and Malmuth, {name}",
                    _exact(float(len(wanted) - len(out))),
                    note=f"Group {number}, {name}: of {len(wanted)}; "
                    f"{', '.join(into) or 'nothing'} for {', '.join(out) or 'nothing'}.",
                )
            )
        apart = shifts(rates)
        near = sum(abs(shift) <= 1 for shift in apart.values())
        far = sorted((hand for hand in apart if abs(apart[hand]) > 1), key=lambda h: apart[h])
        rows.append(
            measured(
                f"hands of their groups in the same one or the next, {name}",
                _exact(float(near)),
                note=f"Of {len(apart)}, {name}; farther: "
                + ", ".join(f"{hand} {number_format.signed(apart[hand], 0)}" for hand in far)
                + ".",
            )
        )
    return rows


def _drawing(opponents: int) -> Drawing:
    theirs, ours = published_income_rates(opponents), income_rates(opponents)
    values = [
        {"hand": hand, "published": float(a), "ours": float(b)}
        for hand, a, b in zip(CLASS_NAMES, theirs, ours, strict=True)
        if not math.isnan(a)
    ]
    low, high = (float(f([*theirs, *ours])) for f in (np.nanmin, np.nanmax))
    diagonal = (
        alt.Chart(alt.InlineData(values=[{"x": low, "y": low}, {"x": high, "y": high}]))
        .mark_line(color=variable("muted"), strokeWidth=1)
        .encode(x=alt.X("x", type="quantitative"), y=alt.Y("y", type="quantitative"))
    )
    title = "thousandths of a bet"
    points = (
        alt.Chart(alt.InlineData(values=values))
        .mark_point(filled=True, size=28, opacity=0.8, color=variable("skill"))
        .encode(
            x=alt.X(
                "published", type="quantitative", title=f"published, {title}", axis=amount_axis()
            ),
            y=alt.Y("ours", type="quantitative", title=f"ours, {title}"),
            tooltip=[alt.Tooltip("hand", type="nominal")],
        )
    )
    which = f"{opponents} opponent{'s' if opponents > 1 else ''}"
    return Drawing(
        figure=Figure(
            name=f"{opponents}-opponents",
            title=f"Income rates, {which}",
            words=f"Scatter of 169 kinds of hands: published income rate and ours, {which}.",
            note="Each point is a kind of starting hand; on the line both tables agree.",
            chart=layered(diagonal, points).properties(width="container", height=320),
        ),
        data={},
        subtitle="Papp 1998, appendix A, and our roll-outs",
    )
