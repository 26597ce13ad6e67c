"""`railbird bankroll`, and what `stats` and `blackjack simulate` say of a bankroll."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest

from helpers.command_line import call
from railbird.arena import Match, play
from railbird.game import HEADS_UP_LIMIT


def test_a_rate_with_the_hands_behind_it(capsys: pytest.CaptureFixture[str]) -> None:
    rate = ("bankroll", "--rate", "1.5", "--sd", "17", "--hands", "22500", "--bankroll", "300")
    code, out, _ = call(capsys, *rate, "--within", "10000", "--json")
    told = json.loads(out)
    assert code == 0
    assert told["risk_of_ruin"]["value"] == pytest.approx(0.0444, abs=0.0001)
    assert told["rate"]["high"] - told["rate"]["low"] == pytest.approx(2 * 1.96 * 17 / 15, rel=1e-4)
    assert told["n0"]["value"] == pytest.approx(100 * (17 / 1.5) ** 2)
    assert told["n0"]["high"] is None
    assert told["risk_of_ruin_by_then"]["value"] < told["risk_of_ruin"]["value"]
    assert told["horizon"] == 10_000
    text = call(capsys, *rate)[1]
    assert "0.04 % to 100.0" in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("rate", ["5±3", "5+-3", "5 +/- 3"])
def test_an_interval_is_read(capsys: pytest.CaptureFixture[str], rate: str) -> None:
    told = json.loads(call(capsys, "bankroll", "--rate", rate, "--sd", "80", "--json")[1])
    assert told["rate"] == {"value": 5.0, "low": 2.0, "high": 8.0}


@pytest.mark.parametrize(
    "options",
    [
        ("--rate", "nan", "--sd", "3"),
        ("--rate", "1..2", "--sd", "3"),
        ("--rate", "5", "--sd", "nan"),
        ("--rate", "5", "--sd", "-1"),
        ("--rate", "5", "--sd", "3", "--bankroll", "inf"),
        ("--rate", "5", "--sd", "3", "--bankroll", "-1"),
        ("--rate", "5±3", "--sd", "3", "--hands", "100"),
        ("--rate", "5", "--sd", "3", "--within", "100"),
    ],
)
def test_refusals(capsys: pytest.CaptureFixture[str], options: tuple[str, ...]) -> None:
    code, out, err = call(capsys, "bankroll", *options)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1


def test_a_log_tells_rate_and_deviation(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    match = Match(players=("random", "always-call"), rules=HEADS_UP_LIMIT, deals=60, seed=3)
    play(match, log=log)
    options = ("stats", str(log), "--bankroll", "200")
    told = json.loads(call(capsys, *options, "--json")[1])["players"]["random"]
    won = told["bb_per_100"]
    found = told["bankroll"]
    assert found["rate"]["value"] == won["value"]
    assert found["sd"] == pytest.approx(won["stderr"] * math.sqrt(won["n"]) / 10)
    assert found["rate"]["low"] == won["low"]
    code, _, err = call(capsys, *options, "--by", "position")
    assert (code, err.strip()) == (2, "railbird: --bankroll and --by; allowed: one of them")


@pytest.mark.slow
def test_the_page_has_the_bankroll(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log, page = tmp_path / "match.log", tmp_path / "page.html"
    play(Match(players=("random", "always-call"), rules=HEADS_UP_LIMIT, deals=60, seed=3), log=log)
    code, out, _ = call(capsys, "stats", str(log), "--bankroll", "200", "--out", str(page))
    assert code == 0
    assert "risk of losing 200 bb, ever" in out
    assert "bankroll for full Kelly" in page.read_text()


def test_a_log_whose_verdict_is_withheld_tells_nothing_of_a_bankroll(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log = tmp_path / "match.log"
    play(Match(players=("random", "always-call"), rules=HEADS_UP_LIMIT, deals=120, seed=3), log=log)
    lines = log.read_text().splitlines(keepends=True)
    log.write_text("".join(line for line in lines if not re.match(r"STATE:\d*[27]:", line)))
    options = ("stats", str(log), "--bankroll", "200")
    told = json.loads(call(capsys, *options, "--json")[1])
    assert told["integrity"]["verdict_withheld"]
    assert told["players"]["random"]["bankroll"] is None
