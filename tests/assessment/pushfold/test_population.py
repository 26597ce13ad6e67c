"""People's push/fold decisions: reading them, and what a strategy wins from them."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from railbird.assessment.pushfold.decisions import (
    Problem,
    PushFoldDecision,
    SkippedRow,
    count_decisions,
    read_decisions,
    take_census,
)
from railbird.assessment.pushfold.population import judge_population
from railbird.cards import parse_class
from railbird.errors import BadInput
from railbird.solve import COMBINATIONS, Seat, pushfold_ev, solve_pushfold

HEADER = "card1,card2,position,skill,decision,played_at\n"


def test_rows_that_do_not_count_are_named(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text(
        HEADER
        + "10s,KS,sb,expert,aggress,x\n"
        + "9C,9c,sb,,fold,\n"
        + ",,bb,,fold,\n"
        + "As,Ad,button,,fold,\n"
        + "As,Ad,bb,,limp,\n"
        + "As,Ad,BB,,Fold,\n"
    )
    rows = list(read_decisions(path))
    found = [row for row in rows if isinstance(row, PushFoldDecision)]
    assert [(row.seat, row.aggressive) for row in found] == [
        (Seat.SMALL_BLIND, True),
        (Seat.BIG_BLIND, False),
    ]
    skipped = [row for row in rows if isinstance(row, SkippedRow)]
    assert [(row.line, row.problem) for row in skipped] == [
        (3, Problem.CARDS),
        (4, Problem.CARDS),
        (5, Problem.POSITION),
        (6, Problem.DECISION),
    ]
    census = take_census(rows, first=1, examples=3)
    assert census.population.decisions == 1
    assert census.skipped[Problem.CARDS.value] == 2
    assert list(census.examples) == skipped[:3]


def test_a_short_row_lacks_its_last_fields(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("decision,card1,card2,position\nfold,As,Ad,bb,more\n\nfold,As\n")
    found, lost = read_decisions(path)
    assert isinstance(found, PushFoldDecision)
    assert lost == SkippedRow(4, Problem.CARDS, "As,,,fold")


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ("As,Ad,sb,,aggress,\nAs,Ad,button,,fold,\n" * 100_000, Problem.POSITION),
        ("no line ends " * 300_000, Problem.CARDS),
    ],
)
def test_memory_does_not_grow_with_the_list(tmp_path: Path, rows: str, problem: Problem) -> None:
    path = tmp_path / "people.csv"
    path.write_text(HEADER + rows)
    tracemalloc.start()
    try:
        census = take_census(read_decisions(path), examples=1)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert list(census.skipped) == [problem.value]
    assert most < 1_500_000, "bytes; the file has 3,900,000"


def test_a_missing_column(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("card1,card2,decision\nAs,Ad,fold\n")
    with pytest.raises(BadInput, match="no column 'position'"):
        list(read_decisions(path))


def test_the_people_of_the_source(shared_data: Path) -> None:
    rows = list(read_decisions(shared_data / "pushfold_users" / "gameplay.csv"))
    decisions = [row for row in rows if isinstance(row, PushFoldDecision)]
    # data/README.md: 5,127 rows, of which four lack cards.
    assert (len(rows), len(decisions)) == (5127, 5123)
    population = count_decisions(decisions)
    assert int(population.sb_hands.sum()) == 3179
    assert int(population.shoves.sum()) == 1803
    assert int(population.bb_hands.sum()) == 1944
    assert int(population.calls.sum()) == 943
    exact = solve_pushfold(10)
    judged = judge_population(
        count_decisions(decisions[:4993]),
        exact.push,
        exact.call,
        stack=10,
        rng=np.random.default_rng(0),
    )
    # The source, section 3.2, with its sampled win chances: +0.040, +0.090, +0.065.
    assert judged.sb.value == pytest.approx(0.040, abs=0.010)
    assert judged.bb.value == pytest.approx(0.090, abs=0.010)
    assert judged.mean.value == pytest.approx(0.065, abs=0.002)
    # Section 3.3: 113 and 38 of 1,326 holdings.
    better = judged.opposite_is_better(Seat.SMALL_BLIND)
    assert int(COMBINATIONS[better].sum()) == pytest.approx(113, abs=10)
    assert judged.gain > 0
    assert judged.people_values(Seat.BIG_BLIND).argmax() == parse_class("AA")


def test_values_by_hand_add_up() -> None:
    rng = np.random.default_rng(3)
    hands = rng.integers(0, 1326, size=4000)
    people = count_decisions(
        PushFoldDecision(seat, hand, bool(rng.random() < 0.5))
        for seat, hand in zip([*Seat] * 2000, hands, strict=True)
    )
    exact = solve_pushfold(10)
    judged = judge_population(people, exact.push, exact.call, stack=10, rng=rng)
    weights = COMBINATIONS / COMBINATIONS.sum()
    assert judged.hand_values(Seat.SMALL_BLIND) @ weights == pytest.approx(judged.sb.value)
    assert judged.hand_values(Seat.BIG_BLIND) @ weights == pytest.approx(judged.bb.value)
    assert judged.people_values(Seat.SMALL_BLIND) @ weights == pytest.approx(-judged.bb.value)
    assert judged.people_values(Seat.BIG_BLIND) @ weights == pytest.approx(-judged.sb.value)
    # Whoever answers best wins most: no strategy does better than the best response.
    assert judged.best_sb >= pushfold_ev(np.ones(169), people.call, stack=10).sb_value
    assert judged.gain >= 0


def test_both_seats_are_needed() -> None:
    people = count_decisions([])
    with pytest.raises(BadInput, match="no decisions"):
        judge_population(people, np.ones(169), np.ones(169), stack=10, rng=np.random.default_rng(0))
