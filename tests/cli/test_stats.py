"""``railbird stats``: table, JSON and CSV of the same counts."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

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


STARS = str(Path(__file__).parents[1] / "golden" / "histories" / "stars.txt")


def object_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    assert run(["stats", *arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)["players"]
    return found


@pytest.mark.parametrize("by", ["stake", "session", "month", "position", "hand"])
def test_the_parts_are_all_of_a_players_hands(by: str, capsys: pytest.CaptureFixture[str]) -> None:
    whole = object_of(capsys, STARS)
    for name, parts in object_of(capsys, STARS, "--by", by).items():
        hands = sum(part["hands"] for part in parts.values())
        assert hands <= whole[name]["hands"]
        assert hands == whole[name]["hands"] or by in ("hand", "session", "month")
    assert run(["stats", STARS, "--by", by]) == 0


def test_names_of_one_person_are_counted_together(capsys: pytest.CaptureFixture[str]) -> None:
    one, two = list(object_of(capsys, SIX))[:2]
    apart = object_of(capsys, SIX)
    found = object_of(capsys, SIX, "--same", f"{one}={two}")
    assert found[one]["hands"] == apart[one]["hands"] + apart[two]["hands"]
    assert two not in found


def test_a_page_with_hostile_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    log = tmp_path / "evil.log"
    log.write_text(Path(SIX).read_text().replace("Flo", "<b>Flo</b>"))
    assert run(["stats", str(log), "--out", str(page)]) == 0
    text = page.read_text()
    assert "<b>Flo" not in text
    assert "&lt;b&gt;Flo" in text
    assert "<script" not in text


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--since", "soon"], 2, "'soon' is no date"),
        (["--same", "Ada"], 2, "allowed: NAME=OTHER"),
        (["--same", "Ada=Adda"], 1, "no player 'Adda' in these hands"),
        (["--stake", "1/2"], 1, "no stake '1/2'"),
        (["--by", "session"], 1, "no hand has a time"),
        (["--out", "stats.xlsx"], 2, "allowed: .csv, .html"),
        (["--by", "stake", "--by-position"], 2, "allowed: one of them"),
    ],
)
def test_wrong_options_are_one_line(
    arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["stats", SIX, *arguments]) == code
    assert said in capsys.readouterr().err.splitlines()[-1]
