"""Files that verbs write: nothing is overwritten unasked, and no input whatever is asked."""

from __future__ import annotations

import os
import shlex
import stat
import subprocess
import sys
from pathlib import Path

import altair
import pytest

from railbird.cli import run

LOG = (
    "# name/game/hands/seed m holdem.limit.2p.reverse_blinds.game 2 0\n"
    "STATE:0:crrrc/rc/rc/crc:7d3d|2hAc/5sKs7s/9s/6h:90|-90:Alice|Bob\n"
    "STATE:1:crrf:2sQd|8h4d:-20|20:Bob|Alice\n"
)
NO_LIMIT = (
    "# name/game/hands/seed m holdem.nolimit.2p.reverse_blinds.game 1 0\n"
    "STATE:8:r6695f:5d6c|Js7c:-100|100:Alice|Bob\n"
)
PEOPLE = "card1,card2,position,decision\nAs,Ad,sb,aggress\n10s,KS,bb,fold\n"

WRITERS = {
    "convert m.log {out}.txt": "out.txt",
    "convert m.log {out}.log.gz": "out.log.gz",
    "archive query hands --out {out}.phhs": "out.phhs",
    "assess m.log --out {out}": "out/report.html",
    "score m.log --hand 1 --out {out}.html": "out.html",
    "solve pushfold --stack 5 --out {out}.svg": "out.svg",
    "pushfold report people.csv --out {out}": "out/report.html",
    "experiment pushfold-charts --scale 0.01 --out {out}": "out/report.html",
    "demo --hands 20 --out {out}": "out/report.html",
    "explain table.log --hand 1 --player loki:basic --out {out}.html": "out.html",
}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a log, an archive, people's decisions, and a log of a player that explains."""
    folder = tmp_path_factory.mktemp("inputs")
    (folder / "m.log").write_text(LOG)
    (folder / "people.csv").write_text(PEOPLE)
    assert run(["archive", "add", str(folder / "hands"), str(folder / "m.log")]) == 0
    table = str(folder / "table.log")
    assert run(["match", "loki:basic", "random", "--hands", "1", "--log", table]) == 0
    return folder


@pytest.fixture
def here(inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(inputs)
    return tmp_path


@pytest.mark.slow(
    but=[
        "convert m.log {out}.txt",
        "convert m.log {out}.log.gz",
        "archive query hands --out {out}.phhs",
        "score m.log --hand 1 --out {out}.html",
    ]
)
@pytest.mark.parametrize("command", WRITERS)
def test_a_file_that_exists_is_replaced_only_by_force(
    capsys: pytest.CaptureFixture[str], here: Path, command: str
) -> None:
    file = here / WRITERS[command]
    args = command.format(out=here / "out").split()
    file.parent.mkdir(exist_ok=True)
    file.write_text("old")
    for more in ([], ["--json"]):
        assert run([*args, *more]) == 2
        said = capsys.readouterr()
        assert (said.out, said.err) == ("", f"railbird: {file} exists; --force replaces it\n")
        assert file.read_text() == "old"
    assert run([*args, "--force"]) == 0
    assert file.read_bytes() != b"old"


def _symbolic(link: Path, file: Path) -> None:
    link.symlink_to(file)


def _hard(link: Path, file: Path) -> None:
    link.hardlink_to(file)


@pytest.mark.parametrize("link", [None, _symbolic, _hard])
@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize(
    "command", ["convert {a} {b}", "explain {a} --hand 1 --player Bob --out {b}"]
)
def test_an_input_is_never_an_output(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    command: str,
    force: bool,
    link: object,
) -> None:
    file = other = tmp_path / "m.log"
    file.write_text(LOG)
    if callable(link):
        other = tmp_path / "b.log"
        link(other, file)
    args = command.format(a=file, b=other).split() + ["--force"] * force
    assert run(args) == 2
    assert f"{file} and {other} are the same file" in capsys.readouterr().err
    assert file.read_text() == LOG


def test_an_archive_is_not_written_into(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "m.log").write_text(LOG)
    hands = tmp_path / "hands"
    assert run(["archive", "add", str(hands), str(tmp_path / "m.log")]) == 0
    (part,) = hands.glob("*/*.parquet")
    before = part.read_bytes()
    capsys.readouterr()
    for out in (part, hands / "new.log"):
        args = ["archive", "query", str(hands), "--out", str(out), "--to", "acpc", "--force"]
        assert run(args) == 2
        assert f"{out} is in {hands}, which is read" in capsys.readouterr().err
    assert part.read_bytes() == before
    assert not (hands / "new.log").exists()


def test_standard_input_and_output_are_files_too(tmp_path: Path) -> None:
    """As in `convert - m.log < m.log`, and in `convert m.log - >> m.log`, which would not end."""
    log = tmp_path / "m.log"
    log.write_text(LOG)
    program = [sys.executable, "-m", "railbird", "convert"]
    with log.open("rb") as stream:
        done = subprocess.run(
            [*program, "-", str(log), "--force"], stdin=stream, capture_output=True, text=True
        )
    assert (done.returncode, "are the same file" in done.stderr) == (2, True)
    with log.open("ab") as stream:
        done = subprocess.run(
            [*program, str(log), "-", "--to", "acpc"],
            stdout=stream,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert (done.returncode, "are the same file" in done.stderr) == (2, True)
    assert log.read_text() == LOG


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("convert bad.log out.log", "out.log: no hand was written: 1 cut off"),
        ("convert bad.log out.log --force", "out.log: no hand was written: 1 cut off"),
        (
            "convert nolimit.log out.txt",
            "out.txt: no hand fits the format line (one-line text, heads-up limit); "
            "name another by --to: acpc, ",
        ),
        (
            "archive query hands --out out.txt --player nobody",
            "no player 'nobody' in hands; players: Alice, Bob",
        ),
        ("archive query hands --player nobody", "no player 'nobody' in hands; players: Alice, Bob"),
        ("archive query hands --player Alice --game no-limit", "hands: no hand fits them"),
        ("archive add new bad.log", "new: no hand was added: 1 cut off"),
        ("assess bad.log --out out", "no hand could be assessed: 1 cut off"),
        ("assess --show crosstable bad.log nolimit.log", "no hand could be assessed: 1 cut off, 1"),
        ("convert empty.log out.log", "empty.log is empty"),
        ("assess random.bin", "random.bin is of no known format"),
    ],
)
@pytest.mark.parametrize("as_json", [False, True])
def test_nothing_comes_of_it(
    capsys: pytest.CaptureFixture[str],
    inputs: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    said: str,
    as_json: bool,
) -> None:
    """Exit code 1: the input was read, and nothing is written; an older file stays."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.log").write_text(LOG.splitlines(keepends=True)[0] + "STATE:0:what\n")
    (tmp_path / "nolimit.log").write_text(NO_LIMIT)
    (tmp_path / "empty.log").touch()
    (tmp_path / "random.bin").write_bytes(bytes(range(256)) * 40)
    (tmp_path / "hands").symlink_to(inputs / "hands")
    if "--force" in command:
        (tmp_path / "out.log").write_text("old")
    before = sorted(tmp_path.iterdir())
    assert run(shlex.split(command) + ["--json"] * as_json) == 1
    out, err = capsys.readouterr()
    assert err.splitlines()[-1].startswith("railbird: ")
    assert said in err.splitlines()[-1]
    assert out.count("\n") == (1 if as_json and out else 0)
    assert sorted(tmp_path.iterdir()) == before
    if "--force" in command:
        assert (tmp_path / "out.log").read_text() == "old"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of POSIX")
def test_a_pipe_is_written_through(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log, pipe = tmp_path / "m.log", tmp_path / "pipe"
    log.write_text(LOG)
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert run(["convert", str(log), str(pipe), "--to", "acpc"]) == 0
    assert os.read(reader, 1000).decode().count("STATE:") == 2
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize(
    ("command", "file"),
    [
        ("match random random --hands 20 --log {out}.log", "out.log"),
        ("league random random random --hands 20 --log {out}", "out/2-3.log"),
        ("league random random random --hands 20 --ring --log {out}", "out/ring.log"),
        ("ring random random --hands 20 --log {out}.phhs", "out.phhs"),
        ("tournament random random --count 2 --log {out}.phhs", "out.phhs"),
    ],
)
def test_a_log_is_resumed_or_by_force_begun_anew(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str, file: str
) -> None:
    args, log = command.format(out=tmp_path / "out").split(), tmp_path / file
    assert run(args) == 0
    first, number = log.read_bytes(), log.stat().st_ino
    assert run(args) == 0
    assert (log.read_bytes(), log.stat().st_ino) == (first, number)
    capsys.readouterr()
    assert run([*args, "--seed", "1"]) == 2
    assert "name another file, or begin it anew (--force)" in capsys.readouterr().err
    assert run([*args, "--seed", "1", "--force", "--clock", "-1"]) == 2
    assert run([*args, "--seed", "1", "--force", "--on", "ray://"]) == 2
    assert "ray:// names no host; allowed: ray, ray://HOST:PORT" in capsys.readouterr().err
    assert log.read_bytes() == first
    assert run([*args, "--seed", "1", "--force"]) == 0
    assert log.read_bytes() != first
    log.write_text("notes")
    assert run(args) == 2
    assert log.read_text() == "notes"
    assert run([*args, "--force"]) == 0
    assert log.read_bytes() == first
    assert not [path for path in log.parent.iterdir() if path.name.startswith(".")]


def test_reasons_are_said_once_and_in_few_words(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log = tmp_path / "m.log"
    long = "STATE:0:" + "rc" * 3_000 + ":2sQd|8h4d:-20|20:Bob|Alice\n"

    log.write_text(LOG + NO_LIMIT + LOG + long)
    assert run(["convert", str(log), "-", "--to", "line"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert [line for line in lines if line.count("cannot be written in this format") > 1] == []
    assert sum("cannot be written in this format: " in line for line in lines) == 1
    assert max(map(len, lines)) <= 200


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("match random random --log folder", "folder is a folder; allowed: a file"),
        ("league random random --log m.log", "m.log is a file; allowed: a folder"),
        ("ring random random --log folder", "folder is a folder; allowed: a file"),
        ("tournament random random --log folder", "folder is a folder; allowed: a file"),
        ("demo --out m.log", "m.log is a file; allowed: a folder"),
        ("experiment duplicate --out m.log", "m.log is a file; allowed: a folder"),
        ("assess m.log --out m.log", "m.log is a file; allowed: a folder"),
        ("stats m.log --out folder", "folder is a folder; allowed: a file"),
        ("explain m.log --hand 1 --seat 0 --out folder", "folder is a folder; allowed: a file"),
        ("score m.log --out folder", "folder is a folder; allowed: a file"),
        ("convert m.log folder", "folder is a folder; allowed: a file"),
        ("pushfold report no.csv", "no.csv: cannot be read: No such file or directory"),
        ("pushfold judge --chart no.json", "no.json: cannot be read: No such file or directory"),
        ("experiment pluribus --data no", "no: cannot be read: No such file or directory"),
    ],
)
def test_a_path_of_another_kind_is_refused_in_the_same_words(
    command: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "m.log").write_text(LOG)
    assert run(command.split()) == 2
    assert capsys.readouterr().err == f"railbird: {said}\n"
    assert (tmp_path / "m.log").read_text() == LOG
    assert not list((tmp_path / "folder").iterdir())


@pytest.mark.parametrize(
    ("verb", "said"),
    [
        ("explain no.log --hand 1 --seat 0 --out x.pdf", "x.pdf: .pdf; allowed: .html"),
        ("solve pushfold --stack 5 --out x.pdf", "x.pdf: .pdf; allowed: .html, .md, .svg, .png"),
        (
            "assess no.log --out x.pdf",
            "x.pdf: .pdf; allowed: a folder for report.html, .tex, .md, .csv\n",
        ),
        (
            "assess no.log --payouts 60,40 --out x.pdf",
            "x.pdf: .pdf; allowed: .html, .md\n",
        ),
        ("odds table169 --out x.pdf", "x.pdf: .pdf; allowed: .csv, .png, .svg\n"),
        ("odds preflop all --out x.pdf", "x.pdf: .pdf; allowed: .csv, .png, .svg\n"),
        ("demo --out x.html", "x.html: .html; allowed: a folder for report.html\n"),
        ("experiment self-play --out x.png", "x.png: .png; allowed: a folder for report.html\n"),
        ("pushfold report no.csv --out x.pdf", "x.pdf: .pdf; allowed: a folder for report.html\n"),
    ],
)
def test_an_ending_that_promises_another_format_is_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    verb: str,
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("no.log", "no.csv"):
        (tmp_path / name).write_text("")
    assert run(verb.split()) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert said in err
    assert {path.name for path in tmp_path.iterdir()} == {"no.log", "no.csv"}


def test_a_folder_that_cannot_be_made_is_refused_before_anything_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    may = os.access
    monkeypatch.setattr(os, "access", lambda path, how: path != tmp_path and may(path, how))
    log = tmp_path / "no.log"
    log.write_text("nothing of poker\n")
    for out in ("new", "new/deep"):
        assert run(["assess", str(log), "--out", str(tmp_path / out)]) == 2
        assert f"cannot be written: {tmp_path} is read-only" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command",
    [
        "stats m.log",
        "explain table.log --hand 1 --player loki:basic",
        "players --fingerprint always-call --hands 2",
    ],
)
def test_a_terminal_draws_no_pictures(
    command: str, inputs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It shows none, and to draw them would take longer than the rest of most commands."""
    drawn: list[object] = []
    monkeypatch.chdir(inputs)
    monkeypatch.setattr(altair.LayerChart, "__init__", lambda *chart, **_: drawn.append(chart))
    monkeypatch.setattr(altair.Chart, "__init__", lambda *chart, **_: drawn.append(chart))
    assert run(command.split()) == 0
    assert drawn == []
