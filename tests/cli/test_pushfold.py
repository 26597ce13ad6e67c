"""`railbird solve` and `railbird pushfold report`, as they are typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from railbird.cli import run

PEOPLE = (
    "card1,card2,position,skill,decision,played_at\n"
    "As,Ad,sb,expert,aggress,\n"
    "7c,2d,sb,expert,fold,\n"
    "10s,KS,bb,novice,aggress,\n"
    "9C,,bb,novice,fold,\n"
)


def test_solve(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "pushfold", "--stack", "10", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["value_sb_bb"] == pytest.approx(-0.045371, abs=1e-6)
    assert answer["chart"]["push"]["AA"] == pytest.approx(1)
    assert answer["chart"]["call"]["32o"] == pytest.approx(0, abs=1e-6)
    assert {"push", "call", "exploitability_bb"} <= answer.keys()


def test_sweep_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chart = tmp_path / "charts.html"
    assert run(["solve", "pushfold", "--sweep", "9:10:0.5", "--out", str(chart)]) == 0
    assert "largest stack at which a hand is called" in capsys.readouterr().out
    page = chart.read_text()
    assert page.count("<picture>") == 2
    assert run(["solve", "pushfold", "--sweep", "9:10:1", "--out", str(tmp_path / "c.svg")]) == 0
    assert (tmp_path / "c.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["solve", "pushfold", "--stack", "0"], "allowed: 1 to 100"),
        (["solve", "pushfold", "--sweep", "1-20"], "LOW:HIGH:STEP"),
        (["solve", "pushfold", "--out", "chart.pdf"], ".html, .svg, .png"),
        (["pushfold", "report", "missing.csv"], "missing.csv"),
    ],
)
def test_bad_input_is_one_line(
    args: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(args) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1


def test_toy_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "toy", "kuhn", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == pytest.approx(-1 / 18, abs=1e-6)


def test_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people = tmp_path / "people.csv"
    people.write_text(PEOPLE)
    out = tmp_path / "report"
    assert run(["pushfold", "report", str(people), "--out", str(out), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["decisions"] == 3
    assert answer["skipped"] == {"cards missing or unreadable": 1}
    assert answer["ev_bb"]["mean"]["value"] == pytest.approx(
        (answer["ev_bb"]["sb"]["value"] + answer["ev_bb"]["bb"]["value"]) / 2
    )
    page = (out / "report.html").read_text()
    assert page.count("<picture>") == 6
    assert "9C,,bb,fold" in page
    assert (out / "push.svg").exists()
    assert (out / "call.svg").exists()


def test_report_against_other_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people = tmp_path / "people.csv"
    people.write_text(PEOPLE)
    assert run(["pushfold", "report", str(people), "--against", str(people)]) == 0
    said = capsys.readouterr()
    assert "people.csv against the people" in said.out
    assert "line 5: cards missing or unreadable" in " ".join(said.err.split())
