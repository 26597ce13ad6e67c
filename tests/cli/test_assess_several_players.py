"""``railbird assess`` on games of several players: the same verb, from logs of any format."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from railbird.cli import run

SIX = Path(__file__).parents[1] / "golden" / "histories" / "six.log"


def test_json_has_everybody_and_the_crosstable(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["assess", str(SIX), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["unit"] == "bb"
    assert found["seats"] == [6, 6]
    assert found["evidence"]["verdict_by"] in ("fitted", "money")
    assert set(found["crosstable"]) <= set(found["players"])
    for row in found["crosstable"].values():
        for cell in row.values():
            assert set(cell["streets"]) == {"preflop", "flop", "turn", "river"}


def test_the_first_line_says_what_decides(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["assess", str(SIX)]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith(("Fitted decides", "Money decides"))


def test_scores_of_every_hand_and_seat(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["assess", str(SIX), "--out", str(tmp_path / "out"), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    page = Path(said["report"]).read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert "Whose decisions changed whose result" in page
    scores = pl.read_parquet(tmp_path / "out" / "scores.parquet")
    assert scores.height == 6 * said["hands"]
    parts = scores.select("position", "own", "others", pl.selectors.starts_with("luck_"))
    assert (parts.sum_horizontal() - scores["money"]).abs().max() < 1e-9  # type: ignore[operator]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--player", "nobody"], "no player 'nobody' in this log"),
        (["--estimators", "fited"], "no estimator 'fited'; did you mean fitted?"),
    ],
)
def test_wrong_names_are_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["assess", str(SIX), *arguments]) in (1, 2)
    lines = capsys.readouterr().err.splitlines()
    assert said in lines[-1]
