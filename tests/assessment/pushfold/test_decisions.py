"""Lists of people's push/fold decisions, read and counted."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from railbird.assessment.pushfold.decisions import (
    Problem,
    PushFoldDecision,
    SkippedRow,
    read_decisions,
    take_census,
)
from railbird.cards import parse_class
from railbird.errors import BadInput
from railbird.solve import Seat

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
    # data/README.md: 5,127 rows, of which four lack cards.
    assert len(rows) == 5127
    census = take_census(rows, stack=10)
    assert list(census.by_stack) == [10]
    population = census.population
    assert population.decisions == 5123
    assert int(population.sb_hands.sum()) == 3179
    assert int(population.shoves.sum()) == 1803
    assert int(population.bb_hands.sum()) == 1944
    assert int(population.calls.sum()) == 943
    assert population.complete


EXPORT = "card1,card2,position,skill,decision,played_at,stack_bb,hand,hinted,equilibrium\n"


def test_stacks_and_hints_of_our_own_export_count(tmp_path: Path) -> None:
    path = tmp_path / "export.csv"
    path.write_text(
        EXPORT
        + "As,Ad,sb,,aggress,x,10.0,AA,False,1.0\n"
        + "As,Ad,sb,,fold,x,4.5,AA,False,1.0\n"
        + "As,Ad,sb,,fold,x,4.5,AA,True,1.0\n"
        + "7s,2d,bb,,fold,x,,72o,,0.0\n"
    )
    census = take_census(read_decisions(path), stack=8)
    assert {stack: each.decisions for stack, each in census.by_stack.items()} == {
        4.5: 1,
        8: 1,
        10: 1,
    }
    assert census.by_stack[4.5].shoves.sum() == 0
    assert census.skipped == {"made after a hint": 1}
    assert not census.examples, "a hint is no fault of the file"


@pytest.mark.parametrize(
    ("stack", "hinted", "problem"),
    [
        ("0.9", "False", Problem.STACK),
        ("101", "False", Problem.STACK),
        ("nan", "False", Problem.STACK),
        ("ten", "False", Problem.STACK),
        ("1" * 400, "False", Problem.STACK),
        ("10", "perhaps", Problem.HINT),
        ("10", "true", Problem.HINTED),
    ],
)
def test_stacks_and_hints_that_are_none(
    tmp_path: Path, stack: str, hinted: str, problem: Problem
) -> None:
    path = tmp_path / "export.csv"
    path.write_text(EXPORT + f"As,Ad,sb,,aggress,x,{stack},AA,{hinted},1.0\n")
    (row,) = read_decisions(path)
    assert isinstance(row, SkippedRow)
    assert row.problem is problem


def test_stacks_count_to_the_tenth(tmp_path: Path) -> None:
    path = tmp_path / "export.csv"
    lines = (f"As,Ad,sb,,aggress,x,{9.5 + place / 1e6:.6f},AA,False,1.0\n" for place in range(99))
    path.write_text(EXPORT + "".join(lines))
    assert list(take_census(read_decisions(path)).by_stack) == [9.5]


def test_classes_that_never_came_have_no_frequency(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text(HEADER + "As,Ad,sb,,aggress,\n")
    population = take_census(read_decisions(path)).population
    assert population.push[parse_class("AA")] == 1
    assert np.isnan(np.delete(population.push, parse_class("AA"))).all()
    assert np.isnan(population.call).all()
    assert not population.complete
