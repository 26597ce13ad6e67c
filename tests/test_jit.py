"""Compiled code in the cache folder, whatever state it is in."""

from __future__ import annotations

import ast
import importlib
import os
import re
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
import railbird_papers
from railbird import _jit

_SCALARS = {"None", "bool", "int", "float", "np.int64", "np.uint16", "np.uint64", "tuple", "_Line"}


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


def _write(package: Path, kernels: str) -> None:
    package.mkdir(parents=True, exist_ok=True)
    (package / "__init__.py").touch()
    (package / "kernels.py").write_text(kernels)


@pytest.mark.slow
def test_a_package_beside_ours_is_a_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its folder has its name and no path, and changes with its kernels and those they call."""
    code = "from railbird import _jit; print(_jit.room_cache('railbird_theirs').name)"

    def folder(kernels: str, site: str = "here") -> str:
        _write(tmp_path / site / "railbird_theirs", kernels)
        path = os.pathsep.join([str(tmp_path / site), *filter(None, sys.path)])
        variables = {**os.environ, "PYTHONPATH": path}
        done = subprocess.run(
            [sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    one = folder("from railbird.cards.kernels import strength7\n")
    assert one.startswith("railbird_theirs-")
    assert folder("from railbird.cards.kernels import strength7\n", "there") == one
    assert folder("from railbird.cards.kernels import strength5\n") != one

    import_of_cards = folder("from railbird.cards.kernels import strength7\n#\n")
    import_of_game = folder("from railbird.game.kernels import strength7\n")
    assert len({one, import_of_cards, import_of_game}) == 3

    kernel = importlib.import_module("railbird_papers.kan2007.kernels").call_on_turn.py_func
    found = Path(_jit._Locator(kernel, "/anywhere/kernels.py")._cache_path)
    assert found == _jit.room_cache("railbird_papers") / "railbird_papers.kan2007"
    assert _jit._room_of("railbird_bot") == "others", "a file of such a name is no package"


def test_a_cache_that_cannot_be_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(_jit, "CACHE", tmp_path / "file/kernels")
    with pytest.raises(OSError, match="Not a directory"):
        _jit.check_cache()


def test_kernels_that_count_no_references_return_no_array() -> None:
    """Whoever calls them would give back a reference that nobody has counted."""
    arrays = [
        f"{path}:{kernel.lineno}"
        for package in (railbird, railbird_papers)
        for path in Path(package.__path__[0]).rglob("*kernels*.py")
        for kernel in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(kernel, ast.FunctionDef)
        and any("uncounted" in ast.unparse(each) for each in kernel.decorator_list)
        and kernel.returns is not None
        and not _SCALARS.issuperset(re.findall(r"[\w.]+", ast.unparse(kernel.returns)))
    ]
    assert arrays == []


@pytest.mark.slow
def test_kernels_copy_arrays_in_loops() -> None:
    """An assignment of slices would compile the text of an error too, for a second and a half."""
    copies = [
        f"{path}:{line.lineno}"
        for package in (railbird, railbird_papers)
        for path in Path(package.__path__[0]).rglob("*kernels*.py")
        for kernel in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(kernel, ast.FunctionDef) and kernel.decorator_list
        for line in ast.walk(kernel)
        if isinstance(line, ast.Assign)
        and _is_slice(line.targets[0])
        and not _is_number(line.value, path.relative_to(Path(package.__path__[0]).parent))
    ]
    assert copies == []


def _is_slice(target: ast.expr) -> bool:
    return isinstance(target, ast.Subscript) and any(
        isinstance(part, ast.Slice) for part in ast.walk(target.slice)
    )


def _is_number(value: ast.expr, module: Path) -> bool:
    if isinstance(value, ast.Name):
        names = vars(importlib.import_module(".".join(module.with_suffix("").parts)))
        return np.ndim(names.get(value.id, ())) == 0
    return isinstance(value, ast.Constant | ast.UnaryOp) or ast.unparse(value) == "np.nan"
