"""``railbird experiment`` as a contract."""

from __future__ import annotations

import json
from importlib.metadata import EntryPoints, entry_points
from pathlib import Path
from pkgutil import resolve_name

import click
import pytest
from click.shell_completion import ShellComplete

from railbird._extras import how_to_install
from railbird.cli import _railbird, run
from railbird.cli._completion import COMPLETE_VARIABLE
from railbird.cli.experiment import command
from railbird_papers import EXPERIMENTS, Experiment


def call(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    code = run(["experiment", *args])
    out, err = capsys.readouterr()
    return code, out, err


def test_list_has_a_sentence_for_each(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "list")
    assert code == 0
    assert all(name in out for name in EXPERIMENTS)
    code, out, _ = call(capsys, "list", "--json")
    listed = json.loads(out)["experiments"]
    assert [each["name"] for each in listed] == list(EXPERIMENTS)
    assert all(each["summary"].endswith(".") for each in listed)


def test_what_help_lists_is_what_the_package_has() -> None:
    (found,) = entry_points(group="railbird.verbs", name="experiment")
    theirs = found.load()
    assert isinstance(theirs, click.Command)
    assert command.get_short_help_str(200) == theirs.get_short_help_str(200)


@pytest.mark.parametrize("arguments", ["list", "--help", "unbiased --scale 0.1", ""])
def test_without_the_package_it_says_how_to_install_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: str
) -> None:
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: EntryPoints())
    code, out, err = call(capsys, *arguments.split())
    assert (code, out) == (2, "")
    assert err == f"railbird: this needs railbird_papers: {how_to_install('papers')}\n"
    assert run(["--help"]) == 0
    assert "\n  experiment " in capsys.readouterr().out
    shell = ShellComplete(_railbird, {}, "railbird", COMPLETE_VARIABLE)
    assert shell.get_completions(["experiment"], "un") == []


@pytest.mark.parametrize("experiment", EXPERIMENTS.values(), ids=EXPERIMENTS)
def test_is_where_the_list_says(experiment: Experiment) -> None:
    assert callable(resolve_name(experiment.place))


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["nonsense"], "no experiment 'nonsense'; allowed: list, all, pluribus, hidden-cards"),
        (["unbiased", "--scale", "0"], "scale 0; allowed: above 0"),
        (["unbiased", "--image", "png"], "--image needs --out"),
        (["unbiased", "--seed", "-1"], "-1; allowed: 0 or more"),
    ],
)
def test_bad_input_is_one_line(
    capsys: pytest.CaptureFixture[str], args: list[str], said: str
) -> None:
    code, out, err = call(capsys, *args)
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1
    assert said in err


@pytest.mark.slow
def test_json_has_rows_and_files_are_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    code, text, _ = call(
        capsys, "unbiased", "--scale", "0.001", "--out", str(out), "--image", "png", "--json"
    )
    assert code == 0
    assert text.count("\n") == 1
    found = json.loads(text)
    assert {"published", "ours", "verdict", "experiment", "rule"} <= set(found["rows"][0])
    assert found["experiments"][0]["seed"] == 0
    assert Path(found["report"]) == out / "report.html"
    assert {path.name for path in out.iterdir()} == {
        "figures",
        "logs",
        "report.html",
        "table.csv",
        "table.json",
    }
    assert [path.name for path in (out / "logs").iterdir()] == ["random-v-baseline-1000-seed-0.log"]


@pytest.mark.slow
def test_without_a_folder_nothing_stays(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = tmp_path / "experiments"
    monkeypatch.setattr("railbird_papers.framework.workspace.cache_folder", lambda: tmp_path)
    code, out, _ = call(capsys, "unbiased", "--scale", "0.0005")
    assert code == 0
    assert "money less DIVAT, paired" in out
    assert "holds" in out
    assert logs.is_dir()
    assert not list(logs.iterdir())
