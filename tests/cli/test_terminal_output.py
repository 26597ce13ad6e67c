"""Output to terminals without Unicode, to readers that have gone, and to nowhere."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from railbird.cli import run


def test_a_terminal_without_unicode_keeps_the_minus_signs() -> None:
    program = "from railbird.cli import main; main()"
    args = ["score", "Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC"]
    for more in ([], ["--json"]):
        done = subprocess.run(
            [sys.executable, "-c", program, *args, *more],
            capture_output=True,
            env={**os.environ, "PYTHONIOENCODING": "ascii"},
        )
        assert done.returncode == 0, done.stderr
        assert b"-0.919" in done.stdout
        assert b"?" not in done.stdout


@pytest.mark.parametrize("args", [["--help"], ["tables", "status"], ["convert", "m.log", "-"]])
def test_a_reader_that_has_gone_is_no_finding(tmp_path: Path, args: list[str]) -> None:
    (tmp_path / "m.log").write_text("Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC\n" * 5_000)
    reader, writer = os.pipe()
    os.close(reader)
    options = ["--to", "line", "--from", "line"] if args[0] == "convert" else []
    done = subprocess.run(
        [sys.executable, "-m", "railbird", *args, *options],
        cwd=tmp_path,
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


def test_names_are_printed_as_they_are(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Brackets are not markup, and colons no signs, in tables as little as in lines."""
    log = tmp_path / "m.log"
    hand = "STATE:0:crrrc/rc/rc/crc:7d3d|2hAc/5sKs7s/9s/6h:90|-90:[/red]x|[bold]y :heart:\n"
    log.write_text(f"# name/game/hands/seed m holdem.limit.2p.reverse_blinds.game 1 0\n{hand}")
    assert run(["archive", "add", str(tmp_path / "hands"), str(log)]) == 0
    capsys.readouterr()
    assert run(["archive", "query", str(tmp_path / "hands")]) == 0
    said = capsys.readouterr().out
    assert "[/red]x" in said
    assert "[bold]y :heart:" in said
    assert "\N{MINUS SIGN}90 chips" in said
    assert "+90 chips" in said


def test_standard_output_that_is_closed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = tmp_path / "m.log"
    log.write_text("Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", None)
        code = run(["convert", str(log), "-", "--to", "line"])
    assert code == 2
    assert capsys.readouterr().err == "railbird: standard output is closed\n"
