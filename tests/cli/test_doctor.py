"""`railbird machine doctor`: what it finds here, and where it cannot write."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import pytest

import railbird
import railbird_papers
from helpers.command_line import call, call_json
from railbird._extras import EXTRAS, how_to_install
from railbird._shared_cache import KERNELS, TABLES
from railbird.cli.cache import PARTS


def test_what_is_here_and_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    found = {each["what"]: each for each in call_json(capsys, "machine", "doctor")["findings"]}
    assert found["railbird"]["found"] == railbird.__version__
    assert found["numba"]["found"] == metadata.version("numba")
    assert " MB" in found["free memory"]["found"]
    for extra, modules in EXTRAS.items():
        is_missing = any(find_spec(module) is None for module in modules)
        assert found[extra]["found"] == ("not installed" if is_missing else "installed")
        assert found[extra].get("note", "") == (how_to_install(extra) if is_missing else "")
    assert "railbird machine cache clear" in " ".join(call(capsys, "machine", "doctor")[1].split())


@pytest.mark.slow
def test_a_cache_that_cannot_be_written(tmp_path: Path) -> None:
    taken = tmp_path / "file"
    taken.touch()
    done = subprocess.run(
        [sys.executable, "-m", "railbird", "machine", "doctor"],
        capture_output=True,
        text=True,
        env={**os.environ, "RAILBIRD_CACHE": str(taken / "cache"), "COLUMNS": "200"},
        check=False,
    )
    assert done.returncode == 1
    assert "cannot be written: Not a directory" in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_damaged_table(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    environment = {**os.environ, "RAILBIRD_CACHE": str(tmp_path), "COLUMNS": "200"}
    run = [sys.executable, "-m", "railbird"]
    subprocess.run(
        [*run, "machine", "tables", "build", "flop_pattern"], env=environment, check=True
    )
    (table,) = (
        path for path in (tmp_path / "tables").rglob("flop_pattern.table") if path.is_file()
    )
    table.write_bytes(table.read_bytes()[:-1])
    done = subprocess.run(
        [*run, "machine", "doctor"], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 1
    assert "damaged: flop_pattern" in done.stdout


# `railbird machine cache`: what is kept, its size, and deleting it.


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    cache = tmp_path / "cache"
    monkeypatch.setenv("RAILBIRD_CACHE", str(cache))
    for part, size in (("tables", 700), ("kernels/cards-0", 300), ("mine", 5)):
        (cache / part).mkdir(parents=True)
        (cache / part / "x.bin").write_bytes(b"." * size)
    return cache


def test_every_folder_of_the_cache_is_listed() -> None:
    sources = [Path(package.__path__[0]) for package in (railbird, railbird_papers)]
    named = re.compile(r'cache_folder\(\) / "(\w+)"')
    files = [file for folder in sources for file in folder.rglob("*.py")]
    used = {name for file in files for name in named.findall(file.read_text())}
    assert used | {KERNELS, TABLES} == set(PARTS)


def test_sizes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = call_json(capsys, "machine", "cache", "status")
    assert found["folder"] == str(folder)
    assert found["parts"].keys() == PARTS.keys()
    sizes = {part: of["bytes"] for part, of in found["parts"].items() if of["bytes"]}
    assert sizes == {"tables": 700, "kernels": 300}
    assert "machine code" in call(capsys, "machine", "cache", "status")[1]


def test_nothing_but_the_named_parts_is_deleted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = call_json(capsys, "machine", "cache", "clear", "tables", "strategies", "--force")
    assert told == {"folder": str(folder), "deleted": ["tables"], "bytes": 700}
    assert sorted(path.name for path in folder.iterdir()) == ["kernels", "mine"]
    assert call_json(capsys, "machine", "cache", "clear", "--force")["deleted"] == ["kernels"]
    assert [path.name for path in folder.iterdir()] == ["mine"], "not ours"
    assert call(capsys, "machine", "cache", "clear")[::2] == (0, "nothing to delete\n")


def test_it_asks_first(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, _, err = call(capsys, "machine", "cache", "clear")
    assert (code, err) == (2, "railbird: nobody to ask; --force deletes without asking\n")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("click.confirm", lambda *_, **__: False)
    assert call(capsys, "machine", "cache", "clear")[::2] == (1, "nothing deleted\n")
    assert (folder / "tables").exists()
    code, _, err = call(capsys, "machine", "cache", "clear", "kernel")
    assert (code, "did you mean kernels" in err) == (2, True)


# ``railbird demo``.


@pytest.mark.slow
def test_demo(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, err = call(capsys, "demo", "--out", str(tmp_path), "--hands", "200", "--json")
    found = json.loads(out)
    assert (code, found["hands"]) == (0, 200)
    first, *_ = err.splitlines()
    assert first == "playing 200 hands of heads-up limit: baseline against baseline:loose-high"
    assert "small bets a hand, in money (95 % interval " in " ".join(err.split())
    assert Path(found["report"]).exists()


@pytest.mark.slow
def test_the_money_of_the_demo_points_the_wrong_way(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log = call_json(capsys, "demo", "--out", str(tmp_path))["log"]
    players = call_json(capsys, "assess", log, "--player", "baseline")["players"]
    assert players["baseline"]["money"]["value"] == pytest.approx(-0.113, abs=5e-4)
    assert players["baseline"]["divat"]["low"] > 0.05
