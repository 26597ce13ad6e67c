"""`railbird odds --action`: reflective odds, spectra, outs, pictures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from helpers.command_line import call
from railbird.odds import Opponent, equity, reflective_odds

FLOP = ["AsTh", "Tc8d2c"]
BET = "preflop:call flop:bet"


def test_actions_lower_the_odds(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "odds", *FLOP, "--action", BET, "--json")
    assert code == 0
    found = json.loads(out)
    ours = reflective_odds("AsTh", "Tc8d2c", [Opponent.parse(BET)])
    assert found["reflective_odds"] == ours.reflective.joint < found["raw_odds"]
    assert found["kept"] == list(ours.kept)
    assert found["reflective_nuts"] is False
    assert found["actions"] == [BET]


def test_three_who_acted_are_dealt_at_random(capsys: pytest.CaptureFixture[str]) -> None:
    args = [arg for text in (BET, "flop:call", "flop:call") for arg in ("--action", text)]
    code, out, _ = call(capsys, "odds", *FLOP, *args, "--json")
    assert code == 0
    opponents = [Opponent.parse(text) for text in (BET, "flop:call", "flop:call")]
    corrected = reflective_odds("AsTh", "Tc8d2c", opponents).reflective.joint
    assert json.loads(out)["reflective_odds"] == pytest.approx(corrected, abs=0.006)


def test_actions_without_a_model_are_of_any_hand(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "odds", *FLOP, "--opponents", "2", "--action", BET, "--json")
    assert code == 0
    found = json.loads(out)
    assert found["kept"][1] == 1
    both = reflective_odds("AsTh", "Tc8d2c", [Opponent.parse(BET), Opponent()])
    assert found["reflective_odds"] == both.reflective.joint


def test_odds_by_the_number_of_opponents_are_bars(capsys: pytest.CaptureFixture[str]) -> None:
    args = ["odds", *FLOP, "--action", BET, "--by-opponents"]
    code, out, _ = call(capsys, *args)
    assert code == 0
    assert "no card in two hands" in out
    code, text, _ = call(capsys, *args, "--json")
    found = json.loads(text)["by_opponents"]
    assert [each["opponents"] for each in found] == list(range(1, 10))
    ours = [reflective_odds("AsTh", "Tc8d2c", [Opponent.parse(BET)] * n) for n in (1, 2)]
    for each, odds in zip(found[:2], ours, strict=True):
        assert each["odds"] == pytest.approx(odds.reflective.joint, abs=1e-12)
        assert each["power"] == pytest.approx(odds.reflective.power, abs=1e-12)
    assert out.count("█") > 30


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--pot", "1", "--to-call", "2"], "the pot includes the bet"),
        (["--action", "flop:bet loose=2 loose=3"], "loose= given twice"),
    ],
)
def test_what_contradicts_itself_is_refused(
    capsys: pytest.CaptureFixture[str], more: list[str], said: str
) -> None:
    code, out, err = call(capsys, "odds", *FLOP, *more)
    assert (code, out) == (2, "")
    assert said in err


def test_before_the_flop_one_caller_is_exact(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(
        capsys, "odds", "AsAh", "--model", "KK", "--action", "preflop:raise", "--json"
    )
    assert code == 0
    exact = equity(["AsAh", "KK"]).players[0].equity
    assert json.loads(out)["reflective_odds"] == pytest.approx(exact, abs=1e-12)


def test_the_sources_flush_draw_calls_and_does_not_raise(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """4 to call, and 40 in the pot with it; against two a raise needs a third."""
    args = ["--model", "KdQc", "--model", "9d9h", "--pot", "40", "--to-call", "4", "--json"]
    code, out, _ = call(capsys, "odds", "Js5s", "Ks9s2d", *args)
    assert code == 0
    found = json.loads(out)
    assert found["raise_odds"] == pytest.approx(1 / 3)
    assert found["implied_odds"] == pytest.approx(1 / 11)
    assert 1 / 11 < found["reflective_odds"] < 1 / 3
    assert found["play"] == "call"


def test_spectra_and_outs_are_bars_and_lists(capsys: pytest.CaptureFixture[str]) -> None:
    args = ["--model", "KdQc", "--action", "flop:bet", "--spectrum", "--outs"]
    code, out, _ = call(capsys, "odds", "As5s", "Ks9s2d", *args)
    assert code == 0
    assert "outs (12): " in out
    assert "by the river: " in out
    assert "█" in out
    assert "theirs before" not in out  # nothing was left out of a range of one hand
    code, out, _ = call(capsys, "odds", *FLOP, "--action", BET, "--spectrum", "--outs", "--json")
    found = json.loads(out)
    assert sum(found["spectrum"]["yours"]) == pytest.approx(1)
    assert found["spectrum"]["categories"]["quads"]["yours"] > 0
    assert found["outs"]["cards"] == []


@pytest.mark.parametrize("name", ["spectra.png", "spectra.svg"])
def test_a_picture_is_written_once(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    image = tmp_path / name
    args = ["odds", *FLOP, "--action", BET, "--image", str(image)]
    assert call(capsys, *args)[0] == 0
    begins = image.read_bytes()
    assert begins.startswith(b"\x89PNG" if name.endswith("png") else b"<svg")
    code, _, said = call(capsys, *args)
    assert code == 2
    assert "--force replaces it" in said
    assert call(capsys, *args, "--force")[0] == 0
    assert image.read_bytes() == begins


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--action", "turn:bet"], "an action on the turn"),
        (["--action", "flop:bte"], "action"),
        (["--action", "flop:bet", "--model", "72o"], "no holding is worth"),
        (["--action", "flop:bet", "--action", "flop:bet", "--opponents", "1"], "2 actions"),
        (["--action", "flop:bet", "--action", "flop:bet", "--model", "KK"], "2 actions"),
        (["--image", "x.gif"], ".gif; allowed: .png, .svg"),
        (["--softness", "nan"], "nan"),
        (["--softness", "2"], "softness"),
        (["--model", "AsAd"], "nothing of the range"),
    ],
)
def test_what_cannot_be_is_one_line(
    capsys: pytest.CaptureFixture[str], args: list[str], said: str
) -> None:
    code, _, error = call(capsys, "odds", *FLOP, *args)
    assert code == 2
    assert said in error
    assert error.count("\n") == 1


def test_outs_before_the_flop_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, error = call(capsys, "odds", "AsAh", "--outs")
    assert code == 2
    assert "allowed: 3, 4" in error
