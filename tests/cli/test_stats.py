"""``railbird stats``: table, JSON and CSV of the same counts."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from railbird.cli import run

SIX = str(Path(__file__).parents[1] / "golden" / "histories" / "six.log")


def test_json_and_csv_say_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "stats.csv"
    assert run(["stats", SIX, "--json", "--out", str(out)]) == 0
    players = json.loads(capsys.readouterr().out)["players"]
    rows = {row["player"]: row for row in csv.DictReader(out.read_text().splitlines())}
    assert players.keys() == rows.keys()
    for name, of in players.items():
        assert float(rows[name]["bb_per_100"]) == of["bb_per_100"]["value"]
        assert int(rows[name]["vpip_n"]) == of["vpip"]["n"]
    assert sum(of["bb_per_100"]["value"] * of["hands"] for of in players.values()) == pytest.approx(
        0, abs=1e-6
    )


def test_a_file_is_not_replaced_unasked(tmp_path: Path) -> None:
    out = tmp_path / "stats.csv"
    out.write_text("mine")
    assert run(["stats", SIX, "--out", str(out)]) == 2
    assert out.read_text() == "mine"


def test_positions_of_one_player(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["stats", SIX, "--json"]) == 0
    name = next(iter(json.loads(capsys.readouterr().out)["players"]))
    assert run(["stats", SIX, "--player", name, "--by-position", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["players"]
    assert list(found) == [name]
    assert set(found[name]) <= {"small_blind", "big_blind", "early", "middle", "cutoff", "button"}


def test_nobody_of_that_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["stats", SIX, "--player", "nobody"]) == 1
    assert "no player 'nobody' in these hands" in capsys.readouterr().err
