"""Compiled code beside the package: used where it is whole and the processor can run it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from railbird import _jit
from railbird._shared_cache import SharedCode, share, shared_code

_SCRIPT = """
from railbird import _jit

compiled = []

class Watcher:
    def begins(self, room, kernel):
        compiled.append(kernel)
    def ends(self):
        pass

@_jit.kernel
def six_times(number):
    return 6 * number

with _jit.watched(Watcher()):
    assert six_times(7) == 42
print(*_jit.target(), *compiled, sep=";")
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    script = tmp_path / "bot.py"
    text = f"_jit.FOLDER = __import__('pathlib').Path({str(tmp_path)!r})\n"
    script.write_text(_SCRIPT.replace("\n\n", f"\n{text}\n", 1))
    return script


def _compiled(script: Path, **variables: str) -> tuple[tuple[str, str, str], list[str]]:
    """Run a program in a new process; what its kernels were compiled for, and which were."""
    found = subprocess.run(
        [sys.executable, str(script)],
        env={**os.environ, "RAILBIRD_CACHE": str(script.parent / "cache"), **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    triple, processor, features, *kernels = found.stdout.strip().split(";")
    return (triple, processor, features), kernels


def _share(script: Path, **variables: str) -> SharedCode:
    """Compile the program's kernel, put the code where all find it, and forget the user's own."""
    target, kernels = _compiled(script, **variables)
    assert kernels == ["six_times"]
    (cache,) = (script.parent / "cache/kernels").iterdir()
    shared = share([cache], target, script.parent / "kernels")
    shutil.rmtree(script.parent / "cache")
    return shared


@pytest.mark.slow
def test_code_for_a_baseline_is_used_by_this_processor(script: Path) -> None:
    target, _ = _compiled(script)
    shutil.rmtree(script.parent / "cache")
    shared = _share(script, NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="")
    assert shared.target != target
    assert _compiled(script) == (target, []), "its own code is for another processor"
    assert not (script.parent / "cache").exists()
    assert _compiled(script, **{_jit.OWN_CODE: "1"}) == (target, ["six_times"])


@pytest.mark.slow
def test_code_that_is_damaged_is_not_used(script: Path) -> None:
    shared = _share(script)
    for suffix in ("nbc", "nbi"):
        (file,) = shared.folder.rglob(f"*.{suffix}")
        whole = file.read_bytes()
        file.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        assert _compiled(script)[1] == ["six_times"]
        shutil.rmtree(script.parent / "cache")
        file.write_bytes(whole)
    assert _compiled(script)[1] == []


def test_the_processor_must_have_all_features(tmp_path: Path) -> None:
    triple, processor, features = _jit.target()
    target = triple, processor, f"{features},+no-such-feature"
    share([], target, tmp_path)
    assert shared_code(tmp_path) is None
    share([], (triple, processor, "-avx,-no-such-feature"), tmp_path)
    assert shared_code(tmp_path) is not None
    share([], ("no-such-triple", processor, features), tmp_path)
    assert shared_code(tmp_path) is None


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"target": [1], "files": {}}', "[" * 100_000])
def test_a_list_of_files_that_is_none_is_as_no_code(tmp_path: Path, text: str) -> None:
    (tmp_path / "code.json").write_text(text)
    assert shared_code(tmp_path) is None


@pytest.mark.slow
def test_half_of_the_files_are_not_used(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = _share(script)
    (cache,) = (each for each in shared.folder.iterdir() if each.is_dir())
    kept = shutil.copytree(cache, script.parent / "kept" / cache.name)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        with pytest.raises(OSError, match="No space"):
            share([kept], shared.target, shared.folder)
    assert not (shared.folder / "code.json").exists()
    assert _compiled(script)[1] == ["six_times"]
    share([kept], shared.target, shared.folder)
    assert (
        json.loads((shared.folder / "code.json").read_text())["files"].keys() == shared.files.keys()
    )
