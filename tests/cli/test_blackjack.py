"""The verbs of blackjack."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path

import pytest

from helpers.command_line import call
from railbird.blackjack import parse_rules
from railbird.blackjack.round import parse_round


def _json(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    code, out, _ = call(capsys, "blackjack", *words, "--json")
    assert code == 0
    found: dict[str, object] = json.loads(out)
    return found


def test_values_are_printed_unrounded(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("ev", "--player", "4,5", "--upcard", "7", "--decks", "4", "--rules", "H17,peek,das")
    found = _json(capsys, *words)
    assert round(float(str(found["hit"])), 5) == 0.17858
    assert round(float(str(found["double"])), 5) == 0.12516
    assert found["split"] is None
    assert found["surrender"] is None
    assert found["after_split"] == "CDZ-"
    rich = _json(capsys, "ev", "--player", "45", "--upcard", "7", "--shoe", "A-9:10,T:55")
    assert round(float(str(rich["double"])), 5) == 0.29107


def test_the_strategy_names_what_the_source_has_otherwise(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    chart = tmp_path / "chart.csv"
    found = _json(capsys, "strategy", "--out", str(chart))
    assert len(list(found["differs_from_source"])) == 6  # type: ignore[call-overload]
    assert found["house_edge"] == pytest.approx(0.0061291522)
    rows = list(csv.reader(io.StringIO(chart.read_text())))
    assert rows[0] == ["hand", *"23456789TA"]
    assert ["A-7", "Ds", "Ds", "Ds", "Ds", "Ds", "S", "S", "H", "H", "H"] in rows
    code, _, err = call(capsys, "blackjack", "strategy", "--out", str(chart))
    assert code == 2
    assert "--force replaces it" in err
    result = _json(capsys, "simulate", "basic", str(chart), "--count", "3000", "--bankroll", "50")
    seats = result["seats"]
    assert isinstance(seats, list)
    first, second = seats
    assert 0 < first["bankroll"]["risk_of_ruin"]["value"] <= 1
    assert second["seat"] == str(chart)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["html", "svg", "png"])
def test_the_chart_is_drawn(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, ending: str
) -> None:
    target = tmp_path / f"chart.{ending}"
    code, out, _ = call(capsys, "blackjack", "strategy", "--rules", "ls", "--out", str(target))
    assert code == 0
    assert str(target) in out.replace("\n", "")
    assert target.stat().st_size > 5000
    assert b"://" not in target.read_bytes().replace(b"http://www.w3.org", b"")


def test_rounds_of_a_file_are_scored(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "rounds.csv"
    file.write_text(
        "round,wager,player\n45v7 dT|T,10,ann\nTTv6 s|TT,1,bob\n45v7 dT,1,bob\nTTvT h5,-3,bob\n"
    )
    found = _json(capsys, "assess", str(file))
    players = found["players"]
    assert isinstance(players, dict)
    assert players["ann"]["money"]["value"] == 20.0
    assert players["ann"]["skill"]["value"] == pytest.approx(-0.5342, abs=1e-3)
    assert players["bob"]["rounds"] == 1
    assert sum(found["skipped"].values()) == 2  # type: ignore[attr-defined]


@pytest.mark.slow
def test_nothing_usable_is_said_with_exit_code_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "rounds.csv"
    for text in ("", "hand\n45v7 dT|T\n", "round\nno\n", "round\n\0\n"):
        file.write_text(text)
        code, out, err = call(capsys, "blackjack", "assess", str(file))
        assert code == 1
        assert "Traceback" not in out + err
        assert str(file) in err.replace("\n", "")


@pytest.mark.slow
def test_a_match_tells_by_skill(capsys: pytest.CaptureFixture[str]) -> None:
    found = _json(capsys, "match", "basic", "never-bust", "--count", "2000", "--baseline", "basic")
    skill = found["skill"]
    assert isinstance(skill, dict)
    assert skill["low"] > 0.03
    assert int(str(found["rounds_by_skill"])) * 20 < int(str(found["rounds_by_money"]))
    seats = found["players"]
    assert isinstance(seats, dict)
    for by, kind in (("rounds_by_money", "money_sd"), ("rounds_by_skill", "skill_sd")):
        # Whatever the skill that was seen: 0.01 a round, with a chance of 80 %.
        spread = sum(seat[kind] ** 2 for seat in seats.values())
        assert found[by] == math.ceil((1.959964 + 0.841621) ** 2 * spread / 0.01**2)


@pytest.mark.slow
def test_too_few_rounds_tell_nobody_apart(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "blackjack", "match", "basic", "basic", "--count", "60")
    assert code == 0
    assert "too few rounds to tell them apart" in out
    assert "it takes" not in out


@pytest.mark.parametrize("bets", ["basic", "basic:count=hi-lo,bets=-20:0"])
def test_who_cannot_lose_or_has_not_played_has_no_risk(
    capsys: pytest.CaptureFixture[str], bets: str
) -> None:
    few = ("blackjack", "simulate", bets, "--count", "1", "--bankroll", "9")
    for words in (few, (*few, "--json")):
        _, out, err = call(capsys, *words)
        assert f"{bets}: results of 1 round that do not vary say nothing of a bankroll\n" in err
        if words != few:
            assert json.loads(out)["seats"][0]["bankroll"] is None


@pytest.mark.slow
def test_the_rounds_of_a_table_are_written_and_read(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log = tmp_path / "rounds.csv"
    seats = ("basic", "mimic", "basic:count=hi-lo,bets=1:3")
    words = ("--count", "60", "--decks", "2", "--log", str(log))
    money = _json(capsys, "simulate", *seats, *words)["seats"]
    players = _json(capsys, "assess", str(log), "--decks", "2")["players"]
    assert isinstance(money, list)
    assert isinstance(players, dict)
    for one in money:
        assert players[one["seat"]]["money"]["value"] == pytest.approx(one["won"]["value"])
    assert players["mimic"]["skill"]["value"] < players["basic"]["skill"]["value"]
    code, _, err = call(capsys, "blackjack", "simulate", "basic", "--log", str(log))
    assert code == 2
    assert "--force replaces it" in err


@pytest.mark.slow(only=["inf"])
@pytest.mark.parametrize("decks", ["1", "2", "inf"])
def test_the_usual_cut_leaves_enough_of_few_decks(
    capsys: pytest.CaptureFixture[str], decks: str
) -> None:
    seats = ["basic"] * 3
    found = _json(capsys, "simulate", *seats, "--decks", decks, "--count", "1000")
    assert 0.2 <= float(str(found["penetration"])) <= 0.75


def test_play_scores_each_decision_and_writes_the_rounds(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "mine.csv"
    monkeypatch.setattr("sys.stdin", io.StringIO("s\n" * 40))
    words = ("play", "--count", "5", "--log", str(log), "--rules", "enhc", "--seed", "4")
    code, out, _ = call(capsys, "blackjack", *words)
    assert code == 0
    assert "stand" in out
    texts = log.read_text().splitlines()
    assert texts[0] == "round"
    for text in texts[1:]:
        assert parse_round(text, parse_rules("enhc")).over
    monkeypatch.setattr("sys.stdin", io.StringIO("s\n" * 40))
    code, told, err = call(capsys, "blackjack", *words, "--force", "--json")
    found = json.loads(told)
    assert (code, found["rounds"], found["log"]) == (0, 5, str(log))
    assert found["money"] == pytest.approx(found["skill"] + found["luck"])
    assert "round 5" in err, "the table is on standard error"
    assert log.read_text().splitlines() == texts


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("ev", "--player", "4", "--upcard", "7"), "1 cards; allowed: 2 to 21"),
        (("ev", "--player", "4,5", "--upcard", "7,7"), "2 cards; allowed: 1"),
        (("ev", "--player", "T,T,T", "--upcard", "7"), "more than 21"),
        (("ev", "--player", "4,5", "--upcard", "7", "--decks", "x"), "decks=x"),
        (("ev", "--player", "45", "--upcard", "7", "--decks", "1", "--shoe", "T:9"), "one of them"),
        (("ev", "--player", "88", "--upcard", "7", "--rules", "resplit=1",
          "--set", "after-split=CDP1"),
         "allowed: resplit=0"),
        (("strategy", "--rules", "hit17"), "no rule 'hit17'"),
        (("strategy", "--out", "x.gif"), "allowed: .html, .svg, .png, .csv"),
        (("strategy", "--count", "hilo"), "did you mean hi-lo"),
        (("simulate", "basik"), "did you mean basic"),
        (("simulate", "basic", "--set", "penetration=1.5"), "penetration 1.5"),
        (("simulate", "basic", "--bankroll", "-3"), "--bankroll -3"),
        (("simulate", "basic", "--log", "x.csv"), "--log with more than --count 100,000"),
        (("strategy", "--shoe", "T:4"), "a shoe of 4 cards; allowed: enough for any round"),
        (("assess", "nowhere.csv"), "cannot be read"),
        (("match", "basic", "nowhere.csv"), "cannot be read"),
    ],
)  # fmt: skip
def test_wrong_words_are_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], says: str
) -> None:
    code, out, err = call(capsys, "blackjack", *words)
    assert code == 2
    assert out == ""
    assert says in " ".join(err.split())
