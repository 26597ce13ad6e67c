"""`railbird endgames`: endgames listed, written, solved and certified."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from helpers.command_line import call
from railbird.cli.endgames import METHODS
from railbird.solve import endgames
from railbird.solve.spot import Spot


def test_the_methods_are_those_of_the_library() -> None:
    assert tuple(endgames.ALGORITHMS) == METHODS


def test_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "endgames", "--json")
    assert code == 0
    assert [row["name"] for row in json.loads(out)["endgames"]] == list(endgames.names())
    code, out, _ = call(capsys, "endgames")
    assert code == 0
    assert "flop-20" in out


def test_what_is_solved_is_certified(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    mine = str(tmp_path / "mine.npy")
    solved = ("endgames", "river-2", "--method", "dcfr", "--gap", "2", "--out", mine, "--json")
    code, out, _ = call(capsys, *solved)
    assert code == 0
    answer = json.loads(out)
    assert answer["finished"]
    last = answer["checks"][-1]
    assert last["touched"] == 2 * last["iterations"] * endgames.endgame("river-2").set_count
    code, out, _ = call(capsys, "endgames", "river-2", mine, "--json")
    assert code == 0
    certified = json.loads(out)
    assert certified["gap_percent"] == pytest.approx(last["gap_percent"], abs=1e-3)
    low, high = endgames.values()["river-2"]
    assert certified["value_at_least_percent"] < high
    assert certified["value_at_most_percent"] > low
    code, out, _ = call(capsys, "endgames", "river-2", mine)
    assert code == 0
    assert out.splitlines()[1] == f"gap {certified['gap_percent']:.4f} % of the pot"


def test_an_endgame_is_described_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "endgames", "river-2")
    assert code == 0
    assert out.splitlines()[-1] == "21,420 information sets, 62,400 numbers"
    assert "_" not in out


def test_files_of_an_endgame(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    game = endgames.endgame("river-2")
    for file in ("spot.txt", "arrays.npz"):
        code, _, err = call(capsys, "endgames", "river-2", "--out", str(tmp_path / file))
        assert code == 0
        assert "wrote" in err
    assert Spot.read(tmp_path / "spot.txt").key() == game.spot.key()
    with np.load(tmp_path / "arrays.npz") as arrays:
        assert np.array_equal(arrays["sets"], game.sets)
        assert int(arrays["pot"]) == game.spot.pot


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("rivr-1",), "did you mean river-1"),
        (("--method", "dcfr"), "without an endgame"),
        (("river-1", "text.npy"), "no array"),
        (("river-1", "none.npy"), "cannot be read"),
        (("river-1", "short.npy"), "shape"),
        (("river-1", "words.npy"), "no array of numbers"),
        (("river-1", "short.npy", "--method", "dcfr"), "with a strategy"),
        (("river-1", "--out", "mine.npy"), "with --method"),
        (("river-1", "--method", "dcfr", "--out", "mine.txt"), "with --method"),
        (("river-1", "--method", "cfr"), "cfr+"),
        (("river-1", "--method", "dcfr", "--gap", "nan"), "--gap"),
        (("river-1", "--method", "dcfr", "--iterations", "0"), "--iterations"),
        (("river-1", "--out", "short.npy"), "with --method"),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_refusals(
    arguments: tuple[str, ...],
    words: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.npy").write_text("no array")
    np.save(tmp_path / "short.npy", np.zeros(5))
    np.save(tmp_path / "words.npy", np.array(["fold"]))
    code, out, err = call(capsys, "endgames", *arguments)
    assert code == 2
    assert out == ""
    assert words in err
    assert len(err.strip().splitlines()) == 1
