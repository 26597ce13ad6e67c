"""A disk that is full: one line that names the file, exit code 1, nothing left behind."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from railbird.cli import run

resource = pytest.importorskip("resource", reason="a limit to the size of files")

LOG = (
    "# name/game/hands/seed m holdem.limit.2p.reverse_blinds.game 200 0\n"
    + "STATE:0:crrrc/rc/rc/crc:7d3d|2hAc/5sKs7s/9s/6h:90|-90:Alice|Bob\n" * 200
)


@contextmanager
def _full(size: int) -> Iterator[None]:
    """Files can have so many bytes: what a disk does that fills up then, by another error."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _rows(folder: Path) -> tuple[list[str], int]:
    """The names of a table's rows in JSON, and how many lines the CSV has."""
    rows = json.loads((folder / "table.json").read_text())["rows"]
    with (folder / "table.csv").open(newline="") as lines:
        return [row["name"] for row in rows], len(list(csv.reader(lines, strict=True)))


@pytest.mark.slow(
    only=[
        "assess {here}/m.log --out {out}/deep-20000-out/deep/report.html",
        "solve pushfold --stack 5 --out {out}.svg-1000-out.svg",
        "experiment pushfold-charts --scale 0.01 --out {out}-3000-out/report.html",
    ]
)
@pytest.mark.parametrize(
    ("args", "size", "file"),
    [
        ("convert {here}/m.log {out}.txt", 0, "out.txt"),
        ("convert {here}/m.log {out}.txt.gz", 90, "out.txt.gz"),
        ("assess {here}/m.log --out {out}/deep", 20_000, "out/deep/report.html"),
        ("match random random --hands 200 --log {out}/m.log", 0, "out/m.log"),
        ("match random random --hands 200 --log {out}/m.log", 3_000, "out/m.log"),
        ("tournament random random --count 5 --log {out}", 700, "out"),
        ("solve pushfold --stack 5 --out {out}.svg", 1_000, "out.svg"),
        ("archive add {out} {here}/m.log", 20, "out/railbird-archive.json"),
        ("experiment pushfold-charts --scale 0.01 --out {out}", 3_000, "out/report.html"),
    ],
)
def test_one_line_and_nothing_left(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, args: str, size: int, file: str
) -> None:
    (tmp_path / "m.log").write_text(LOG)
    good, bad = tmp_path / "good", tmp_path / "bad"
    for folder in (good, bad):
        folder.mkdir()
    assert run(args.format(here=tmp_path, out=good / "out").split()) == 0
    capsys.readouterr()
    with _full(size):
        code = run(args.format(here=tmp_path, out=bad / "out").split())
    out, err = capsys.readouterr()
    assert code == 1
    is_experiment = args.startswith("experiment")
    assert bool(out) == is_experiment, "a table is printed before it is written"
    assert err == f"railbird: {bad / file}: cannot be written: File too large\n"
    if is_experiment:
        # What was played stays in its tables, as whole as where the disk had room for the page.
        assert {path.name for path in (bad / "out").iterdir()} == {"table.json", "table.csv"}
        assert _rows(bad / "out") == _rows(good / "out")
    else:
        assert not list(bad.iterdir())


def test_an_archive_s_part_is_written_whole_or_not_at_all(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "m.log").write_text(LOG)
    with _full(1_000):
        assert run(["archive", "add", str(tmp_path / "a"), str(tmp_path / "m.log")]) == 1
    assert "a/limit-2/000001.parquet: cannot be written" in capsys.readouterr().err
    assert not (tmp_path / "a/limit-2").exists()
    assert run(["archive", "add", str(tmp_path / "a"), str(tmp_path / "m.log")]) == 0


@pytest.mark.slow(only=["args1"])
@pytest.mark.parametrize("args", [["--version"], ["icm", "--stacks", "5,3", "--payouts", "2,1"]])
def test_standard_output_on_a_full_disk(args: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "railbird", *args],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.stderr == "railbird: No space left on device\n"
    assert done.returncode == 1


@pytest.mark.parametrize("args", [["--version"], ["icm", "--stacks", "5,3", "--payouts", "2,1"]])
def test_a_reader_that_has_gone_is_no_finding(args: list[str]) -> None:
    """Whether click writes or Rich."""
    read, written = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "railbird", *args],
            stdout=written,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    finally:
        os.close(written)
    assert (done.returncode, done.stderr) == (0, "")
