"""`railbird preflop`: values of hole cards, their flops, the chart."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from helpers.command_line import call
from railbird.cards import CLASS_NAMES, CLASSES
from railbird.odds import PreflopChart, PreflopSituation, preflop_value

HEADS_UP = ["--seats", "2"]


def test_one_hand_has_three_values(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "preflop", "aks", *HEADS_UP, "--json")
    assert code == 0
    found = json.loads(out)
    value = preflop_value("AKs", PreflopSituation(seats=2))
    assert found["ev"] == {"fold": 0.0, "call": value.call, "raise": value.raise_}
    assert found["best"] == "raise"
    assert (found["hand"], found["seat"], found["unit"]) == ("AKs", "SB", "bb")


def test_flops_are_bars(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    image = tmp_path / "flops.png"
    code, out, _ = call(capsys, "preflop", "AKs", *HEADS_UP, "--image", str(image))
    assert code == 0
    assert "raise (best)" in out
    assert "█" in out
    assert image.read_bytes().startswith(b"\x89PNG")
    assert call(capsys, "preflop", "AKs", *HEADS_UP, "--image", str(image))[0] == 2


def test_a_rake_may_be_written_in_per_cent(capsys: pytest.CaptureFixture[str]) -> None:
    one, same = (
        call(capsys, "preflop", "AKs", *HEADS_UP, "--rake", rake, "--json")
        for rake in ("0.05", "5%")
    )
    assert one == same
    assert one[0] == 0
    code, _, err = call(capsys, "preflop", "AKs", *HEADS_UP, "--rake", "five")
    assert code == 2
    assert "allowed: 0.05 or 5%" in err


def test_a_rake_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    plain, raked = (
        json.loads(call(capsys, "preflop", "AKs", *HEADS_UP, *more, "--json")[1])["ev"]["call"]
        for more in ([], ["--rake", "0.1", "--rake-cap", "0.5"])
    )
    assert plain - 0.5 < raked < plain


@pytest.fixture
def chart(monkeypatch: pytest.MonkeyPatch) -> PreflopChart:
    """Values as if computed, which takes a minute."""
    values = np.linspace(-1, 1, 5 * CLASSES).reshape(5, CLASSES)
    chart = PreflopChart(
        positions=("UTG", "CO", "BTN", "SB", "BB")[:5], call=values, raise_=values / 2
    )
    monkeypatch.setattr("railbird.odds.preflop_chart", lambda *_, **__: chart)
    return chart


def test_the_chart_is_text_a_picture_and_a_table(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, chart: PreflopChart
) -> None:
    image, table = tmp_path / "chart.svg", tmp_path / "chart.csv"
    args = ["preflop", "all", "--image", str(image), "--out", str(table)]
    code, out, _ = call(capsys, *args)
    assert code == 0
    assert "BB: 169 of 169 hands are played" in out
    lines = table.read_text().splitlines()
    assert lines[0] == "position,hand,call_bb,raise_bb"
    assert len(lines) == 1 + 5 * CLASSES
    assert "CO: " in image.read_text()
    code, out, _ = call(capsys, *args, "--force", "--json")
    found = json.loads(out)["positions"]
    assert found["UTG"][CLASS_NAMES[3]]["call"] == chart.call[0, 3]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["AKx"], "AKx"),
        (["AKs", "--table", "utg:raise,utg:call"], "twice"),
        (["AKs", "--seat", "bb"], "folded to the big blind"),
        (["AKs", "--seats", "11"], "11 seats"),
        (["AKs", "--rake", "1"], "rake"),
        (["AKs", "--bets", "nan"], "bets"),
        (["AKs", "--out", "x.csv"], "railbird preflop all"),
        (["AKs", "--image", "x.csv"], ".png, .svg"),
        (["all", "--table", "utg:raise"], "unopened pots"),
        (["all", "--out", "x.png"], ".csv"),
    ],
)
def test_what_cannot_be_is_one_line(
    capsys: pytest.CaptureFixture[str], args: list[str], said: str
) -> None:
    code, _, error = call(capsys, "preflop", *args)
    assert code == 2
    assert said in error
    assert error.count("\n") == 1
