"""Calibration of the weight arrays: their mass on what the opponents actually hold.

An observer, in a different seat in each hand, follows a match with its own tracker. At the end of a
street's betting, the array of each opponent still in is scored on that opponent's cards, which are
in the log but hidden from the observer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import altair as alt
import numpy as np
import polars as pl

from railbird.cards import cards_of
from railbird.errors import DamagedFile
from railbird.experiments.framework.figures import Drawing
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import Row, measured, must_exceed_zero
from railbird.experiments.papp1998.ten_seats import DEALS, Version, match_of
from railbird.experiments.papp1998.weight_scoring_rule import Scores, new_scores
from railbird.game import DealBoard, HandState, Street
from railbird.histories import HandRecord, read
from railbird.modelling import Checks, Ranking, Sigma, Tracker
from railbird.modelling.learned import LearnedTracker
from railbird.players.protocol import Observer
from railbird.players.replay import tell
from railbird.progress import Progress
from railbird.report.toolkit.chart_marks import layered
from railbird.report.toolkit.figure import Figure
from railbird.report.toolkit.palette import variable
from railbird.units import Seat

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from railbird.arena import Match
    from railbird.experiments.framework.workspace import Workspace

TABLE = (
    Version("GOM", "loki:gom", 4),
    Version("BPL", "loki:bpl", 2),
    Version("BPM", "loki:bpm", 2),
    Version("BPT", "loki:bpt", 2),
)
"""The observed players."""

KINDS: tuple[tuple[str, bool, type[Tracker | LearnedTracker]], ...] = (
    ("generic", False, Tracker),
    ("specific", True, Tracker),
    ("learned, strangers", False, LearnedTracker),
    ("learned", True, LearnedTracker),
)
"""Trackers; the learned model has seen none of the observed players."""

VARIANTS: dict[str, dict[str, Any]] = {
    "scale=field": {"ranking": Ranking.FIELD},
    "checks=inverse": {"checks": Checks.INVERSE},
    "sigma=learned": {"sigma": Sigma.LEARNED},
}
"""Alternative trackers, scored on the same holdings."""

_REPORT = 200
_LEAST = 20
"""Minimum number of true holdings in a plotted bin."""


class Watcher(Observer, Protocol):
    """An observer with a weight array for each opponent."""

    def weights(self, seat: Seat) -> NDArray[np.float64]:
        """Return the array of one seat, (1326,)."""


def perform(workspace: Workspace) -> Result:
    """Play a table with generic modellers, and observe it with both kinds of trackers."""
    deals = workspace.hands(DEALS, least=40)
    match = match_of(TABLE, deals, seed=workspace.seed)
    log = workspace.play(match).log
    rows: list[Row] = []
    drawings: list[Drawing] = []
    tables: dict[str, pl.DataFrame] = {}
    for kind, specific, kept in KINDS:
        scores = calibrate(log, match, partial(kept, specific=specific), progress=workspace.tell)
        rows += [
            must_exceed_zero(f"{kind}, gain of an array, {street.name.lower()}", score.gain)
            for street, score in scores.items()
        ]
        for what, options in VARIANTS.items() if kept is Tracker else ():
            make = partial(Tracker, specific=specific, **options)
            alternative = calibrate(log, match, make, progress=workspace.tell)
            rows += [
                measured(
                    f"{kind}, {what}: gain more, {street.name.lower()}", score.lead(scores[street])
                )
                for street, score in alternative.items()
            ]
        drawings.append(
            reliability(
                kind,
                f"What {kind} weights said and what was",
                scores,
                subtitle=f"{match.hands:,} hands of ten seats, seed {workspace.seed}",
            )
        )
        tables[kind] = table(scores)
    return Result(hands=match.hands, rows=tuple(rows), drawings=tuple(drawings), tables=tables)


def calibrate(
    log: Path, match: Match, make: Callable[[], Watcher], *, progress: Progress
) -> dict[Street, Scores]:
    """Observe a match and score every array at the end of every street.

    The observer is reset whenever the players are.
    """
    scores = new_scores()
    watcher = make()
    numbers = {name: number for number, name in enumerate(match.names)}
    hands = read(log)
    for number, (fresh, deal) in enumerate(order_of_play(match)):
        record = next(hands)
        if not isinstance(record, HandRecord):
            raise DamagedFile(f"{log}: {record.detail}")
        if fresh:
            watcher = make()
        people = tuple(numbers[name] for name in record.players)
        watch(watcher, record, Seat(number % match.rules.seats), deal, scores, people)
        if number % _REPORT == 0:
            progress(number, match.hands, "watching")
    return scores


def order_of_play(match: Match) -> Iterator[tuple[bool, int]]:
    """Yield for each hand of the log whether players were just reset, and the deal's number."""
    for chunk in range(match.chunks):
        deals = match.deals_of(chunk)
        for _ in range(match.directions):
            for deal in deals:
                yield deal == deals.start, deal


def watch(
    watcher: Watcher,
    record: HandRecord,
    seat: Seat,
    deal: int,
    scores: dict[Street, Scores],
    people: tuple[int, ...] | None = None,
) -> None:
    """Observe one hand from a seat and score the beliefs at the end of each street."""
    last: HandState | None = None
    for _, step in tell(watcher, record, seat, people):
        if isinstance(step.event, DealBoard):
            continue
        if last is not None and _is_over(step.after, last):
            _score(watcher, record, seat, deal, step.after, scores)
        last = step.after


def _is_over(now: HandState, before: HandState) -> bool:
    return before.actor is not None and now.actor is None


def _score(
    watcher: Watcher,
    record: HandRecord,
    seat: Seat,
    deal: int,
    state: HandState,
    scores: dict[Street, Scores],
) -> None:
    own = record.holes[seat]
    assert own is not None
    known = (*cards_of(own), *state.board)
    for opponent in state.in_hand:
        truth = record.holes[opponent]
        if opponent != seat and truth is not None:
            scores[state.street].add(watcher.weights(opponent), known, truth, deal)


def reliability(name: str, title: str, scores: dict[Street, Scores], *, subtitle: str) -> Drawing:
    """Plot how often a holding was the true one against its believed probability."""
    ratios = {street.name.lower(): _ratios(score) for street, score in scores.items()}
    points = [
        {"street": street, "said": said, "was": was, "found": count}
        for street, rows in ratios.items()
        for said, was, count in rows
    ]
    streets = list(ratios)
    believed = [said for rows in ratios.values() for said, _, _ in rows] or [1.0]
    ends = [min(believed), max(believed)]
    scale = alt.Scale(type="log", base=2)
    diagonal = (
        alt.Chart(alt.InlineData(values=[{"x": end, "y": end} for end in ends]))
        .mark_line(color=variable("muted"), strokeWidth=1)
        .encode(
            x=alt.X("x", type="quantitative", scale=scale),
            y=alt.Y("y", type="quantitative", scale=scale),
        )
    )
    colours = alt.Scale(domain=streets, range=[variable(street) for street in streets])
    base = alt.Chart(alt.InlineData(values=points)).encode(
        x=alt.X(
            "said",
            type="quantitative",
            scale=scale,
            title="believed probability ÷ uniform",
            axis=alt.Axis(format=".2~g"),
        ),
        y=alt.Y(
            "was",
            type="quantitative",
            scale=scale,
            title="true frequency ÷ uniform",
            axis=alt.Axis(format=".2~g", grid=True),
        ),
        color=alt.Color("street", type="nominal", title=None, scale=colours),
    )
    words = "; ".join(f"{street.name.lower()} {score.gain}" for street, score in scores.items())
    return Drawing(
        figure=Figure(
            name=name,
            title=title,
            words=f"Lines by street of the true frequency of holdings against the one believed, "
            f"both as multiples of the uniform; gains over the uniform array: {words}.",
            note="On the diagonal beliefs are as strong as they should be; flatter lines believe "
            "too much, steeper ones too little. Bins with fewer than "
            f"{_LEAST} true holdings are left out.",
            chart=layered(
                diagonal, base.mark_line(strokeWidth=1.8), base.mark_point(filled=True)
            ).properties(width="container", height=340),
        ),
        data={},
        subtitle=subtitle,
    )


def _ratios(scores: Scores) -> list[tuple[float, float, int]]:
    kept = (scores.hits >= _LEAST) & (scores.uniform > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        said = scores.predicted / scores.uniform
        was = scores.hits / scores.uniform
    return [(said[i], was[i], scores.hits[i]) for i in np.flatnonzero(kept & (scores.uniform > 0))]


def table(scores: dict[Street, Scores]) -> pl.DataFrame:
    """Return the bins as a table, for other plots."""
    return pl.DataFrame(
        [
            {
                "street": street.name.lower(),
                "predicted": float(score.predicted[i]),
                "uniform": float(score.uniform[i]),
                "found": int(score.hits[i]),
            }
            for street, score in scores.items()
            for i in range(len(score.hits))
        ]
    )
