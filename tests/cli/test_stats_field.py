"""`railbird stats --show field`: on the terminal, in JSON and on the page, and what it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from helpers.command_line import call
from railbird.arena import Match, play
from railbird.game import HEADS_UP_LIMIT


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "match.log"
    players = ("a=always-raise", "b=random")
    play(Match(players=players, rules=HEADS_UP_LIMIT, deals=120, seed=3), log=path)
    return path


def test_what_stands_is_marked(capsys: pytest.CaptureFixture[str], log: Path) -> None:
    options = ("stats", str(log), "--player", "a", "--show", "field")
    told = json.loads(call(capsys, *options, "--json")[1])
    assert set(told["players"]) == {"a"}
    by_key = {one["statistic"]: one for one in told["field"]}
    assert by_key["pfr"]["stands"]
    assert by_key["pfr"]["share"] == 1
    assert by_key["squeeze"] == {
        "statistic": "squeeze",
        "share": None,
        "field": None,
        "n": 0,
        "field_n": 0,
        "difference": {"value": None, "low": None, "high": None},
        "p_value": 1.0,
        "stands": False,
    }


@pytest.mark.slow
def test_the_terminal_and_the_page_mark_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, log: Path
) -> None:
    page = tmp_path / "page.html"
    options = ("stats", str(log), "--player", "a", "--show", "field", "--out", str(page))
    code, out, _ = call(capsys, *options)
    assert code == 0
    assert "Beyond chance: vpip, pfr" in " ".join(out.split())
    assert re.search(r"^ pfr .*differs *$", out, re.MULTILINE)
    assert "leak" not in out
    told = [line for line in out.splitlines() if not line.startswith("written: ")]
    assert max(map(len, told)) <= 81
    assert "a beside the field" in page.read_text()
    assert "of the field" in page.read_text()


def test_other_options_choose_the_field_too(capsys: pytest.CaptureFixture[str], log: Path) -> None:
    options = ("stats", str(log), "--player", "a", "--show", "field", "--json")
    whole, part = (
        json.loads(call(capsys, *options, *more)[1])["field"]
        for more in ((), ("--where", "button"))
    )
    counts = [{one["statistic"]: one["field_n"] for one in each} for each in (whole, part)]
    assert counts[1]["vpip"] < counts[0]["vpip"]
    assert counts[1]["vpip"] <= 60


def test_where_hands_are_missing_nothing_is_marked(
    capsys: pytest.CaptureFixture[str], log: Path
) -> None:
    lines = log.read_text().splitlines(keepends=True)
    log.write_text("".join(line for line in lines if not re.match(r"STATE:\d*[27]:", line)))
    options = ("stats", str(log), "--player", "a", "--show", "field")
    told = json.loads(call(capsys, *options, "--json")[1])
    assert {one["stands"] for one in told["field"]} == {None}


@pytest.mark.slow
def test_the_terminal_says_why_nothing_is_marked(
    capsys: pytest.CaptureFixture[str], log: Path
) -> None:
    lines = log.read_text().splitlines(keepends=True)
    log.write_text("".join(line for line in lines if not re.match(r"STATE:\d*[27]:", line)))
    out = call(capsys, "stats", str(log), "--player", "a", "--show", "field", "--bankroll", "200")[
        1
    ]
    assert "Nothing is said of a bankroll" in " ".join(out.split())
    assert "Nothing is said of chance" in " ".join(out.split())
    assert "differs" not in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "--show field with 0 --player; allowed: one"),
        (("--player", "a", "--player", "b"), "--show field with 2 --player; allowed: one"),
        (("--player", "a", "--by", "position"), "--show field and --by; allowed: one of them"),
    ],
)
def test_refusals(
    capsys: pytest.CaptureFixture[str], log: Path, options: tuple[str, ...], message: str
) -> None:
    code, out, err = call(capsys, "stats", str(log), "--show", "field", *options)
    assert (code, out, err.strip()) == (2, "", f"railbird: {message}")
