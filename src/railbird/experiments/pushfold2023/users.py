"""The equilibrium against the people who played the source's web game.

Chin and Lopez 2023, section 3. Their win probabilities came from ten boards per pair, and their
strategy from 100,000 sampled deals; here both are exact, which explains most of the differences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from railbird.assessment.pushfold.decisions import (
    Census,
    Population,
    read_decisions,
    take_census,
)
from railbird.assessment.pushfold.judged_decisions import JudgedDecisions, judge_decisions
from railbird.assessment.pushfold.matchup import Matchup, Strategy, match_up
from railbird.cards import CLASS_NAMES
from railbird.errors import BadInput
from railbird.estimates import Estimate
from railbird.experiments.framework.figures import Drawing
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import Published, Row, compared, measured
from railbird.experiments.pushfold2023 import published
from railbird.experiments.pushfold2023.common import STACK, chart_drawing, exact, people_file
from railbird.experiments.pushfold2023.replicas import Replica, replicas, spread
from railbird.report.pushfold.range_chart import DIFFERENCE
from railbird.solve import COMBINATIONS, PushFoldSolution, Seat, solve_pushfold

if TYPE_CHECKING:
    from railbird.experiments.framework.workspace import Workspace

REPLICAS = 20
"""Replicas of the source's computation, at scale 1."""


def users(workspace: Workspace) -> Result:
    """Play the equilibrium against the source's people. Raises `BadInput` without their list."""
    file = people_file()
    first = take_census(read_decisions(file), stack=STACK, first=published.DECISIONS)
    census = take_census(read_decisions(file), stack=STACK)
    people, dirty = census.population, census.skipped
    if not first.population.complete:
        raise BadInput(f"{file}: hands that never came; allowed: all 169 in both seats")
    solution = solve_pushfold(STACK)
    own = Strategy(solution.push, solution.call)
    then, now = (
        match_up(own, Strategy(data.population.push, data.population.call), stack=STACK)
        for data in (first, census)
    )
    judged = _judged(census, own)
    rows = [
        *_published(then, _judged(first, own), _replicated(first.population, workspace)),
        *_all_decisions(now, judged),
        measured("what a best response to the people wins more", exact(now.gain)),
        measured(
            "rows that do not count",
            exact(float(sum(dirty.values())), "rows"),
            note="; ".join(f"{count} with {problem}" for problem, count in dirty.items()),
        ),
    ]
    return Result(
        hands=people.decisions,
        noun="decision",
        rows=tuple(rows),
        drawings=_people_beside(solution, people),
        tables={"hands": _hand_by_hand(solution, people, now)},
    )


def _judged(census: Census, own: Strategy) -> JudgedDecisions:
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
        progress=workspace.progress,
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
        ("small blind", published.SMALL_BLIND, small_blind, [one.sb for one in again]),
        ("big blind", published.BIG_BLIND, big_blind, [one.bb for one in again]),
        (
            "mean",
            published.MEAN,
            replace(judged.mean, value=exactly.mean),
            [one.mean for one in again],
        ),
        (
            "small blind, hands where the other choice would win more",
            published.SMALL_BLIND_OPPOSITE,
            _count(exactly, Seat.SMALL_BLIND),
            [one.sb_opposite for one in again],
        ),
        (
            "big blind, hands where the other choice would win more",
            published.BIG_BLIND_OPPOSITE,
            _count(exactly, Seat.BIG_BLIND),
            [one.bb_opposite for one in again],
        ),
    ):
        yield compared(name, Published(text=text), ours, by_exact)
        yield compared(
            f"{name}, the source's way", Published(text=text), spread(values, ours.unit), noisy
        )


def _count(judged: Matchup, seat: Seat) -> Estimate:
    return exact(float(COMBINATIONS[judged.opposite_is_better(seat)].sum()), "holdings")
