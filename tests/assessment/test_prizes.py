"""Tournaments of a log by their prizes, beside what the arena says of the same tournaments."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from railbird.arena import Seating, Tournaments, play_tournaments
from railbird.arena.tournament import TournamentTables
from railbird.assessment import Contest, all_in_prize_luck, estimators_of
from railbird.assessment.all_in import where_all_in
from railbird.assessment.prizes import (
    Unfinished,
    assess_tournaments,
    difference_interval,
    finished_tournaments,
    series_of,
)
from railbird.cards import Card, cards_of
from railbird.cli import run
from railbird.errors import BadInput, NothingUsable
from railbird.estimates.bounded_mean import Proportion
from railbird.game import payoffs, replay
from railbird.histories import HandRecord
from railbird.histories.columns import batch_of
from railbird.tournament import parse_payouts, parse_schedule, prize_equities
from railbird.tournament.schedule import Stages

TEST_PRIZES_SERIES = Tournaments(
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
def prizes_played() -> tuple[list[tuple[int, ...]], list[HandRecord]]:
    return hands_of(TEST_PRIZES_SERIES)


@pytest.mark.slow
def test_a_log_is_assessed_as_the_tournaments_were(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The arena adds up the luck while it plays; here it comes from the log alone."""
    log = str(tmp_path / "tournaments.phhs")
    prizes = ["--payouts", "70,30", "--entry", "16.66"]
    play = [
        "tournament",
        *map(str, TEST_PRIZES_SERIES.players),
        "--stack",
        "300",
        "--count",
        "12",
        "--show",
        "icm",
    ]
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
    series = replace(TEST_PRIZES_SERIES, players=("random",) * 6, count=4, seats=seats, stack=100)
    places, hands = hands_of(series)
    found = list(finished_tournaments(hands, Unfinished()))
    assert len(found) == 4
    for each, known in zip(found, places, strict=True):
        by_name = dict(zip(each.players, each.places, strict=True))
        assert tuple(by_name[name] for name in series.names) == known


@pytest.mark.slow
def test_a_set_in_duplicate_is_one_value() -> None:
    series = replace(TEST_PRIZES_SERIES, count=8, seating=Seating.PERMUTED)
    result = play_tournaments(series, keep=True)
    found = assess_tournaments(
        result.batches(), payouts=TEST_PRIZES_SERIES.payouts, entry=TEST_PRIZES_SERIES.entry
    )
    assert (found.tournaments, found.independent) == (8, 2)
    for player, name in enumerate(series.names):
        prize = found.estimates[name]["prize"]
        assert prize.value == pytest.approx(result.standing(player).prize.value)
        assert prize.n == 2


def test_the_same_holdings_by_chance_are_no_set() -> None:
    """A set is played one after the other; what is dealt again later comes from another deck."""
    series = replace(
        TEST_PRIZES_SERIES,
        players=("random", "always-call"),
        count=4,
        stack=60,
        seating=Seating.PERMUTED,
        payouts=parse_payouts("100"),
    )
    _, hands = hands_of(series)
    by_number = {
        number: [hand for hand in hands if hand.table == f"{number}.1"] for number in "1234"
    }
    for order, independent in (("1234", 2), ("1324", 4)):
        played = [hand for number in order for hand in by_number[number]]
        assessment = assess_tournaments(played, payouts=series.payouts)
        assert (assessment.tournaments, assessment.independent) == (4, independent)


@pytest.mark.slow
def test_the_estimators_agree_in_the_mean(
    prizes_played: tuple[list[tuple[int, ...]], list[HandRecord]],
) -> None:
    """Whatever the prizes: luck adds up to zero in every tournament, and prizes to the fees."""
    places, hands = prizes_played
    found = assess_tournaments(hands, payouts=parse_payouts("100"))
    by_tournament = found.rows.group_by("set").agg(pl.col("prize", "prize_luck").sum())
    np.testing.assert_allclose(by_tournament["prize_luck"].to_numpy(), 0, atol=1e-12)
    np.testing.assert_allclose(by_tournament["prize"].to_numpy(), 4)
    assert found.rows["place"].to_list().count(1) == 12
    assert {one.name for one in estimators_of(Contest.TOURNAMENT)} == set(found.estimates["random"])
    assert sorted(found.rows["place"].to_list()) == sorted(place for row in places for place in row)


@pytest.mark.slow
def test_unknown_cards_leave_the_prizes(
    prizes_played: tuple[list[tuple[int, ...]], list[HandRecord]],
) -> None:
    hands = list(prizes_played[1])
    hands[1] = replace(hands[1], holes=(None, *hands[1].holes[1:]))
    found = assess_tournaments(hands, payouts=TEST_PRIZES_SERIES.payouts)
    assert set(found.estimates["random"]) == {"prize"}
    assert found.variance_reduction is None


@pytest.mark.slow
def test_tournaments_that_cannot_be_followed_are_left_out(
    prizes_played: tuple[list[tuple[int, ...]], list[HandRecord]],
) -> None:
    hands = prizes_played[1]
    by_table: dict[str, list[HandRecord]] = {}
    for hand in hands:
        by_table.setdefault(hand.table, []).append(hand)
    long = [table for table, part in by_table.items() if len(part) > 2]
    lacks, ends_early = long[:2]
    del by_table[lacks][1]
    del by_table[ends_early][-1]
    without = [hand for part in by_table.values() for hand in part]
    found = assess_tournaments([batch_of(without)], payouts=TEST_PRIZES_SERIES.payouts)
    assert (found.tournaments, found.unfinished.count) == (10, 2)
    assert found.unfinished.why.startswith(f"tournament {lacks.removesuffix('.1')}: ")
    assert "the log lacks hands" in found.unfinished.why
    twice = assess_tournaments([*hands, *hands], payouts=TEST_PRIZES_SERIES.payouts)
    assert (twice.tournaments, twice.independent) == (12, 12)
    assert twice.as_json()["integrity"]["duplicates_merged"] == len(hands)


def test_shoot_outs_and_other_games_are_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    series = replace(TEST_PRIZES_SERIES, count=2, seats=2, stages=Stages.SHOOT_OUT)
    log = tmp_path / "shoot-out.phhs"
    play_tournaments(series, log=log)
    assert run(["assess", str(log), "--payouts", "70,30"]) == 1
    assert "no freeze-out with equal stacks" in capsys.readouterr().err
    ring = [
        replace(hand, table="Ring 1") for hand in hands_of(replace(TEST_PRIZES_SERIES, count=1))[1]
    ]
    with pytest.raises(NothingUsable, match="table 'Ring 1'; allowed: TOURNAMENT"):
        assess_tournaments(ring, payouts=TEST_PRIZES_SERIES.payouts)
    with pytest.raises(BadInput, match="5 prizes for 4 players"):
        assess_tournaments(
            hands_of(replace(TEST_PRIZES_SERIES, count=1))[1],
            payouts=parse_payouts("40/20/20/10/10"),
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


# Prizes less the luck of all-ins: zero on average over all boards, and narrower.


TEST_PRIZE_LUCK_SERIES = Tournaments(
    players=("random:fold=0.2", "random", "always-raise", "random", "always-call"),
    count=40,
    seed=2,
    stack=300,
    schedule=parse_schedule("10/20x3,25/50/5x3"),
    payouts=parse_payouts("60/30/10"),
)
PRIZES = TEST_PRIZE_LUCK_SERIES.prizes(range(1, 6))


def luck_of(hands: list[HandRecord], tournaments: int = TEST_PRIZE_LUCK_SERIES.count) -> np.ndarray:
    return all_in_prize_luck(
        [batch_of(hands)],
        names=TEST_PRIZE_LUCK_SERIES.names,
        tournaments=tournaments,
        stack=TEST_PRIZE_LUCK_SERIES.stack,
        prizes=PRIZES,
    ).luck


def with_board(hand: HandRecord, board: tuple[Card, ...]) -> HandRecord:
    state = replay(hand.rules, hand.holes, board, hand.actions)
    return replace(hand, board=board, payoffs=tuple(map(Fraction, payoffs(state))))


@pytest.fixture(scope="module")
def prize_luck_played() -> list[list[HandRecord]]:
    floor = TournamentTables(TEST_PRIZE_LUCK_SERIES)
    return [floor.play(index)[1] for index in range(TEST_PRIZE_LUCK_SERIES.count)]


@pytest.mark.slow(but=["4"])
@pytest.mark.parametrize("dealt", [3, 4])
def test_luck_is_zero_over_all_boards(
    prize_luck_played: list[list[HandRecord]], dealt: int
) -> None:
    """Every board that may come is dealt; the expectation is enumerated apart from the kernel."""
    checked = several = 0
    for index, hands in enumerate(prize_luck_played):
        cards, live = where_all_in(batch_of(hands))
        for place in np.flatnonzero((cards == dealt) & (live.sum(axis=1) < 5)).tolist():
            hand, before = hands[place], hands[:place]
            if checked >= 5 - dealt or (several and live[place].sum() == 2):
                continue
            seen = {card for hole in hand.holes if hole is not None for card in cards_of(hole)}
            seen |= set(hand.board[:dealt])
            left = [Card(card) for card in range(52) if Card(card) not in seen]
            until = luck_of(before)[index] if before else np.zeros(5)
            stacks = dict.fromkeys(TEST_PRIZE_LUCK_SERIES.names, TEST_PRIZE_LUCK_SERIES.stack)
            for each in before:
                for name, won in zip(each.players, each.payoffs, strict=True):
                    stacks[name] += int(won)
            boards = list(combinations(left, 5 - dealt))
            found, values = np.zeros((len(boards), 5)), np.zeros((len(boards), 5))
            chosen = range(0, len(boards), 1 if dealt == 4 else 60)
            for number, board in enumerate(boards):
                other = with_board(hand, (*hand.board[:dealt], *board))
                after = dict(stacks)
                for name, won in zip(other.players, other.payoffs, strict=True):
                    after[name] += int(won)
                had = [float(stacks[name]) for name in TEST_PRIZE_LUCK_SERIES.names]
                values[number] = prize_equities(list(after.values()), PRIZES, had=had)
                if number in chosen:
                    found[number] = luck_of([*before, other])[index] - until
            wanted = values - values.mean(axis=0)
            np.testing.assert_allclose(found[chosen], wanted[chosen], atol=1e-9)
            if len(chosen) == len(boards):
                np.testing.assert_allclose(found.mean(axis=0), 0, atol=1e-9)
            assert np.abs(wanted).max() > 0.01
            checked += 1
            several += int(live[place].sum() > 2)
    assert checked


@pytest.mark.slow
def test_the_luck_of_a_tournament_adds_up_to_zero_and_takes_variance_out(
    prize_luck_played: list[list[HandRecord]],
) -> None:
    result = play_tournaments(replace(TEST_PRIZE_LUCK_SERIES, count=150), keep=True)
    found = all_in_prize_luck(
        result.batches(),
        names=TEST_PRIZE_LUCK_SERIES.names,
        tournaments=150,
        stack=TEST_PRIZE_LUCK_SERIES.stack,
        prizes=PRIZES,
    )
    assert found.luck.sum(axis=1) == pytest.approx(np.zeros(150), abs=1e-9)
    assert found.all_ins > 200
    less = result.prizes - found.luck
    assert less.sum(axis=1) == pytest.approx(5)
    assert result.prizes.var(axis=0).sum() / less.var(axis=0).sum() > 1.3
    # The mean stays: the luck's mean is within four of its standard errors of zero.
    error = found.luck.std(axis=0) / np.sqrt(150)
    assert (np.abs(found.luck.mean(axis=0)) < 4 * error).all()
    logged = luck_of([hand for hands in prize_luck_played for hand in hands])
    np.testing.assert_allclose(found.luck[:40], logged, atol=1e-12)


@pytest.mark.slow
def test_large_fields_value_stacks_by_their_share() -> None:
    field = replace(TEST_PRIZE_LUCK_SERIES, players=("random",) * 50, count=1, seats=9)
    result = play_tournaments(field, keep=True)
    found = all_in_prize_luck(
        result.batches(),
        names=field.names,
        tournaments=1,
        stack=field.stack,
        prizes=field.prizes(range(1, 51)),
    )
    assert found.luck.sum() == pytest.approx(0, abs=1e-9)
    assert found.all_ins > 10


def test_hands_of_others_are_refused(prize_luck_played: list[list[HandRecord]]) -> None:
    with pytest.raises(BadInput, match="hands of other tournaments"):
        luck_of(prize_luck_played[3], tournaments=2)
    with pytest.raises(BadInput, match="hands of other tournaments"):
        luck_of([replace(prize_luck_played[0][0], players=tuple("abcde"))])
    with pytest.raises(BadInput, match="table 'x'; allowed: those of tournaments"):
        luck_of([replace(prize_luck_played[0][0], table="x")])


def test_prizes_that_are_all_alike_are_compared_with_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Each wins one tournament of each set, by other all-ins: no variance, and no ratio of it."""
    args = ["tournament", "random", "always-call", "--duplicate", "--count", "4", "--show", "icm"]
    assert run([*args, "--stack", "100", "--seed", "1"]) == 0
    out = capsys.readouterr().out
    assert "4 tournaments of no-limit in 2 sets" in out
    assert "less the luck of " in out
    assert "as narrow as" not in out
    # The interval of a prize is that of the share of wins, here of one prize of two.
    assert "all alike" not in out


@pytest.mark.slow
def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    args = [
        "tournament",
        "always-raise",
        "always-call",
        "random",
        "--stack",
        "200",
        "--show",
        "icm",
    ]
    log = ["--log", str(tmp_path / "t.phhs")]
    assert run([*args, "--count", "6", *log]) == 0
    assert "less the luck of " in capsys.readouterr().out
    # What the log has already counts too.
    assert run([*args, "--count", "12", *log, "--duplicate", "--json", "--force"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["prize_less_luck"].keys() == answer["players"].keys()
    assert answer["prize_less_luck"]["random"]["n"] == 4
    assert sum(each["value"] for each in answer["prize_less_luck"].values()) == pytest.approx(3)
    assert answer["variance_reduction"] > 0.5
    assert run([*args, "--count", "15", *log, "--duplicate", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["prize_less_luck"]["random"]["n"] == 5
    assert run([*args, "--shoot-out"]) == 2
    assert "--show icm with --shoot-out; allowed: one of the two" in capsys.readouterr().err


# The first tournaments of a series against its last.


def test_a_series_of_fewer_than_twenty_is_not_compared() -> None:
    assert series_of([True] * 19) is None
    assert series_of([]) is None


@pytest.mark.parametrize(
    ("one", "other", "interval"),
    [
        ((56, 70), (48, 80), (0.0524, 0.3339)),
        ((9, 10), (3, 10), (0.1705, 0.8090)),
        ((10, 10), (0, 10), (0.6075, 1.0)),
    ],
)
def test_the_interval_of_a_difference_is_newcombes(
    one: tuple[int, int], other: tuple[int, int], interval: tuple[float, float]
) -> None:
    """Newcombe (1998), table II, method 10."""
    shares = [Proportion.of_trials([1] * won + [0] * (of - won)) for won, of in (one, other)]
    assert difference_interval(shares[0], shares[1], 0.95) == pytest.approx(interval, abs=5e-5)


def test_whoever_stops_when_it_suits_is_wrong_in_one_series_of_twenty() -> None:
    """Nothing is learnt, and the series ends as soon as the interval is clear of zero."""
    rng = np.random.default_rng(3)
    wrong = 0
    for _ in range(200):
        won = (rng.random(40) < 0.5).tolist()
        found = [series_of(won[:count]) for count in range(20, 41)]
        wrong += any(each.low > 0 or each.high < 0 for each in found if each is not None)
    assert wrong <= 0.05 * 200
