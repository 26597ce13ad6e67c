"""``railbird equity``, ``odds`` and ``tables``."""

from __future__ import annotations

import pytest

from helpers.command_line import call_json


def test_equity(capsys: pytest.CaptureFixture[str]) -> None:
    found = call_json(capsys, "equity", "Ts6s", "Jd5d", "--board", "Td5hTh")
    first = found["players"][0]
    assert (first["hand"], first["win"], first["tie"], first["lose"]) == ("Ts6s", 950, 0, 40)
    assert found["boards"] == 990
    assert found["exact"] is True


def test_sampled_equity_repeats_for_a_seed(capsys: pytest.CaptureFixture[str]) -> None:
    args = ("equity", "AsAh", "random", "random", "--samples", "20000", "--seed", "3")
    first = call_json(capsys, *args)
    assert first == call_json(capsys, *args)
    assert first["exact"] is False
    assert abs(first["players"][0]["equity"] - 0.7343) < 5 * first["players"][0]["stderr"]


def test_odds(capsys: pytest.CaptureFixture[str]) -> None:
    """Papp 1998, the running example: AdQc on 3h4cJh against five opponents."""
    found = call_json(
        capsys, "odds", "AdQc", "3h4cJh", "--opponents", "5", "--pot", "40", "--to-call", "10"
    )
    assert found["ihr"] == pytest.approx(0.585106, abs=5e-7)
    assert found["hs"] == pytest.approx(0.068576, abs=5e-7)
    assert found["ppot2"] == pytest.approx(0.208324, abs=5e-7)
    assert found["npot2"] == pytest.approx(0.273693, abs=2e-6)
    assert found["pot_odds"] == 0.2


def test_odds_before_the_flop_leave_potential_undefined(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = call_json(capsys, "odds", "AsAd")
    assert found["hr7"] == pytest.approx(0.852037, abs=5e-7)
    assert found["ppot1"] is None


def test_tables_status(capsys: pytest.CaptureFixture[str]) -> None:
    found = call_json(capsys, "tables", "status")
    assert {"river_ihr", "turn_hr7"} <= {table["name"] for table in found["tables"]}
