"""Knock-out tournaments: chips, blinds, buttons, places; logs, workers, resuming."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from railbird.arena import Fault, Seating, Tournaments, play_tournaments
from railbird.arena.tournament import TournamentTables
from railbird.cli import run
from railbird.errors import BadInput, DamagedFile, Interrupted
from railbird.game import Betting
from railbird.histories import HandRecord, Skipped, read
from railbird.tournament import parse_payouts, parse_schedule
from railbird.tournament.schedule import Stages

SERIES = Tournaments(
    players=("random", "always-call", "always-raise", "random", "always-fold", "random", "random"),
    count=6,
    seed=11,
    stack=400,
    schedule=parse_schedule("10/20x4,15/30/5x4,25/50x4"),
    payouts=parse_payouts("70/30"),
    seats=4,
)


@pytest.fixture(scope="module")
def tournament_played() -> list[list[HandRecord]]:
    """The hands of each tournament of `SERIES`."""
    tables = TournamentTables(SERIES)
    return [tables.play(index)[1] for index in range(SERIES.count)]


def table_of(hand: HandRecord) -> int:
    return int(hand.table.rpartition(".")[2])


def rounds_of(hands: list[HandRecord]) -> list[list[HandRecord]]:
    """The hands that are played at the same time; each round starts at the first table."""
    rounds: list[list[HandRecord]] = []
    for hand in hands:
        if not rounds or table_of(hand) <= table_of(rounds[-1][-1]):
            rounds.append([])
        rounds[-1].append(hand)
    return rounds


def test_chips_go_from_hand_to_hand_and_end_with_one_player(
    tournament_played: list[list[HandRecord]],
) -> None:
    tables = TournamentTables(SERIES)
    for index, hands in enumerate(tournament_played):
        stacks = dict.fromkeys(SERIES.names, SERIES.stack)
        for hand in hands:
            stacks_by_seat = hand.rules.stacks
            assert stacks_by_seat is not None
            for name, stack, won in zip(hand.players, stacks_by_seat, hand.payoffs, strict=True):
                assert stacks[name] == stack > 0
                stacks[name] += int(won)
        finish, _ = tables.play(index)
        (winner,) = [name for name, stack in stacks.items() if stack]
        assert stacks[winner] == SERIES.stack * len(SERIES.players)
        assert finish.places[SERIES.names.index(winner)] == 1
        assert finish.hands == len(hands)


def test_blinds_rise_by_the_schedule_at_every_table(
    tournament_played: list[list[HandRecord]],
) -> None:
    for hands in tournament_played:
        for number, together in enumerate(rounds_of(hands)):
            level = SERIES.schedule.level(number)
            for hand in together:
                blinds = (level.small, level.big, *(0,) * (hand.rules.seats - 2))
                assert hand.rules.blinds == (blinds if hand.rules.seats > 2 else blinds[::-1])
                assert set(hand.rules.antes) <= {level.ante}


def test_places_follow_the_order_of_knock_outs(tournament_played: list[list[HandRecord]]) -> None:
    tables = TournamentTables(SERIES)
    for index, hands in enumerate(tournament_played):
        assert all(hand.tournament for hand in hands)
        finish, _ = tables.play(index)
        last_seen = dict.fromkeys(SERIES.names, 0)
        for number, together in enumerate(rounds_of(hands)):
            last_seen |= {name: number for hand in together for name in hand.players}
        by_place = sorted(zip(finish.places, SERIES.names, strict=True))
        rounds = [last_seen[name] for _, name in by_place]
        assert rounds == sorted(rounds, reverse=True)


def test_tables_are_balanced_and_broken(tournament_played: list[list[HandRecord]]) -> None:
    for hands in tournament_played:
        for together in rounds_of(hands):
            sizes = [hand.rules.seats for hand in together]
            assert max(sizes) - min(sizes) <= 1
            assert len(together) == -(-sum(sizes) // SERIES.seats)
    assert len(rounds_of(tournament_played[0])[0]) == 2


def test_button_and_big_blind_go_round_at_one_table() -> None:
    one = replace(SERIES, players=("always-call", "random", "random", "random"), stack=2000)
    for index in range(3):
        hands = TournamentTables(one).play(index)[1]
        for hand, following in itertools.pairwise(hands):
            if set(hand.players) == set(following.players):
                assert following.players == hand.players[1:] + hand.players[:1]
            if hand.rules.seats == 2:
                assert hand.players[0] != following.players[0], "the big blind heads-up"


@pytest.mark.slow
def test_equal_players_win_equally_often() -> None:
    equal = Tournaments(
        players=("always-call",) * 4,
        count=800,
        seed=3,
        stack=100,
        schedule=parse_schedule("10/20x2"),
        payouts=parse_payouts("60/40"),
    )
    result = play_tournaments(equal)
    wins = (result.places == 1).sum(axis=0)
    # 800 tournaments at 1/4 have a standard deviation of 12.2 wins.
    assert np.abs(wins - 200).max() < 4 * 12.2
    assert np.allclose(result.prizes.sum(axis=1), 4)
    assert result.prizes.max() == pytest.approx(2.4)


def test_seats_are_drawn_anew(tournament_played: list[list[HandRecord]]) -> None:
    assert len({hands[0].players for hands in tournament_played}) > 1


@pytest.mark.parametrize("betting", [Betting.LIMIT, Betting.POT_LIMIT])
def test_other_bettings(betting: Betting) -> None:
    series = replace(SERIES, betting=betting, count=2)
    tables = TournamentTables(series)
    for index in range(series.count):
        finish, hands = tables.play(index)
        assert min(finish.places) == 1
        assert all(hand.rules.betting is betting for hand in hands)
        first = hands[0].rules
        assert first.blinds[:2] == (10, 20)
        assert first.bet_sizes[2] == (40 if betting is Betting.LIMIT else 20)


def test_those_who_only_fold_come_to_an_end() -> None:
    series = replace(SERIES, players=("always-fold", "always-fold"), count=3)
    assert (play_tournaments(series).places.sum(axis=1) == 3).all()


@pytest.mark.slow
def test_the_log_is_the_same_for_any_number_of_workers_and_reads_back(
    tmp_path: Path, tournament_played: list[list[HandRecord]]
) -> None:
    one, two = tmp_path / "one.phhs", tmp_path / "two.phhs"
    alone = play_tournaments(SERIES, log=one)
    told: list[tuple[int, int, str]] = []
    together = play_tournaments(
        SERIES, log=two, workers=2, progress=lambda *news: told.append(news)
    )
    assert one.read_bytes() == two.read_bytes()
    assert alone.finishes == together.finishes
    assert told[-1] == (6, 6, "playing tournaments")
    found = list(read(one))
    assert not [hand for hand in found if isinstance(hand, Skipped)]
    assert found == [hand for hands in tournament_played for hand in hands]


def test_tournament_a_log_that_was_cut_goes_on(tmp_path: Path) -> None:
    log = tmp_path / "t.phhs"
    whole = play_tournaments(SERIES, log=log)
    text = log.read_bytes()
    for cut in (10, 500, len(text) // 2, len(text) - 1):
        log.write_bytes(text[:cut])
        again = play_tournaments(SERIES, log=log)
        assert log.read_bytes() == text
        assert again.finishes == whole.finishes
        assert again.resumed < SERIES.count
    assert play_tournaments(SERIES, log=log).resumed == SERIES.count
    longer = play_tournaments(replace(SERIES, count=8), log=log)
    assert (longer.resumed, longer.finishes[:6]) == (6, whole.finishes)
    shorter = play_tournaments(replace(SERIES, count=2), log=log)
    assert shorter.finishes == whole.finishes[:2]


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    log = tmp_path / "t.phhs"
    play_tournaments(SERIES, log=log)
    text = log.read_bytes()
    with pytest.raises(BadInput, match="another series of tournaments: it differs in seed, stack"):
        play_tournaments(replace(SERIES, seed=1, stack=500), log=log)
    log.write_bytes(text.replace(b"p1 f", b"p1 c", 1))
    with pytest.raises(DamagedFile, match="tournament 1 was changed"):
        play_tournaments(SERIES, log=log)
    for other in (b"variant = 'NT'\n", text.partition(b"{")[0] + b"[" * 200_000 + b"\n"):
        log.write_bytes(other)
        with pytest.raises(BadInput, match="is not the log of a series of tournaments"):
            play_tournaments(SERIES, log=log)
        assert log.read_bytes() == other


def test_faults_are_counted_and_ctrl_c_keeps_what_is_done(tmp_path: Path, bad_players: str) -> None:
    series = replace(
        SERIES, players=(f"{bad_players}:Scripted,answer=none", "random", "random"), count=3
    )
    result = play_tournaments(series)
    assert set(result.faults(0).counts) == {Fault.ILLEGAL}
    assert not result.faults(1).counts
    rude = f"{bad_players}:Scripted,answer=interrupt,at_hand=30"
    log = tmp_path / "t.phhs"
    series = replace(SERIES, players=(rude, "always-call"), count=400)
    with pytest.raises(Interrupted, match=r"of 400 tournaments; they are kept in"):
        play_tournaments(series, log=log)
    assert log.read_bytes().count(b"# railbird tournament {") > 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"players": ("random",)}, "1 players; allowed: 2 or more"),
        ({"count": 0}, "0 tournaments"),
        ({"stack": 0}, "with 0 chips"),
        ({"seats": 24}, "24 seats; allowed: 2 to 23"),
        ({"players": ("random", "nobody!")}, "nobody"),
        ({"payouts": parse_payouts("40/30/30"), "players": ("random",) * 2}, "3 prizes for 2"),
        ({"payouts": (Fraction(1, 2),)}, "1 prizes for 7 players; allowed: .* 1 in all"),
        ({"payouts": (Fraction(3, 2), Fraction(-1, 2))}, "2 prizes .* none below 0"),
    ],
)
def test_tournaments_that_cannot_be_are_refused(change: dict[str, object], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        play_tournaments(replace(SERIES, **change))  # type: ignore[arg-type]


def test_wins_are_spread_over_all_who_can_win(tournament_played: list[list[HandRecord]]) -> None:
    result = play_tournaments(replace(SERIES, count=40))
    winners = Counter(result.places.argmin(axis=1).tolist())
    assert len(winners) >= 4
    assert result.hands == sum(finish.hands for finish in result.finishes)


# Duplicate tournaments, and shoot-outs.


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
def tournament_forms_played() -> list[list[HandRecord]]:
    """The hands of each tournament of `DUPLICATE`."""
    floor = TournamentTables(DUPLICATE)
    return [floor.play(index)[1] for index in range(DUPLICATE.count)]


def chairs_of(hands: list[HandRecord]) -> dict[str, int]:
    """The chair of each player: the first hand's button has the first one."""
    first = hands[0].players
    return {name: chair for chair, name in enumerate((first[-1], *first[:-1]))}


def test_in_a_set_the_cards_of_a_chair_and_the_board_are_the_same(
    tournament_forms_played: list[list[HandRecord]],
) -> None:
    compared = 0
    for set_ in (tournament_forms_played[:6], tournament_forms_played[6:]):
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
    assert tournament_forms_played[0][0].holes != tournament_forms_played[6][0].holes, (
        "another set has other cards"
    )


def test_everybody_has_every_chair_and_every_distance_to_everybody(
    tournament_forms_played: list[list[HandRecord]],
) -> None:
    for set_ in (tournament_forms_played[:6], tournament_forms_played[6:]):
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


@pytest.mark.slow
@pytest.mark.parametrize("series", [DUPLICATE, SHOOT_OUT])
def test_tournament_forms_a_log_that_was_cut_goes_on(tmp_path: Path, series: Tournaments) -> None:
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
    assert "6 tournaments of no-limit in 2 sets" in capsys.readouterr().out
    assert run([*args, "--shoot-out", "--seats", "2", "--payouts", "70,30"]) == 0
    assert "4 tournaments of no-limit, " in capsys.readouterr().out
