"""Ring games: chips, re-buys, buttons, who leaves; logs, workers, resuming."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helpers.command_line import wait_for
from railbird.arena import (
    Fault,
    Rebuys,
    Ring,
    RingResult,
    RingSession,
    TopUp,
    parse_rebuys,
    play_ring,
    play_tournaments,
)
from railbird.arena.ring import RingTable
from railbird.arena.tournament import Tournaments, TournamentsResult
from railbird.assessment.player_statistics import statistics_of
from railbird.errors import BadInput, DamagedFile, Interrupted
from railbird.game import Betting, parse_rake
from railbird.histories import HandRecord, Skipped, read
from railbird.histories.columns import concat, records_of

RING = Ring(
    players=("tom=random", "ann=always-call", "random", "always-raise"),
    hands=150,
    seed=5,
    buy_in=60,
    session=40,
)


def sessions_of(ring: Ring) -> list[tuple[RingSession, list[HandRecord]]]:
    table = RingTable(ring)
    return [table.play(index) for index in range(ring.sessions)]


def sessions_in(log: Path) -> int:
    """Complete ones."""
    text = log.read_bytes() if log.exists() else b""
    return len(re.findall(rb"^# railbird session .*\n", text, re.MULTILINE))


def brought_before_each_hand(ring: Ring, hands: list[HandRecord]) -> list[dict[str, int]]:
    """What each player at the table put there since its last hand, told from the records alone."""
    stacks = dict.fromkeys(ring.names, 0)
    brought = []
    for hand in hands:
        assert hand.rules.stacks is not None
        at_table = dict(zip(hand.players, map(int, hand.rules.stacks), strict=True))
        brought.append({name: stack - stacks[name] for name, stack in at_table.items()})
        for name, won in zip(hand.players, hand.payoffs, strict=True):
            stacks[name] = at_table[name] + int(won)
    return brought


RINGS = {
    "always": RING,
    "raked": replace(RING, rake=parse_rake("5%,cap=6,3:10%,cap=3")),
    "below": replace(RING, rebuys=Rebuys(below=Fraction(1, 2))),
    "below, three times": replace(RING, rebuys=Rebuys(below=Fraction(1, 2), most=3)),
    "once": replace(RING, rebuys=Rebuys(most=1)),
    "never": replace(RING, rebuys=Rebuys(most=0)),
    "top-up": replace(RING, top_up=TopUp.EACH_HAND),
    "top-up, once": replace(RING, top_up=TopUp.EACH_HAND, rebuys=Rebuys(most=1)),
}


@pytest.mark.parametrize("ring", RINGS.values(), ids=RINGS.keys())
def test_chips_go_from_hand_to_hand_and_what_is_brought_is_counted(ring: Ring) -> None:
    for session, hands in sessions_of(ring):
        brought = brought_before_each_hand(ring, hands)
        assert brought[0] == dict.fromkeys(ring.names, ring.buy_in)
        assert all(chips >= 0 for before in brought for chips in before.values())
        by_player = {
            name: [before[name] for before in brought if name in before] for name in ring.names
        }
        for player, name in enumerate(ring.names):
            assert session.bought[player] == sum(by_player[name])
            assert session.dealt[player] == len(by_player[name])
            won = sum(h.payoffs[h.players.index(name)] for h in hands if name in h.players)
            assert session.won[player] == won
        raked = -sum(sum(hand.payoffs) for hand in hands)
        assert sum(session.won) == -raked
        assert (raked > 0) == (ring.rake is not None)
        assert session.hands == len(hands) <= ring.session


@pytest.mark.parametrize("ring", RINGS.values(), ids=RINGS.keys())
def test_who_buys_in_again_is_who_may(ring: Ring) -> None:
    """The rule by itself: hand for hand, from what the last hand left and the table after it."""
    for session, hands in sessions_of(ring):
        rebuys = dict.fromkeys(ring.names, 0)
        for hand, following in itertools.pairwise(hands):
            assert hand.rules.stacks is not None
            assert following.rules.stacks is not None
            now = dict(zip(following.players, following.rules.stacks, strict=True))
            for name, stack, won in zip(hand.players, hand.rules.stacks, hand.payoffs, strict=True):
                left = int(stack + won)
                may = ring.rebuys.most is None or rebuys[name] < ring.rebuys.most
                if ring.top_up is TopUp.EACH_HAND and 0 < left < ring.buy_in:
                    assert now[name] == ring.buy_in
                elif may and (left == 0 or left < ring.rebuys.below * ring.buy_in):
                    rebuys[name] += 1
                    assert now[name] == ring.buy_in
                elif left:
                    assert now[name] == left
                else:
                    assert name not in now
        assert session.rebuys == tuple(rebuys.values())


def test_who_may_not_buy_in_again_leaves_until_one_is_left() -> None:
    ring = replace(RINGS["never"], hands=2000, session=500)
    ends = sessions_of(ring)
    for session, hands in ends:
        assert session.hands < ring.session
        seats = [len(hand.players) for hand in hands]
        assert seats == sorted(seats, reverse=True)
        assert (seats[0], seats[-1]) == (4, 2)
        final = [bought + won for bought, won in zip(session.bought, session.won, strict=True)]
        assert sorted(final) == [0, 0, 0, 4 * ring.buy_in]
        assert max(session.dealt) == session.hands
        assert session.rebuys == (0,) * 4
    assert len({hands[0].players for _, hands in ends}) > 1, "seats are drawn anew"


def test_the_button_goes_round() -> None:
    for _, hands in sessions_of(replace(RING, rebuys=Rebuys(most=2))):
        for hand, following in itertools.pairwise(hands):
            if set(hand.players) == set(following.players):
                assert following.players == hand.players[1:] + hand.players[:1]
            if hand.rules.seats == 2:
                assert hand.players[0] != following.players[0], "the big blind heads-up"


@pytest.mark.parametrize("betting", Betting)
def test_blinds_antes_and_betting_are_those_of_the_game(betting: Betting) -> None:
    bets = (2, 11) if betting is Betting.SPREAD_LIMIT else None
    ring = replace(RING, betting=betting, bets=bets, blinds=(2, 5), ante=1, hands=40)
    ((_, hands),) = sessions_of(ring)
    for hand in hands:
        assert hand.rules.betting is betting
        assert sorted(hand.rules.blinds)[-2:] == [2, 5]
        assert set(hand.rules.antes) == {1}
        sizes = {Betting.LIMIT: (5, 5, 10, 10), Betting.SPREAD_LIMIT: (5, 2, 2, 2)}
        assert hand.rules.bet_sizes == sizes.get(betting, (5, 5, 5, 5))
        assert hand.rules.largest_bets == (bets and (11,) * 4)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"betting": Betting.SPREAD_LIMIT}, "spread limit without bets"),
        ({"bets": (2, 10)}, "in no-limit; allowed: in spread limit"),
        ({"betting": Betting.SPREAD_LIMIT, "bets": (2, 1)}, "larger than the largest"),
    ],
)
def test_bets_belong_to_spread_limit(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        replace(RING, **wrong)


def test_a_raked_log_reads_back_with_its_rules(tmp_path: Path) -> None:
    ring = replace(RINGS["raked"], betting=Betting.SPREAD_LIMIT, bets=(2, 12))
    result = play_ring(ring, log=tmp_path / "ring.phhs")
    found = list(read(tmp_path / "ring.phhs"))
    assert found == [hand for _, hands in sessions_of(ring) for hand in hands]
    assert result.raked == sum(hand.rake for hand in found if isinstance(hand, HandRecord)) > 0
    assert result.as_json()["raked_bb"] == result.raked / 2
    again = play_ring(ring, log=tmp_path / "ring.phhs")
    assert again.sessions == result.sessions
    with pytest.raises(BadInput, match="another ring game: it differs in rake"):
        play_ring(replace(ring, rake=None), log=tmp_path / "ring.phhs")


@pytest.mark.slow
def test_the_log_is_the_same_for_any_number_of_workers_and_reads_back(tmp_path: Path) -> None:
    one, two = tmp_path / "one.phhs", tmp_path / "two.phhs"
    alone = play_ring(RING, log=one)
    told: list[tuple[int, int, str]] = []
    together = play_ring(RING, log=two, workers=2, progress=lambda *news: told.append(news))
    assert one.read_bytes() == two.read_bytes()
    assert alone.sessions == together.sessions
    assert told[-1] == (4, 4, "playing sessions")
    found = list(read(one))
    assert not [hand for hand in found if isinstance(hand, Skipped)]
    assert found == [hand for _, hands in sessions_of(RING) for hand in hands]
    assert alone.hands == len(found) == 150
    assert np.array_equal(alone.won.sum(axis=1), np.zeros(4))
    assert np.array_equal(alone.dealt, np.repeat([[40], [40], [40], [30]], 4, axis=1))


def test_a_log_that_was_cut_goes_on(tmp_path: Path) -> None:
    log = tmp_path / "r.phhs"
    ring = replace(RING, hands=120)
    whole = play_ring(ring, log=log)
    text = log.read_bytes()
    for cut in (10, 500, len(text) // 2, len(text) - 1):
        log.write_bytes(text[:cut])
        again = play_ring(ring, log=log)
        assert log.read_bytes() == text
        assert again.sessions == whole.sessions
        assert again.resumed < ring.sessions
    longer = play_ring(RING, log=log)
    assert (longer.resumed, longer.sessions[:3]) == (3, whole.sessions)
    assert play_ring(replace(RING, hands=80), log=log).sessions == whole.sessions[:2]
    with pytest.raises(BadInput, match="session 4 of the log was planned for 30 hands, not 40"):
        play_ring(replace(RING, hands=160), log=log)


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    log = tmp_path / "r.phhs"
    play_ring(RING, log=log)
    text = log.read_bytes()
    with pytest.raises(BadInput, match="another ring game: it differs in buy_in, rebuys"):
        play_ring(replace(RING, buy_in=80, rebuys=Rebuys(most=1)), log=log)
    with pytest.raises(BadInput, match="is not the log of a series of tournaments"):
        play_tournaments(
            Tournaments(players=RING.players, count=1, seed=5, stack=60),
            log=log,
        )
    log.write_bytes(text.replace(b"cc", b"f", 1))
    with pytest.raises(DamagedFile, match="session 1 was changed"):
        play_ring(RING, log=log)
    log.write_bytes(text.replace(b'"dealt": [40, ', b'"dealt": [', 1))
    with pytest.raises(DamagedFile, match="session 1: unreadable footer"):
        play_ring(RING, log=log)


def test_names_stand_in_the_log_and_decide_whose_it_is(tmp_path: Path) -> None:
    log = tmp_path / "r.phhs"
    play_ring(RING, log=log)
    hands = [hand for hand in read(log) if isinstance(hand, HandRecord)]
    assert set(hands[0].players) == {"tom", "ann", "random", "always-raise"}
    other = ("tom=always-fold", "ann=always-call", "random", "always-raise")
    assert play_ring(replace(RING, players=other), log=log).resumed == RING.sessions
    with pytest.raises(BadInput, match="it differs in players"):
        play_ring(replace(RING, players=("bob=random", *other[1:])), log=log)


@pytest.mark.slow
def test_a_killed_game_goes_on(tmp_path: Path) -> None:
    log, whole = tmp_path / "r.phhs", tmp_path / "whole.phhs"
    args = ["always-call", "random", "random", "--session", "50", "--seed", "3"]
    endless = ["--hands", "10000000", "--workers", "2", "--log", str(log)]
    process = subprocess.Popen([sys.executable, "-m", "railbird", "ring", *args, *endless])
    wait_for(lambda: process.poll() is not None or sessions_in(log) >= 3)
    process.kill()
    assert process.wait() != 0
    ring = Ring(
        players=("always-call", "random", "random"),
        hands=50 * (sessions_in(log) + 10),
        seed=3,
        buy_in=200,
        session=50,
    )
    resumed = play_ring(ring, log=log)
    assert resumed.resumed == ring.sessions - 10
    unbroken = play_ring(ring, log=whole)
    assert log.read_bytes() == whole.read_bytes()
    assert resumed.sessions == unbroken.sessions


def test_faults_are_counted_and_ctrl_c_keeps_what_is_done(tmp_path: Path, bad_players: str) -> None:
    players = (f"bad={bad_players}:Scripted,answer=none", "random", "random")
    result = play_ring(replace(RING, players=players))
    assert set(result.faults(0).counts) == {Fault.ILLEGAL}
    assert not result.faults(1).counts
    rude = f"{bad_players}:Scripted,answer=interrupt,at_hand=100"
    log = tmp_path / "r.phhs"
    with pytest.raises(Interrupted, match=r"after 2 of 4 sessions; they are kept in"):
        play_ring(replace(RING, players=(rude, "always-call")), log=log)
    assert log.read_bytes().count(b"# railbird session {") == 2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"players": ("random",)}, "1 players; allowed: 2 to 23"),
        ({"players": ("a=random", "a=random")}, "two players are named a"),
        ({"hands": 0}, "0 hands in sessions of 40"),
        ({"blinds": (0, 2)}, "blinds 0/2"),
        ({"blinds": (3, 2)}, "blinds 3/2"),
        ({"ante": -1}, "ante -1"),
        ({"buy_in": 1}, "a buy-in of 1; allowed: 2, the big blind, or more"),
        ({"seed": -1}, "seed -1"),
        ({"rebuys": Rebuys(below=Fraction(2))}, "re-buys below=2"),
    ],
)
def test_games_that_cannot_be_are_refused(change: dict[str, object], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        replace(RING, **change)  # type: ignore[arg-type]


def test_programs_that_cannot_be_told_of_stacks_are_refused(tmp_path: Path) -> None:
    log = tmp_path / "r.phhs"
    players = (f"far=acpc:{sys.executable} bot.py", "random")
    said = "far: the ACPC's protocol does not transmit stacks; allowed: matches"
    with pytest.raises(BadInput, match=said):
        play_ring(replace(RING, players=players), log=log)
    with pytest.raises(BadInput, match=said):
        play_tournaments(Tournaments(players=players, count=1, seed=1, stack=100), log=log)
    assert not log.exists()


def test_re_buys_as_text() -> None:
    assert parse_rebuys("always") == Rebuys()
    assert parse_rebuys("never", 7) == Rebuys(most=0)
    assert parse_rebuys("below=.25") == Rebuys(below=Fraction(1, 4))
    assert parse_rebuys("below=1", 2) == Rebuys(below=Fraction(1), most=2)
    for text in ("", "sometimes", "below=0", "below=1.5", "below=x", "below=-0.5"):
        with pytest.raises(BadInput, match="allowed: always, never, or below="):
            parse_rebuys(text)
    assert [str(parse_rebuys(text, 2)) for text in ("always", "never", "below=0.5")] == [
        "always, at most 2",
        "never",
        "below=0.5, at most 2",
    ]


# Hands that the results of ring games and tournaments hold: those of their logs.


PLAYERS = ("random", "always-call", "always-raise")


def hands_of(result: RingResult | TournamentsResult) -> list[HandRecord]:
    return list(records_of(concat(list(result.batches()))))


def ring_of(sessions: int) -> Ring:
    return Ring(players=PLAYERS, hands=20 * sessions, session=20, buy_in=60, seed=2)


def test_a_ring_game_keeps_the_hands_of_its_log(tmp_path: Path) -> None:
    log = tmp_path / "ring.phhs"
    kept = play_ring(ring_of(3), keep=True)
    play_ring(ring_of(2), log=log)
    resumed = play_ring(ring_of(3), log=log, keep=True)
    logged = [hand for hand in read(log) if isinstance(hand, HandRecord)]
    assert resumed.resumed == 2
    assert len(logged) == kept.hands == resumed.hands
    played = [(hand.players, hand.holes, hand.actions, hand.payoffs) for hand in logged]
    for result in (kept, resumed, play_ring(ring_of(3), log=log)):
        found = hands_of(result)
        assert [(h.players, h.holes, h.actions, h.payoffs) for h in found] == played
    assert sum(each.hands for each in statistics_of(kept.batches()).values()) > kept.hands


@pytest.mark.slow
def test_tournaments_keep_the_hands_of_their_log(tmp_path: Path) -> None:
    log = tmp_path / "tournaments.phhs"
    tournaments = Tournaments(players=PLAYERS, count=2, seed=1, stack=100)
    kept = play_tournaments(tournaments, log=log, keep=True, workers=2)
    logged = [hand for hand in read(log) if isinstance(hand, HandRecord)]
    assert [hand.payoffs for hand in hands_of(kept)] == [hand.payoffs for hand in logged]


def test_what_is_not_kept_is_asked_for() -> None:
    with pytest.raises(BadInput, match="not kept"):
        play_ring(ring_of(1)).batches()
