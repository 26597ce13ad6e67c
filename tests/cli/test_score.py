"""``railbird score`` on hands of games other than heads-up limit."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from railbird.assessment.decision_divat import hand
from railbird.cli import run

FOLDER = Path(__file__).parents[1] / "golden" / "histories"
SIX = str(FOLDER / "six.log")


@pytest.fixture(autouse=True)
def few_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand, "POSITION_DEALS", 2_000)


def test_json_has_every_decision_with_its_change_by_seat(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["score", SIX, "--hand", "7", "--boards", "100", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    seats = len(found["players"])
    assert (found["unit"], found["boards"], seats) == ("bb", 100, 6)
    decisions = [each for row in found["rounds"] for each in row["decisions"]]
    assert len(decisions) == 15
    for each in decisions:
        assert {"seat", "action", "baseline", "delta", "stderr"} <= set(each)
        assert len(each["delta"]) == len(each["stderr"]) == seats
        assert math.fsum(each["delta"]) == pytest.approx(0, abs=1e-9)
    for seat in range(seats):
        parts = sum(found[f"{key}_bb"]["value"][seat] for key in ("position", "luck", "decisions"))
        assert parts - found["rake_bb"][seat] == pytest.approx(found["money_bb"][seat])


def test_the_terminal_and_a_page_replay_the_hand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "hand.html"
    assert run(["score", SIX, "--hand", "7", "--boards", "100", "--out", str(page)]) == 0
    said = capsys.readouterr().out
    assert "Preflop" in said
    assert "River" in said
    assert f"report: {page}" in said
    html = page.read_text()
    assert html.startswith("<!DOCTYPE html>")
    assert "raise to 82.7" in html
    assert "<script" not in html


def test_a_page_of_heads_up_limit_has_its_exact_rounds(tmp_path: Path) -> None:
    page = tmp_path / "hand.html"
    line = (
        "T\u2660-6\u2660,J\u2666-5\u2666,T\u2666-5\u2665-T\u2665/2\u2666/2\u2665 SlCk/kBrC/bRrC/bC"
    )
    assert run(["score", line, "--out", str(page)]) == 0
    assert "Hindsight" in page.read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ([SIX], 2, "has several hands; --hand N chooses one"),
        ([SIX, "--hand", "99"], 1, "hand 99; allowed: 1 to"),
        (["missing.log", "--hand", "2"], 2, "--hand 2 needs a file"),
        ([str(FOLDER / "limit.log"), "--hand", "1", "--boards", "5"], 2, "without sampling"),
    ],
)
def test_wrong_input_is_one_line(
    arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["score", *arguments]) == code
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert said in lines[0]
