"""Players under names of their own, in logs and results."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from railbird.arena import (
    League,
    Match,
    Ring,
    Tournaments,
    hands,
    play,
    play_league,
    play_ring,
    play_tournaments,
)
from railbird.arena.names import names_of, parse_entrant, specs_of
from railbird.cli import run
from railbird.errors import BadInput
from railbird.game import HEADS_UP_LIMIT, Action, Call, View
from railbird.histories import HandRecord, read
from railbird.players.simple import WeightedPlayer, Weights

MATCH = Match(players=("alice=random", "bob=random"), rules=HEADS_UP_LIMIT, deals=30, seed=4)


@pytest.mark.parametrize(
    ("text", "name", "spec"),
    [
        ("random", None, "random"),
        ("random:fold=0,call=1", None, "random:fold=0,call=1"),
        ("random,raise=0.5", None, "random,raise=0.5"),
        ("python:mine:Player,depth=3", None, "python:mine:Player,depth=3"),
        ("bob=random,raise=0.5", "bob", "random,raise=0.5"),
        ("Alice B.=acpc:./program --depth=3", "Alice B.", "acpc:./program --depth=3"),
    ],
)
def test_a_name_stands_before_the_first_equals_sign(text: str, name: str | None, spec: str) -> None:
    entrant = parse_entrant(text)
    assert (entrant.name, entrant.spec) == (name, spec)
    assert names_of([text]) == (name or spec,)
    assert specs_of([text]) == (spec,)


def test_names_play_as_their_specs_do() -> None:
    plain = replace(MATCH, players=("random", "random"))
    named, unnamed = list(hands(MATCH)), list(hands(plain))
    assert [hand.actions for hand in named] == [hand.actions for hand in unnamed]
    assert named[0].players == ("alice", "bob")
    assert unnamed[0].players == ("random", "random#2")


def test_logs_know_players_by_their_names_alone(tmp_path: Path) -> None:
    log = tmp_path / "m.log"
    match = replace(MATCH, players=("alice=always-call", "always-raise"), deals=40, chunk=20)
    play(match, log=log)
    other = replace(match, players=("alice=always-fold", "always-raise"), deals=60)
    assert play(other, log=log).resumed == 40
    found = [hand for hand in read(log) if isinstance(hand, HandRecord)]
    assert {frozenset(hand.players) for hand in found} == {frozenset({"alice", "always-raise"})}
    for players in (
        ("always-call", "always-raise"),
        ("alice=always-call", "bob=always-raise"),
        ("alicia=always-call", "always-raise"),
    ):
        with pytest.raises(BadInput, match="the log of another match: it differs in players"):
            play(replace(match, players=players), log=log)


def test_a_name_is_not_taken_for_a_spec(tmp_path: Path) -> None:
    log = tmp_path / "m.log"
    play(replace(MATCH, players=("random=always-call", "always-raise")), log=log)
    with pytest.raises(BadInput, match="it differs in players"):
        play(replace(MATCH, players=("random", "always-raise")), log=log)


def test_leagues_and_tournaments_have_names(tmp_path: Path) -> None:
    players = ("alice=random", "bob=always-call", "random")
    league = League(players=players, rules=HEADS_UP_LIMIT, deals=10, seed=1)
    assert play_league(league, logs=tmp_path).league.names == ("alice", "bob", "random")
    (hand, *_) = read(tmp_path / "1-2.log")
    assert isinstance(hand, HandRecord)
    assert set(hand.players) == {"alice", "bob"}
    log = tmp_path / "t.phhs"
    series = Tournaments(players=players, count=2, seed=1, stack=100)
    play_tournaments(series, log=log)
    (hand, *_) = read(log)
    assert isinstance(hand, HandRecord)
    assert set(hand.players) == set(series.names)


@pytest.mark.parametrize(
    ("players", "said"),
    [
        (("alice=random", "alice=always-call"), "two players are named alice"),
        (("random", "random=always-call"), "two players are named random"),
        (("a|b=random", "random"), "no player: 'a\\|b'"),
        (("alice=", "random"), "a player without a name"),
        (("alice=nobody", "random"), "no player 'nobody'"),
        ((" a=random", "random"), "no player: ' a'"),
    ],
)
def test_names_that_cannot_be_are_refused(players: tuple[str, str], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        play(replace(MATCH, players=players))


def test_results_say_who_had_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    for verb in ("match", "league", "tournament --count 2", "ring --hands 20"):
        args = [*verb.split(), "alice=random:fold=0", "always-call", "--json"]
        assert run(args) == 0
        players = json.loads(capsys.readouterr().out)["players"]
        specs = {name: player["spec"] for name, player in players.items()}
        assert specs == {"alice": "random:fold=0", "always-call": "always-call"}
    assert run(["match", "alice=baseline", "random", "--duplicate", "--stop", "decided"]) == 0
    assert "decided reached: alice wins" in capsys.readouterr().out


# Players as objects and as classes, where others are named by specs.


class Caller:
    """Calls, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def reset(self, rng: np.random.Generator) -> None:
        pass

    def act(self, view: View) -> Action:
        self.asked += 1
        return Call()


def match(*players: Any, deals: int = 30) -> Match:
    return Match(players=players, rules=HEADS_UP_LIMIT, deals=deals, seed=5)


def test_an_object_plays_as_its_spec_does() -> None:
    bot = Caller()
    ours, theirs = play(match(bot, "baseline")), play(match("always-call", "baseline"))
    assert np.array_equal(ours.payoffs, theirs.payoffs)
    assert bot.asked > 30, "it is the object itself that plays"
    assert ours.match.names == ("Caller", "baseline")
    assert {record.players for record in hands(match(bot, "baseline"))} == {
        ("Caller", "baseline"),
        ("baseline", "Caller"),
    }


def test_a_class_is_made_into_a_player_for_each_seat() -> None:
    result = play(match(Caller, Caller))
    assert result.match.names == ("Caller", "Caller#2")


def test_a_list_of_players_will_do() -> None:
    listed = Match(players=[Caller(), "random"], rules=HEADS_UP_LIMIT, deals=1, seed=1)  # type: ignore[arg-type]
    assert listed.names == ("Caller", "random")


def test_a_log_knows_an_object_by_its_name_and_is_resumed(tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    play(match(Caller(), "random"), log=log)
    text = log.read_bytes()
    assert play(match(Caller(), "random"), log=str(log)).resumed == 30
    assert log.read_bytes() == text
    with pytest.raises(BadInput, match="the log of another match: it differs in players"):
        play(match("always-call", "random"), log=log)


def test_everything_that_is_played_takes_objects() -> None:
    players = (Caller(), "random", Caller())
    league = play_league(League(players=players, rules=HEADS_UP_LIMIT, deals=4, seed=1))
    assert league.league.names == ("Caller", "random", "Caller#2")
    ring = play_ring(Ring(players=players, hands=4, seed=1, buy_in=100))
    assert ring.ring.names == league.league.names
    won = play_tournaments(Tournaments(players=players, count=1, seed=1, stack=100))
    assert won.tournaments.names == league.league.names


@pytest.mark.slow
def test_an_object_that_can_be_sent_plays_in_workers() -> None:
    caller = WeightedPlayer(Weights(call=1.0))
    alone = play(match(caller, "random", deals=2000))
    assert np.array_equal(
        play(match(caller, "random", deals=2000), workers=2).payoffs, alone.payoffs
    )


class Holding(Caller):
    def __init__(self) -> None:
        super().__init__()
        self.held = lambda: None


class Choosy(Caller):
    def __init__(self, taste: str) -> None:
        super().__init__()


BOT = Caller()


@pytest.mark.parametrize(
    ("players", "said"),
    [
        ((BOT, BOT), "one player sits in two seats"),
        ((3.5, "random"), r"3.5 \(float\) is not a player: it lacks reset and act"),
        ((None, "random"), "is not a player"),
        ((["random"], "random"), "is not a player: it lacks reset and act"),
        ((object, "random"), "is not a player: it lacks reset and act"),
        (("random", "x|y"), "no player"),
    ],
)
def test_what_is_no_player_is_refused(players: tuple[Any, ...], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        match(*players)


def test_a_text_by_itself_is_refused() -> None:
    with pytest.raises(BadInput, match="players 'random'; allowed: several"):
        Match(players="random", rules=HEADS_UP_LIMIT, deals=1, seed=1)  # type: ignore[arg-type]


def test_a_class_that_makes_no_player_is_refused() -> None:
    with pytest.raises(BadInput, match=r"Choosy\(\): TypeError: .*taste"):
        play(match(Choosy, "random"))


def test_workers_refuse_what_cannot_be_sent() -> None:
    with pytest.raises(BadInput, match="Holding cannot be sent to workers"):
        play(match(Holding(), "random"), workers=2)
