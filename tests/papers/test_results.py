"""Results that are kept are those of their hash, and the manual's tables are made from them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from railbird.arena import Match
from railbird.arena.evaluations import MONEY, append_evaluations, match_subject
from railbird.errors import BadInput, DamagedFile
from railbird.estimates.estimate import estimate
from railbird.extending import Provenance
from railbird.game.rules import HEADS_UP_NO_LIMIT
from railbird_papers import EXPERIMENTS, ExperimentResult, ExperimentRun, Published, Row, Verdict
from railbird_papers.framework.rows import measured
from results.__main__ import BLOCK, LEDGER, MANUAL, RESULTS, keep, kept, results_of, with_tables

PAGE = "Before.\n\n<!-- results: fold-offsets{} -->\n<!-- end of results -->\n\nAfter.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    values = estimate(np.array([-1.0, 0.5, 0.5, 1.0]))
    compared = Row(
        name="money",
        published=Published(text="-0.10"),
        ours=values,
        verdict=Verdict.AGREES,
        rule="within 3 standard errors",
    )
    result = ExperimentResult(hands=4, rows=(compared, measured("spread", values)), drawings=())
    done = ExperimentRun(
        experiment=EXPERIMENTS["fold-offsets"],
        scale=0.5,
        seed=0,
        result=result,
        work=(),
        seconds=1.0,
    )
    keep(results_of(done), tmp_path)
    return tmp_path


def test_a_table_has_the_rows_and_the_command_that_gives_them(folder: Path) -> None:
    page = with_tables(PAGE.format(""), folder)
    assert "4 hands: `railbird experiment fold-offsets --scale 0.5`" in page
    (money,) = [line for line in page.splitlines() if line.startswith("| money")]
    cells = [cell.strip() for cell in money.strip("|").split("|")]
    assert cells[:3] == ["money", "−0.10", "0.25"]
    assert cells[4] == "agrees"
    assert (page[:8], page[-8:]) == ("Before.\n", "\nAfter.\n")
    assert with_tables(page, folder) == page


def test_a_typed_number_is_noticed(folder: Path) -> None:
    page = with_tables(PAGE.format("; ours, interval"), folder)
    assert with_tables(page.replace("0.25", "0.26"), folder) == page
    assert "agrees" not in page


def test_rows_are_chosen_by_name(folder: Path) -> None:
    page = with_tables(PAGE.format("; ours; rows=^spread$"), folder)
    assert "| spread" in page
    assert "| money" not in page


def test_changed_results_are_not_those_of_their_hash(folder: Path) -> None:
    path = folder / "fold-offsets.json"
    path.write_text(path.read_text().replace('"value": 0.25', '"value": 0.26'))
    with pytest.raises(DamagedFile, match="the hash is not that of the results"):
        kept("fold-offsets", folder)


def test_kept_results_have_their_hash() -> None:
    for name in (path.stem for path in RESULTS.glob("*.json")):
        assert name in EXPERIMENTS
        assert kept(name)["rows"], name


def test_the_manuals_tables_are_those_of_the_results() -> None:
    pages = {page: page.read_text() for page in MANUAL.glob("*.md")}
    shown = {found["name"] for text in pages.values() for found in BLOCK.finditer(text)}
    assert shown <= {path.stem for path in RESULTS.glob("*.json")}
    assert [page.name for page, text in pages.items() if with_tables(text) != text] == []


def test_results_are_written_as_they_are_read(folder: Path) -> None:
    content = json.loads((folder / "fold-offsets.json").read_text())
    text = keep(content["results"], folder).read_text()
    again = json.loads(text)
    assert Provenance.from_json(again.pop("made")) is not None
    content.pop("made", None)
    assert list(again.items()) == list(content.items())
    assert text.endswith("}\n")
    assert "\\u" not in text


def test_the_ledger_of_evaluations_is_a_table_too(tmp_path: Path) -> None:
    match = Match(players=("killer", "random"), rules=HEADS_UP_NO_LIMIT, deals=50, seed=3)
    line = match_subject(match, MONEY).measured(estimate(np.arange(40.0), unit="bb"))
    append_evaluations(tmp_path / LEDGER.name, [line, replace(line, player="tight", seed=4)])
    page = "<!-- evaluations: ^killer -->\n<!-- end of evaluations -->\n"
    written = with_tables(page, tmp_path)
    assert "| killer" in written
    assert "+19,500 ± 3,739 mbb" in written
    assert "neither is shown" not in written, "nobody is said to be beaten by money alone"
    assert "tight" not in written
    assert with_tables(written, tmp_path) == written
    with pytest.raises(BadInput, match="no player is named 'booker'"):
        with_tables(page.replace("^killer", "booker"), tmp_path)
