"""A match as data: names, seats, chunks, cards."""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from helpers.random_hands import random_rules
from railbird.arena import League, Loop, Match, Seating, hands, play, play_league
from railbird.arena.match_chunks import ChunkJob, ChunkPlayer
from railbird.arena.seeds import BLOCK, deals, player_rng
from railbird.assessment import assess, crosstable
from railbird.errors import BadInput, DamagedFile
from railbird.game import (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    Rules,
    acpc_rules,
    limit_holdem,
    no_limit_holdem,
    parse_rake,
)
from railbird.histories import HandRecord, read, read_columns
from railbird.histories.columns import HandBatch, concat, records_of


def match(
    seats: int = 2,
    seating: Seating = Seating.SINGLE,
    *,
    deals: int = 100,
    seed: int = 1,
    chunk: int = 40,
) -> Match:
    return Match(
        players=("always-call",) * seats,
        rules=limit_holdem(seats),
        seating=seating,
        deals=deals,
        seed=seed,
        chunk=chunk,
    )


def test_copies_of_a_player_are_numbered() -> None:
    players = ("random", "always-call", "random", "random")
    of_four = Match(players=players, rules=limit_holdem(4), deals=1, seed=1)
    assert of_four.names == ("random", "always-call", "random#2", "random#3")


def test_single_matches_are_seated_as_the_acpc_does() -> None:
    # Its dealer's logs: hand 0 Alice|Bob, hand 1 Bob|Alice; with three players hand 998 is
    # Carol|Alice|Bob and hand 999 Alice|Bob|Carol (data/acpc_loopback).
    assert match(2).seatings(range(2), 0).tolist() == [[0, 1], [1, 0]]
    assert match(3).seatings(range(998, 1000), 0).tolist() == [[2, 0, 1], [0, 1, 2]]


@given(st.integers(2, 23), st.integers(0, 10**9))
def test_a_duplicate_match_gives_everyone_every_seat(seats: int, deal: int) -> None:
    of_all = match(seats, Seating.DUPLICATE)
    assert of_all.directions == seats
    seated = np.concatenate(
        [of_all.seatings(range(deal, deal + 1), direction) for direction in range(seats)]
    )
    for column in seated.T:
        assert sorted(column) == list(range(seats))
    for row in seated:
        assert sorted(row) == list(range(seats))


@given(st.integers(2, 23), st.integers(0, 10**9))
def test_seat_permutations_give_everyone_every_seat(seats: int, deal: int) -> None:
    of_all = match(seats, Seating.PERMUTED)
    assert of_all.hands == 100 * seats
    seated = np.concatenate(
        [of_all.seatings(range(deal, deal + 1), direction) for direction in range(seats)]
    )
    for column in seated.T:
        assert sorted(column) == list(range(seats))
    for row in seated:
        assert sorted(row) == list(range(seats))


@pytest.mark.parametrize("seats", [2, 4, 6, 10, 12, 16, 18, 22])
def test_seat_permutations_vary_the_neighbours(seats: int) -> None:
    """Over one cycle every player sits every number of seats from every other, equally often."""
    of_all = match(seats, Seating.PERMUTED)
    apart: dict[tuple[int, int], list[int]] = {pair: [] for pair in permutations(range(seats), 2)}
    for direction in range(seats):
        seat = np.argsort(of_all.seatings(range(1), direction)[0]) + 1
        for one, other in apart:
            apart[one, other].append((seat[one] - seat[other]) % (seats + 1))
    assert all(sorted(found) == list(range(1, seats + 1)) for found in apart.values())


def test_seat_permutations_follow_the_source() -> None:
    """Papp 1998: of ten players, player p sits in round r at seat r * p modulo 11."""
    of_ten = match(10, Seating.PERMUTED)
    for number in range(1, 11):
        (seated,) = of_ten.seatings(range(1), number - 1)
        assert [seated[number * player % 11 - 1] + 1 for player in range(1, 11)] == [*range(1, 11)]


def test_without_a_prime_all_rotations_are_played() -> None:
    of_five = match(5, Seating.PERMUTED).seatings(range(20), 3)
    assert np.array_equal(of_five, match(5, Seating.DUPLICATE).seatings(range(20), 3))


def test_chunks_share_the_deals_out() -> None:
    of_100 = match()
    assert of_100.chunks == 3
    assert [of_100.deals_of(chunk).start for chunk in range(3)] == [0, 40, 80]
    assert sum(len(of_100.deals_of(chunk)) for chunk in range(3)) == of_100.deals == of_100.hands
    assert match(3, Seating.DUPLICATE).hands == 300


@pytest.mark.parametrize(("deals", "chunk", "seed"), [(0, 1, 1), (1, 0, 1), (1, 1, -1)])
def test_a_match_that_cannot_be_is_refused(deals: int, chunk: int, seed: int) -> None:
    with pytest.raises(BadInput, match="allowed"):
        match(deals=deals, chunk=chunk, seed=seed)


def test_half_a_deal_is_refused_on_construction() -> None:
    with pytest.raises(BadInput, match=r"deals is 1\.5 \(float\); allowed: int"):
        Match(players=("random", "random"), rules=HEADS_UP_LIMIT, deals=1.5, seed=0)  # type: ignore[arg-type]


def test_players_must_fill_the_seats() -> None:
    with pytest.raises(BadInput, match="1 players; allowed: 2, one a seat"):
        Match(players=("random",), rules=HEADS_UP_LIMIT, deals=1, seed=1)


@settings(max_examples=30)
@given(st.integers(0, 3 * BLOCK), st.integers(1, BLOCK + 5), st.integers(2, 6))
def test_a_deals_cards_depend_on_the_seed_and_its_number(
    first: int, count: int, seats: int
) -> None:
    of_seed = match(seats)
    whole = deals(of_seed, range(4 * BLOCK + 10))
    part = deals(of_seed, range(first, first + count))
    assert np.array_equal(part, whole[first : first + count])
    other = replace(of_seed, deals=7, chunk=3, seating=Seating.DUPLICATE)
    assert np.array_equal(deals(other, range(first, first + 1)), whole[first : first + 1])


def test_other_seeds_deal_other_cards() -> None:
    first, second = (deals(match(seed=seed), range(100)) for seed in (1, 2))
    assert (first == second).all(axis=1).sum() == 0


def test_every_draw_of_a_match_is_its_own() -> None:
    drawn = {
        int(player_rng(match(), chunk=c, direction=d, player=p).integers(1 << 63))
        for c in range(3)
        for d in range(2)
        for p in range(2)
    }
    assert len(drawn) == 12


# What a match comes to.


MATCH = Match(
    players=("random", "always-call"),
    rules=HEADS_UP_LIMIT,
    deals=150,
    seed=7,
    seating=Seating.DUPLICATE,
    chunk=60,
)


@pytest.mark.parametrize("player", ["always-call", "always-raise", "always-raise:max", "baseline"])
@pytest.mark.parametrize(
    "rules", [HEADS_UP_LIMIT, limit_holdem(5), no_limit_holdem(3, blinds=(1, 2), stack=50)]
)
def test_nobody_wins_from_himself_in_duplicate(player: str, rules: Rules) -> None:
    match = Match(
        players=(player,) * rules.seats,
        rules=rules,
        deals=40,
        seed=3,
        seating=Seating.DUPLICATE,
    )
    result = play(match)
    assert result.payoffs.any()
    for index in range(rules.seats):
        assert np.abs(result.per_deal(index)).max() < 1e-6


def test_what_one_wins_another_loses() -> None:
    rules = limit_holdem(4)
    match = Match(players=("random",) * 4, rules=rules, deals=500, seed=1)
    result = play(match)
    assert result.payoffs.shape == (1, 500, 4)
    assert (result.payoffs.sum(axis=2) == 0).all()
    assert (result.payoffs != 0).any(axis=2).all()


def test_always_call_and_always_raise_come_to_the_published_spread() -> None:
    # Kan (2007), section 4.2: the money of always-call against always-raise has a standard
    # deviation of 6.856 sb a hand; both put in 14 or 15 bets and the cards decide.
    match = Match(
        players=("always-call", "always-raise"), rules=HEADS_UP_LIMIT, deals=200_000, seed=1
    )
    won = play(match).per_deal(0) / 10
    # The standard error of a standard deviation is below sd / sqrt(n) here.
    assert abs(won.std() - 6.856) < 4 * 6.856 / np.sqrt(won.size)
    assert abs(won.mean()) < 4 * won.std() / np.sqrt(won.size)


def test_records_are_the_hands_of_the_log(tmp_path: Path) -> None:
    path = tmp_path / "match.log"
    result = play(MATCH, log=path)
    played = list(hands(MATCH))
    assert played == [hand for hand in read(path) if isinstance(hand, HandRecord)]
    first = played[0].players.index("random")
    assert played[0].payoffs[first] == Fraction(result.payoffs[0, 0, 0])


def test_records_of_any_game() -> None:
    rules = limit_holdem(11)  # more seats than an ACPC log can have
    match = Match(players=("random",) * 11, rules=rules, deals=20, seed=1)
    assert [hand.number for hand in hands(match)] == list(range(20))
    with pytest.raises(BadInput, match="no player"):
        hands(replace(MATCH, players=("nobody", "random")))


def test_speed_counts_the_hands_of_this_run(tmp_path: Path) -> None:
    path = tmp_path / "match.log"
    assert play(MATCH, log=path).hands_per_s > 0
    again = play(MATCH, log=path)
    assert (again.resumed, again.hands_per_s) == (MATCH.hands, 0)


# The compiled loop plays, hand for hand, what the players' Python form plays.


WEIGHTED = (
    "always-call",
    "always-fold",
    "always-raise",
    "always-raise:pot",
    "always-raise:max",
    "always-raise:random",
    "random",
    "random,fold=0.2,raise=3,size=min",
    "random,fold=0,call=2,size=pot",
    "random,fold=0,call=0,raise=0",
)
GAMES = (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    acpc_rules(limit_holdem(5)),
    acpc_rules(no_limit_holdem(3, blinds=(50, 100), stack=2_000)),
    acpc_rules(no_limit_holdem(6, blinds=(1, 2), stack=[3, 40, 7, 200, 11, 90])),
    replace(HEADS_UP_LIMIT, rake=parse_rake("5%,cap=3")),
    replace(
        acpc_rules(no_limit_holdem(3, blinds=(1, 2), stack=[3, 40, 70])),
        rake=parse_rake("10%,cap=9,2:5%"),
    ),
)


def text(match: Match, loop: Loop) -> bytes:
    table = ChunkPlayer(ChunkJob(match, loop, logged=True))
    return b"".join(table.play(chunk).text for chunk in range(match.chunks))


@pytest.mark.slow
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.data(), st.sampled_from(GAMES), st.integers(0, 2**32), st.sampled_from(Seating))
def test_the_logs_are_the_same(
    data: st.DataObject, rules: Rules, seed: int, seating: Seating
) -> None:
    players = tuple(data.draw(st.sampled_from(WEIGHTED)) for _ in range(rules.seats))
    match = Match(players=players, rules=rules, deals=30, seed=seed, seating=seating, chunk=20)
    assert text(match, Loop.COMPILED) == text(match, Loop.PYTHON)


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.data(), st.integers(0, 2**32))
def test_the_payoffs_are_the_same_at_any_table(data: st.DataObject, seed: int) -> None:
    rules = random_rules(np.random.default_rng(seed), raked=True)
    players = tuple(data.draw(st.sampled_from(WEIGHTED)) for _ in range(rules.seats))
    match = Match(players=players, rules=rules, deals=30, seed=seed)
    compiled, python = (
        ChunkPlayer(ChunkJob(match, loop, logged=False)).play(0)
        for loop in (Loop.COMPILED, Loop.PYTHON)
    )
    assert np.array_equal(compiled.payoffs, python.payoffs)
    assert all(not tally.counts for tally in python.faults)


@pytest.mark.parametrize(
    "players",
    [
        ("baseline", "baseline:aggressive-high,turn=loose-low"),
        ("random", "baseline:pot=facing-bet"),
        ("random", "baseline:multiplier=1.4,river.multiplier=0.5"),
        ("baseline:tight-high", "always-raise"),
    ],
)
def test_the_baseline_too(players: tuple[str, str]) -> None:
    match = Match(
        players=players, rules=HEADS_UP_LIMIT, deals=400, seed=1, seating=Seating.DUPLICATE
    )
    assert text(match, Loop.COMPILED) == text(match, Loop.PYTHON)


def test_where_a_player_has_no_compiled_form_for_the_game() -> None:
    match = Match(players=("baseline", "random"), rules=HEADS_UP_NO_LIMIT, deals=1, seed=1)
    with pytest.raises(BadInput, match="not every player has a compiled form"):
        ChunkPlayer(ChunkJob(match, Loop.COMPILED, logged=False))
    ChunkPlayer(ChunkJob(match, Loop.AUTO, logged=False)).play(0)


def test_hands_longer_than_the_first_room_for_actions() -> None:
    # Min-raises to 20,000 chips from a blind of 2: far more than sixteen actions a hand.
    rules = acpc_rules(no_limit_holdem(2, blinds=(1, 2), stack=2_000))
    match = Match(players=("always-raise", "always-raise"), rules=rules, deals=50, seed=1)
    played = text(match, Loop.COMPILED)
    assert max(line.count(b"r") for line in played.splitlines()) > 500
    assert played == text(match, Loop.PYTHON)


def test_draws_survive_a_lack_of_room() -> None:
    rules = acpc_rules(no_limit_holdem(6, blinds=(1, 2), stack=2_000))
    players = ("random,fold=0.01,call=1,raise=30,size=min",) * 6
    match = Match(players=players, rules=rules, deals=40, seed=1)
    played = text(match, Loop.COMPILED)
    assert np.mean([line.count(b"r") for line in played.splitlines()]) > 40
    assert played == text(match, Loop.PYTHON)


# Hands that a result holds: those of the log, without the log.


def match_of(
    deals: int = 250, *, rules: Rules = HEADS_UP_LIMIT, seating: Seating = Seating.DUPLICATE
) -> Match:
    return Match(
        players=("random", "baseline" if rules == HEADS_UP_LIMIT else "always-call"),
        rules=rules,
        deals=deals,
        seed=4,
        seating=seating,
        chunk=60,
    )


def assert_same(one: HandBatch, other: HandBatch) -> None:
    for field in dataclasses.fields(HandBatch):
        was, now = getattr(one, field.name), getattr(other, field.name)
        if field.name == "answers":
            assert all((a == b).all() for a, b in zip(was, now, strict=True))
        elif isinstance(was, np.ndarray):
            assert (was == now).all(), field.name
            assert was.dtype == now.dtype, field.name
        else:
            assert was == now, field.name


def batches_in(log: Path) -> HandBatch:
    return concat([batch for batch in read_columns(log) if isinstance(batch, HandBatch)])


@pytest.mark.parametrize("rules", [HEADS_UP_LIMIT, HEADS_UP_NO_LIMIT])
@pytest.mark.parametrize("seating", [Seating.SINGLE, Seating.DUPLICATE])
def test_kept_hands_are_those_of_the_log(rules: Rules, seating: Seating, tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    result = play(match_of(rules=rules, seating=seating), log=log, keep=True)
    logged = batches_in(log)
    names = [[hand.players for hand in records_of(each)] for each in (logged, kept_of(result))]
    assert names[0] == names[1]
    # Readers number the players in the order of their first hand.
    of_log = np.array([logged.names.index(name) for name in result.match.names])
    kept = kept_of(result)
    kept = dataclasses.replace(
        kept, names=logged.names, player=of_log[kept.player].astype(np.int32)
    )
    assert_same(kept, logged)


def kept_of(result: object) -> HandBatch:
    return concat(list(result.batches()))  # type: ignore[attr-defined]


@pytest.mark.slow
def test_a_result_is_assessed_as_its_log_is(tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    kept = assess(play(match_of(), log=log, keep=True))
    for other in (assess(log), assess(play(match_of(), log=log))):
        assert_frame_equal(kept.scores, other.scores)
        assert kept.estimates == other.estimates
        assert kept.form.sources == other.form.sources == (str(log),)
    alone = assess(play(match_of(), keep=True), player=kept.players[0])
    assert_frame_equal(alone.scores.drop("file", "line"), kept.scores.drop("file", "line"))


@pytest.mark.slow
def test_a_resumed_match_keeps_what_its_log_had(tmp_path: Path) -> None:
    log, whole = tmp_path / "match.log", tmp_path / "whole.log"
    play(match_of(120), log=log)
    resumed = play(match_of(), log=log, keep=True, workers=2)
    play(match_of(), log=whole)
    assert resumed.resumed == 240
    assert log.read_bytes() == whole.read_bytes()
    assert list(records_of(kept_of(resumed))) == list(read(log))
    assert kept_of(resumed).line.tolist() == batches_in(log).line.tolist()


@pytest.mark.parametrize("loop", [Loop.PYTHON, Loop.COMPILED])
def test_a_match_that_is_stopped_keeps_what_was_played(loop: Loop, tmp_path: Path) -> None:
    stopped = play(match_of(), loop=loop, keep=True, until=lambda chunk: chunk.index == 1)
    assert stopped.match.hands == len(kept_of(stopped)) == 240
    assert list(records_of(kept_of(stopped))) == list(hands(match_of(120)))
    log = tmp_path / "match.log"
    play(match_of(), log=log)
    shorter = play(match_of(), log=log, until=lambda chunk: chunk.index == 1)
    assert list(records_of(kept_of(shorter))) == list(hands(match_of(120)))


def test_what_is_neither_kept_nor_logged_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="not kept; allowed: keep=True"):
        assess(play(match_of(10)))
    log = tmp_path / "match.log"
    result = play(match_of(10), log=log)
    log.write_text(log.read_text().replace(":c", ":x", 1))
    with pytest.raises(DamagedFile, match="has changed since"):
        assess(result)


@pytest.mark.slow
def test_matches_of_a_league_are_put_together(tmp_path: Path) -> None:
    league = League(
        players=("baseline", "random", "always-call"), rules=HEADS_UP_LIMIT, deals=40, seed=1
    )
    kept = play_league(league, keep=True)
    logged = play_league(league, logs=tmp_path / "logs")
    tables = [crosstable(map(assess, each.matches.values())) for each in (kept, logged)]
    assert tables[0] == tables[1]
    assert tables[0].hands == 120
