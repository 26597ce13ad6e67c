"""Kernels compiled in other processes: for nobody's harm, and never longer than the verb."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import click
import pytest

import railbird
from helpers.command_line import wait_for
from railbird import _jit
from railbird.cli import _compile_ahead, _console
from railbird.cli._compile_ahead import (
    FIRST_USE,
    WORTH_SAYING,
    compiling_ahead,
    first_use_of,
    room_steps,
    rooms,
)
from railbird.cli._verbs import verbs

_HAND = "Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC"
_SECONDS = 300
"""Against hanging alone."""


@pytest.fixture
def cores(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NUMBA_NUM_THREADS", "2")
    monkeypatch.setenv("RAILBIRD_CACHE", str(tmp_path / "cache"))


def _processes(cache: Path) -> list[int]:
    """Processes with this cache folder, other than this one."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            variables = (folder / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if f"RAILBIRD_CACHE={cache}".encode() in variables and int(folder.name) != os.getpid():
            found.append(int(folder.name))
    return found


def _wait_for(cache: Path, *, count: int) -> Sequence[int]:
    end = time.monotonic() + _SECONDS
    while len(found := _processes(cache)) != count and time.monotonic() < end:
        time.sleep(0.02)
    return found


def test_what_verbs_compile_ahead_is_what_rooms_compile() -> None:
    known = {name for room in rooms() for name in room_steps(room)}
    assert {name for cases in FIRST_USE.values() for case in cases for name in case.ahead} <= known


@pytest.mark.slow
@pytest.mark.usefixtures("cores")
def test_steps_are_compiled_into_the_cache(tmp_path: Path) -> None:
    """One helper takes the first and the third step; one that fails does not keep it from that."""
    with compiling_ahead() as start:
        start(
            ["cards: there is no such step", "solve: sampled deals", "cards: strength in kernels"]
        )
        end = time.monotonic() + _SECONDS
        while time.monotonic() < end and not (
            [*tmp_path.rglob("*strength7-*.nbc")] and [*tmp_path.rglob("*visit_deals-*.nbc")]
        ):
            time.sleep(0.05)
        assert time.monotonic() < end


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.usefixtures("cores")
def test_helpers_end_with_the_block(tmp_path: Path) -> None:
    with compiling_ahead() as start:
        start(["game: replay", "solve: regrets and best response"])
        assert len(_wait_for(tmp_path / "cache", count=2)) == 2
    assert _processes(tmp_path / "cache") == []


@pytest.mark.usefixtures("cores")
def test_one_core_compiles_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_NUM_THREADS", "1")
    monkeypatch.setattr(_compile_ahead, "_helper", lambda names: pytest.fail("started"))
    with compiling_ahead() as start:
        start(["game: replay"])


@pytest.mark.usefixtures("cores")
def test_nothing_is_compiled_that_cannot_be_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(_jit, "CACHE", tmp_path / "file" / "kernels")
    monkeypatch.setattr(_compile_ahead, "_helper", lambda names: pytest.fail("started"))
    with compiling_ahead() as start:
        start(["game: replay"])


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.usefixtures("cores")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_nothing_outlives_a_verb_that_is_ended(tmp_path: Path, how: signal.Signals) -> None:
    verb = subprocess.Popen(
        [sys.executable, "-m", "railbird", "score", _HAND],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert len(_wait_for(tmp_path / "cache", count=3)) == 3, "the verb and its helpers"
        # They compile: one of many kernels is there.
        wait_for(lambda: bool([*tmp_path.rglob("*.nbc")]), seconds=_SECONDS)
        verb.send_signal(how)
        _, said = verb.communicate(timeout=_SECONDS)
    finally:
        verb.kill()
    if how is signal.SIGINT:
        assert verb.returncode == 130
        assert said.splitlines()[-1] == "railbird: interrupted"
    assert _wait_for(tmp_path / "cache", count=0) == []
    assert list(tmp_path.rglob("*.tmp.*")) == []


# What is said before compiling: only where it takes long, and how long.


def test_the_costs_are_of_verbs() -> None:
    assert set(FIRST_USE) <= set(verbs())
    assert all(case.seconds > WORTH_SAYING for cases in FIRST_USE.values() for case in cases)


@pytest.mark.slow
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
    cost = first_use_of("match", "deal_many")
    assert cost is not None
    assert f"{cost.seconds} to {3 * cost.seconds} s, {cost.megabytes} MB in " in said[0]
    assert said[1:] == ["compiling game", "compiling arena"]


def test_some_cases_of_a_verb_compile_little(
    said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    watcher = _watcher(monkeypatch, "equity")
    watcher.begins("odds", "mask_of")
    watcher.ends()
    assert said == []
    watcher.begins("odds", "play_random_deals")
    assert "4 to 12 s" in said[0]


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
        first_use_of("assess", "read_hands", {"files": ("-",), "game": game})
        for game in ("holdem.limit.2p.reverse_blinds.game", "nolimit.6p")
    )
    assert limit is not None
    assert no_limit is not None
    assert no_limit.seconds > limit.seconds
    assert first_use_of("assess", "replay", {"files": (str(text),), "game": None}) == no_limit
    for absent in ("-", str(tmp_path), str(tmp_path / "missing")):
        assert first_use_of("assess", "read_hands", {"files": (absent,)}) == limit


# `railbird machine warm` compiles all that play and judgement need: nothing waits for a compiler.
#
# A process of its own looks, since others' calls would be taken for those of `warm`.


LOOK = """
import gc, json, shlex, sys
from numba.core.dispatcher import Dispatcher
from railbird.cli import run
from railbird.cli._compile_ahead import room_steps, rooms

def compiled():
    return {
        f"{found.py_func.__module__}.{found.py_func.__name__}{signature}"
        for found in gc.get_objects() if isinstance(found, Dispatcher)
        for signature in found.signatures
    }

for room in rooms():
    for step in room_steps(room).values():
        step()
before = compiled()
codes = [run(shlex.split(line)) for line in sys.stdin]
json.dump({"codes": codes, "late": sorted(compiled() - before)}, open(sys.argv[1], "w"))
"""
VERBS = """
match random loki:basic --hands 60 --log basic.log
match loki:som loki:sim --hands 60
match baseline always-raise --hands 200 --duplicate --log limit.log
match pushfold random --game holdem.nolimit.2p.reverse_blinds.game --hands 50
league random loki:gom baseline --hands 20
ring loki:bpl random random random --hands 40
tournament random random always-call --count 2
assess limit.log
stats limit.log
report limit.log --player baseline
match always-call random --game nolimit --hands 200 --log nolimit.log
assess nolimit.log
report nolimit.log --player random
score 'Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC'
odds AdQc 3h4cJh
odds AdQc 3h4cJh2d --model 'QQ+, AKs' --model random
equity 'QQ+, AK' random --board 2c3c4c
equity AsKs QdQh random
explain basic.log --hand 31 --player loki:basic
solve pushfold --stack 10
solve toy leduc
experiment always-call-always-raise --scale 0.0005
experiment pushfold-convergence --scale 0.001
"""


def test_every_room_with_kernels_is_warmed() -> None:
    package = Path(railbird.__path__[0])
    compiled = {
        file.relative_to(package).parts[0]
        for file in package.rglob("*.py")
        if "kernels" in file.name and "@kernel" in file.read_text(encoding="utf-8")
    }
    assert {*compiled, "railbird_papers"} == {*rooms()}


@pytest.mark.slow
def test_nothing_is_left_to_compile(tmp_path: Path) -> None:
    found = tmp_path / "found.json"
    subprocess.run(
        [sys.executable, "-c", LOOK, str(found)],
        input=VERBS.strip(),
        text=True,
        cwd=tmp_path,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    codes = [0] * len(VERBS.strip().splitlines())
    assert json.loads(found.read_text()) == {"codes": codes, "late": []}
