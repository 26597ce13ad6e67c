"""``railbird assess`` on games of several players: the same verb, from logs of any format."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from railbird.assessment.decision_divat.match import assess_batches
from railbird.cli import run
from railbird.histories import HandRecord, read, write
from railbird.histories.columns import batches_of
from railbird.report.several_players.page import table_page

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


def test_the_first_words_are_the_result_and_what_decides(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["assess", str(SIX)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert said.startswith("Too few hands to say who is better. Fitted decides: all cards of 8")


def test_one_player_comes_first_in_words_and_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["assess", str(SIX), "--player", "Flo"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Flo: ")
    assert "big blinds a hand. Fitted decides" in " ".join(said.split())


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    assert run(["assess", *arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_figures_do_not_depend_on_the_workers(capsys: pytest.CaptureFixture[str]) -> None:
    one, three = (told(capsys, str(SIX), "--workers", count) for count in ("1", "3"))
    assert one == three


def test_settings_change_divat_and_not_the_money(capsys: pytest.CaptureFixture[str]) -> None:
    usual, tight = (
        told(capsys, str(SIX), "--settings", name)["players"]["Flo"]
        for name in ("standard", "tight-high")
    )
    assert usual["money"] == tight["money"]
    assert usual["divat"]["value"] != tight["divat"]["value"]


def test_several_settings_are_averaged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both, *each = (
        told(capsys, str(SIX), "--settings", name, "--out", str(tmp_path / name))
        for name in ("standard+tight-high", "standard", "tight-high")
    )
    assert both["settings"] == "standard+tight-high"
    for name in both["players"]:
        means = [one["players"][name]["divat"]["value"] for one in each]
        assert means[0] != means[1]
        assert both["players"][name]["divat"]["value"] == pytest.approx(sum(means) / 2)
        assert both["players"][name]["money"] == each[0]["players"][name]["money"]
    rows, *single = (
        pl.read_parquet(tmp_path / name / "scores.parquet")
        for name in ("standard+tight-high", "standard", "tight-high")
    )
    parts = rows.select("position", "own", "others", pl.selectors.starts_with("luck_"))
    assert (parts.sum_horizontal() - rows["money"]).abs().max() < 1e-9  # type: ignore[operator]
    half = (single[0]["own"] + single[1]["own"]) / 2
    assert rows["own"].to_list() == pytest.approx(half.to_list())
    page = (tmp_path / "standard+tight-high" / "report.html").read_text()
    assert page.count("<details>") == 10


def test_a_sweep_has_each_of_the_settings_as_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "sweep.csv"
    sweep = told(capsys, str(SIX), "--sweep", "standard,tight-high", "--table", str(table))["sweep"]
    alone = told(capsys, str(SIX), "--settings", "tight-high")["players"]
    assert list(sweep) == ["standard", "tight-high"]
    for name, of in alone.items():
        assert sweep["tight-high"][name]["divat"]["value"] == of["divat"]["value"]
        assert sweep["tight-high"][name]["fitted"]["value"] == of["fitted"]["value"]
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert len(rows) == 2 * len(alone) * 3
    assert run(["assess", str(SIX), "--sweep", "standard,tight-high"]) == 0
    assert "tight-high" in capsys.readouterr().out


def test_tables_for_papers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = told(capsys, str(SIX))["players"]
    texts = {}
    for ending in ("tex", "md", "csv"):
        file = tmp_path / f"table.{ending}"
        assert run(["assess", str(SIX), "--table", str(file), "--json"]) == 0
        texts[ending] = file.read_text()
    rows = list(csv.DictReader(texts["csv"].splitlines()))
    for row in rows:
        assert float(row["value"]) == said[row["player"]][row["estimator"]]["value"]
    assert {row["player"] for row in rows} == set(said)
    assert texts["tex"].startswith("% bb a hand ± standard error\n\\begin{tabular}{lr")
    assert "\\toprule" in texts["tex"]
    body = texts["tex"].partition("\n")[2]
    assert body.isascii(), "what LaTeX does not know"
    assert texts["md"].count("|\n") == 2 + len(said)


def test_forward_takes_coefficients_from_earlier_hands(
    capsys: pytest.CaptureFixture[str],
) -> None:
    usual, forward = (told(capsys, str(SIX), *more) for more in ([], ["--forward"]))
    assert (usual["forward"], forward["forward"]) == (False, True)
    assert usual["players"]["Flo"]["divat"] == forward["players"]["Flo"]["divat"]


def test_heads_up_limit_by_decisions_has_the_fitted_estimator(
    capsys: pytest.CaptureFixture[str],
) -> None:
    limit = str(SIX.with_name("limit.log"))
    found = told(capsys, limit, "--by-decisions")
    assert found["evidence"]["verdict_by"] == "fitted"
    assert found["unit"] == "sb"
    rounds = told(capsys, limit)
    for name, of in rounds["players"].items():
        assert of["money"]["value"] == pytest.approx(found["players"][name]["money"]["value"])


def test_every_figure_as_a_file(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run(["assess", str(SIX), "--out", str(out), "--images", "svg"]) == 0
    names = {each.name for each in (out / "figures").iterdir()}
    assert {"crosstable.svg", "running-sums-1.svg"} <= names


def test_the_page_replays_the_costliest_hands(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run(["assess", str(SIX), "--out", str(out)]) == 0
    page = (out / "report.html").read_text()
    assert page.count("<details>") == 10
    assert "By position, bb a hand" in page
    assert "<script" not in page


def test_figures_of_a_selected_sample_say_so() -> None:
    records = [hand for hand in read(SIX) if isinstance(hand, HandRecord)]
    hidden = [replace(record, holes=(None, *record.holes[1:])) for record in records[:2]]
    words = (
        f"Of the {len(records) - 2} hands whose cards are all known; they are not representative."
    )
    assessment = assess_batches(batches_of([*hidden, *records[2:]]), boards=2)
    assert table_page(assessment).count(words) == 3
    whole = assess_batches(batches_of(records), boards=2)
    assert "not representative" not in table_page(whole)


def test_a_table_of_a_log_with_hidden_cards_has_what_decides(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = [hand for hand in read(SIX) if isinstance(hand, HandRecord)]
    hidden = [replace(record, holes=(None, *record.holes[1:])) for record in records[:2]]
    log, out = tmp_path / "some.phhs", tmp_path / "out"
    write([*hidden, *records[2:]], log)
    assert run(["assess", str(log), "--out", str(out)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "DIVAT " not in said.partition("whose decisions")[0]
    assert f"some cards of 2 of {len(records)} hands" in said
    scores = pl.read_parquet(out / "scores.parquet")
    assert scores.height == 6 * len(records)
    assert scores["divat"].null_count() == 12
    assert scores["money"].null_count() == 0
    assert run(["assess", str(log), "--estimators", "money,divat,fitted"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    known = f"{len(records) - 2} hands whose cards are all known, a selected sample."
    assert f"DIVAT and Fitted are of the {known}" in said
    for options in (["--sweep", "standard,tight-low"], ["--estimators", "divat,fitted"]):
        table = tmp_path / f"{options[0]}.md"
        assert run(["assess", str(log), *options, "--table", str(table)]) == 0
        assert f"DIVAT and Fitted are of the {known}" in table.read_text()
        said = " ".join(capsys.readouterr().out.split())
        assert f"DIVAT and Fitted are of the {known}" in said


def test_copies_of_a_deal_are_hands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs = tmp_path / "logs"
    play = ["league", "always-call", "random", "always-raise", "--ring", "--duplicate"]
    assert run([*play, "--hands", "30", "--log", str(logs)]) == 0
    capsys.readouterr()
    assert run(["assess", str(logs)]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert next(row[1] for row in rows if row[:1] == ["random"]) == "30"


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
        (["--sweep", "standard,standrd"], "did you mean standard?"),
        (["--sweep", "standard,standard"], "the same settings twice"),
        (["--table", "out.xls"], "allowed: .tex, .md, .csv"),
    ],
)
def test_wrong_names_are_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["assess", str(SIX), *arguments]) in (1, 2)
    lines = capsys.readouterr().err.splitlines()
    assert said in lines[-1]


def test_hands_of_another_betting_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder of limit and no-limit logs is judged by the first one's betting, not in silence."""
    logs, out = tmp_path / "logs", tmp_path / "out"
    logs.mkdir()
    (logs / "1.log").write_text(SIX.read_text())
    (logs / "2.log").write_text(SIX.with_name("limit.log").read_text())
    assert run(["assess", str(logs), "--out", str(out)]) == 0
    assert "not no-limit betting" in capsys.readouterr().err
    page = (out / "report.html").read_text()
    assert "Hands skipped" in page
    assert "not no-limit betting" in page
