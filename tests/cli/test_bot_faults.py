"""Bots that exit, crash or print: the match goes on, and the result says so."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from railbird.cli import EXIT_FINDING, run

BOTS = """
import sys, time
from railbird.cards import format_holding
from railbird.game import Call

class Calls:
    def reset(self, rng):
        self.asked = 0
    def act(self, view):
        return Call()

class Exits(Calls):
    def act(self, view):
        sys.exit(3)

class Crashes(Calls):
    def act(self, view):
        raise ValueError("no idea")

class Prints(Calls):
    def act(self, view):
        print("hello")
        return Call()

class Stumbles(Calls):
    asked = 0
    def reset(self, rng):
        pass
    def act(self, view):
        Stumbles.asked += 1
        if Stumbles.asked == 5:
            raise ValueError("once")
        return Call()

class HatesAces(Calls):
    def act(self, view):
        if format_holding(view.holding) == "AsAd":
            raise LookupError("aces")
        return Call()

class NeverMade:
    def __init__(self):
        raise ValueError("not today")

class ExitsWhenMade:
    def __init__(self):
        sys.exit(4)

class FailsInReset(Calls):
    def reset(self, rng):
        raise ValueError("no start")

class Slow(Calls):
    def act(self, view):
        time.sleep(0.05)
        return Call()

class Wrong(Calls):
    def act(self, view):
        return "call"
"""

BROKEN = "def act(:\n"


@pytest.fixture(autouse=True)
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "bots_of_faults.py").write_text(BOTS)
    (tmp_path / "broken_bots.py").write_text(BROKEN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    yield
    sys.modules.pop("bots_of_faults", None)


def match(bot: str, *options: str, hands: int = 20) -> int:
    spec = f"python:bots_of_faults:{bot}"
    return run(["match", spec, "always-call", "--hands", str(hands), *options])


@pytest.mark.parametrize(
    ("bot", "said"), [("Exits", "SystemExit: 3"), ("Crashes", "ValueError: no idea")]
)
def test_a_bot_that_fails_throughout_is_a_finding(
    bot: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert match(bot) == 1
    out, err = capsys.readouterr()
    err = " ".join(err.split())
    assert "20 hands" in out
    assert said in err
    assert "exception faults, first: hand" in err
    assert "faults decided" in err


def test_json_has_the_faults_and_the_exit_code_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert match("Crashes", "--json") == 1
    players = json.loads(capsys.readouterr().out)["players"]
    assert players["python:bots_of_faults:Crashes"]["faults"]["exception"]["count"] > 20


def test_one_fault_in_few_hands_is_counted_as_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert match("FailsInReset") == 1
    err = " ".join(capsys.readouterr().err.split())
    assert "1 exception, first:" in err
    assert "faults decided: more than 1 in 100 hands is too many in 20 hands: " in err
    assert "FailsInReset (1 fault)" in err


def test_one_fault_in_many_hands_decides_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert match("Stumbles", hands=400) == 0
    err = " ".join(capsys.readouterr().err.split())
    assert "1 exception, first: hand" in err
    assert "faults decided" not in err


@pytest.mark.parametrize("workers", ["1", "2"])
def test_what_bots_print_stays_out_of_the_json(
    workers: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert match("Prints", "--json", "--workers", workers) == 0
    out, err = capfd.readouterr()
    assert json.loads(out)["hands"] == 20
    assert "hello" in err


def test_tracebacks_are_shown_on_demand(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert match("Crashes") == 1
    assert "Traceback" not in capsys.readouterr().err
    monkeypatch.setenv("RAILBIRD_DEBUG", "1")
    assert match("Crashes") == 1
    err = capsys.readouterr().err
    assert "Traceback (most recent call last)" in err
    assert 'raise ValueError("no idea")' in err


HATES_ACES = "python:bots_of_faults:HatesAces"


@pytest.mark.slow(but=["1"])
@pytest.mark.parametrize("workers", ["1", "2"])
def test_strict_stops_at_the_first_fault_with_its_traceback(
    workers: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    game = ("HatesAces", "--log", "strict.log", "--seed", "12")
    assert match(*game, "--strict", "--workers", workers, hands=6000) == 1
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("Traceback (most recent call last)") == 1
    assert 'raise LookupError("aces")' in err
    assert "railbird/arena" not in err  # the author's frames only
    last = err.splitlines()[-1]
    assert last.startswith(f"railbird: {HATES_ACES}: hand 2")
    assert "LookupError: aces (preflop); stopped after 2,000 of 6,000 hands" in last
    assert "kept in strict.log" in last
    strict = (tmp_path / "strict.log").read_bytes()
    # What was played before is the beginning of the whole match, which may go on without.
    assert match("HatesAces", "--log", "whole.log", "--seed", "12", hands=6000) == 0
    whole = (tmp_path / "whole.log").read_bytes()
    assert strict.count(b"STATE:") == 2000
    assert whole.startswith(strict)
    assert match(*game, hands=6000) == 0
    assert (tmp_path / "strict.log").read_bytes() == whole


def test_strict_finds_faults_that_a_log_has_already(capsys: pytest.CaptureFixture[str]) -> None:
    game = ("Crashes", "--log", "match.log")
    assert match(*game) == 1
    capsys.readouterr()
    assert match(*game, "--strict") == 1
    assert "hands that the log had already have faults" in capsys.readouterr().err


@pytest.mark.slow(only=["league-2", "tournament-2"])
@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize(
    "verb",
    [
        ["league", "always-call", "always-raise", "--hands", "20"],
        ["ring", "always-call", "always-raise", "--hands", "200"],
        ["tournament", "always-call", "always-raise", "--count", "2"],
    ],
    ids=lambda verb: verb[0],
)
def test_every_verb_that_plays_can_be_strict(
    verb: list[str], workers: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    log = ["--log", str(tmp_path / "log")]
    options = ["--strict", "--workers", workers, *log]
    assert run([*verb, "python:bots_of_faults:Crashes", *options]) == 1
    out, err = capfd.readouterr()
    assert out == ""
    assert 'raise ValueError("no idea")' in err
    assert err.count("Traceback") == 1
    assert "ValueError: no idea" in err.splitlines()[-1]
    assert "stopped after" in err.splitlines()[-1]


@pytest.mark.parametrize(
    ("bot", "options", "words"),
    [
        ("Wrong", (), "answered with str, which is not an action"),
        ("Slow", ("--clock", "0.001"), "limit 0.001 s"),
    ],
)
def test_faults_without_a_traceback_stop_strict_games_too(
    bot: str,
    options: tuple[str, ...],
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [0.0]  # by which nobody but a bot that sleeps takes any time
    clock = SimpleNamespace(perf_counter=lambda: now[0])
    monkeypatch.setattr("railbird.arena.guarded_player.time", clock)
    monkeypatch.setattr("time.sleep", lambda seconds: now.__setitem__(0, now[0] + seconds))
    assert match(bot, "--strict", *options) == 1
    out, err = capsys.readouterr()
    assert out == ""
    (line,) = err.splitlines()
    assert line.startswith(f"railbird: python:bots_of_faults:{bot}: hand 0: ")
    assert words in line


@pytest.mark.parametrize("option", ["--debug", "--strict"])
@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize(
    ("spec", "line"),
    [
        ("bots_of_faults:NeverMade", 'raise ValueError("not today")'),
        ("bots_of_faults:ExitsWhenMade", "sys.exit(4)"),
        ("broken_bots:Bot", "def act(:"),
        ("bots_that_are_not_there:Bot", "No module named 'bots_that_are_not_there'"),
    ],
)
def test_the_traceback_of_a_bot_that_cannot_be_made(
    spec: str, line: str, workers: str, option: str, capfd: pytest.CaptureFixture[str]
) -> None:
    game = ["match", f"python:{spec}", "always-call", "--hands", "20", "--workers", workers]
    assert run(game) == 2
    (short,) = capfd.readouterr().err.splitlines()
    assert run([*game, option]) == 2
    err = capfd.readouterr().err
    assert err.splitlines()[-1] == short
    assert line in err
    assert "importlib" not in err
    assert "railbird/players" not in err


def test_debug_shows_tracebacks_of_a_game_that_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert match("Stumbles", "--debug", hands=400) == 0
    err = capsys.readouterr().err
    assert err.count('raise ValueError("once")') == 1
    assert match("Crashes") == 1  # the option is of one run
    assert "Traceback" not in capsys.readouterr().err


def test_a_program_that_goes_has_no_traceback_of_ours(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "goes.sh"
    script.write_text("#!/bin/sh\nexit 3\n")
    script.chmod(0o755)
    assert run(["match", f"acpc:{script}", "always-call", "--hands", "20", "--strict"]) == 1
    (line,) = capfd.readouterr().err.splitlines()
    assert "it ended with status 3 before it greeted" in line


@pytest.mark.parametrize(
    "source",
    [None, "raise SystemExit", "print('hello', flush=True)"],
    ids=["none", "ends", "noise"],
)
def test_a_failed_check_is_a_finding(
    source: str | None, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "tom.py"
    if source is not None:
        file.write_text(source)
    assert run(["bot", "check", shlex.join([sys.executable, str(file)])]) == EXIT_FINDING
    assert "✗ says hello and logs in: " in capfd.readouterr().out


def test_the_code_of_what_ends_the_process_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def ends(*arguments: object, **settings: object) -> None:
        raise SystemExit(EXIT_FINDING)

    monkeypatch.setattr("railbird.cli._railbird.main", ends)
    with pytest.raises(SystemExit) as ended:
        run(["machine", "doctor"])
    assert ended.value.code == EXIT_FINDING
