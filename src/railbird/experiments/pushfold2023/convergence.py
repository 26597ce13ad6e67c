"""The source's sampled solver by iteration, compared with the equilibrium and with people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from railbird.assessment.pushfold.decisions import Population, read_decisions, take_census
from railbird.errors import BadInput
from railbird.estimates.estimate import estimate
from railbird.experiments.framework.figures import Drawing
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import Row, claimed, measured, must_exceed_zero
from railbird.experiments.pushfold2023.common import (
    STACK,
    chart_drawing,
    exact,
    people_file,
)
from railbird.experiments.pushfold2023.published import LIKE_PEOPLE
from railbird.report.toolkit.convergence_chart import convergence_chart
from railbird.report.toolkit.figure import Figure
from railbird.solve import COMBINATIONS, PushFoldSolution, Seat, solve_pushfold
from railbird.solve.mccfr import Snapshot, by_class, sample_pushfold
from railbird.solve.settings import SNAPSHOTS

if TYPE_CHECKING:
    import numpy.typing as npt

    from railbird.experiments.framework.workspace import Workspace

CURVE = (100, 200, 400, 700, 1_000, 2_000, 4_000, 7_000, 10_000, 20_000, 40_000, 100_000)
"""Iterations at which distances are measured, including the source's."""
RUNS = 20
"""Runs with other deals for the comparison with people."""


def convergence(workspace: Workspace) -> Result:
    """Run the source's solver and measure its snapshots' distance from equilibrium and from people.

    The rows on people are omitted if their list is not available.
    """
    solution = solve_pushfold(STACK)
    try:
        people = take_census(read_decisions(people_file())).population
    except BadInput:
        people = None
    shown = _scaled(SNAPSHOTS, workspace)
    snapshots = sample_pushfold(
        STACK,
        rng=np.random.default_rng(workspace.seed),
        snapshots=sorted({*_scaled(CURVE, workspace), *shown}),
        progress=workspace.progress,
    )
    drawn = [snapshot for snapshot in snapshots if snapshot.iterations in shown]
    drawings = [drawing for snapshot in drawn for drawing in _charts_of(snapshot)]
    drawings += [
        chart_drawing("push-equilibrium", "Pushes in equilibrium", solution.push),
        chart_drawing("call-equilibrium", "Calls in equilibrium", solution.call),
        _curves(snapshots, solution, people),
    ]
    rows = [row for snapshot in drawn for row in _rows_of(snapshot, solution)]
    first, last = (at.current_exploitability_bb for at in (drawn[0], drawn[-1]))
    rows.append(
        claimed(
            "exploitability lost from the first snapshot to the last",
            exact(first - last),
            last < first,
            rule="above 0",
        )
    )
    if people is not None:
        rows += _people_rows(snapshots, solution, people, workspace)
    return Result(hands=shown[-1], noun="iteration", rows=tuple(rows), drawings=tuple(drawings))


def distance(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> float:
    """Return the mean absolute difference of two frequencies (169,) over the 1,326 holdings."""
    return float(np.abs(one - other) @ COMBINATIONS / COMBINATIONS.sum())


def _scaled(stops: Sequence[int], workspace: Workspace) -> list[int]:
    return [max(1, round(stop * workspace.scale)) for stop in stops]


def _rows_of(snapshot: Snapshot, solution: PushFoldSolution) -> Iterator[Row]:
    after = f"after {snapshot.iterations:,} iterations"
    yield measured(f"exploitability of the average, {after}", exact(snapshot.exploitability_bb))
    yield measured(
        f"exploitability of the current strategy, {after}",
        exact(snapshot.current_exploitability_bb),
    )
    yield measured(
        f"distance of the pushes from equilibrium, {after}",
        exact(distance(by_class(snapshot.current_push), solution.push), "of a hand"),
    )


def _people_rows(
    snapshots: Sequence[Snapshot],
    solution: PushFoldSolution,
    people: Population,
    workspace: Workspace,
) -> Iterator[Row]:
    """Yield rows for each snapshot's distance from the people, and for the nearest snapshot."""
    for seat, theirs in (("pushes", people.push), ("calls", people.call)):
        distances = {
            snapshot.iterations: distance(_current(snapshot, seat), theirs)
            for snapshot in snapshots
        }
        for iterations, value in distances.items():
            yield measured(
                f"distance of the {seat} from the people, after {iterations:,} iterations",
                exact(value, "of a hand"),
            )
        equilibrium = solution.push if seat == "pushes" else solution.call
        yield measured(
            f"distance of the {seat} from the people, equilibrium",
            exact(distance(equilibrium, theirs), "of a hand"),
        )
        yield measured(
            f"iterations at which the {seat} are nearest to the people",
            exact(float(min(distances, key=distances.__getitem__)), "iterations"),
        )
    yield _like_people(people, workspace)


def _like_people(people: Population, workspace: Workspace) -> Row:
    """Test whether early iterations are closer to the people than late ones."""
    early, late = _scaled((LIKE_PEOPLE, SNAPSHOTS[-1]), workspace)
    gains = []
    for rng in np.random.default_rng(workspace.seed).spawn(RUNS):
        before, after = sample_pushfold(
            STACK, rng=rng, snapshots=(early, late), progress=workspace.progress
        )
        gains.append(
            distance(by_class(after.current_push), people.push)
            - distance(by_class(before.current_push), people.push)
        )
    name = f"how much nearer to the people the pushes are after {early:,} iterations than {late:,}"
    note = (
        f"{RUNS} runs with other deals. The source (2.2): at about 4,000 iterations the strategy "
        "looks very similar to the users' actions."
    )
    gain = estimate(gains, unit="of a hand")
    # With few iterations both snapshots are early ones.
    return must_exceed_zero(name, gain, note) if workspace.scale >= 1 else measured(name, gain)


def _current(snapshot: Snapshot, seat: str) -> npt.NDArray[np.float64]:
    return by_class(snapshot.current_push if seat == "pushes" else snapshot.current_call)


def _charts_of(snapshot: Snapshot) -> Iterator[Drawing]:
    for seat, title, values in (
        (Seat.SMALL_BLIND, "Pushes", snapshot.current_push),
        (Seat.BIG_BLIND, "Calls", snapshot.current_call),
    ):
        yield chart_drawing(
            f"{'push' if seat is Seat.SMALL_BLIND else 'call'}-{snapshot.iterations}",
            f"{title} after {snapshot.iterations:,} iterations",
            by_class(values),
            note="The current strategy, as the source draws it.",
        )


def _curves(
    snapshots: Sequence[Snapshot], solution: PushFoldSolution, people: Population | None
) -> Drawing:
    """Plot the distances of the pushes by iteration."""
    marks = {"to equilibrium": solution.push}
    if people is not None:
        marks["to the people"] = people.push
    curves = {
        label: [
            (snapshot.iterations, distance(by_class(snapshot.current_push), frequencies))
            for snapshot in snapshots
        ]
        for label, frequencies in marks.items()
    }
    ends = ", ".join(f"{label} {points[-1][1]:.3f}" for label, points in curves.items())
    return Drawing(
        figure=Figure(
            name="distances",
            title="Distance of the current pushes by iteration",
            words=f"Mean difference of frequency over the 1,326 holdings; at the end {ends}.",
            note="Mean difference of frequency over the 1,326 holdings.",
            chart=convergence_chart(curves, amount="distance"),
        ),
        data={},
        subtitle=f"{STACK:g} big blinds",
    )
