"""The goals of benchmarks: how a ratio is taken, and what is drawn of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bench.goals import HALF, Goal, bar, compared

TOPICS = sorted(Path(__file__).parent.glob("bench_*.py"))
SPEED = Goal("ours: hands", "peer: hands", 2)


def test_a_ratio_says_how_many_times_as_good_ours_is() -> None:
    rows = {"ours: hands": (30.0, "hands/s"), "peer: hands": (10.0, "hands/s")}
    assert SPEED.ratio(rows) == 3
    assert SPEED.ratio({label: (value, "s") for label, (value, _) in rows.items()}) == 1 / 3
    assert SPEED.ratio({"ours: hands": (30.0, "hands/s")}) is None


def test_a_goal_about_rows_that_there_are_not_is_no_goal() -> None:
    with pytest.raises(ValueError, match="no row 'ours: hands'"):
        SPEED.ratio({"peer: hands": (1.0, "s")})
    with pytest.raises(ValueError, match="in ms"):
        SPEED.ratio({"ours: hands": (1.0, "s"), "peer: hands": (1.0, "ms")})


def test_a_bar_has_the_goal_in_its_middle() -> None:
    assert bar(1, 1).index("*") == HALF + 1
    assert bar(16, 1)[-2:] == "*]"
    assert bar(1e9, 1) == bar(16, 1)
    assert bar(1e-9, 1).startswith("[*=")
    for ratio in (0.1, 0.9, 1.5, 40.0):
        assert len(bar(ratio, 1)) == 2 * HALF + 3


def test_what_is_missed_is_said() -> None:
    rows = [("ours: hands", 30.0, "hands/s"), ("peer: hands", 10.0, "hands/s")]
    goals = [SPEED, Goal("ours: hands", "peer: hands", 4), Goal("ours: x", "peer: x", 1)]
    lines = compared(goals, rows)
    assert [(line[0], line[1], line[-1]) for line in lines] == [
        ("hands / peer", "3", "reached"),
        ("hands / peer", "3", "missed"),
    ]


@pytest.mark.parametrize("topic", TOPICS, ids=lambda path: path.stem)
def test_a_benchmark_beside_a_peer_has_a_goal(topic: Path) -> None:
    source = topic.read_text(encoding="utf-8")
    peers = re.search(r'"(OpenSpiel|pokerkit|rlcard|eval7|postflop-solver)(, [^":]*)?: ', source)
    assert (peers is not None) <= ("\nGOALS = " in source)
