"""Common parts of the push/fold experiments: the stack, the users' data, exact rows, charts."""

from __future__ import annotations

import hashlib
import math
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import resources
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from railbird.assessment.pushfold import (
    Census,
    JudgedDecisions,
    Matchup,
    Population,
    PushfoldStrategy,
    judge_decisions,
    match_up,
    read_decisions,
    take_census,
)
from railbird.cards import CLASS_NAMES, CLASS_OF_HOLDING, parse_class
from railbird.errors import BadInput
from railbird.estimates import Estimate
from railbird.estimates.estimate import LEVEL, estimate
from railbird.report import number_format
from railbird.report.charts import convergence_chart
from railbird.report.document import Figure
from railbird.report.range_chart import (
    DIFFERENCE,
    FREQUENCY,
    GAIN,
    RangeScale,
    range_chart,
    stack_scale,
)
from railbird.solve import (
    COMBINATIONS,
    PushFold,
    PushFoldSolution,
    Seat,
    solve_pushfold,
    sweep_stacks,
)
from railbird.solve.pushfold import (
    StrategySnapshot,
    holding_values,
    mean_by_class,
    sample_pushfold,
    sampled_edge,
)
from railbird.solve.settings import SNAPSHOTS
from railbird_papers.framework.experiment import ExperimentResult
from railbird_papers.framework.figures import Drawing
from railbird_papers.framework.rows import (
    Published,
    Row,
    Verdict,
    claimed,
    compared,
    measured,
    must_exceed_zero,
)

if TYPE_CHECKING:
    import numpy.typing as npt

    from railbird_papers.framework.workspace import Workspace


STACK = 10.0
DATA_VARIABLE = "RAILBIRD_DATA"
"""Environment variable with the folder of the real data."""
UNIT = "bb"


SAMPLE: Final = "sample_decisions.csv"
"""Simulated decisions, used if the list of the source's users is missing. Each of the 338 decisions
came four times. It was made by a rule about its gain in big blinds by the equilibrium, with an
error: a push or call has the probability 1 / (1 + exp(-(gain + 0.1) / 0.2)). So these players play
too much, and err if it costs little.
"""


def people_file() -> Path | None:
    """Find the data of the source's users; None if they are missing."""
    folder = Path(os.environ.get(DATA_VARIABLE, "../shared/data"))
    path = folder / "pushfold_users" / "gameplay.csv"
    return path if path.is_file() else None


def exact(value: float, unit: str = UNIT) -> Estimate:
    """Return a number without sampling error."""
    return Estimate(value, 0.0, 1, unit)


def chart_drawing(
    name: str,
    title: str,
    values: npt.NDArray[np.float64],
    scale: RangeScale = FREQUENCY,
    note: str = "",
) -> Drawing:
    """Return a chart of values (169,) by class as a figure of an experiment."""
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


# Numbers as Chin and Lopez (2023) print them; text, since the digits show their precision.


DECISIONS: Final = 4_993
"""Decisions in the source's data when its figures were computed."""

SMALL_BLIND: Final = "0.040"
BIG_BLIND: Final = "0.090"
MEAN: Final = "0.065"
"""Big blinds per hand that the equilibrium wins from the people, by its seat (section 3.2)."""

SMALL_BLIND_OPPOSITE: Final = "113"
BIG_BLIND_OPPOSITE: Final = "38"
"""Holdings with which the opposite action would win more (section 3.3)."""

SEATS: Final = {Seat.SMALL_BLIND: "small blind", Seat.BIG_BLIND: "big blind"}
LOWEST: Final = {Seat.SMALL_BLIND: "43s", Seat.BIG_BLIND: "Q8o"}
HIGHEST: Final = "AA"
PEOPLE_LOWEST: Final = {Seat.SMALL_BLIND: "JTs", Seat.BIG_BLIND: "54o"}
"""Hands with which the strategy, and its users, win least, and both most (section 3.3)."""
FOLDED: Final = ("54o", "8", 11)
"""How often the users folded this hand as the big blind, of how many times (section 3.3)."""

CALLED_UP_TO: Final = (("J9o", "9.5"), ("K5o", "10.2"))
"""Largest stacks in big blinds to call with, on the printed charts cited by the source."""

LIKE_PEOPLE: Final = 4_000
"""Iterations after which, by the source, the solver's pushes resemble its users' (2.2)."""


# Largest stacks to push and call with, compared with printed charts.


def charts(workspace: Workspace) -> ExperimentResult:
    """Sweep the stacks and compare with the printed charts that the source names."""
    step = 0.1
    count = max(2, round(190 * min(workspace.scale, 1.0)))
    stacks = (
        np.unique(np.round(np.append(np.linspace(1, 20, count + 1), [9.5, 10.2]) / step)) * step
    )
    swept = sweep_stacks([round(float(stack), 1) for stack in stacks], progress=workspace.progress)
    push, call = swept.largest(swept.push), swept.largest(swept.call)
    note = "The source calls these shoves; they are calls."
    rows = [
        compared(
            f"{hand} calls up to",
            Published(text=text),
            exact(float(call[parse_class(hand)])),
            note,
        )
        for hand, text in CALLED_UP_TO
    ]
    for side, frequencies in (("pushed", swept.push), ("called", swept.call)):
        gaps = swept.gaps(frequencies)
        rows.append(
            measured(f"hands {side} with gaps", exact(float(len(gaps)), "hands"), "; ".join(gaps))
        )
    scale = stack_scale(20.0)
    drawings = (
        chart_drawing("push-stacks", "Largest stack at which a hand is pushed", push, scale),
        chart_drawing("call-stacks", "Largest stack at which a hand is called", call, scale),
    )
    return ExperimentResult(hands=len(stacks), noun="stack", rows=tuple(rows), drawings=drawings)


# The source's sampled solver by iteration, compared with the equilibrium and with people.


CURVE = (100, 200, 400, 700, 1_000, 2_000, 4_000, 7_000, 10_000, 20_000, 40_000, 100_000)
"""Iterations at which distances are measured, including the source's."""
RUNS = 20
"""Runs with other deals for the comparison with people."""


def convergence(workspace: Workspace) -> ExperimentResult:
    """Run the source's solver and measure its snapshots' distance from equilibrium and from people.

    The rows on people are omitted if their list is not available.
    """
    solution, file = solve_pushfold(STACK), people_file()
    people = None if file is None else take_census(read_decisions(file)).population
    shown_iterations = _scaled(SNAPSHOTS, workspace)
    snapshots = sample_pushfold(
        STACK,
        rng=np.random.default_rng(workspace.seed),
        snapshots=sorted({*_scaled(CURVE, workspace), *shown_iterations}),
        progress=workspace.progress,
    )
    drawn = [snapshot for snapshot in snapshots if snapshot.iterations in shown_iterations]
    drawings = [drawing for snapshot in drawn for drawing in _charts_of(snapshot)]
    drawings += [
        chart_drawing("push-equilibrium", "Pushes in equilibrium", solution.push),
        chart_drawing("call-equilibrium", "Calls in equilibrium", solution.call),
        _curves(snapshots, solution, people),
    ]
    rows = [row for snapshot in drawn for row in _rows_of(snapshot, solution)]
    if len(drawn) > 1:  # as few iterations as one have a single snapshot
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
    return ExperimentResult(
        hands=shown_iterations[-1], noun="iteration", rows=tuple(rows), drawings=tuple(drawings)
    )


def distance(first: npt.NDArray[np.float64], second: npt.NDArray[np.float64]) -> float:
    """Return the mean absolute difference of two frequencies (169,) over the 1,326 holdings."""
    return float(np.abs(first - second) @ COMBINATIONS / COMBINATIONS.sum())


def _scaled(stops: Sequence[int], workspace: Workspace) -> list[int]:
    return [max(1, round(stop * workspace.scale)) for stop in stops]


def _rows_of(snapshot: StrategySnapshot, solution: PushFoldSolution) -> Iterator[Row]:
    after = f"after {snapshot.iterations:,} iterations"
    yield measured(f"exploitability of the average, {after}", exact(snapshot.exploitability_bb))
    yield measured(
        f"exploitability of the current strategy, {after}",
        exact(snapshot.current_exploitability_bb),
    )
    yield measured(
        f"distance of the pushes from equilibrium, {after}",
        exact(distance(mean_by_class(snapshot.current_push), solution.push), "of a hand"),
    )


def _people_rows(
    snapshots: Sequence[StrategySnapshot],
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

    def gain(rng: np.random.Generator) -> float:
        before, after = sample_pushfold(
            STACK, rng=rng, snapshots=(early, late), progress=workspace.progress
        )
        return float(
            distance(mean_by_class(after.current_push), people.push)
            - distance(mean_by_class(before.current_push), people.push)
        )

    for number, rng in enumerate(np.random.default_rng(workspace.seed).spawn(RUNS)):
        part = f"pushfold-{_digest(people)}-like-{early}-and-{late}-iterations-run-{number}"
        gains.append(workspace.kept(part, partial(gain, rng)))
    name = f"how much nearer to the people the pushes are after {early:,} iterations than {late:,}"
    note = (
        f"{RUNS} runs with other deals. The source (2.2): at about 4,000 iterations the strategy "
        "looks very similar to the users' actions."
    )
    mean = estimate(gains, unit="of a hand")
    # With few iterations both snapshots are early ones.
    return must_exceed_zero(name, mean, note) if workspace.scale >= 1 else measured(name, mean)


def _current(snapshot: StrategySnapshot, seat: str) -> npt.NDArray[np.float64]:
    return mean_by_class(snapshot.current_push if seat == "pushes" else snapshot.current_call)


def _charts_of(snapshot: StrategySnapshot) -> Iterator[Drawing]:
    for seat, title, values in (
        (Seat.SMALL_BLIND, "Pushes", snapshot.current_push),
        (Seat.BIG_BLIND, "Calls", snapshot.current_call),
    ):
        yield chart_drawing(
            f"{'push' if seat is Seat.SMALL_BLIND else 'call'}-{snapshot.iterations}",
            f"{title} after {snapshot.iterations:,} iterations",
            mean_by_class(values),
            note="The current strategy, as the source draws it.",
        )


def _curves(
    snapshots: Sequence[StrategySnapshot], solution: PushFoldSolution, people: Population | None
) -> Drawing:
    """Plot the distances of the pushes by iteration."""
    marks = {"to equilibrium": solution.push}
    if people is not None:
        marks["to the people"] = people.push
    curves = {
        label: [
            (snapshot.iterations, distance(mean_by_class(snapshot.current_push), frequencies))
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


# The source's computation on its push/fold users, repeated with other random boards.
#
# Chin and Lopez 2023 estimated win probabilities from ten random boards per pair (section 2.1),
# solved for a strategy with 100,000 sampled hands on these, and evaluated it by the same
# probabilities (section 3.2). A replica repeats that; the spread of replicas for the same users
# shows how much of the published numbers is due to the sampled boards.


ITERATIONS = SNAPSHOTS[-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replica:
    """The source's results for another sample of boards."""

    sb: float
    """Big blinds per hand that the strategy wins as the small blind."""
    bb: float
    sb_opposite: int
    """Holdings of the small blind with which the opposite action would win more."""
    bb_opposite: int
    lowest: Mapping[Seat, str]
    """Class of the holding with which the strategy wins least, by seat."""
    people_lowest: Mapping[Seat, str]
    """The same of the people."""
    push: npt.NDArray[np.float64]
    """How often the strategy pushes each class (169,)."""
    call: npt.NDArray[np.float64]

    @property
    def mean(self) -> float:
        """Mean over the seats."""
        return (self.sb + self.bb) / 2


def replica(
    people: Population,
    *,
    stack: float,
    rng: np.random.Generator,
    iterations: int = ITERATIONS,
) -> Replica:
    """Sample win probabilities, solve with them, and evaluate against the people with them."""
    game, edge = PushFold(stack=stack), sampled_edge(rng)
    (solved,) = sample_pushfold(stack, rng=rng, edge=edge, snapshots=[iterations])
    push, call = solved.current_push, solved.current_call
    their_push, their_call = people.push[CLASS_OF_HOLDING], people.call[CLASS_OF_HOLDING]
    as_sb, their_bb = holding_values(game, push, their_call, edge)
    their_sb, as_bb = holding_values(game, their_push, call, edge)
    return Replica(
        lowest={
            Seat.SMALL_BLIND: _lowest(as_sb, push),
            Seat.BIG_BLIND: _lowest(as_bb, call),
        },
        people_lowest={
            Seat.SMALL_BLIND: _lowest(their_sb, their_push),
            Seat.BIG_BLIND: _lowest(their_bb, their_call),
        },
        sb=float(as_sb[0] @ (1 - push) + as_sb[1] @ push),
        bb=float(as_bb[0] @ (1 - call) + as_bb[1] @ call),
        sb_opposite=int(np.count_nonzero((1 - 2 * push) * (as_sb[1] - as_sb[0]) > 0)),
        bb_opposite=int(np.count_nonzero((1 - 2 * call) * (as_bb[1] - as_bb[0]) > 0)),
        push=mean_by_class(push),
        call=mean_by_class(call),
    )


def _lowest(values: npt.NDArray[np.float64], plays: npt.NDArray[np.float64]) -> str:
    """Name the class of the holding that wins least; ``values`` (2, 1326) of folding and playing.

    If several holdings win the same, as all do that fold, the first counts.
    """
    won = values[0] * (1 - plays) + values[1] * plays
    return str(CLASS_NAMES[CLASS_OF_HOLDING[int(np.argmin(won))]])


def replicas(
    people: Population,
    count: int,
    *,
    stack: float,
    rng: np.random.Generator,
    iterations: int = ITERATIONS,
    workspace: Workspace,
) -> list[Replica]:
    """Compute ``count`` replicas, each with its own boards and hands, or take those kept."""
    results = []
    for done, own in enumerate(rng.spawn(count)):
        workspace.tell(done, count, "replicas")
        part = f"pushfold-{_digest(people)}-replica-{done}-{iterations}-iterations"
        compute = partial(_as_json, people, stack=stack, rng=own, iterations=iterations)
        results.append(_replica_of(workspace.kept(part, compute)))
    return results


def _digest(people: Population) -> str:
    return hashlib.sha256(people.push.tobytes() + people.call.tobytes()).hexdigest()[:12]


def _as_json(people: Population, **how: Any) -> dict[str, Any]:
    """Compute a replica, and return its fields as JSON holds them."""
    of = replica(people, **how)
    lowest, people_lowest = (
        {seat.value: name for seat, name in names.items()}
        for names in (of.lowest, of.people_lowest)
    )
    arrays = {"push": of.push.tolist(), "call": of.call.tolist()}
    numbers: dict[str, Any] = {
        name: getattr(of, name) for name in ("sb", "bb", "sb_opposite", "bb_opposite")
    }
    return numbers | arrays | {"lowest": lowest, "people_lowest": people_lowest}


def _replica_of(fields: Mapping[str, Any]) -> Replica:
    arrays = {name: np.array(fields[name]) for name in ("push", "call")}
    names = {
        name: {Seat(seat): lowest for seat, lowest in fields[name].items()}
        for name in ("lowest", "people_lowest")
    }
    return Replica(**{**fields, **arrays, **names})


def spread(values: Sequence[float], unit: str) -> Estimate:
    """Return the mean of replicas with the error of a single one, like the one published."""
    return Estimate(float(np.mean(values)), float(np.std(values, ddof=1)), len(values), unit)


# The equilibrium against the people who played the source's web game.
#
# Chin and Lopez 2023, section 3. Their win probabilities came from ten boards per pair, and their
# strategy from 100,000 sampled deals; here both are exact, which explains most of the differences.


REPLICAS = 20
"""Replicas of the source's computation, at scale 1."""


def users(workspace: Workspace) -> ExperimentResult:
    """Play the equilibrium against the source's people, or against `SAMPLE` without their list."""
    file = people_file()
    if file is None:
        with resources.as_file(resources.files(__package__).joinpath(SAMPLE)) as sample:
            return _against(sample, workspace, theirs=False)
    return _against(file, workspace, theirs=True)


def _against(file: Path, workspace: Workspace, *, theirs: bool) -> ExperimentResult:
    first = take_census(read_decisions(file), stack=STACK, first=DECISIONS)
    census = take_census(read_decisions(file), stack=STACK)
    people, dirty = census.population, census.skipped
    if not first.population.complete:
        raise BadInput(f"{file}: hands that never came; allowed: all 169 in both seats")
    solution = solve_pushfold(STACK)
    own = PushfoldStrategy(solution.push, solution.call)
    first_matchup, full_matchup = (
        match_up(own, PushfoldStrategy(data.population.push, data.population.call), stack=STACK)
        for data in (first, census)
    )
    judged, again = _judged(census, own), _replicated(first.population, workspace)
    rows = [
        *_published(first_matchup, _judged(first, own), again),
        *_single_hands(first_matchup, first.population, again),
        *_two_seats(solution, first.population),
        *_beside_equilibrium(solution, again),
        *_all_decisions(full_matchup, judged),
        measured("what a best response to the people wins more", exact(full_matchup.gain)),
        measured(
            "rows that do not count",
            exact(float(sum(dirty.values())), "rows"),
            note="; ".join(f"{count} with {problem}" for problem, count in dirty.items()),
        ),
    ]
    if not theirs:
        rows = [_of_the_sample(row) for row in rows]
    return ExperimentResult(
        hands=people.decisions,
        noun="decision",
        rows=tuple(rows),
        drawings=(*_people_beside(solution, people), *_inefficiencies(first_matchup)),
        tables={"hands": _hand_by_hand(solution, people, full_matchup)},
    )


def _of_the_sample(row: Row) -> Row:
    """Say that a row is not about the source's people."""
    note = (
        f"Of decisions of our own making, for there is no pushfold_users/gameplay.csv in the "
        f"folder that {DATA_VARIABLE} names; section 3.1 of the source has the address. {row.note}"
    )
    compares = row.verdict in (Verdict.AGREES, Verdict.DIFFERS)
    verdict = Verdict.OTHER_PLAYERS if compares else row.verdict
    return replace(row, verdict=verdict, rule="not compared", note=note.strip())


def _single_hands(judged: Matchup, people: Population, again: Sequence[Replica]) -> Iterator[Row]:
    """Yield the values of the hands that the source names (section 3.3)."""
    for seat, hand in LOWEST.items():
        values = judged.hand_values(seat)
        ours = exact(float(values[parse_class(hand)]))
        yield _extreme(f"{SEATS[seat]}: the strategy's lowest hand, {hand}", hand, values, ours)
        yield _in_replicas(
            f"{SEATS[seat]}: {hand} is its lowest, the source's way",
            [repetition.lowest[seat] for repetition in again],
            hand,
        )
        best = exact(float(values[parse_class(HIGHEST)]))
        name = f"{SEATS[seat]}: the strategy's highest hand, {HIGHEST}"
        yield _extreme(name, HIGHEST, values, best, lowest=False)
    for seat, hand in PEOPLE_LOWEST.items():
        values, (played, came) = judged.opponent_values(seat), people.counts(seat)
        class_index = parse_class(hand)
        ours = _as_played(
            judged, seat, class_index, int(played[class_index]), int(came[class_index])
        )
        yield _extreme(f"{SEATS[seat]}: the people's lowest hand, {hand}", hand, values, ours)
        yield _in_replicas(
            f"{SEATS[seat]}: {hand} is the people's lowest, the source's way",
            [repetition.people_lowest[seat] for repetition in again],
            hand,
        )
    hand, folded, times = FOLDED
    calls, came = people.counts(Seat.BIG_BLIND)
    class_index = parse_class(hand)
    yield compared(
        f"times that the people folded {hand}, of {times}",
        Published(text=folded),
        exact(float(came[class_index] - calls[class_index]), "times"),
        f"Of {came[class_index]} here.",
    )


def _as_played(judged: Matchup, seat: Seat, class_index: int, played: int, came: int) -> Estimate:
    """Return the people's winnings with a class, with the error from how often they play it.

    The played share is one of ``came`` decisions. Its standard error is that of Agresti and Coull
    (1998), which is defined for none or all as well.
    """
    value = float(judged.opponent_values(seat)[class_index])
    if seat is Seat.SMALL_BLIND:
        values = judged.against_push
        gain = float(values.push_ev[class_index]) - values.fold_ev_sb
    else:
        values = judged.against_call
        gain = float((values.call_ev[class_index] - values.fold_ev_bb) * values.facing[class_index])
    share = (played + 2) / (came + 4)
    return Estimate(value, abs(gain) * math.sqrt(share * (1 - share) / (came + 4)), came, UNIT)


def _extreme(
    name: str,
    hand: str,
    values: npt.NDArray[np.float64],
    ours: Estimate,
    *,
    lowest: bool = True,
) -> Row:
    """Return the value of the hand that the source found lowest or highest, and its place here."""
    order = np.argsort(values, kind="stable") if lowest else np.argsort(-values, kind="stable")
    first, rank = int(order[0]), int(np.flatnonzero(order == parse_class(hand))[0]) + 1
    extreme = "lowest" if lowest else "highest"
    notes = []
    if rank > 1:
        best = number_format.signed(float(values[first]), 3)
        notes.append(f"Number {rank} from the end here, where {CLASS_NAMES[first]} has {best}.")
    if ours.stderr:  # of so few decisions that no mean of them would have an interval
        half = number_format.number(NormalDist().inv_cdf(0.5 + LEVEL / 2) * ours.stderr, 2)
        notes.append(f"± {half} (95 %) by the share of {ours.n} decisions that were to play.")
    return Row(
        name=name,
        ours=ours,
        verdict=Verdict.AGREES if rank == 1 else Verdict.DIFFERS,
        rule=f"the {extreme} of the 169 hands here too",
        note=" ".join(notes),
    )


def _in_replicas(name: str, replica_hands: Sequence[str], hand: str) -> Row:
    counts = Counter(replica_hands).most_common(3)
    words = ", ".join(f"{name} {count}" for name, count in counts)
    share = estimate(
        [float(replica_hand == hand) for replica_hand in replica_hands], unit="of replicas"
    )
    return measured(name, share, f"Of {len(replica_hands)} replicas; most often {words}.")


def _two_seats(solution: PushFoldSolution, people: Population) -> Iterator[Row]:
    """Yield how differently the seats are played; by the source people hardly differ (3.1)."""
    for name, push, call in (
        ("the people", people.push, people.call),
        ("equilibrium", solution.push, solution.call),
    ):
        for seat, plays in ((Seat.SMALL_BLIND, push), (Seat.BIG_BLIND, call)):
            yield measured(f"{SEATS[seat]}: hands played, {name}", _share(plays))
        apart = exact(distance(push, call), "of a hand")
        yield measured(f"distance of the two seats, {name}", apart)


def _beside_equilibrium(solution: PushFoldSolution, again: Sequence[Replica]) -> Iterator[Row]:
    """Yield how far the source's method is from equilibrium, as in printed charts (3.4)."""
    for seat, plays, ours in (
        (Seat.SMALL_BLIND, solution.push, [repetition.push for repetition in again]),
        (Seat.BIG_BLIND, solution.call, [repetition.call for repetition in again]),
    ):
        shares = [_share(frequencies).value for frequencies in ours]
        differing = [
            float(np.count_nonzero((frequencies > 0.5) != (plays > 0.5))) for frequencies in ours
        ]
        name = f"{SEATS[seat]}: hands played, the source's way"
        yield measured(name, spread(shares, "% of hands"))
        yield measured(
            f"{SEATS[seat]}: classes on the other side of a half, the source's way",
            spread(differing, "classes"),
            f"{min(differing):g} to {max(differing):g} of 169 in {len(differing)} replicas.",
        )


def _share(plays: npt.NDArray[np.float64]) -> Estimate:
    return exact(float(100 * plays @ COMBINATIONS / COMBINATIONS.sum()), "% of hands")


def _inefficiencies(judged: Matchup) -> tuple[Drawing, ...]:
    """Draw the source's figure 4: where the opposite of the strategy would win more, and how much.

    Above zero it pays to play the hand more often, below zero to fold it more often.
    """
    drawings = []
    for seat, own, advantage in (
        (
            Seat.BIG_BLIND,
            judged.own.call,
            judged.against_push.call_ev - judged.against_push.fold_ev_bb,
        ),
        (
            Seat.SMALL_BLIND,
            judged.own.push,
            judged.against_call.push_ev - judged.against_call.fold_ev_sb,
        ),
    ):
        better = judged.opposite_is_better(seat)
        gain = np.where(better, np.abs(1 - 2 * own) * advantage, 0.0)
        drawings.append(
            chart_drawing(
                f"inefficiencies-{'call' if seat is Seat.BIG_BLIND else 'push'}",
                f"Hands of the {SEATS[seat]} where the opposite choice would win more",
                gain,
                replace(GAIN, full=max(0.1, float(np.abs(gain).max()))),
                note="Big blinds that the opposite would win more, with a plus where it pays to "
                "play the hand more and a minus where it pays to fold it more; a dot where the "
                "strategy is right.",
            )
        )
    return tuple(drawings)


def _judged(census: Census, own: PushfoldStrategy) -> JudgedDecisions:
    return judge_decisions(census.by_stack, {STACK: own})


def _all_decisions(now: Matchup, judged: JudgedDecisions) -> Iterator[Row]:
    count = f"all {judged.decisions:,} decisions"
    for name, value, made in (
        ("small blind", now.small_blind, judged.big_blind.win),
        ("big blind", now.big_blind, judged.small_blind.win),
        ("mean", now.mean, judged.mean),
    ):
        yield measured(f"{name}, {count}", replace(made, value=value))
        yield measured(
            f"{name}, {count}, each as it was made",
            made,
            "Classes count as often as they came, not as often as they come.",
        )


def _people_beside(solution: PushFoldSolution, people: Population) -> tuple[Drawing, ...]:
    return (
        chart_drawing("people-push", "Pushes of the people", people.push),
        chart_drawing("people-call", "Calls of the people", people.call),
        chart_drawing(
            "difference-push",
            "People less equilibrium, pushes",
            people.push - solution.push,
            DIFFERENCE,
        ),
        chart_drawing(
            "difference-call",
            "People less equilibrium, calls",
            people.call - solution.call,
            DIFFERENCE,
        ),
    )


def _hand_by_hand(solution: PushFoldSolution, people: Population, judged: Matchup) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "hand": list(CLASS_NAMES),
            "people_push": people.push,
            "equilibrium_push": solution.push,
            "people_sb_bb": judged.opponent_values(Seat.SMALL_BLIND),
            "people_call": people.call,
            "equilibrium_call": solution.call,
            "people_bb_bb": judged.opponent_values(Seat.BIG_BLIND),
        }
    )


def _replicated(people: Population, workspace: Workspace) -> list[Replica]:
    """Return replicas of the source's computation, each with other boards."""
    return replicas(
        people,
        max(2, round(REPLICAS * min(workspace.scale, 1.0))),
        stack=STACK,
        rng=np.random.default_rng(workspace.seed),
        workspace=workspace,
    )


def _published(
    exactly: Matchup, judged: JudgedDecisions, again: Sequence[Replica]
) -> Iterator[Row]:
    """Yield each published number with the exact one, then with replicas of the source's method.

    As in the source, each class is weighted by its probability and played with the people's
    frequencies; the interval is that of the decisions as they were made.
    """
    small_blind = replace(judged.big_blind.win, value=exactly.small_blind)
    big_blind = replace(judged.small_blind.win, value=exactly.big_blind)
    by_exact = "By exact probabilities and the equilibrium; the source had ten boards per pair."
    noisy = f"Mean and spread of {len(again)} replicas of the source's method with other boards."
    for name, text, ours, values in (
        ("small blind", SMALL_BLIND, small_blind, [repetition.sb for repetition in again]),
        ("big blind", BIG_BLIND, big_blind, [repetition.bb for repetition in again]),
        (
            "mean",
            MEAN,
            replace(judged.mean, value=exactly.mean),
            [repetition.mean for repetition in again],
        ),
        (
            "small blind, hands where the other choice would win more",
            SMALL_BLIND_OPPOSITE,
            _count(exactly, Seat.SMALL_BLIND),
            [repetition.sb_opposite for repetition in again],
        ),
        (
            "big blind, hands where the other choice would win more",
            BIG_BLIND_OPPOSITE,
            _count(exactly, Seat.BIG_BLIND),
            [repetition.bb_opposite for repetition in again],
        ),
    ):
        yield compared(name, Published(text=text), ours, by_exact)
        yield compared(
            f"{name}, the source's way", Published(text=text), spread(values, ours.unit), noisy
        )


def _count(judged: Matchup, seat: Seat) -> Estimate:
    return exact(float(COMBINATIONS[judged.opposite_is_better(seat)].sum()), "holdings")
