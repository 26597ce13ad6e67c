"""What is said before compiling: only where it takes long, and how long."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from railbird.cli import _console
from railbird.cli._first_use import FIRST_USE, WORTH_SAYING, cost_of
from railbird.cli._verbs import verbs


def test_the_costs_are_of_verbs() -> None:
    assert set(FIRST_USE) <= set(verbs())
    assert all(case.seconds > WORTH_SAYING for cases in FIRST_USE.values() for case in cases)


def test_nothing_is_said_of_a_kernel_that_compiles_at_once(tmp_path: Path) -> None:
    """Two ranges before the flop are read from a table."""
    done = subprocess.run(
        [sys.executable, "-m", "railbird", "equity", "QQ+, AK", "random"],
        env={**os.environ, "RAILBIRD_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    assert list(tmp_path.rglob("*.nbc")), "compiled something"


class _Bar:
    disable = True

    def add_task(self, description: str, total: None) -> int:
        return 0

    def update(self, task: int, **changes: object) -> None:
        pass


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    lines: list[str] = []
    monkeypatch.setattr(_console._Compiling, "_told", set())
    monkeypatch.setattr(_console.errors, "print", lambda line, **_: lines.append(line))
    return lines


def _watcher(monkeypatch: pytest.MonkeyPatch, verb: str) -> _console._Compiling:
    monkeypatch.setattr(_console, "_verb", lambda: (verb, {}))
    monkeypatch.setenv("NUMBA_NUM_THREADS", "2")
    return _console._Compiling(_Bar(), lambda steps: None)  # type: ignore[arg-type]


def test_a_verb_says_how_long_it_compiles(said: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    watcher = _watcher(monkeypatch, "match")
    watcher.begins("game", "deal_many")
    watcher.ends()
    watcher.begins("arena", "play_hands")
    cost = cost_of("match", "deal_many")
    assert cost is not None
    assert f"up to {cost.seconds} s, {cost.megabytes} MB in " in said[0]
    assert said[1:] == ["compiling game", "compiling arena"]


def test_some_cases_of_a_verb_compile_little(
    said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    watcher = _watcher(monkeypatch, "equity")
    watcher.begins("odds", "mask_of")
    watcher.ends()
    assert said == []
    watcher.begins("odds", "play_random_deals")
    assert "up to 4 s" in said[0]


def test_what_takes_long_unexpectedly_is_said(
    said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [0.0]
    monkeypatch.setattr("railbird.cli._console.time.perf_counter", lambda: clock[0])
    watcher = _watcher(monkeypatch, "players")
    for seconds in (1.5, 0.4, 0.4):
        watcher.begins("cards", "a kernel")
        assert said == []
        clock[0] += seconds
        watcher.ends()
    watcher.begins("cards", "a kernel")
    assert "once: kept in " in said[0]


def test_the_verb_is_the_one_below_the_program() -> None:
    context = None
    for name in ("railbird", "solve", "pushfold"):
        context = click.Context(click.Group(name), parent=context, info_name=name)
    assert context is not None
    with context.scope():
        assert _console._verb() == ("solve", {})
    assert _console._verb() == ("", {})


def test_no_limit_takes_longer(tmp_path: Path) -> None:
    """Which game a log is of is not known when its first kernel is compiled."""
    text = tmp_path / "hands.txt"
    text.write_text("PokerStars Hand #1:  Hold'em No Limit ($1/$2) - 2009/07/01\n")
    limit, no_limit = (
        cost_of("assess", "read_hands", {"files": ("-",), "game": game})
        for game in ("holdem.limit.2p.reverse_blinds.game", "nolimit.6p")
    )
    assert limit is not None
    assert no_limit is not None
    assert no_limit.seconds > limit.seconds
    assert cost_of("assess", "replay", {"files": (str(text),), "game": None}) == no_limit
    for absent in ("-", str(tmp_path), str(tmp_path / "missing")):
        assert cost_of("assess", "read_hands", {"files": (absent,)}) == limit
