"""Push/fold at ten big blinds: convergence, the source's people, and printed charts.

Chin and Lopez 2023. Their win chances came from ten boards a pair, and their strategy from 100,000
sampled deals; here both are exact, which is the main reason for what differs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from railbird.assessment.pushfold.decisions import Population, read_decisions, take_census
from railbird.assessment.pushfold.population import PopulationReport, judge_population
from railbird.cards import CLASS_NAMES, parse_class
from railbird.errors import BadInput
from railbird.estimates import Estimate
from railbird.experiments.framework.figures import Drawing
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import Published, Row, claimed, compared, measured
from railbird.experiments.pushfold2023.replicas import Replica, replicas, spread
from railbird.report.pushfold.range_chart import (
    DIFFERENCE,
    FREQUENCY,
    RangeScale,
    range_chart,
    stack_scale,
)
from railbird.report.toolkit.figure import Figure
from railbird.solve import COMBINATIONS, PushFoldSolution, Seat, solve_pushfold, sweep
from railbird.solve.mccfr import SNAPSHOTS, by_class, sample_pushfold

if TYPE_CHECKING:
    import numpy.typing as npt

    from railbird.experiments.framework.workspace import Workspace

STACK = 10.0
PUBLISHED_HANDS = 4_993
"""Decisions that the source had when it computed its figures."""
REPLICAS = 20
"""Of the source's arithmetic, at scale 1."""
DATA_VARIABLE = "RAILBIRD_DATA"
"""Environment variable that names the folder of the real data."""
_UNIT = "bb"


def convergence(workspace: Workspace) -> Result:
    """Run the source's sampled solver and say how far its snapshots are from equilibrium."""
    exact = solve_pushfold(STACK)
    stops = [max(1, round(stop * workspace.scale)) for stop in SNAPSHOTS]
    found = sample_pushfold(
        STACK,
        rng=np.random.default_rng(workspace.seed),
        snapshots=stops,
        progress=workspace.progress,
    )
    rows: list[Row] = []
    drawings = []
    for snapshot in found:
        after = f"after {snapshot.iterations:,} iterations"
        rows += [
            measured(f"exploitability of the average, {after}", _exact(snapshot.exploitability_bb)),
            measured(
                f"exploitability of the current strategy, {after}",
                _exact(snapshot.current_exploitability_bb),
            ),
            measured(
                f"mean distance of the shoves from equilibrium, {after}",
                _exact(_distance(by_class(snapshot.current_push), exact.push), "of a hand"),
            ),
        ]
        drawings += [
            _drawing(
                f"{seat}-{snapshot.iterations}",
                f"{title} {after}",
                by_class(values),
                note="The current strategy, as the source draws it.",
            )
            for seat, title, values in (
                ("push", "Shoves", snapshot.current_push),
                ("call", "Calls", snapshot.current_call),
            )
        ]
    drawings += [
        _drawing("push-equilibrium", "Shoves in equilibrium", exact.push),
        _drawing("call-equilibrium", "Calls in equilibrium", exact.call),
    ]
    first, last = found[0].current_exploitability_bb, found[-1].current_exploitability_bb
    rows.append(
        claimed(
            "exploitability lost from the first snapshot to the last",
            _exact(first - last),
            last < first,
            rule="above 0",
        )
    )
    return Result(hands=stops[-1], noun="iteration", rows=tuple(rows), drawings=tuple(drawings))


def users(workspace: Workspace) -> Result:
    """Play the equilibrium against the source's people. Raises `BadInput` without their list."""
    file = _people()
    first = take_census(read_decisions(file), first=PUBLISHED_HANDS).population
    census = take_census(read_decisions(file))
    people, dirty = census.population, census.skipped
    exact = solve_pushfold(STACK)

    def against(those: Population) -> PopulationReport:
        return judge_population(
            those,
            exact.push,
            exact.call,
            stack=STACK,
            rng=np.random.default_rng(workspace.seed),
        )

    then, now = against(first), against(people)
    rows = [
        *_published(then, _replicated(first, workspace)),
        measured(f"small blind, all {people.decisions:,} decisions", now.sb),
        measured(f"big blind, all {people.decisions:,} decisions", now.bb),
        measured(f"mean, all {people.decisions:,} decisions", now.mean),
        measured("what a best response to the people wins more", _exact(now.gain)),
        measured(
            "rows that do not count",
            _exact(float(sum(dirty.values())), "rows"),
            note="; ".join(f"{count} with {problem}" for problem, count in dirty.items()),
        ),
    ]
    return Result(
        hands=people.decisions,
        noun="decision",
        rows=tuple(rows),
        drawings=_people_beside(exact, people),
        tables={"hands": _hand_by_hand(exact, now)},
    )


def _people_beside(exact: PushFoldSolution, people: Population) -> tuple[Drawing, ...]:
    return (
        _drawing("people-push", "Shoves of the people", people.push),
        _drawing("people-call", "Calls of the people", people.call),
        _drawing(
            "difference-push",
            "People less equilibrium, shoves",
            people.push - exact.push,
            DIFFERENCE,
        ),
        _drawing(
            "difference-call",
            "People less equilibrium, calls",
            people.call - exact.call,
            DIFFERENCE,
        ),
    )


def _hand_by_hand(exact: PushFoldSolution, judged: PopulationReport) -> pl.DataFrame:
    people = judged.population
    return pl.DataFrame(
        {
            "hand": list(CLASS_NAMES),
            "people_push": people.push,
            "equilibrium_push": exact.push,
            "people_sb_bb": judged.people_values(Seat.SMALL_BLIND),
            "people_call": people.call,
            "equilibrium_call": exact.call,
            "people_bb_bb": judged.people_values(Seat.BIG_BLIND),
        }
    )


def _replicated(people: Population, workspace: Workspace) -> list[Replica]:
    """The source's arithmetic on its people, with other boards each time."""
    return replicas(
        people,
        max(2, round(REPLICAS * min(workspace.scale, 1.0))),
        stack=STACK,
        rng=np.random.default_rng(workspace.seed),
        progress=workspace.progress,
    )


def _published(exactly: PopulationReport, again: Sequence[Replica]) -> Iterator[Row]:
    """Each published number beside the exact one, then beside replicas of the source's way."""
    exact = "By exact chances and the equilibrium; the source had ten boards a pair."
    noisy = f"Mean and spread of {len(again)} replicas of the source's way with other boards."
    for name, text, ours, values in (
        ("small blind", "0.0402", exactly.sb, [each.sb for each in again]),
        ("big blind", "0.0904", exactly.bb, [each.bb for each in again]),
        ("mean", "0.0653", exactly.mean, [each.mean for each in again]),
        (
            "small blind, hands where the other choice would win more",
            "113",
            _count(exactly, Seat.SMALL_BLIND),
            [each.sb_opposite for each in again],
        ),
        (
            "big blind, hands where the other choice would win more",
            "38",
            _count(exactly, Seat.BIG_BLIND),
            [each.bb_opposite for each in again],
        ),
    ):
        yield compared(name, Published(text=text), ours, exact)
        yield compared(
            f"{name}, the source's way", Published(text=text), spread(values, ours.unit), noisy
        )


def charts(workspace: Workspace) -> Result:
    """Sweep the stacks and compare with the printed charts that the source names."""
    step = 0.1
    count = max(2, round(190 * min(workspace.scale, 1.0)))
    stacks = (
        np.unique(np.round(np.append(np.linspace(1, 20, count + 1), [9.5, 10.2]) / step)) * step
    )
    found = sweep([round(float(stack), 1) for stack in stacks], progress=workspace.progress)
    push, call = found.largest(found.push), found.largest(found.call)
    note = "The source calls these shoves; they are calls."
    rows = [
        compared(
            f"{hand} calls up to",
            Published(text=text),
            _exact(float(call[parse_class(hand)])),
            note,
        )
        for hand, text in (("J9o", "9.5"), ("K5o", "10.2"))
    ]
    for side, frequencies in (("pushed", found.push), ("called", found.call)):
        spans = found.spans(frequencies)
        holes = [
            f"{name} {', '.join(map(str, spans[place]))}"
            for place, name in enumerate(CLASS_NAMES)
            if len(spans[place]) > 1
        ]
        rows.append(
            measured(
                f"hands {side} with holes", _exact(float(len(holes)), "hands"), "; ".join(holes)
            )
        )
    scale = stack_scale(20.0)
    drawings = (
        _drawing("push-stacks", "Largest stack at which a hand is pushed", push, scale),
        _drawing("call-stacks", "Largest stack at which a hand is called", call, scale),
    )
    return Result(hands=len(stacks), noun="stack", rows=tuple(rows), drawings=drawings)


def _people() -> Path:
    folder = Path(os.environ.get(DATA_VARIABLE, "../shared/data"))
    path = folder / "pushfold_users" / "gameplay.csv"
    if not path.is_file():
        raise BadInput(f"no {path}; {DATA_VARIABLE} names the folder of the real data")
    return path


def _exact(value: float, unit: str = _UNIT) -> Estimate:
    return Estimate(value, 0.0, 1, unit)


def _count(judged: PopulationReport, seat: Seat) -> Estimate:
    return _exact(float(COMBINATIONS[judged.opposite_is_better(seat)].sum()), "holdings")


def _distance(ours: npt.NDArray[np.float64], exact: npt.NDArray[np.float64]) -> float:
    return float(np.abs(ours - exact) @ COMBINATIONS / COMBINATIONS.sum())


def _drawing(
    name: str,
    title: str,
    values: npt.NDArray[np.float64],
    scale: RangeScale = FREQUENCY,
    note: str = "",
) -> Drawing:
    return Drawing(
        figure=Figure(
            name=name,
            title=title,
            words=f"{title}, by kind of hand: a 13 by 13 chart, suited hands above the diagonal.",
            note=note or f"Suited hands above the diagonal; {scale.unit}.",
            chart=range_chart(values, title="", scale=scale),
        ),
        data={},
        subtitle=f"{STACK:g} big blinds" if scale.unit != "big blinds" else "1 to 20 big blinds",
    )
