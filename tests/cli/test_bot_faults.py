"""Bots that exit, crash or print: the match goes on, and the result says so."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from railbird.cli import run

BOTS = """
import sys
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
"""


@pytest.fixture(autouse=True)
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "bots_of_faults.py").write_text(BOTS)
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
