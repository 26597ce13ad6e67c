"""``railbird demo``."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.command_line import call_json


def test_demo(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    found = call_json(capsys, "demo", "--out", str(tmp_path), "--hands", "200")
    assert found["hands"] == 200
    assert Path(found["report"]).exists()


def test_the_money_of_the_demo_points_the_wrong_way(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log = call_json(capsys, "demo", "--out", str(tmp_path))["log"]
    players = call_json(capsys, "assess", log, "--player", "baseline")["players"]
    assert players["baseline"]["money"]["value"] == pytest.approx(-0.113, abs=5e-4)
    assert players["baseline"]["divat"]["low"] > 0.05
