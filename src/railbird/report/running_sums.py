"""Running sums of the scores of any hold'em, thinned to the resolution of a figure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from railbird.assessment.limit_rows import PAIR
from railbird.report.altair import alt
from railbird.report.charts import variable
from railbird.report.headline import lines_of
from railbird.report.number_format import display_name

if TYPE_CHECKING:
    from railbird.assessment.any_table import TableAssessment


STREETS = ("preflop", "flop", "turn", "river")

POINTS = 1000
"""Most points of a line: about one for each pixel of a wide page."""

_LINES = {
    "money": pl.col("money"),
    "divat": pl.col("divat"),
    "fitted": pl.col("fitted"),
    "luck": pl.sum_horizontal(f"luck_{street}" for street in STREETS),
    "position": pl.col("position"),
    "dcash": pl.col("dcash"),
    "money_minus_dcash": pl.col("money") - pl.col("dcash"),
    "redgreen": pl.col("redgreen"),
    **{street: pl.col(f"divat_{street}") for street in STREETS},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Curves:
    """Running sums at every ``stride``-th hand, from hand 0 to the last.

    ``table`` has a column ``hand`` (the number of hands summed) and one column per line, in the
    unit of the assessment; every value shown is the exact sum up to its hand.
    """

    table: pl.DataFrame
    stride: int


def curves(scores: pl.DataFrame, *, decides: str = "fitted", points: int = POINTS) -> Curves:
    """Sum the scores along the match and keep at most ``points`` + 2 of the sums.

    ``decides`` is the estimator that gets a line in addition to those of every match. A hand
    without a score, for cards that were not shown, adds nothing to its line.
    """
    return thinned(scores, points=points, lines={**_LINES, decides: pl.col(decides)})


def pair_means(scores: pl.DataFrame, decides: str = "fitted") -> pl.DataFrame | None:
    """Average money, DIVAT and what decides over each complete duplicate pair, in match order.

    None if the match has no pairs.
    """
    # By sorting rather than `group_by`, which takes 100 bytes a hand more.
    pair = scores["pair"].fill_null(-1).to_numpy()
    rows = np.flatnonzero(pair >= 0)
    rows = rows[np.argsort(pair[rows], kind="stable")]
    begins = np.flatnonzero(np.diff(pair[rows], prepend=-1))
    twice = begins[np.diff(begins, append=len(rows)) == PAIR]
    twice = twice[np.argsort(rows[twice])]
    first, second = rows[twice], rows[twice + 1]
    means = pl.DataFrame({"pair": pair[first]}).with_columns(
        ((scores[name].gather(first) + scores[name].gather(second)) / 2).alias(name)
        for name in ("money", "divat", decides)
    )
    return None if means.is_empty() else means


def thinned(
    amounts: pl.DataFrame, *, points: int = POINTS, lines: Mapping[str, pl.Expr] | None = None
) -> Curves:
    """Sum every line and keep every ``stride``-th sum, the first and the last.

    A line is an expression over the columns of ``amounts``; without ``lines`` every column is one.
    """
    if lines is None:
        lines = {name: pl.col(name) for name in amounts.columns}
    hands = amounts.height
    stride = max(1, -(-hands // points))
    hand_numbers = [*range(stride, hands, stride), hands] if hands else []
    last = [hand - 1 for hand in hand_numbers]
    # Only what is kept leaves an expression: whole lines are never in memory together.
    sums = amounts.select(
        line.cast(pl.Float64).fill_null(0.0).cum_sum().gather(last).alias(name)
        for name, line in lines.items()
    )
    table = pl.concat(
        [
            pl.DataFrame({"hand": [0], **{name: [0.0] for name in lines}}),
            sums.select(pl.Series("hand", hand_numbers, dtype=pl.Int64), pl.all()),
        ]
    )
    return Curves(table=table.with_columns(pl.exclude("hand").round(3)), stride=stride)


# Money of each player and the estimate that decides, summed up hand by hand, a chart each.


_POINTS: Final = 200
"""Most points of a line."""
_WIDTH, _HEIGHT = 330, 150
_COLOURS: Final = ("money", "skill")


def running_sums_chart(assessment: TableAssessment, player: str) -> alt.LayerChart:
    """Draw the sums of money and of the estimate that decides for a player, hand by hand."""
    titles = list(lines_of(assessment, player).values())
    hands = alt.Axis(tickCount=5, tickMinStep=1, grid=False, labelFlush=False)
    lines = (
        alt.Chart(alt.InlineData(values=_points(assessment, player)))
        .mark_line(strokeWidth=1.75)
        .encode(
            x=alt.X("hand:Q", title="hands", axis=hands),
            y=alt.Y("sum:Q", title=f"{assessment.unit}, running sum", axis=alt.Axis(tickCount=4)),
            color=alt.Color(
                "line:N",
                title=None,
                scale=alt.Scale(
                    domain=titles, range=[variable(name) for name in _COLOURS[: len(titles)]]
                ),
                legend=alt.Legend(orient="top"),
            ),
            strokeDash=alt.StrokeDash(
                "line:N",
                title=None,
                scale=alt.Scale(domain=titles, range=[[4, 2], [1, 0]][: len(titles)]),
            ),
        )
    )
    return alt.LayerChart(layer=[lines], title=display_name(player)).properties(
        width=_WIDTH, height=_HEIGHT
    )


def _points(assessment: TableAssessment, player: str) -> list[dict[str, object]]:
    number, lines = assessment.players.index(player), lines_of(assessment, player)
    mine = assessment.form.every.filter(pl.col("player") == number)
    stride = max(1, -(-mine.height // _POINTS))
    sums = mine.select(pl.col(name).cum_sum() for name in lines)
    row_indices = [*range(stride - 1, mine.height, stride)]
    if row_indices and row_indices[-1] != mine.height - 1:
        row_indices.append(mine.height - 1)
    return [
        {"line": title, "hand": hand, "sum": round(value, 3)}
        for name, title in lines.items()
        for hand, value in [
            (0, 0.0),
            *zip(
                [row + 1 for row in row_indices],
                sums[name].gather(row_indices).to_list(),
                strict=True,
            ),
        ]
    ]
