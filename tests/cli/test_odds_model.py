"""`railbird odds --model`: strength and potential against given ranges."""

from __future__ import annotations

import json

import pytest

from railbird.cli import run

OLD_KEYS = {"ihr", "hr7", "ehr", "hs", "ppot1", "ppot2", "npot1", "npot2", "raw_odds"}


def test_models_take_the_place_of_any_hand(capsys: pytest.CaptureFixture[str]) -> None:
    args = ["odds", "AdQc", "3h4cJh", "--model", "QQ+, AKs", "--model", "random", "--json"]
    assert run(args) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found) == OLD_KEYS | {
        "hs_field", "ehs", "optimistic_ehs", "reflective_odds", "models"
    }  # fmt: skip
    assert found["models"] == ["QQ+, AKs", "random"]
    assert found["hs"] == 0  # every hand of the first range is ahead
    assert 0 < found["hs_field"] < 0.2
    assert found["ihr"] == pytest.approx(0.585106, abs=5e-7)
    assert found["ehs"] == pytest.approx(found["ppot2"])
    assert 0 < found["reflective_odds"] < 0.2


def test_before_the_flop_only_the_showdown_is_defined(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["odds", "AsAd", "--model", "KK", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["hs"] is None
    assert found["ehs"] is None
    assert found["reflective_odds"] == pytest.approx(0.8195, abs=0.005)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--model", "KK", "--opponents", "2"], "2 opponents and 1 models"),
        (["--model", "XX"], "X"),
        (["3h4cJh", "--model", "AsAd"], "leave nothing of the range AsAd"),
    ],
)
def test_bad_models_are_one_line(
    capsys: pytest.CaptureFixture[str], args: list[str], said: str
) -> None:
    assert run(["odds", "AsAd", *args]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
