"""`railbird solve limit`, `solve preflop` and `machine abstraction`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from helpers.command_line import call, call_json
from railbird._version import __version__
from railbird.cli._solve_limit import disk_needed
from railbird.game import HEADS_UP_LIMIT
from railbird.solve.abstraction import CardBlind
from railbird.solve.abstraction.buckets import digest_path, table_path
from railbird.solve.abstraction.percentile import (
    PartialCount,
    PercentileAbstraction,
    abstraction_path,
)
from railbird.solve.limit import betting_tree, open_strategy
from railbird.solve.limit.strategy import uniform_strategy


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RAILBIRD_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_a_size_is_solved_once(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = call_json(capsys, "solve", "limit", "--size", "blind")
    assert found["gap_mb"] <= 1
    assert abs(found["value_big_blind_mb"]) < 10
    assert found["curve"][-1][:2] == [found["iterations"], found["gap_mb"]]
    assert Path(found["strategy"]).parent == cache / "strategies"
    assert open_strategy(Path(found["strategy"]), verify=True).hash == found["hash"]
    assert call_json(capsys, "solve", "limit", "--size", "blind") == found
    coarser = call_json(capsys, "solve", "limit", "--size", "blind", "--gap", "5", "--force")
    assert coarser["iterations"] < found["iterations"]
    code, out, _ = call(capsys, "solve", "limit", "--size", "blind", "--gap", "5")
    assert code == 0
    assert "gap in the abstraction" in out
    assert f"solved before: {coarser['iterations']} iterations" in out
    made = "Made by railbird ...: solve limit --size blind --gap 5 --force --json"
    assert f"{made.replace('...', __version__)} · {coarser['date']}\n" in out
    _, out, _ = call(capsys, "solve", "limit", "--size", "blind", "--force")
    assert "solved before" not in out


@pytest.mark.slow(but=["cfr+-iterations-options0"])
@pytest.mark.parametrize(
    ("algorithm", "unit", "options"),
    [
        ("cfr+", "iterations", ["--gap", "1"]),
        ("external", "deals", ["--iterations", "50000"]),
        ("public-chance", "boards", ["--boards", "40"]),
    ],
)
def test_algorithms_come_to_the_same_value(
    algorithm: str,
    unit: str,
    options: list[str],
    tmp_path: Path,
    cache: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "x.strategy"
    arguments = "--size", "blind", "--method", algorithm, "--out", str(out), *options
    found = call_json(capsys, "solve", "limit", *arguments)
    # The game is worth nothing, so nobody wins more than both best responses gain.
    assert abs(found["value_big_blind_mb"]) <= 2 * found["gap_mb"] < 400
    assert found[unit] >= 40
    assert [key for key in ("iterations", "deals", "boards") if found[key] is not None] == [unit]
    assert not out.with_suffix(".part.npz").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--size", "huge"], "blind"),
        (["--buckets", "5-5-5-5"], "--buckets without --out"),
        (["--buckets", "1-1-1-1", "--size", "small", "--out", "x"], "allowed: one of them"),
        (["--buckets", "5-5-5", "--out", "x"], "four numbers"),
        (["--buckets", "a-5-5-5", "--out", "x"], "four numbers"),
        (["--buckets", "9-9-9-9", "--out", "x"], "at most 4096"),
        (["--size", "blind", "--gap", "0", "--force"], "1e-09 to 1,000"),
        (["--size", "blind", "--gap", "nan", "--force"], "1e-09 to 1,000"),
        (["--size", "blind", "--out", "/dev/null"], "a regular file"),
        (["--size", "blind", "--out", "-"], "a regular file"),
        (["--size", "medium", "--gap", "1"], "allowed: --samples"),
        (["--size", "small", "--boards", "1"], "allowed: --gap and --iterations"),
        (["--buckets", "169-1-1", "--out", "x"], "169 and three numbers"),
        (["--size", "medium", "--method", "external"], "allowed: public-chance"),
        (["--size", "small", "--method", "external"], "without --out; allowed: with --out"),
        (
            ["--method", "public-chance", "--iterations", "9", "--out", "x"],
            "allowed: --gap and --samples",
        ),
        (
            ["--method", "external", "--boards", "9", "--out", "x"],
            "allowed: --gap and --iterations",
        ),
        (["--method", "cfr", "--size", "small"], "cfr+"),
    ],
)
def test_refusals(
    arguments: list[str], words: str, cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = call(capsys, "solve", "limit", *arguments)
    assert (code, out) == (2, "")
    assert words in err


@pytest.mark.parametrize(
    ("arguments", "job"),
    [
        (["solve", "limit", "--size", "blind"], "railbird.solve.limit.solve_limit"),
        (
            ["machine", "abstraction", "build", "4-4-4-4"],
            "railbird.solve.abstraction.counted_abstraction",
        ),
    ],
)
def test_ctrl_c_says_how_to_go_on(
    arguments: list[str],
    job: str,
    cache: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(job, interrupted)
    code, out, err = call(capsys, *arguments)
    assert (code, out) == (130, "")
    assert err == "railbird: interrupted; the same command goes on where it stopped\n"


@pytest.mark.parametrize("size", ["blind", "medium"])
def test_a_cache_that_cannot_be_written_is_found_first(
    size: str, cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def late(*_: object, **__: object) -> None:
        raise AssertionError("solved first")

    monkeypatch.setattr("railbird.solve.limit.solve_limit", late)
    monkeypatch.setattr("railbird.solve.limit.solve_sampled", late)
    monkeypatch.setattr("railbird.cli._hand_files.os.access", lambda *_: False)
    code, out, err = call(capsys, "solve", "limit", "--size", size)
    assert (code, out) == (2, "")
    assert err.endswith(" is read-only\n")


def test_the_disk_that_a_sampled_run_takes() -> None:
    tables = uniform_strategy(betting_tree(HEADS_UP_LIMIT), CardBlind()).probabilities
    one = sum(table.nbytes for table in tables)
    runs = [disk_needed((1, 1, 1, 1), boards) for boards in (100, 16_384, 200_000)]
    assert runs == [5 * one, 6 * one, 9 * one]
    assert 9 * 334e6 < disk_needed((169, 9000, 5000, 5000), 200_000) < 9 * 335e6


def test_status(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call_json(capsys, "machine", "abstraction", "status")["abstractions"] == []
    none = np.zeros((1, 0), dtype=np.int64)
    one = PercentileAbstraction((1, 1, 1, 1), np.zeros(169, np.int32), (none,) * 3)
    path = abstraction_path(one.buckets)
    path.parent.mkdir(parents=True)
    PartialCount(one, 351, np.ones((1, 1), np.int64), np.ones((1, 1), np.int64)).write(path)
    path.with_name("percentile-2-2-2-2.npz").write_bytes(b"nonsense")
    np.save(table_path(1, 500), np.zeros(3, dtype=np.uint16))
    np.save(table_path(2, 500), np.zeros(3, dtype=np.uint16))
    digest_path(2, 500).write_text("0")  # the other table is not finished
    (row,) = call_json(capsys, "machine", "abstraction", "status")["abstractions"]
    assert row == {"name": "percentile:1-1-1-1", "path": str(path), "share_counted": 0.2}
    code, out, _ = call(capsys, "machine", "abstraction", "status")
    assert code == 0
    assert "20 %" in out
    assert "river in 500 buckets" in out
    (row,) = call_json(capsys, "machine", "abstraction", "status")["tables"]
    assert row == {"street": "river", "buckets": 500, "bytes": 134}


def test_preflop(capsys: pytest.CaptureFixture[str]) -> None:
    found = call_json(capsys, "solve", "preflop", "--stack", "5", "--actions", "fold,limp,shove")
    assert found["exploitability_bb"] <= 1e-4
    first, *_ = found["decisions"]
    assert list(first["actions"]) == ["fold", "limp", "shove"]
    assert sum(action["share"] for action in first["actions"].values()) == pytest.approx(1)
    assert sum(action["chart"]["AA"] for action in first["actions"].values()) == pytest.approx(1)
    code, _, err = call(capsys, "solve", "preflop", "--actions", "fold,lmp")
    assert code == 2
    assert "did you mean limp?" in err


@pytest.mark.slow
def test_preflop_played_on(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = "solve", "preflop", "--stack", "3", "--postflop", "baseline", "--boards", "2"
    found = call_json(capsys, *arguments)
    assert (found["postflop"], found["boards"]) == ("baseline", 2)
    assert found["stderr_bb"] > 0
    assert call_json(capsys, *arguments) == found
    assert call_json(capsys, *arguments, "--seed", "1") != found
    code, out, _ = call(capsys, *arguments)
    assert code == 0
    assert " bb a hand (too few to say)\nafter a call baseline plays on, on 2 boards\n" in out
    checked = call_json(capsys, "solve", "preflop", "--stack", "3")
    assert (checked["postflop"], checked["boards"], checked["stderr_bb"]) == (None, 0, 0)


@pytest.mark.slow(only=["arguments1-1 boards; allowed: 2 to 1,000,000"])
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--boards", "5"], "--boards without --postflop; allowed: with --postflop"),
        (["--postflop", "baseline", "--boards", "1"], "1 boards; allowed: 2 to 1,000,000"),
        (["--postflop", "loki:som"], "is not known beforehand"),
        (["--postflop", "equilibrium:small", "--stack", "1"], "stack 1; allowed: more than 1"),
    ],
)
def test_preflop_refusals(
    arguments: list[str], words: str, cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = call(capsys, "solve", "preflop", *arguments)
    assert (code, out) == (2, "")
    assert words in err
