"""Players are asked whether they can play before any hand, and are ended after the last one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

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
from railbird.cli import run
from railbird.errors import BadInput
from railbird.game import HEADS_UP_LIMIT, Action, Betting, Call, Rules, View, no_limit_holdem

ENDED: list[str] = []
ACTED: list[str] = []


class Ends:
    """Notes when it is closed."""

    def reset(self, rng: np.random.Generator) -> None:
        """Forget nothing."""

    def act(self, view: View) -> Action:
        """Call."""
        ACTED.append("acted")
        return Call()

    def close(self) -> None:
        """Note it."""
        ENDED.append(type(self).__name__)


class FailsToEnd(Ends):
    """Raises when it is closed."""

    def close(self) -> None:
        """Raise."""
        super().close()
        raise ValueError("no end")


class LimitAlone(Ends):
    """Plays limit alone."""

    def supports(self, rules: Rules) -> str | None:
        """Refuse other betting."""
        return None if rules.betting is Betting.LIMIT else "plays limit alone"


class NoRings(Ends):
    """Plays with fixed stacks alone."""

    def supports(self, rules: Rules, *, carries_over: bool = False) -> str | None:
        """Refuse stacks that carry over."""
        return "stacks must stay" if carries_over else None


@pytest.fixture(autouse=True)
def nothing_noted() -> None:
    ENDED.clear()
    ACTED.clear()


def match_of(*players: object, rules: Rules = HEADS_UP_LIMIT) -> Match:
    return Match(players=players, rules=rules, deals=20, seed=1)  # type: ignore[arg-type]


def test_a_match_ends_what_it_made() -> None:
    play(match_of(Ends, "random"))
    assert ENDED == ["Ends"]


def test_records_end_it_too_also_if_nobody_takes_them_all() -> None:
    some = hands(match_of(Ends, "random"))
    next(some)
    assert ENDED == []
    some.close()  # type: ignore[attr-defined]
    assert ENDED == ["Ends"]


def test_an_object_handed_in_stays_open() -> None:
    play(match_of(Ends(), "random"))
    assert ENDED == []


def test_every_match_of_a_league_ends_its_players() -> None:
    play_league(
        League(players=(Ends, "random", "always-call"), rules=HEADS_UP_LIMIT, deals=5, seed=1)
    )
    # Each of its two matches, and the look at who is there.
    assert ENDED == ["Ends"] * 4


@pytest.mark.parametrize(
    "played",
    [
        lambda: play_ring(Ring(players=(Ends, "random"), hands=10, seed=1, buy_in=100)),
        lambda: play_tournaments(Tournaments(players=(Ends, "random"), count=1, stack=100, seed=1)),
    ],
)
def test_series_end_their_players(played: Callable[[], object]) -> None:
    played()
    assert ENDED == ["Ends"]


def test_a_failure_at_the_end_is_told_and_stops_nobody(caplog: pytest.LogCaptureFixture) -> None:
    result = play(match_of(FailsToEnd, Ends))
    assert sorted(ENDED) == ["Ends", "FailsToEnd"]
    assert result.match.deals == 20
    assert "FailsToEnd: close: ValueError: no end" in caplog.text


def test_who_cannot_play_is_refused_before_any_hand_and_the_others_end() -> None:
    rules = no_limit_holdem(2, blinds=(1, 2), stack=50)
    with pytest.raises(BadInput, match=r"^LimitAlone: plays limit alone$"):
        play(match_of(Ends, LimitAlone, rules=rules))
    assert ACTED == []
    assert sorted(ENDED) == ["Ends", "LimitAlone"]
    play(match_of(Ends, LimitAlone))
    assert ACTED


def test_stacks_that_carry_over_are_asked_for() -> None:
    play(match_of(NoRings, "random"))
    with pytest.raises(BadInput, match=r"^NoRings: stacks must stay$"):
        play_ring(Ring(players=(NoRings, "random"), hands=10, seed=1, buy_in=100))


def test_who_does_not_care_for_stacks_need_not_name_them() -> None:
    ring = Ring(players=(LimitAlone, "random"), hands=4, seed=1, buy_in=100, betting=Betting.LIMIT)
    assert play_ring(ring).hands == 4
    with pytest.raises(BadInput, match=r"^LimitAlone: plays limit alone$"):
        play_ring(Ring(players=(LimitAlone, "random"), hands=4, seed=1, buy_in=100))


def test_the_command_line_refuses_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "picky_bot.py").write_text(
        "class Picky:\n"
        "    def reset(self, rng): pass\n"
        "    def act(self, view): raise SystemExit\n"
        "    def supports(self, rules): return 'not today'\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert run(["match", "python:picky_bot:Picky", "random", "--hands", "10"]) == 2
    assert capsys.readouterr().err.strip() == "railbird: python:picky_bot:Picky: not today"


def test_workers_end_their_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ending_bot.py").write_text(
        "import os, pathlib\n"
        "class Bot:\n"
        "    def reset(self, rng): pass\n"
        "    def act(self, view):\n"
        "        from railbird.game import Call\n"
        "        return Call()\n"
        "    def close(self):\n"
        f"        pathlib.Path({str(tmp_path)!r}, f'ended-{{os.getpid()}}').touch()\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    many = Match(
        players=("python:ending_bot:Bot", "random"),
        rules=HEADS_UP_LIMIT,
        deals=400,
        seed=1,
        chunk=100,
    )
    play(many, workers=2)
    assert len(list(tmp_path.glob("ended-*"))) >= 2  # this process and a worker at least
