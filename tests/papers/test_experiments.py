"""Every experiment, much shrunk: its claims hold, its figures draw, its files say the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest

from railbird import cli
from railbird.cli._console import EXIT_INTERRUPTED
from railbird.errors import BadInput, Interrupted
from railbird.extending import Provenance
from railbird.report import Image
from railbird.solve.strategy_files import SOLVED_IS_KEPT
from railbird_papers import (
    EXPERIMENTS,
    ExperimentResult,
    ExperimentRun,
    Verdict,
    Workspace,
    as_object,
    run,
    table,
    write,
)
from railbird_papers.burch2018 import leduc
from railbird_papers.kan2007 import matches as self_play
from railbird_papers.kan2007 import matches as unbiased

SCALE = 0.002
NAMES = [name for name, one in EXPERIMENTS.items() if ".kan2007." in one.place]
"""Those of this folder; the others have their own tests, with players that need not be solved."""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ExperimentRun]:
    workspace = Workspace(scale=SCALE, seed=1, folder=tmp_path_factory.mktemp("logs"))
    return {name: run(name, workspace) for name in NAMES}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_what_must_hold_holds(runs: dict[str, ExperimentRun], name: str) -> None:
    rows = runs[name].result.rows
    assert {row.verdict for row in rows} & {Verdict.HOLDS, Verdict.AGREES}
    assert [row.name for row in rows if row.verdict is Verdict.FAILS] == []
    assert not runs[name].failed
    assert len({row.name for row in rows}) == len(rows)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_figures_are_complete(runs: dict[str, ExperimentRun], name: str) -> None:
    drawings = runs[name].result.drawings
    assert len({drawing.figure.name for drawing in drawings}) == len(drawings) > 0
    for drawing in drawings:
        assert drawing.figure.spec()["description"]
        assert drawing.subtitle


@pytest.mark.slow
def test_the_published_numbers_of_the_first_experiment_stand_in_its_table(
    runs: dict[str, ExperimentRun],
) -> None:
    """Kan 2007, section 4.2.1."""
    rows = runs["always-call-always-raise"].result.rows
    printed = {row.published.text for row in rows if row.published is not None}
    assert printed == {"47.010", "6.856", "2.913", "5.54", "2.934", "5.46", "2.917", "5.52"}
    exact = {row.name: row for row in rows}["money variance, all hands and boards"]
    assert exact.ours.value == pytest.approx(47.006967, abs=5e-7)
    assert exact.verdict is Verdict.AGREES


@pytest.mark.slow
def test_a_player_is_never_above_its_own_baseline(runs: dict[str, ExperimentRun]) -> None:
    rows = {row.name: row for row in runs["self-play"].result.rows}
    own = rows["hands with a DIVAT other than 0, judged by the player's own settings"]
    assert own.ours.value == 0
    judged = rows[f"DIVAT sd, judged by {self_play.JUDGE.name}"]
    assert judged.ours.value > 0.1
    assert judged.verdict is Verdict.OTHER_PLAYERS


@pytest.mark.slow
def test_robustness_has_nine_lines_a_figure(runs: dict[str, ExperimentRun]) -> None:
    drawings = runs["robustness"].result.drawings
    lines = [each for each in drawings if each.figure.name.startswith("figure-")]
    assert len(lines) == 8
    for each in lines:
        (sums,) = each.data.values()
        assert sums.table.width == 1 + 9


@pytest.mark.slow
def test_the_same_seed_gives_the_same_table(runs: dict[str, ExperimentRun], tmp_path: Path) -> None:
    again = run("unbiased", Workspace(scale=SCALE, seed=1, workers=2, folder=tmp_path))
    assert again.result.rows == runs["unbiased"].result.rows
    other = run("unbiased", Workspace(scale=SCALE, seed=2, folder=tmp_path))
    assert other.result.rows != again.result.rows


@pytest.mark.slow
def test_files_say_what_the_runs_say(runs: dict[str, ExperimentRun], tmp_path: Path) -> None:
    chosen = [runs["unbiased"], runs["self-play"]]
    page = write(chosen, tmp_path, images=[Image.SVG])
    written = json.loads((tmp_path / "table.json").read_text())
    assert Provenance.from_json(written.pop("made")) is not None
    assert written == json.loads(json.dumps(as_object(chosen)))
    written = pl.read_csv(tmp_path / "table.csv")
    assert written["row"].to_list() == table(chosen)["row"].to_list()
    assert written["ours"].to_list() == pytest.approx(table(chosen)["ours"].to_list())
    html = page.read_text()
    assert all(f'<h2 id="{each.experiment.name}">' in html for each in chosen)
    assert html.count("<figure>") == sum(len(each.result.drawings) for each in chosen)
    assert "<script" not in html
    figures = sorted(path.name for path in (tmp_path / "figures").iterdir())
    assert figures == [
        "self-play-self-play.svg",
        "unbiased-unbiased-rest.svg",
        "unbiased-unbiased.svg",
    ]
    before = page.read_bytes()
    assert write(chosen, tmp_path).read_bytes() == before


TOO_FEW_HANDS: Final = "missing-hands"
"""It cuts logs into pieces of a thousand hands, and refuses to print a table without any."""
WITHOUT_ROWS: Final = "loki-preflop"
"""Its rows are thresholds that were measured, and a handful of hands measures none."""


@pytest.mark.slow(but=["losers-show", "self-play"])
@pytest.mark.parametrize("name", [name for name, one in EXPERIMENTS.items() if not one.needs_data])
def test_the_smallest_experiment_is_printed_and_written(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A handful of hands, of which some intervals are unbounded and some numbers unknown."""
    # What no scale lowers: the strategies that are judged are solved for minutes.
    monkeypatch.setattr("railbird_papers.limit_players.equilibria.GAPS", (300.0, 100.0))
    monkeypatch.setattr("railbird_papers.limit_players.equilibria.GAP_MB", 100.0)
    out = tmp_path / "out"
    code = cli.run(["experiment", name, "--scale", "1e-6", "--out", str(out)])
    printed, complaints = capsys.readouterr()
    assert code in {0, cli.EXIT_FINDING}, complaints
    if name == TOO_FEW_HANDS:
        assert (code, printed) == (cli.EXIT_FINDING, "")
        assert len(complaints.splitlines()) == 1
        assert not out.exists()
        return
    assert f"{name}: " in printed
    assert f'<h2 id="{name}">' in (out / "report.html").read_text()
    content = json.loads((out / "table.json").read_text())
    assert [each["name"] for each in content["experiments"]] == [name]
    assert {row["experiment"] for row in content["rows"]} == {name} - {WITHOUT_ROWS}


def test_tables_are_written_whatever_the_picture_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> bytes:
        raise ValueError("no such mark\nin the specification")

    monkeypatch.setattr("railbird_papers.framework.runner.page", fail)
    out = tmp_path / "out"
    command = ["experiment", "loki-game-tree", "--out", str(out)]
    assert cli.run(command) == cli.EXIT_FINDING
    printed, complaints = capsys.readouterr()
    assert "loki-game-tree: " in printed
    (line,) = complaints.splitlines()
    assert line == (
        f"railbird: {out}/report.html is not drawn: no such mark; the tables are in {out}"
    )
    assert json.loads((out / "table.json").read_text())["rows"]
    assert (out / "table.csv").exists()


def test_tables_of_earlier_experiments_are_written_where_a_later_one_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(_: Workspace) -> ExperimentResult:
        raise KeyboardInterrupt

    names = ("loki-game-tree", "fold-offsets")
    chosen = {name: EXPERIMENTS[name] for name in names}
    monkeypatch.setattr("railbird_papers.EXPERIMENTS", chosen)
    monkeypatch.setattr("railbird_papers.kan2007.fold_offsets.perform", stop)
    out = tmp_path / "out"
    assert cli.run(["experiment", "all", "--out", str(out)]) == EXIT_INTERRUPTED
    printed, complaints = capsys.readouterr()
    assert "loki-game-tree: " in printed
    assert complaints.startswith("1 of 2 experiments in ")
    content = json.loads((out / "table.json").read_text())
    assert [each["name"] for each in content["experiments"]] == ["loki-game-tree"]


def test_an_unknown_experiment_is_refused() -> None:
    with pytest.raises(BadInput, match="no experiment 'nonsense'; allowed: pluribus, hidden-cards"):
        run("nonsense", Workspace())


def test_nothing_is_said_to_be_kept_where_nothing_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(_: Workspace) -> ExperimentResult:
        raise KeyboardInterrupt

    monkeypatch.setattr("railbird_papers.kan2007.fold_offsets.perform", stop)
    with pytest.raises(Interrupted, match=r"^stopped in fold-offsets; nothing is kept$"):
        run("fold-offsets", Workspace(folder=tmp_path / "logs"))


def test_an_interruption_says_what_was_solved_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(_: Workspace) -> ExperimentResult:
        interruption = KeyboardInterrupt()
        interruption.add_note(SOLVED_IS_KEPT)
        raise interruption

    monkeypatch.setattr("railbird_papers.kan2007.fold_offsets.perform", stop)
    words = "stopped in fold-offsets; what was solved is kept; run the same command again to resume"
    with pytest.raises(Interrupted, match=f"^{words}$"):
        run("fold-offsets", Workspace(folder=tmp_path / "logs"))


@pytest.mark.parametrize("interrupted_at", [0, 1, 2])
def test_counted_pieces_are_not_counted_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interrupted_at: int
) -> None:
    count = leduc.missed
    calls = 0

    def stop(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls > interrupted_at:
            raise KeyboardInterrupt
        return count(*arguments)

    monkeypatch.setattr(leduc, "ANYTIME_HANDS", 300)
    workspace = Workspace(scale=0.1, folder=tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(leduc, "missed", stop)
        with pytest.raises(Interrupted, match="resume" if interrupted_at else "nothing is kept"):
            run("anytime-intervals", workspace)
    assert len(list(tmp_path.glob("*.json"))) == interrupted_at
    resumed = run("anytime-intervals", workspace).result
    plain = run("anytime-intervals", Workspace(scale=0.1, folder=tmp_path / "else")).result
    assert resumed.rows == plain.rows


@pytest.mark.slow
def test_what_was_played_before_an_interruption_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    workspace = Workspace(scale=1e-6, folder=tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr("railbird_papers.framework.workspace.assess", stop)
        with pytest.raises(Interrupted, match="run the same command again to resume"):
            run("unbiased", workspace)
    played = workspace.hands(unbiased.HANDS)
    assert workspace.work[0].hands == played
    assert run("unbiased", workspace).result.hands == played
    assert workspace.work[1].hands == 0
