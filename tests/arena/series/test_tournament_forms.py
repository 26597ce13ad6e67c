"""Duplicate tournaments, and shoot-outs."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from railbird.arena import Seating, Stages, Tournaments, play_tournaments
from railbird.arena.series.tournament import TournamentTables
from railbird.cli import run
from railbird.errors import BadInput
from railbird.histories import HandRecord, read
from railbird.tournament import parse_payouts, parse_schedule

DUPLICATE = Tournaments(
    players=("random", "always-call", "always-raise", "random", "always-fold", "random"),
    count=12,
    seed=4,
    stack=300,
    schedule=parse_schedule("10/20x4,25/50x4"),
    payouts=parse_payouts("70,30"),
    seating=Seating.PERMUTED,
)
SHOOT_OUT = replace(
    DUPLICATE,
    players=("random",) * 4 + ("always-call",) * 4,
    seats=3,
    count=8,
    seating=Seating.SINGLE,
    stages=Stages.SHOOT_OUT,
)


@pytest.fixture(scope="module")
def played() -> list[list[HandRecord]]:
    """The hands of each tournament of `DUPLICATE`."""
    floor = TournamentTables(DUPLICATE)
    return [floor.play(index)[1] for index in range(DUPLICATE.count)]


def chairs_of(hands: list[HandRecord]) -> dict[str, int]:
    """The chair of each player: the first hand's button has the first one."""
    first = hands[0].players
    return {name: chair for chair, name in enumerate((first[-1], *first[:-1]))}


def test_in_a_set_the_cards_of_a_chair_and_the_board_are_the_same(
    played: list[list[HandRecord]],
) -> None:
    compared = 0
    for set_ in (played[:6], played[6:]):
        cards: dict[tuple[int, int], set[Any]] = defaultdict(set)
        boards: dict[int, set[Any]] = defaultdict(set)
        for hands in set_:
            chairs = chairs_of(hands)
            for number, hand in enumerate(hands):
                for name, hole in zip(hand.players, hand.holes, strict=True):
                    cards[number, chairs[name]].add(hole)
                if len(hand.board) == 5:
                    boards[number].add(hand.board)
        assert all(len(found) == 1 for found in cards.values())
        assert all(len(found) == 1 for found in boards.values())
        compared += len(cards)
    assert compared > 60
    assert played[0][0].holes != played[6][0].holes, "another set has other cards"


def test_everybody_has_every_chair_and_every_distance_to_everybody(
    played: list[list[HandRecord]],
) -> None:
    for set_ in (played[:6], played[6:]):
        seated = [chairs_of(hands) for hands in set_]
        for name in DUPLICATE.names:
            assert sorted(chairs[name] for chairs in seated) == list(range(6))
            for other in DUPLICATE.names:
                if other != name:
                    # Seven is prime: the distances modulo seven are 1 to 6, each once.
                    apart = {(chairs[other] - chairs[name]) % 7 for chairs in seated}
                    assert apart == {1, 2, 3, 4, 5, 6}


def test_sets_are_the_independent_results() -> None:
    result = play_tournaments(DUPLICATE)
    standing = result.standing(2)
    assert standing.prize.n == 2
    assert standing.prize.value == pytest.approx(result.prizes[:, 2].mean())
    assert result.as_json()["independent"] == 2
    assert result.by_set(result.prizes).shape == (2, 6)


def test_players_who_play_alike_share_every_set() -> None:
    """All-in blindly, the cards alone decide: who had all the chairs has had all their cards."""
    alike = replace(
        DUPLICATE,
        players=("always-raise:max",) * 4,
        count=80,
        schedule=parse_schedule("300/300x1"),
    )
    result = play_tournaments(alike)
    by_set = result.by_set(result.prizes)
    assert np.allclose(by_set, 1)
    assert result.prizes.std() > 0.5


@pytest.mark.parametrize("series", [DUPLICATE, SHOOT_OUT])
def test_a_log_that_was_cut_goes_on(tmp_path: Path, series: Tournaments) -> None:
    log = tmp_path / "t.phhs"
    whole = play_tournaments(series, log=log)
    text = log.read_bytes()
    log.write_bytes(text[: len(text) // 2])
    again = play_tournaments(series, log=log, workers=2)
    assert log.read_bytes() == text
    assert again.finishes == whole.finishes
    assert 0 < again.resumed < series.count
    assert len(list(read(log))) == whole.hands
    usual = replace(series, seating=Seating.SINGLE, stages=Stages.FREEZE_OUT)
    with pytest.raises(BadInput, match=r"it differs in (seating|stages)"):
        play_tournaments(usual, log=log)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"count": 7}, "7 tournaments in duplicate; allowed: multiples of 6"),
        ({"seats": 5}, "6 players in duplicate at tables of 5"),
    ],
)
def test_duplicates_that_cannot_be_are_refused(change: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        replace(DUPLICATE, **change)


def test_in_a_shoot_out_the_winners_meet() -> None:
    floor = TournamentTables(SHOOT_OUT)
    for index in range(SHOOT_OUT.count):
        finish, hands = floor.play(index)
        tables: dict[str, list[HandRecord]] = defaultdict(list)
        for hand in hands:
            tables[hand.table].append(hand)
        # Eight players at tables of three: 3, 3 and 2, then the three winners.
        assert sorted(tables) == [f"{index + 1}.{number}" for number in (1, 2, 3, 4)]
        winners: set[str] = set()
        for name, played in tables.items():
            first = played[0]
            assert first.rules.stacks == (300,) * len(first.players), "new stacks"
            assert max(first.rules.blinds) == 20, "new blinds"
            last = played[-1]
            stacks = last.rules.stacks
            assert stacks is not None
            left = {
                player
                for player, stack, won in zip(last.players, stacks, last.payoffs, strict=True)
                if stack + won > 0
            }
            assert len(left) == 1
            if name.endswith(".4"):
                assert set(first.players) == winners
                assert finish.places[SHOOT_OUT.names.index(left.pop())] == 1
            else:
                winners |= left
        in_final = [SHOOT_OUT.names.index(name) for name in winners]
        assert sorted(finish.places[player] for player in in_final) in ([1, 2, 3], [1, 2, 2])
        # The three seconds share the places from the fourth on, the two thirds the last ones.
        behind = sorted(set(range(8)) - set(in_final), key=lambda player: finish.places[player])
        assert [finish.places[player] for player in behind[:3]] == [4] * 3
        assert sum(SHOOT_OUT.prizes(finish.places)) == pytest.approx(8)


def test_a_shoot_out_at_one_table_is_a_tournament() -> None:
    one = replace(SHOOT_OUT, seats=9, count=3)
    usual = replace(one, stages=Stages.FREEZE_OUT)
    assert play_tournaments(one).finishes == play_tournaments(usual).finishes


def test_a_player_without_opponents_goes_through() -> None:
    three = replace(SHOOT_OUT, players=("random",) * 3, seats=2, count=4)
    for finish in play_tournaments(three).finishes:
        assert sorted(finish.places) == [1, 2, 3]


def test_the_command_rounds_up_to_whole_sets(capsys: pytest.CaptureFixture[str]) -> None:
    args = ["tournament", "always-call", "random", "random", "--stack", "100", "--count", "4"]
    assert run([*args, "--duplicate"]) == 0
    assert "6 tournaments in 2 sets" in capsys.readouterr().out
    assert run([*args, "--shoot-out", "--seats", "2", "--payouts", "70,30"]) == 0
    assert "4 tournaments, " in capsys.readouterr().out
