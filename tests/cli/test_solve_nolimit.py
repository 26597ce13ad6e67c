"""`railbird solve nolimit`, and matches of what it finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.command_line import call, call_json
from railbird.solve.nolimit.strategy import open_nolimit

FEW = ["--buckets", "169-1-1-1", "--stacks", "4,10", "--samples", "500"]


def test_a_strategy_is_solved_and_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "few.strategy"
    found = call_json(capsys, "solve", "nolimit", *FEW, "--out", str(path))
    assert found["hash"] == open_nolimit(path, verify=True).hash
    assert (found["stacks"], found["deals"], found["gap_mb"]) == ([4, 10], 500, None)
    code, out, _ = call(capsys, "solve", "nolimit", *FEW, "--out", str(path), "--force")
    assert code == 0
    assert "10 big blinds: actions by street 33 · 88 · 176 · 296" in out
    assert found["hash"] in out
    log = tmp_path / "x.log"
    match = ["match", f"me=equilibrium:{path}", "random", "--game", "nolimit", "--stack", "7bb"]
    played = call_json(capsys, *match, "--hands", "40", "--log", str(log))
    assert set(played["players"]) == {"me", "random"}
    assert played["players"]["me"].get("faults", {}) == {}
    spec = f"equilibrium:{path}"
    code, out, _ = call(capsys, "explain", str(log), "--hand", "2", "--player", "me", "--ask", spec)
    assert code == 0, out
    assert "by the blueprint of" in out
    ring = ["ring", spec, "random", "--game", "nolimit", "--stack", "10bb", "--hands", "30"]
    assert call(capsys, *ring)[0] == 0
    cup = ["tournament", spec, "random", "--count", "2", "--stack", "10bb"]
    assert call(capsys, *cup)[0] == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--stacks", "100"], "--stacks without --out"),
        (["--menu", "bets = 100%"], "--menu without --out"),
        (["--seed", "2"], "--seed without --out"),
        (["--stacks", "deep", "--out", "x"], "big blinds such as 20,50,100"),
        (["--stacks", "1", "--out", "x"], "from 2 to 1,000"),
        (["--buckets", "5-5-5-5", "--out", "x"], "169 and three numbers"),
        (["--menu", "bets = 100%", "--out", "x"], "no opens"),
        (["--menu", "opens = 3x; bets = 2x", "--out", "x"], "first bet"),
        (["--out", "-"], "regular file"),
    ],
)
def test_what_is_refused(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, said = call(capsys, "solve", "nolimit", *arguments)
    assert code == 2
    assert words in said
    assert not [*tmp_path.iterdir()]


def test_an_unsolved_night_is_refused_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RAILBIRD_CACHE", str(tmp_path))
    match = ["match", "equilibrium:nolimit-medium", "random", "--game", "nolimit"]
    code, _, said = call(capsys, *match, "--hands", "2")
    assert code == 2
    assert "railbird solve nolimit --size medium does" in said
