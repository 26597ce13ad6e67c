"""`railbird machine warm` loads nothing where all is compiled, and compiles again what is gone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from railbird import _jit
from railbird.cli import warm


@pytest.fixture
def code(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A cache that holds one compiled function of one room."""
    code = tmp_path / "game-0123456789abcdef" / "kernels.replay-1.py311.1.nbc"
    code.parent.mkdir()
    code.write_bytes(b"machine code")
    monkeypatch.setattr(_jit, "CACHE", tmp_path)
    monkeypatch.setattr(_jit, "room_cache", lambda room: code.parent)
    monkeypatch.setattr(warm, "rooms", lambda: ["game"])
    return code


def test_what_was_compiled_need_not_be_loaded(code: Path) -> None:
    assert not warm.is_warm()
    warm.note_warm()
    assert warm.is_warm()
    code.with_name("another-1.nbc").write_bytes(b"what another command compiled since")
    assert warm.is_warm()


def _another_processor(code: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_jit, "target", lambda: ("x86_64-unknown-linux-gnu", "another", "+avx"))


def _other_steps(code: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "module_of", lambda room: "railbird.odds._warm")


def _other_kernels(code: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = code.parent.with_name("game-fedcba9876543210")
    code.parent.rename(other)
    monkeypatch.setattr(_jit, "room_cache", lambda room: other)


@pytest.mark.parametrize(
    "change",
    [
        lambda code, _: code.unlink(),
        lambda code, _: (code.parents[1] / "warm.json").write_bytes(b"\xff half a file"),
        lambda code, _: (code.parents[1] / "warm.json").write_text("[]"),
        _another_processor,
        _other_steps,
        _other_kernels,
    ],
    ids=["deleted", "damaged", "no-object", "processor", "steps", "kernels"],
)
def test_it_is_compiled_again(
    code: Path,
    change: Callable[[Path, pytest.MonkeyPatch], object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    warm.note_warm()
    change(code, monkeypatch)
    assert not warm.is_warm()
