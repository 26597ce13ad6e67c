"""Players as objects and as classes, where others are named by specs."""

from __future__ import annotations

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
from railbird.errors import BadInput
from railbird.game import HEADS_UP_LIMIT, Action, Call, View
from railbird.players.simple import WeightedPlayer, Weights


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
