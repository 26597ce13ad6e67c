"""The plain no-limit player beats players without skill, in tournaments for two and for six."""

from __future__ import annotations

import pytest

from railbird.arena import Tournaments, play_tournaments
from railbird.tournament import parse_schedule

SCHEDULE = parse_schedule("10/20x10,15/30x10,25/50x10,50/100x10,75/150x10,100/200x10")


def tournaments(*players: str, count: int) -> Tournaments:
    return Tournaments(players=players, count=count, seed=1, stack=1500, schedule=SCHEDULE)


@pytest.mark.parametrize(
    ("opponent", "count"), [("always-call", 40), ("always-raise:random", 600), ("random", 60)]
)
def test_heads_up_more_than_half_are_won(opponent: str, count: int) -> None:
    played = play_tournaments(tournaments("tight:nolimit", opponent, count=count))
    assert played.standing(0).win_rate.low > 0.5
    assert played.faults(0).as_json() == {}


def test_among_six_more_than_a_sixth_are_won() -> None:
    six = ("tight:nolimit", *["always-call"] * 2, *["always-raise:random"] * 2, "random")
    played = play_tournaments(tournaments(*six, count=60))
    assert played.standing(0).win_rate.low > 1 / 6
