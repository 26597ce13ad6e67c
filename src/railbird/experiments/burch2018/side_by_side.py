"""Every estimator side by side: on matches of our own, and on a log of others' play.

How many hands an estimator saves depends on the players, and on what is known of them: of a log of
strangers nothing but the cards and the actions, of our own players the strategies of none, one or
both.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import altair as alt
import numpy as np
import numpy.typing as npt
import polars as pl

from railbird.arena import Seating
from railbird.assessment import Estimator, assess
from railbird.assessment.aivat.estimator import Aivat
from railbird.assessment.decision_divat.match import assess_batches
from railbird.errors import BadInput, RailbirdError
from railbird.estimates import Estimate, Moments
from railbird.estimates.estimate import estimate, paired_difference
from railbird.experiments.framework.figures import Drawing
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import Row, measured, sigmas_for, zero
from railbird.experiments.limit_players.scores import known_of, pairs_of
from railbird.histories import read_columns
from railbird.histories.columns import batches_of
from railbird.report.toolkit import number_format
from railbird.report.toolkit.chart_marks import layered, row_axis
from railbird.report.toolkit.figure import Figure
from railbird.report.toolkit.palette import variable

if TYPE_CHECKING:
    from pathlib import Path

    from railbird.experiments.framework.workspace import Workspace
    from railbird.histories.columns import HandBatch

Floats = npt.NDArray[np.float64]

MATCHES: Final = (
    ("equilibrium:small", "equilibrium:small"),
    ("equilibrium:small", "baseline"),
    ("equilibrium:small", "loki:som"),
    ("equilibrium:small", "always-call"),
    ("loki:som", "loki:basic"),
)
HANDS: Final = 4000
"""In each match of our own, each deal played twice."""
LOG_HANDS: Final = 36_454
"""Of a given log at scale 1."""
HEADINGS: Final = {
    "money": "money",
    "divat": "DIVAT",
    "fitted": "fitted",
    "mivat": "MIVAT",
    "aivat_one": "AIVAT, one known",
    "aivat_both": "AIVAT, both known",
}
_COLOURS: Final = ("money", "skill", "preflop", "river", "position", "ink")
_HEIGHT: Final = 46


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A match by every estimator that can judge it."""

    title: str
    hands: int
    means: dict[str, Estimate] = field(default_factory=dict)
    """Of the first player; in a match in duplicate by deals."""
    spreads: dict[str, float] = field(default_factory=dict)
    """Standard deviation of a hand."""
    duplicate: dict[str, float] = field(default_factory=dict)
    """The same in duplicate: of a deal's mean, times the root of its two hands."""
    differences: dict[str, Estimate] = field(default_factory=dict)
    """Money less each estimator, paired."""

    def gain(self, spread: float | None) -> float | None:
        """Return the variance of a hand's money over that of an estimator; None if it has none."""
        return (self.spreads["money"] / spread) ** 2 if spread else None


def perform(workspace: Workspace) -> Result:
    """Play our matches, read the log that was given, and set all estimators beside each other."""
    given, left_out = _given(workspace)
    judged = [*(_judged_match(workspace, *players) for players in MATCHES), *given]
    return Result(
        hands=sum(each.hands for each in judged),
        rows=(*_rows(judged), *left_out),
        drawings=(_drawing(judged, workspace.seed),),
        tables={"estimators": _numbers(judged)},
        printed={
            "small bets a hand, for the first player of each match; sd of a hand, how many times "
            "less variance than its money, and the same of a deal played twice": _text(judged)
        },
    )


def _judged_match(workspace: Workspace, one: str, other: str) -> Judged:
    """Play a match in duplicate and judge it with one player known and with both, where they are.

    Of two known ones the first counts where one is known.
    """
    deals = workspace.hands(HANDS) // 2
    match = workspace.match(one, other, deals, seating=Seating.DUPLICATE)
    log = workspace.play(match).log
    first, second = match.names
    known = known_of({first: one, second: other})
    given: dict[str, Estimator] = {}
    if known:
        name = first if first in known else second
        given["aivat_one"] = Aivat(known={name: known[name]})
    if len(known) > 1:
        given["aivat_both"] = Aivat(known=known)
    scores = _scores(workspace, log, first, given)
    pairs = pairs_of(scores, [name for name in HEADINGS if name in scores.columns])
    return _judged(f"{one} v {other}", scores, pairs)


def _given(workspace: Workspace) -> tuple[list[Judged], list[Row]]:
    """Judge a log of players of whom nothing is known; where it cannot be judged, a row says why.

    With all experiments it is the same log for each, most of which take another game.
    """
    path = workspace.data
    if path is None:
        return [], []
    try:
        scores = _scores(workspace, path, None, {}, workspace.hands(LOG_HANDS))
    except RailbirdError as problem:
        name = f"hands of {path.name} that every estimator takes"
        why = str(problem).rstrip(".") + "."
        return [], [measured(name, Estimate(0.0, 0.0, 1, unit="hands"), why)]
    return [_judged(path.name, scores, None)], []


def _scores(
    workspace: Workspace,
    log: Path,
    player: str | None,
    given: dict[str, Estimator],
    hands: int | None = None,
) -> pl.DataFrame:
    """Return a row for each hand: its pair, and columns of `HEADINGS`, for the first player."""
    batches = [batch for batch, _ in batches_of(read_columns(log))]
    if hands is not None:
        batches = _first(batches, hands)
    found = assess(batches, player=player, threads=workspace.workers, progress=workspace.progress)
    if not found.hands:
        raise BadInput(f"{log}: no hand of heads-up limit")
    if found.hidden:
        raise BadInput(f"{log}: cards of {found.hidden:,} hands are not known")
    scores = found.scores.select("pair", "money", "divat", "fitted")
    if scores["pair"].null_count() < scores.height:
        scores = scores.with_columns(fitted_alone=_fitted_alone(batches, scores, found.players[0]))
    for name, estimator in given.items():
        again = assess(
            batches,
            player=player,
            more=[estimator],
            threads=workspace.workers,
            progress=workspace.progress,
        )
        scores = scores.with_columns(again.scores["aivat"].alias(name))
    table = assess_batches(((batch, ()) for batch in batches), threads=workspace.workers)
    mine = table.scores.filter(pl.col("player") == table.players.index(found.players[0]))
    if mine["mivat"].null_count() == 0 and mine.height == scores.height:
        scores = scores.with_columns(mine["mivat"])
    return scores


def _fitted_alone(batches: list[HandBatch], scores: pl.DataFrame, player: str) -> pl.Series:
    """Return the fitted estimate as if no deal were played twice: of each play by itself.

    In a match in duplicate it makes the sums of deals vary least, and not single hands.
    """
    second = (scores["pair"].is_duplicated() & ~scores["pair"].is_first_distinct()).to_numpy()
    alone = np.empty(len(second))
    for part in (second, ~second):
        some, begin = [], 0
        for batch in batches:
            some.append(batch.rows(np.flatnonzero(part[begin : begin + len(batch)])))
            begin += len(batch)
        alone[part] = assess(some, player=player).scores["fitted"].to_numpy()
    return pl.Series(alone)


def _judged(title: str, scores: pl.DataFrame, pairs: pl.DataFrame | None) -> Judged:
    units = scores if pairs is None else pairs
    found = Judged(title=title, hands=scores.height)
    money = units["money"].to_numpy()
    for name in HEADINGS:
        if name not in scores.columns:
            continue
        alone = f"{name}_alone" if f"{name}_alone" in scores.columns else name
        by_unit = units[name].to_numpy()
        found.means[name] = estimate(by_unit)
        found.spreads[name] = Moments.of(scores[alone]).sd
        if pairs is not None:
            found.duplicate[name] = Moments.of(by_unit).sd * math.sqrt(2)
        if name != "money":
            found.differences[name] = paired_difference(money, by_unit)
    return found


def _rows(judged: list[Judged]) -> list[Row]:
    """Check that no estimator differs from the money by more than chance."""
    count = sum(len(each.differences) for each in judged)
    return [
        zero(f"{each.title}: money less {HEADINGS[name]}", difference, sigmas=sigmas_for(count))
        for each in judged
        for name, difference in each.differences.items()
    ]


def _text(judged: list[Judged]) -> pl.DataFrame:
    """Return what is printed: the estimators of each match below one another."""
    lines = []
    for each in judged:
        for place, (name, mean) in enumerate(each.means.items()):
            digits = number_format.decimals_for(mean.stderr)
            half = number_format.number((mean.high - mean.low) / 2, digits)
            spread, in_duplicate = each.spreads[name], each.duplicate.get(name)
            lines.append(
                {
                    "match": "" if place else f"{each.title}, {number_format.counted(each.hands)}",
                    "estimator": HEADINGS[name],
                    "mean (95 %)": f"{number_format.signed(mean.value, digits)} ± {half}",
                    "sd": number_format.number(spread, 3),
                    "÷": number_format.number(each.gain(spread), 1),
                    "duplicate": number_format.number(in_duplicate, 3),
                    " ÷": number_format.number(each.gain(in_duplicate), 1),
                }
            )
    return pl.DataFrame(lines)


def _numbers(judged: list[Judged]) -> pl.DataFrame:
    """Return a row for each match and estimator."""
    return pl.DataFrame(
        [
            {
                "match": each.title,
                "hands": each.hands,
                "estimator": name,
                "mean": mean.value,
                "stderr": mean.stderr,
                "sd": each.spreads[name],
                "variance_reduction": each.gain(each.spreads[name]),
                "sd_duplicate": each.duplicate.get(name),
            }
            for each in judged
            for name, mean in each.means.items()
        ]
    )


def _first(batches: list[HandBatch], hands: int) -> list[HandBatch]:
    """Keep the first hands."""
    kept = []
    for batch in batches:
        kept.append(batch.rows(np.arange(min(hands, len(batch)))))
        hands -= len(kept[-1])
    return [batch for batch in kept if len(batch)]


def _drawing(judged: list[Judged], seed: int) -> Drawing:
    """Plot the spreads of every match in a row of points, on a scale of ratios."""
    values = [
        {"match": each.title, "estimator": HEADINGS[name], "sd": round(spread, 4)}
        for each in judged
        for name, spread in each.spreads.items()
        if spread
    ]
    titles = [each.title for each in judged]
    chart = (
        alt.Chart(alt.InlineData(values=values))
        .mark_point(filled=True, size=80, opacity=1)
        .encode(
            x=alt.X(
                "sd",
                type="quantitative",
                title="standard deviation of a hand, small bets",
                scale=alt.Scale(type="log", nice=False, padding=12),
                axis=alt.Axis(grid=True, format="~g"),
            ),
            y=row_axis("match", titles),
            color=alt.Color(
                "estimator",
                type="nominal",
                title=None,
                scale=alt.Scale(
                    domain=[*HEADINGS.values()], range=[variable(name) for name in _COLOURS]
                ),
                legend=alt.Legend(columns=4, symbolType="circle", symbolSize=90),
            ),
        )
    )
    least = {each.title: min(each.spreads, key=lambda name: each.spreads[name]) for each in judged}
    told = "; ".join(f"{title} {HEADINGS[name]}" for title, name in least.items())
    figure = Figure(
        name="spreads",
        title="What each estimator leaves of the luck",
        words=f"Points by match and estimator; the least spread has, by match: {told}.",
        note="Hands that are needed are in proportion to the square.",
        chart=layered(chart).properties(width="container", height=_HEIGHT * len(judged)),
    )
    return Drawing(figure=figure, data={}, subtitle=f"{len(judged)} matches, seed {seed}")
