"""``railbird score`` of the source's example, and under several settings."""

from __future__ import annotations

import pytest

from helpers.command_line import call, call_json

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


def test_two_settings_have_the_standard_error_of_one(capsys: pytest.CaptureFixture[str]) -> None:
    both = "tight-low+loose-low"
    stderr = call_json(capsys, "score", TABLE_3_3, "--settings", both)["position_stderr"]
    assert stderr > 0
    _, out, _ = call(capsys, "score", TABLE_3_3, "--settings", both)
    *_, last = " ".join(out.split()).split("; small bets, ")
    said = f"Luck and position have a standard error of {stderr:.4f}."
    assert last.rstrip() == f"mean of the settings tight-low and loose-low. {said}"
