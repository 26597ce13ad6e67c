"""Compiled code in the cache folder, whatever state it is in."""

from __future__ import annotations

import ast
import importlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import filelock
import numpy as np
import pytest
from numba.core.errors import TypingError

import railbird
from railbird import _jit


def _triple(number: int) -> int:
    return 3 * number


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(_jit, "room_cache", lambda room: tmp_path / "kernels" / room)
    return tmp_path / "kernels"


class _Names:
    def __init__(self) -> None:
        self.begun: list[tuple[str, str]] = []
        self.ended = 0

    def begins(self, room: str, kernel: str) -> None:
        self.begun.append((room, kernel))

    def ends(self) -> None:
        self.ended += 1


def _call() -> list[tuple[str, str]]:
    """Call a kernel of this file as a new process would; what had to be compiled."""
    names = _Names()
    with _jit.watched(names):
        assert _jit.kernel(_triple)(14) == 42
    assert names.ended == len(names.begun)
    return names.begun


def test_code_is_compiled_once(folder: Path) -> None:
    assert _call() == [("others", "_triple")]
    assert _call() == []
    assert {path.suffix for path in folder.rglob("*_triple*")} == {".nbi", ".nbc", ".lock"}


triple: Any = None


def _nine_times(number: int) -> int:
    return int(triple(triple(number)))


def test_code_for_kernels_is_kept_apart(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What Python calls will do for other kernels, but not the other way round."""

    def nine_times() -> list[tuple[str, str]]:
        names = _Names()
        monkeypatch.setitem(globals(), "triple", _jit.kernel(_triple))
        with _jit.watched(names):
            assert _jit.kernel(_nine_times)(2) == 18
        return names.begun

    assert nine_times() == [("others", "_nine_times"), ("others", "_triple")]
    assert nine_times() == []
    assert _call() == [("others", "_triple")]
    shutil.rmtree(folder)
    assert _call() == [("others", "_triple")]
    assert nine_times() == [("others", "_nine_times")]


_SLOW = """
import sys, time
from pathlib import Path
from railbird import _jit

compiled = []

class Watcher:
    def begins(self, room, kernel):
        compiled.append(kernel)
        Path(sys.argv[1]).touch()
        while len(sys.argv) > 2 and not Path(sys.argv[2]).exists():
            time.sleep(0.01)
    def ends(self):
        pass

@_jit.kernel
def six_times(number):
    return 6 * number

with _jit.watched(Watcher()):
    six_times(7)
print(*compiled)
"""


@pytest.mark.slow
@pytest.mark.parametrize("killed", [False, True])
def test_one_process_compiles_what_two_need(tmp_path: Path, *, killed: bool) -> None:
    """The other waits for the code, and compiles it if the first one ends without it."""
    script, began, other, go_on = (tmp_path / name for name in ("slow.py", "1", "2", "3"))
    script.write_text(_SLOW)

    def start(*files: Path) -> subprocess.Popen[str]:
        variables = {**os.environ, "RAILBIRD_CACHE": str(tmp_path / "cache")}
        command = [sys.executable, str(script), *map(str, files)]
        return subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, text=True)

    with start(began, go_on) as first:
        _wait_for(began.exists)
        with start(other) as second:
            with pytest.raises(subprocess.TimeoutExpired):
                second.wait(3)
            assert not other.exists()
            first.kill() if killed else go_on.touch()
            said = [process.communicate(timeout=60)[0].split() for process in (first, second)]
    assert said == ([[], ["six_times"]] if killed else [["six_times"], []])


def test_what_fails_to_compile_is_not_locked(folder: Path) -> None:
    """Another process that needs it would wait for nothing."""
    failing: Any = _jit.kernel(lambda number: number.no_such_thing)
    with pytest.raises(TypingError):
        failing(1)
    (lock,) = folder.rglob("*.lock")
    with filelock.FileLock(lock, blocking=False):
        pass


def _wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
@pytest.mark.parametrize("kept", [0, 10])
def test_damaged_code_is_compiled_anew(folder: Path, suffix: str, kept: int) -> None:
    _call()
    (file,) = folder.rglob(f"*{suffix}")
    file.write_bytes(file.read_bytes()[:kept])
    assert _call() == [("others", "_triple")]
    assert _call() == []


def test_a_folder_that_cannot_be_is_done_without(folder: Path) -> None:
    folder.touch()
    assert _call() == _call() == [("others", "_triple")]
    assert not list((Path(__file__).parent / "__pycache__").glob("*.nb?")), "nor is another used"


def test_two_installations_share_their_code() -> None:
    kernel = importlib.import_module("railbird.cards.kernels").strength7.py_func
    one, other = (
        _jit._Locator(kernel, f"{folder}/railbird/cards/_kernels.py")._cache_path
        for folder in ("/clone/src", "/venv/site-packages")
    )
    assert one == other
    own, same_name = (
        _jit._Locator(_triple, f"{folder}/bots.py")._cache_path for folder in ("/a", "/b")
    )
    assert own != same_name


def test_a_cache_that_cannot_be_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(_jit, "CACHE", tmp_path / "file/kernels")
    with pytest.raises(OSError, match="Not a directory"):
        _jit.check_cache()


@pytest.mark.slow
def test_kernels_copy_arrays_in_loops() -> None:
    """An assignment of slices would compile the text of an error too, for a second and a half."""
    package = Path(railbird.__path__[0])
    copies = [
        f"{path.relative_to(package)}:{line.lineno}"
        for path in package.rglob("*kernels*.py")
        for kernel in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(kernel, ast.FunctionDef) and kernel.decorator_list
        for line in ast.walk(kernel)
        if isinstance(line, ast.Assign)
        and _is_slice(line.targets[0])
        and not _is_number(line.value, path.relative_to(package))
    ]
    assert copies == []


def _is_slice(target: ast.expr) -> bool:
    return isinstance(target, ast.Subscript) and any(
        isinstance(part, ast.Slice) for part in ast.walk(target.slice)
    )


def _is_number(value: ast.expr, module: Path) -> bool:
    if isinstance(value, ast.Name):
        names = vars(importlib.import_module(".".join(("railbird", *module.with_suffix("").parts))))
        return np.ndim(names.get(value.id, ())) == 0
    return isinstance(value, ast.Constant | ast.UnaryOp) or ast.unparse(value) == "np.nan"
