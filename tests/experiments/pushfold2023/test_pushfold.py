"""The push/fold experiments at a small scale."""

from __future__ import annotations

from pathlib import Path

import pytest

from railbird.errors import BadInput
from railbird.experiments.framework.rows import Verdict
from railbird.experiments.framework.workspace import Workspace
from railbird.experiments.pushfold2023 import experiments


def test_convergence_gets_nearer(tmp_path: Path) -> None:
    found = experiments.convergence(Workspace(scale=0.05, seed=1, folder=tmp_path))
    assert found.hands == 5000
    assert found.rows[-1].verdict is Verdict.HOLDS
    assert len(found.drawings) == 10


def test_printed_charts_are_met(tmp_path: Path) -> None:
    found = experiments.charts(Workspace(scale=0.01, folder=tmp_path))
    assert [row.verdict for row in found.rows[:2]] == [Verdict.AGREES, Verdict.AGREES]


def test_the_people_need_their_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(experiments.DATA_VARIABLE, str(tmp_path))
    with pytest.raises(BadInput, match=experiments.DATA_VARIABLE):
        experiments.users(Workspace(folder=tmp_path))


def test_the_people(shared_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(experiments.DATA_VARIABLE, str(shared_data))
    found = experiments.users(Workspace(scale=0.1, folder=tmp_path))
    by_name, way = {row.name: row for row in found.rows}, ", the source's way"
    assert by_name["small blind"].verdict is Verdict.AGREES
    assert by_name["mean"].verdict is Verdict.AGREES
    assert by_name["rows that do not count"].ours.value == 4
    # The source's own arithmetic meets its mean; chance in the boards does not explain its seats.
    again = {name.removesuffix(way): row for name, row in by_name.items() if name.endswith(way)}
    assert again["mean"].verdict is Verdict.AGREES
    assert again["mean"].ours.stderr < 0.003
    assert again["small blind"].ours.value == pytest.approx(0.0475, abs=0.005)
    assert found.tables["hands"].height == 169
