"""Kernels compiled in other processes: for nobody's harm, and never longer than the verb."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from railbird import _jit
from railbird.cli import _compile_ahead
from railbird.cli._compile_ahead import compiling_ahead, rooms, steps_of
from railbird.cli._first_use import FIRST_USE

_HAND = "Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC"
_SECONDS = 60


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
    known = {name for room in rooms() for name in steps_of(room)}
    assert {name for cases in FIRST_USE.values() for case in cases for name in case.ahead} <= known


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
        time.sleep(1.0)  # the helper compiles
        verb.send_signal(how)
        _, said = verb.communicate(timeout=_SECONDS)
    finally:
        verb.kill()
    if how is signal.SIGINT:
        assert verb.returncode == 130
        assert said.splitlines()[-1] == "railbird: interrupted"
    assert _wait_for(tmp_path / "cache", count=0) == []
    assert list(tmp_path.rglob("*.tmp.*")) == []
