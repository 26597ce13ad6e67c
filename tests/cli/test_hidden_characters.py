"""Names from logs and from the command line cannot drive the terminal."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from railbird._terminal_safe import is_hidden
from railbird.cli import run

EVIL = "a\x1b]0;title\x07\x1b[31m\x9b5m\u202eb"
LOG = (
    "# name/game/hands/seed m holdem.limit.2p.reverse_blinds.game 2 0\n"
    f"STATE:0:crrrc/rc/rc/crc:7d3d|2hAc/5sKs7s/9s/6h:90|-90:{EVIL}|Bob\n"
    f"STATE:1:crrf:2sQd|8h4d:-20|20:Bob|{EVIL}\n"
    f"STATE:2:{EVIL}:2sQd|8h4d:-20|20:Bob|{EVIL}\n"
)


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    log = tmp_path / f"{EVIL}.log"
    log.write_text(LOG)
    assert run(["archive", "add", "hands", str(log)]) == 0
    return log


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["assess", "{log}"], 0),
        (["assess", "{log}", "--player", "{evil}x"], 1),
        (["assess", "--crosstable", "{log}"], 0),
        (["assess", "{evil}"], 2),
        (["archive", "query", "hands"], 0),
        (["archive", "query", "hands", "--where", "{evil}"], 2),
        (["archive", "add", "more", "{log}"], 0),
        (["convert", "{log}", "{evil}.txt"], 0),
        (["convert", "{log}", "{evil}"], 2),
        (["explain", "{log}", "--hand", "1", "--player", "{evil}x"], 1),
        (["explain", "{log}", "--hand", "1", "--player", "{evil}"], 1),
        (["match", "{evil}=random", "random", "--hands", "2"], 2),
        (["match", "{evil}", "random", "--hands", "2"], 2),
        (["ring", "{evil}=random", "random", "--hands", "2"], 2),
        (["odds", "{evil}"], 2),
        (["equity", "AA", "{evil}"], 2),
        (["{evil}"], 2),
        (["players", "{evil}"], 2),
        (["score", "{evil}"], 2),
        (["experiment", "{evil}"], 2),
        (["solve", "{evil}"], 2),
        (["odds", "--{evil}"], 2),
    ],
)
@pytest.mark.parametrize("as_json", [False, True])
def test_no_hidden_character_is_printed(
    capsys: pytest.CaptureFixture[str], log: Path, args: list[str], code: int, as_json: bool
) -> None:
    capsys.readouterr()
    args = [arg.format(log=log, evil=EVIL) for arg in args]
    assert run([*args, *["--json"] * as_json]) == code
    out, err = capsys.readouterr()
    assert [c for c in out + err if is_hidden(c) and c != "\n"] == []
    if out and as_json:
        json.loads(out)


def test_json_means_what_it_meant(capsys: pytest.CaptureFixture[str], log: Path) -> None:
    capsys.readouterr()
    assert run(["assess", str(log), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found["players"]) == {EVIL, "Bob"}
    assert found["files"] == [str(log)]


def test_hands_that_are_converted_into_a_terminal(log: Path) -> None:
    pty = pytest.importorskip("pty")
    program = [sys.executable, "-m", "railbird", "convert", str(log), "-", "--to", "acpc"]
    ours, theirs = pty.openpty()
    done = subprocess.run(program, stdout=theirs, stderr=subprocess.DEVNULL, check=True)
    os.close(theirs)
    shown = os.read(ours, 10_000).decode()
    os.close(ours)
    assert done.returncode == 0
    assert shown.count("STATE:") == 2
    assert [c for c in shown if is_hidden(c) and c not in "\r\n"] == []
    into_a_pipe = subprocess.run(program, capture_output=True, check=True).stdout.decode()
    assert EVIL in into_a_pipe


def test_a_name_with_control_characters_does_not_abort_the_drawing_of_a_page(log: Path) -> None:
    # In a process of its own: the renderer of charts aborted.
    command = [sys.executable, "-m", "railbird", "assess", str(log), "--by-decisions"]
    done = subprocess.run(
        [*command, "--out", "page", "--images", "svg"], capture_output=True, timeout=120
    )
    assert done.returncode == 0, done.stderr.decode()
    page = (log.parent / "page" / "report.html").read_text()
    assert [c for c in page if is_hidden(c) and c not in "\n\t"] == []
    assert "a\ufffd]0;title" in page
