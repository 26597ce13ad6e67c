"""``railbird score`` on hands of games other than heads-up limit."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path
from typing import Any

import pytest

from helpers.command_line import call, call_json
from railbird.assessment.divat import any_game as hand
from railbird.cli import run

FOLDER = Path(__file__).parents[1] / "golden" / "histories"
TEST_SCORE_SIX = str(FOLDER / "six.log")


@pytest.fixture
def few_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand, "POSITION_DEALS", 2_000)


@pytest.mark.usefixtures("few_deals")
def test_json_has_every_decision_with_its_change_by_seat(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["score", TEST_SCORE_SIX, "--hand", "7", "--samples", "100", "--json"]) == 0
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


@pytest.mark.usefixtures("few_deals")
def test_the_terminal_and_a_page_replay_the_hand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "hand.html"
    assert (
        run(["score", TEST_SCORE_SIX, "--hand", "7", "--samples", "100", "--out", str(page)]) == 0
    )
    said = capsys.readouterr().out
    assert "Preflop" in said
    assert "River" in said
    assert f"report: {page}" in said
    html = page.read_text()
    assert html.startswith("<!DOCTYPE html>")
    assert "raise to 82.7" in html
    assert "<script" not in html


@pytest.mark.slow
@pytest.mark.usefixtures("few_deals")
def test_a_page_of_heads_up_limit_has_its_exact_rounds(tmp_path: Path) -> None:
    page = tmp_path / "hand.html"
    line = (
        "T\u2660-6\u2660,J\u2666-5\u2666,T\u2666-5\u2665-T\u2665/2\u2666/2\u2665 SlCk/kBrC/bRrC/bC"
    )
    assert run(["score", line, "--out", str(page)]) == 0
    assert "Hindsight" in page.read_text()


@pytest.mark.usefixtures("few_deals")
@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ([TEST_SCORE_SIX], 2, "has several hands; --hand N chooses one"),
        ([TEST_SCORE_SIX, "--hand", "99"], 1, "hand 99; allowed: 1 to"),
        (["missing.log", "--hand", "2"], 2, "--hand 2 needs a file"),
        ([str(FOLDER / "limit.log"), "--hand", "1", "--samples", "5"], 2, "without sampling"),
    ],
)
def test_wrong_input_is_one_line(
    arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["score", *arguments]) == code
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert said in lines[0]


# ``railbird score`` of the source's example, and under several settings.


TABLE_3_3 = "T♠-6♠,J♦-5♦,T♦-5♥-T♥/2♦/2♥ SlCk/kBrC/bRrC/bC"


def test_score_of_the_source_s_example(capsys: pytest.CaptureFixture[str]) -> None:
    """Kan 2007, table 3.3, with the river's IHR of T♠6♠ as it is (0.9753, printed 0.9980)."""
    found = call_json(capsys, "score", TABLE_3_3)
    assert [row["actual"] for row in found["rounds"]] == ["SlCk", "kBrC", "bRrC", "bC"]
    assert [row["baseline"] for row in found["rounds"]] == ["SlCk", "bRrC", "bRrC", "bC"]
    aie = [row["aie"] for row in found["rounds"]]
    assert [round(row["actual"], 4) for row in aie] == [-0.1487, 2.7576, 5.7273, 11.0]
    assert [round(row["difference"], 4) for row in aie] == [0, -0.9192, 0, 0]
    assert [round(rank, 4) for rank in found["rounds"][3]["ihr"]] == [0.9753, 0.7091]
    assert found["rounds"][0]["roe"]["stderr"] == 0, "exact before the flop too"
    assert found["money_sb"] == 11


def test_score_under_several_settings(capsys: pytest.CaptureFixture[str]) -> None:
    found = call_json(capsys, "score", TABLE_3_3, "--settings", "standard+pot=facing-bet")
    assert set(found["by_settings"]) == {"standard", "pot=facing-bet"}
    code, out, _ = call(capsys, "score", TABLE_3_3, "--settings", "standard+pot=facing-bet")
    assert code == 0
    assert out.count("Baseline") == 2
    assert "mean of the settings standard and pot=facing-bet." in " ".join(out.split())


@pytest.mark.slow
def test_two_settings_have_the_standard_error_of_one(capsys: pytest.CaptureFixture[str]) -> None:
    both = "tight-low+loose-low"
    stderr = call_json(capsys, "score", TABLE_3_3, "--settings", both)["position_stderr"]
    assert stderr > 0
    _, out, _ = call(capsys, "score", TABLE_3_3, "--settings", both)
    *_, last = " ".join(out.split()).split("; small bets, ")
    said = f"Luck and position have a standard error of {stderr:.4f}."
    assert last.rstrip() == f"mean of the settings tight-low and loose-low. {said}"


# ``railbird stats``: table, JSON and CSV of the same counts.


TEST_STATS_SIX = str(Path(__file__).parents[1] / "golden" / "histories" / "six.log")


@pytest.mark.slow
def test_json_and_csv_say_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "stats.csv"
    assert run(["stats", TEST_STATS_SIX, "--json", "--out", str(out)]) == 0
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
    assert run(["stats", TEST_STATS_SIX, "--out", str(out)]) == 2
    assert out.read_text() == "mine"


def test_positions_of_one_player(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["stats", TEST_STATS_SIX, "--json"]) == 0
    name = next(iter(json.loads(capsys.readouterr().out)["players"]))
    assert run(["stats", TEST_STATS_SIX, "--player", name, "--by", "position", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["players"]
    assert list(found) == [name]
    assert set(found[name]) <= {"small_blind", "big_blind", "early", "middle", "cutoff", "button"}


def test_nobody_of_that_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["stats", TEST_STATS_SIX, "--player", "nobody"]) == 1
    assert "no player 'nobody' in this log" in capsys.readouterr().err


STARS = str(Path(__file__).parents[1] / "golden" / "histories" / "stars.txt")


def object_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    assert run(["stats", *arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)["players"]
    return found


@pytest.mark.slow(only=["hand"])
@pytest.mark.parametrize("by", ["stake", "session", "month", "position", "hand"])
def test_the_parts_are_all_of_a_players_hands(by: str, capsys: pytest.CaptureFixture[str]) -> None:
    whole = object_of(capsys, STARS)
    for name, parts in object_of(capsys, STARS, "--by", by).items():
        hands = sum(part["hands"] for part in parts.values())
        assert hands <= whole[name]["hands"]
        assert hands == whole[name]["hands"] or by in ("hand", "session", "month")
    assert run(["stats", STARS, "--by", by]) == 0


@pytest.mark.slow
def test_names_of_one_person_are_counted_together(capsys: pytest.CaptureFixture[str]) -> None:
    one, two = list(object_of(capsys, TEST_STATS_SIX))[:2]
    apart = object_of(capsys, TEST_STATS_SIX)
    found = object_of(capsys, TEST_STATS_SIX, "--same", f"{one}={two}")
    assert found[one]["hands"] == apart[one]["hands"] + apart[two]["hands"]
    assert two not in found


@pytest.mark.slow
def test_a_page_with_hostile_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    log = tmp_path / "evil.log"
    log.write_text(Path(TEST_STATS_SIX).read_text().replace("Flo", "<b>Flo</b>"))
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
        (["--same", "Ada=Adda"], 1, "no player 'Adda' in this log"),
        (["--stake", "1/2"], 1, "no stake '1/2'"),
        (["--by", "session"], 1, "no hand has a time"),
        (["--out", "stats.xlsx"], 2, "allowed: .csv, .html, .md"),
    ],
)
def test_wrong_options_are_one_line(
    arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["stats", TEST_STATS_SIX, *arguments]) == code
    assert said in capsys.readouterr().err.splitlines()[-1]
