"""A folder of logs works wherever a log does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from railbird.assessment import assess
from railbird.cli import run

PLAYERS = ("baseline", "always-call")
HANDS = 60


@pytest.fixture
def folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> str:
    """Made by the verb that writes folders."""
    monkeypatch.chdir(tmp_path)
    assert run(["league", *PLAYERS, "--hands", str(HANDS), "--log", "logs"]) == 0
    capsys.readouterr()
    return "logs"


def printed(args: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert run([*args, "--json"]) == 0
    out = capsys.readouterr().out
    found: dict[str, Any] = json.loads(out)
    return found


def test_every_verb_that_reads_takes_a_folder(
    folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, one = (printed(["assess", path], capsys) for path in (folder, f"{folder}/1-2.log"))
    assert whole.pop("files") == [folder]
    del one["files"]
    assert whole == one
    assert whole["hands"] == HANDS
    assert printed(["assess", "--crosstable", folder], capsys)["players"].keys() == set(PLAYERS)
    assert printed(["stats", folder], capsys)["players"]["baseline"]["hands"] == HANDS
    assert printed(["convert", folder, "all.phhs"], capsys)["hands"] == HANDS
    assert printed(["archive", "add", "store", folder], capsys)["hands"] == HANDS


@pytest.mark.parametrize("ending", ["", "/"])
def test_functions_take_folders(folder: str, ending: str) -> None:
    assert assess(folder + ending).hands == HANDS
    assert assess(Path(folder)).as_json() == assess(f"{folder}/1-2.log").as_json()


def test_a_log_in_a_new_folder_is_assessed_at_once(
    folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["match", *PLAYERS, "--hands", "20", "--log", "new/match.log"]) == 0
    capsys.readouterr()
    assert printed(["assess", "new"], capsys)["hands"] == 20
