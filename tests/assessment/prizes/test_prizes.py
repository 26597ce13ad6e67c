"""Tournaments of a log by their prizes, beside what the arena says of the same tournaments."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from railbird.arena import Seating, Stages, Tournaments, play_tournaments
from railbird.arena.series.tournament import TournamentTables
from railbird.assessment import Form, estimators_of
from railbird.assessment.prizes.finished import Unfinished, finished_tournaments
from railbird.assessment.prizes.match import assess_tournaments
from railbird.cli import run
from railbird.errors import BadInput, NothingUsable
from railbird.histories import HandRecord
from railbird.histories.columns import batch_of
from railbird.tournament import parse_payouts, parse_schedule

SERIES = Tournaments(
    players=("random:fold=0.2", "random", "always-raise", "always-call"),
    count=12,
    seed=2,
    stack=300,
    schedule=parse_schedule("10/20x3,25/50/5x3"),
    payouts=parse_payouts("70/30"),
    entry=Fraction(1666, 100),
)


def hands_of(series: Tournaments) -> tuple[list[tuple[int, ...]], list[HandRecord]]:
    tables = TournamentTables(series)
    played = [tables.play(index) for index in range(series.count)]
    return [finish.places for finish, _ in played], [hand for _, part in played for hand in part]


@pytest.fixture(scope="module")
def played() -> tuple[list[tuple[int, ...]], list[HandRecord]]:
    return hands_of(SERIES)


def test_a_log_is_assessed_as_the_tournaments_were(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The arena adds up the luck while it plays; here it comes from the log alone."""
    log = str(tmp_path / "tournaments.phhs")
    prizes = ["--payouts", "70,30", "--entry", "16.66"]
    play = ["tournament", *map(str, SERIES.players), "--stack", "300", "--count", "12", "--icm"]
    assert run([*play, *prizes, "--log", log, "--json"]) == 0
    arena = json.loads(capsys.readouterr().out)
    assert run(["assess", log, *prizes, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["tournaments"], found["hands"]) == (12, arena["hands"])
    assert found["all_ins"] == arena["all_ins"] > 5
    assert found["variance_reduction"] == pytest.approx(arena["variance_reduction"])
    assert found["variance_reduction"] > 1
    for name, values in found["players"].items():
        assert values["prize"] == pytest.approx(arena["players"][name]["prize"])
        assert values["prize_less_luck"] == pytest.approx(arena["prize_less_luck"][name])
        luck = values["prize"]["value"] - values["prize_less_luck"]["value"]
        assert values["prize_luck"]["value"] == pytest.approx(luck)
    assert run(["assess", log, *prizes, "--player", "random"]) == 0
    out = capsys.readouterr().out
    assert "12 tournaments" in out
    assert "prize less luck" in out
    assert "luck of all-ins" not in out
    assert "less the luck of " in out
    assert "always-call" not in out


@pytest.mark.parametrize("seats", [2, 3, 9])
def test_places_at_several_tables(seats: int) -> None:
    series = replace(SERIES, players=("random",) * 6, count=4, seats=seats, stack=100)
    places, hands = hands_of(series)
    found = list(finished_tournaments(hands, Unfinished()))
    assert len(found) == 4
    for each, known in zip(found, places, strict=True):
        by_name = dict(zip(each.players, each.places, strict=True))
        assert tuple(by_name[name] for name in series.names) == known


def test_a_set_in_duplicate_is_one_value() -> None:
    series = replace(SERIES, count=8, seating=Seating.PERMUTED)
    result = play_tournaments(series, keep=True)
    found = assess_tournaments(result.batches(), payouts=SERIES.payouts, entry=SERIES.entry)
    assert (found.tournaments, found.independent) == (8, 2)
    for player, name in enumerate(series.names):
        prize = found.estimates[name]["prize"]
        assert prize.value == pytest.approx(result.standing(player).prize.value)
        assert prize.n == 2


def test_the_estimators_agree_in_the_mean(
    played: tuple[list[tuple[int, ...]], list[HandRecord]],
) -> None:
    """Whatever the prizes: luck adds up to zero in every tournament, and prizes to the fees."""
    places, hands = played
    found = assess_tournaments(hands, payouts=parse_payouts("100"))
    by_tournament = found.rows.group_by("set").agg(pl.col("prize", "prize_luck").sum())
    np.testing.assert_allclose(by_tournament["prize_luck"].to_numpy(), 0, atol=1e-12)
    np.testing.assert_allclose(by_tournament["prize"].to_numpy(), 4)
    assert found.rows["place"].to_list().count(1) == 12
    assert {one.name for one in estimators_of(Form.TOURNAMENT)} == set(found.estimates["random"])
    assert sorted(found.rows["place"].to_list()) == sorted(place for row in places for place in row)


def test_unknown_cards_leave_the_prizes(
    played: tuple[list[tuple[int, ...]], list[HandRecord]],
) -> None:
    hands = list(played[1])
    hands[1] = replace(hands[1], holes=(None, *hands[1].holes[1:]))
    found = assess_tournaments(hands, payouts=SERIES.payouts)
    assert set(found.estimates["random"]) == {"prize"}
    assert found.variance_reduction is None


def test_tournaments_that_cannot_be_followed_are_left_out(
    played: tuple[list[tuple[int, ...]], list[HandRecord]],
) -> None:
    hands = played[1]
    by_table: dict[str, list[HandRecord]] = {}
    for hand in hands:
        by_table.setdefault(hand.table, []).append(hand)
    long = [table for table, part in by_table.items() if len(part) > 2]
    lacks, ends_early = long[:2]
    del by_table[lacks][1]
    del by_table[ends_early][-1]
    without = [hand for part in by_table.values() for hand in part]
    found = assess_tournaments([batch_of(without)], payouts=SERIES.payouts)
    assert (found.tournaments, found.unfinished.count) == (10, 2)
    assert found.unfinished.why.startswith(f"tournament {lacks.removesuffix('.1')}: ")
    assert "the log lacks hands" in found.unfinished.why
    twice = assess_tournaments([*hands, *hands], payouts=SERIES.payouts)
    assert (twice.tournaments, twice.independent) == (24, 12)


def test_shoot_outs_and_other_games_are_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    series = replace(SERIES, count=2, seats=2, stages=Stages.SHOOT_OUT)
    log = tmp_path / "shoot-out.phhs"
    play_tournaments(series, log=log)
    assert run(["assess", str(log), "--payouts", "70,30"]) == 1
    assert "no freeze-out with equal stacks" in capsys.readouterr().err
    ring = [replace(hand, table="Ring 1") for hand in hands_of(replace(SERIES, count=1))[1]]
    with pytest.raises(NothingUsable, match="table 'Ring 1'; allowed: TOURNAMENT"):
        assess_tournaments(ring, payouts=SERIES.payouts)
    with pytest.raises(BadInput, match="5 prizes for 4 players"):
        assess_tournaments(
            hands_of(replace(SERIES, count=1))[1], payouts=parse_payouts("40/20/20/10/10")
        )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--payouts", "70,40"], "payouts '70,40'"),
        (["--entry", "5"], "--entry without --payouts"),
        (["--payouts", "70,30", "--entry", "1e9"], "entry '1e9'"),
        (["--payouts", "70,30", "--forward"], "--payouts goes with"),
        (["--payouts", "70,30", "--settings", "tight-low"], "--payouts goes with"),
        (["--payouts", "70,30", "--estimators", "divat"], "divat"),
    ],
)
def test_options_are_checked_before_anything_is_read(
    options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["assess", "absent.phhs", *options]) == 2
    assert message in capsys.readouterr().err
