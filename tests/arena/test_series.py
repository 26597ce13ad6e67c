"""A game that is interrupted and resumed teaches its players everything once."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from helpers.command_line import call
from railbird.arena import (
    League,
    Match,
    Ring,
    Seating,
    Tournaments,
    play,
    play_league,
    play_ring,
    play_tournaments,
)
from railbird.errors import Interrupted
from railbird.game import HEADS_UP_LIMIT, HEADS_UP_NO_LIMIT, Action, View
from railbird.histories import HandRecord, read
from railbird.players.simple import WeightedPlayer
from railbird.storage import open_blocking
from railbird.storage.opponents import opponents

Game = Callable[[str, Path], object]


def booker(database: str) -> tuple[str, ...]:
    return (f"ann=booker:4,pay=0,database={database}", "bob=random:amount", "tom=random")


def single(database: str, log: Path) -> object:
    match = Match(
        players=(f"ann=loki:som,database={database}", "bob=random"),
        rules=HEADS_UP_LIMIT,
        deals=50,
        seed=1,
        chunk=20,
    )
    return play(match, log=log)


def duplicate(database: str, log: Path) -> object:
    match = Match(
        players=booker(database)[:2],
        rules=HEADS_UP_NO_LIMIT,
        deals=30,
        seed=1,
        chunk=10,
        seating=Seating.DUPLICATE,
    )
    return play(match, log=log)


def tournaments(database: str, log: Path) -> object:
    series = Tournaments(players=booker(database), count=6, seed=1, stack=300)
    return play_tournaments(series, log=log)


def ring(database: str, log: Path) -> object:
    return play_ring(
        Ring(players=booker(database), hands=40, seed=1, buy_in=100, session=10), log=log
    )


def league(database: str, log: Path) -> object:
    pairs = League(players=booker(database), rules=HEADS_UP_NO_LIMIT, deals=20, seed=1, chunk=10)
    return play_league(pairs, logs=log)


def remembered(database: str) -> dict[tuple[str, str], Any]:
    opened = open_blocking(f"sqlite:///{database}")
    with opened.read() as session:
        found, problems = opponents(session)
    opened.close()
    assert problems == []
    return {
        (each.scope.observer, each.name): (each.hands, each.sessions, each.record) for each in found
    }


@pytest.mark.slow(but=["duplicate"])
@pytest.mark.parametrize("game", [single, duplicate, tournaments, ring, league])
def test_an_interrupted_game_is_remembered_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: Game
) -> None:
    whole = str(tmp_path / "whole.sqlite3")
    game(whole, tmp_path / "whole.log")

    act, left = WeightedPlayer.act, 15

    def interrupted(player: WeightedPlayer, shown: View) -> Action:
        nonlocal left
        left -= 1
        if left == 0:
            raise KeyboardInterrupt
        return act(player, shown)

    monkeypatch.setattr(WeightedPlayer, "act", interrupted)
    resumed, log = str(tmp_path / "resumed.sqlite3"), tmp_path / "resumed.log"
    with pytest.raises(Interrupted):
        game(resumed, log)
    game(resumed, log)
    assert remembered(resumed) == remembered(whole)


# A game that a player cannot play is refused before anything is solved for it.


@pytest.mark.parametrize(
    "words",
    [
        "match equilibrium:small random --game nolimit",
        "match random coach:vexbot+equilibrium:small --game nolimit --stack 50bb",
        "league equilibrium:small random random --ring",
        "ring equilibrium:small random --game limit",
        "tournament random equilibrium:small",
    ],
)
def test_nothing_is_solved(
    words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAILBIRD_CACHE", str(tmp_path))
    code, out, err = call(capsys, *shlex.split(words))
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "equilibrium:small: it plays heads-up limit" in err
    assert not (tmp_path / "strategies").exists()


@pytest.mark.parametrize(
    ("words", "stack"),
    [
        (
            "match random always-call --game nolimit --stack 100bb --hands 3 --log {log}",
            10_000,
        ),
        ("match random always-call --game nolimit --stack 350 --hands 3 --log {log}", 350),
        (
            "league random random random --ring --game nolimit --stack 20bb --hands 3 --log {log}",
            2_000,
        ),
    ],
)
def test_stacks_are_chosen(
    words: str, stack: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "played"
    code, _, err = call(capsys, *shlex.split(words.format(log=log)))
    assert code == 0, err
    for hand in read(log):
        assert isinstance(hand, HandRecord)
        assert set(hand.rules.stacks or ()) == {stack}


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("match random random --stack 100bb", "--stack in limit, where nobody can be all-in"),
        ("match random random --game nolimit --stack 100 bb", "unexpected extra argument"),
        ("match random random --game nolimit --stack bb", "stack 'bb'; allowed: chips"),
        ("ring random random --stack 0", "stack '0'; allowed: chips"),
    ],
)
def test_other_stacks_are_one_line(
    words: str, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = call(capsys, *shlex.split(words))
    assert code == 2
    assert line in err
