"""`railbird night`: a page on a home game, and what it refuses."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from helpers.command_line import call
from railbird.histories import HandRecord, read, write

HAND = """PokerStars Hand #{number}: Hold'em No Limit ($0.05/$0.10) - {day} 20:{minute:02}:00 ET
Table 'Home' 6-max Seat #1 is the button
Seat 1: Ann ($10 in chips)
Seat 2: Bob ($10 in chips)
Seat 3: <b>Cid ($10 in chips)
Bob: posts small blind $0.05
<b>Cid: posts big blind $0.10
*** HOLE CARDS ***
Ann: raises $0.20 to $0.30
Bob: folds
<b>Cid: {answer}
*** SUMMARY ***
Total pot ${pot} | Rake $0.02


"""
FOLDED = "folds\nUncalled bet ($0.20) returned to Ann\nAnn collected $0.23 from pot"
"""What the third player does in most hands."""
SHOWN = """raises $9.70 to $10 and is all-in
Ann: calls $9.70 and is all-in
*** FLOP *** [2c 7d 9h]
*** TURN *** [2c 7d 9h] [Js]
*** RIVER *** [2c 7d 9h Js] [3c]
*** SHOW DOWN ***
<b>Cid: shows [Ah Ad] (a pair of Aces)
Ann: shows [Kh Kd] (a pair of Kings)
<b>Cid collected $20.03 from pot"""


def home_game(folder: Path, hands: int = 60, *, days: tuple[str, ...] = ("2026/11/20",)) -> Path:
    folder.mkdir()
    for night, day in enumerate(days):
        texts = [
            HAND.format(
                number=100 * night + minute + 1,
                day=day,
                minute=minute % 60,
                answer=SHOWN if minute == 7 else FOLDED,
                pot="20.05" if minute == 7 else "0.25",
            )
            for minute in range(hands)
        ]
        (folder / f"{night}.txt").write_text("".join(texts))
    return folder


def test_a_night_is_a_page(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log, page = home_game(tmp_path / "logs"), tmp_path / "night.html"
    code, out, _ = call(capsys, "night", str(log), "--out", str(page))
    assert code == 0
    assert "The night of 2026-11-21" in out  # Universal Time
    assert "Luck could explain every lead so far." in out
    assert "When it will be decided" in out
    text = page.read_text()
    assert "<b>Cid" not in text
    assert "&lt;b&gt;Cid" in text
    assert "Who owes whom" in text
    assert "The biggest pot" in text
    assert "pair, aces" in text
    assert len(text) < 1_000_000
    told = json.loads(call(capsys, "night", str(log), "--json")[1])
    (ledger,) = told["ledgers"]
    assert sum(ledger["results"].values()) == pytest.approx(0)
    standings = {standing["player"]: standing for standing in told["standings"]}
    assert standings["Ann"]["hands"] == 60
    assert told["hands"][0]["player"] == "<b>Cid"
    assert {award["award"]: award["player"] for award in told["awards"]}["Loosest"] == "Ann"
    assert told["withheld"] is None


def test_a_season_has_its_nights(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = home_game(tmp_path / "logs", 30, days=("2026/11/13", "2026/11/20"))
    out = call(capsys, "night", str(log), "--same", "Ann=Bob")[1]
    assert "2 nights, 2026-11-14 to 2026-11-21" in out
    assert "Night by night" in out
    assert "Bob" not in out
    page = tmp_path / "season.md"
    assert call(capsys, "night", str(log), "--out", str(page), "--json")[0] == 0
    assert "# 2 nights" in page.read_text()


def test_the_money_is_that_of_the_ledger(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log = home_game(tmp_path / "logs")
    told = json.loads(call(capsys, "night", str(log), "--json")[1])
    alone = json.loads(call(capsys, "ledger", str(log), "--json")[1])
    assert told["ledgers"] == alone["ledgers"]


def test_missing_hands_leave_no_verdict(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = home_game(tmp_path / "logs")
    text = (log / "0.txt").read_text()
    (log / "0.txt").write_text(text.replace("Ann collected $0.23", "Ann collected $7.23", 9))
    out = call(capsys, "night", str(log))[1]
    assert "This may be wrong: " in out
    told = json.loads(call(capsys, "night", str(log), "--json")[1])
    assert told["ledger_withheld"]


def test_hands_that_are_no_cash_game_are_left_out(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log = home_game(tmp_path / "logs", 3)
    records = [hand for hand in read(str(log)) if isinstance(hand, HandRecord)]
    first, second, third = records
    hands = [first, replace(second, tournament=True), replace(third, play_money=True)]
    write(hands, tmp_path / "mixed.phhs")
    code, out, err = call(capsys, "night", str(tmp_path / "mixed.phhs"), "--json")
    assert code == 0
    assert json.loads(out)["left_out"] == {"of a tournament": 1, "for play money": 1}
    assert "left out, as their chips are not money: 1 hand of a tournament" in err
    write(hands[1:], tmp_path / "none.phhs")
    page = tmp_path / "x.html"
    code, _, err = call(capsys, "night", str(tmp_path / "none.phhs"), "--out", str(page))
    assert code != 0
    assert "no hand of a cash game: 1 of a tournament, 1 for play money" in err
    assert not page.exists()


def test_what_is_no_log_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = tmp_path / "x.txt"
    log.write_text("nothing")
    code, _, err = call(capsys, "night", str(log))
    assert code != 0
    assert len(err.strip().splitlines()) == 1


def test_an_archive_and_other_formats_tell_the_same(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log = home_game(tmp_path / "logs", 20)
    write(read(str(log)), tmp_path / "same.phhs")
    assert call(capsys, "archive", "add", str(tmp_path / "kept"), str(log))[0] == 0
    first, *others = (
        json.loads(call(capsys, "night", str(tmp_path / name), "--json")[1])
        for name in ("logs", "same.phhs", "kept")
    )
    for told in others:
        assert told["standings"] == first["standings"]
        assert told["ledgers"] == first["ledgers"]


def test_one_player_is_no_night(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = home_game(tmp_path / "logs", 3)
    code, _, err = call(capsys, "night", str(log), "--same", "Ann=Bob,<b>Cid")
    assert code != 0
    assert err.strip()
