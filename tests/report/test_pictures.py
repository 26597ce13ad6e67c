"""What a picture shows, and how wide it is."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from railbird.blackjack.chart import UPCARDS
from railbird.cli import run
from railbird.odds import FlopOutcomes
from railbird.report.html_page import write
from railbird.report.number_format import file_names
from railbird.report.odds import class_table_chart, outcomes_chart
from railbird.report.pushfold_pages import solution_document
from railbird.report.strategy_chart import strategy_chart
from railbird.solve import solve_pushfold


def data_of(spec: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of all data of a specification."""
    return [row for rows in spec["datasets"].values() for row in rows]


def width_of(svg: str) -> float:
    found = re.search(r'<svg[^>]* width="([\d.]+)"', svg)
    assert found is not None
    return float(found[1])


@pytest.mark.slow
def test_a_heading_is_no_wider_than_the_charts_and_says_things_once(tmp_path: Path) -> None:
    document = solution_document(solve_pushfold(stack=10))
    pictures = {}
    for name, shown in (("whole", document), ("bare", replace(document, title="", lead=""))):
        write(shown, tmp_path / f"{name}.svg")
        pictures[name] = (tmp_path / f"{name}.svg").read_text()
    assert width_of(pictures["whole"]) == width_of(pictures["bare"])
    assert len(re.findall(">[^<]*small blind loses", pictures["whole"])) == 1


def test_equities_are_written_as_players_read_them() -> None:
    chart = class_table_chart(np.full(169, 0.71), "AKs").to_dict()
    cells = [row for row in data_of(chart) if row["hand"]]
    assert {row["shown"] for row in cells} == {"71"}
    assert {row["side"] for row in cells} == {False}
    low = data_of(class_table_chart(np.full(169, 0.3), "72o").to_dict())
    assert {row["side"] for row in low if row["hand"]} == {True}, "less than half"


def test_the_few_best_flops_do_not_stretch_the_axis() -> None:
    raw = np.append(np.linspace(-3, 5, 9_999), 24.0)
    alone = np.ones(10_000, np.int64)
    outcomes = FlopOutcomes(
        probability=np.full(10_000, 1e-4), raw=raw, opponents=alone, no_flop=0.0
    )
    spec = outcomes_chart(outcomes, title="flops").to_dict()
    rows = [row for row in data_of(spec) if "share" in row]
    assert max(row["to"] for row in rows) < 5.5
    assert sum(row["share"] for row in rows) == pytest.approx(1)


def test_a_strategy_has_a_legend_of_its_letters() -> None:
    chart = {row: dict.fromkeys(UPCARDS, cell) for row, cell in (("9", "Ds"), ("8", "H"))}
    spec = strategy_chart(chart, tuple(chart), title="some").to_dict()
    legend = spec["layer"][0]["encoding"]["color"]["legend"]["values"]
    assert [words.split()[0] for words in legend] == ["H", "D"]


@pytest.mark.slow
def test_pictures_of_odds_show_what_is_asked_for(tmp_path: Path) -> None:
    def drawn(*options: str) -> str:
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.svg"
        assert run(["odds", "AhQh", "Ks7d2c", *options, "--out", str(path)]) == 0
        return path.read_text()

    spectra, by_opponents = drawn("--show", "spectrum"), drawn("--show", "by-opponents")
    assert ">Final hands<" in spectra
    assert "Odds against any hands" not in spectra
    assert "Final hands" not in by_opponents
    assert "after reflection" not in drawn()
    assert "after reflection" in drawn("--action", "flop:bet")


def test_files_are_named_by_players() -> None:
    assert file_names(["Ann", "loki:som", "ann", "7"]) == {
        "Ann": "Ann", "loki:som": "loki-som", "ann": "ann-3", "7": "7-4",
    }  # fmt: skip
