"""Experiments are found by folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import railbird.experiments
from railbird.experiments import EXPERIMENTS
from railbird.experiments.framework.registry import discover

SOURCE = """
from railbird.experiments.framework.experiment import Experiment

EXPERIMENTS = (
    Experiment(name={name!r}, summary="Something.", source="Them", place=f"{{__name__}}:perform"),
)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place beside the others where sources are looked for."""
    folders = [*railbird.experiments.__path__, str(tmp_path)]
    monkeypatch.setattr(railbird.experiments, "__path__", folders)
    monkeypatch.delitem(sys.modules, "railbird.experiments.them2030", raising=False)
    (tmp_path / "them2030").mkdir()
    return tmp_path


def test_a_folder_is_enough(folder: Path) -> None:
    (folder / "them2030/__init__.py").write_text(SOURCE.format(name="theirs"))
    found = discover(railbird.experiments.__path__)
    assert [*found] == [*EXPERIMENTS, "theirs"]


def test_a_name_is_given_once(folder: Path) -> None:
    (folder / "them2030/__init__.py").write_text(SOURCE.format(name="unbiased"))
    with pytest.raises(ValueError, match="two experiments are named 'unbiased'"):
        discover(railbird.experiments.__path__)


def test_listing_compiles_nothing() -> None:
    code = (
        "import sys; from railbird.experiments import EXPERIMENTS; "
        "assert len(EXPERIMENTS) > 10; print(*{'numba', 'numpy', 'altair'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
