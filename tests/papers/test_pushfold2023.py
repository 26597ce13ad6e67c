"""The push/fold experiments at a small scale."""

from __future__ import annotations

from pathlib import Path

import pytest

from railbird_papers.framework.rows import Verdict
from railbird_papers.framework.workspace import Workspace
from railbird_papers.pushfold2023.pushfold import DATA_VARIABLE, charts, convergence, users


@pytest.mark.slow
def test_convergence_gets_nearer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path))
    found = convergence(Workspace(scale=0.05, seed=1, folder=tmp_path))
    assert found.hands == 5000
    assert found.rows[-1].verdict is Verdict.HOLDS
    assert len(found.drawings) == 11
    assert not any("people" in row.name for row in found.rows), "their list is not there"


@pytest.mark.slow
def test_one_snapshot_is_not_compared_with_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path))
    single = convergence(Workspace(scale=1e-6, seed=1, folder=tmp_path))
    assert single.hands == 1
    assert not any(row.verdict is Verdict.FAILS for row in single.rows)


@pytest.mark.slow
def test_iterations_are_set_beside_the_people(
    shared_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(DATA_VARIABLE, str(shared_data))
    found = convergence(Workspace(scale=0.2, seed=1, folder=tmp_path))
    ours = {row.name: row.ours.value for row in found.rows}
    pushes = "distance of the pushes from the people, "
    # The source (2.2): at about 4,000 iterations the pushes look like the users'.
    assert ours["iterations at which the pushes are nearest to the people"] == 4000
    assert ours[f"{pushes}after 4,000 iterations"] == pytest.approx(0.119, abs=0.02)
    assert ours[f"{pushes}after 20 iterations"] > 0.3
    assert ours[f"{pushes}equilibrium"] == pytest.approx(0.1825, abs=5e-4)


@pytest.mark.slow
def test_printed_charts_are_met(tmp_path: Path) -> None:
    found = charts(Workspace(scale=0.01, folder=tmp_path))
    assert [row.verdict for row in found.rows[:2]] == [Verdict.AGREES, Verdict.AGREES]


@pytest.mark.slow
def test_without_their_list_a_sample_stands_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says so in every row, and compares nothing with the source's users."""
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path))
    found = users(Workspace(scale=0.1, folder=tmp_path))
    assert found.hands == 4 * 2 * 169
    assert all("of our own making" in row.note for row in found.rows)
    verdicts = {row.verdict for row in found.rows}
    assert verdicts == {Verdict.OTHER_PLAYERS, Verdict.MEASURED}
    # They play too much: the equilibrium wins from them in both seats.
    ours = {row.name: row.ours.value for row in found.rows}
    assert ours["small blind"] > -0.0453
    assert ours["big blind"] > 0.0454
    assert len(found.drawings) == 6


@pytest.mark.slow
def test_the_people(shared_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DATA_VARIABLE, str(shared_data))
    found = users(Workspace(scale=0.1, folder=tmp_path))
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
    # Section 3.3: the hands that it names.
    aces = [row for name, row in by_name.items() if name.endswith("highest hand, AA")]
    assert [row.verdict for row in aces] == [Verdict.AGREES, Verdict.AGREES]
    assert by_name["times that the people folded 54o, of 11"].verdict is Verdict.AGREES
    lowest = by_name["small blind: the strategy's lowest hand, 43s"]
    assert lowest.ours.value == pytest.approx(-0.780, abs=1e-3)
    assert lowest.note == "Number 4 from the end here, where 53s has −0.820."
    offsuit = by_name["big blind: the people's lowest hand, 54o"]
    assert offsuit.ours.value == pytest.approx(-0.716, abs=1e-3)
    assert 0.05 < offsuit.ours.stderr < 0.3
    assert offsuit.note.endswith("± 0.28 (95 %) by the share of 11 decisions that were to play.")
    assert by_name["small blind: the people's lowest hand, JTs"].ours.value > 0.1
    # Sections 3.1 and 3.4: both seats of the people, and of the source's way beside equilibrium.
    assert by_name["small blind: hands played, the people"].ours.value == pytest.approx(
        56.57, abs=0.01
    )
    assert by_name["big blind: hands played, the people"].ours.value == pytest.approx(
        49.73, abs=0.01
    )
    apart = [
        by_name[f"distance of the two seats, {who}"].ours.value
        for who in ("the people", "equilibrium")
    ]
    assert apart == pytest.approx([0.1157, 0.2091], abs=1e-4)
    other = "classes on the other side of a half, the source's way"
    assert (
        0
        <= by_name[f"big blind: {other}"].ours.value
        <= by_name[f"small blind: {other}"].ours.value
        < 12
    )
    inefficient = {drawing.figure.name for drawing in found.drawings}
    assert {"inefficiencies-call", "inefficiencies-push"} <= inefficient
