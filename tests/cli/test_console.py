"""Output to terminals without Unicode, to readers that have gone, and to nowhere."""

from __future__ import annotations

import io
import json
import logging
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.command_line import call
from railbird._terminal_safe import is_hidden
from railbird.cli import _console, run
from railbird.cli._console import SafeConsole, print_document, print_table, progress
from railbird.report.document import Document, Section, Table


@pytest.mark.slow
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


def test_a_pipe_gets_the_minus_and_the_space_of_ascii(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "match", "always-call", "always-fold", "--hands", "100")
    signs = "\N{MINUS SIGN}\N{THIN SPACE}\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"
    assert (code, {*out} & {*signs}) == (0, set())
    assert re.search(r"always-fold +-0\.\d", out)
    screen = io.StringIO()
    SafeConsole(file=screen, force_terminal=True).print("\N{MINUS SIGN}x\N{NO-BREAK SPACE}y")
    assert screen.getvalue() == "\N{MINUS SIGN}x\N{NO-BREAK SPACE}y\n"


def test_a_pipe_gets_suits_without_the_sign_for_terminals() -> None:
    """The variation selector, which nobody sees, would keep a search from matching."""
    pipe, screen = io.StringIO(), io.StringIO()
    SafeConsole(file=pipe).print("9♦\N{VARIATION SELECTOR-15} 8♥\N{VARIATION SELECTOR-15}")
    assert pipe.getvalue() == "9♦ 8♥\n"
    SafeConsole(file=screen, force_terminal=True).print("♦\N{VARIATION SELECTOR-15}")
    assert screen.getvalue() == "♦\N{VARIATION SELECTOR-15}\n"


WIDE = Table(("name", *(f"column {n}" for n in range(12))), [("row", *["1,234.5"] * 12)])


@pytest.mark.parametrize(("width", "rows"), [(None, 1), ("80", 2)])
def test_a_row_in_a_pipe_is_one_line_unless_a_width_is_set(
    monkeypatch: pytest.MonkeyPatch, width: str | None, rows: int
) -> None:
    """Every table, document and sentence is printed by the same two consoles."""
    monkeypatch.delenv("COLUMNS", raising=False)
    if width is not None:
        monkeypatch.setenv("COLUMNS", width)
    pipe = io.StringIO()
    monkeypatch.setattr(_console, "output", SafeConsole(file=pipe))
    print_table(WIDE)
    assert sum(line.lstrip().startswith("row ") for line in pipe.getvalue().splitlines()) == rows
    print_document(Document(title="t", sections=(Section(words="word " * 40, table=WIDE),)))
    assert max(map(len, pipe.getvalue().splitlines())) > 150 or width is not None
    terminal = io.StringIO()
    monkeypatch.setattr(_console, "output", SafeConsole(file=terminal, force_terminal=True))
    monkeypatch.setenv("COLUMNS", "80")
    print_table(WIDE)
    shown = re.sub(r"\x1b\[[0-9;]*m", "", terminal.getvalue())
    assert max(map(len, shown.splitlines())) <= 80


def test_no_verb_prints_tables_by_itself() -> None:
    """Another console would split rows in a pipe again."""
    makers = {
        path.name
        for path in Path(_console.__file__).parent.glob("*.py")
        if re.search(
            r"\bSafeConsole\(|rich\.console import Console|terminal_table\(", path.read_text()
        )
    }
    assert makers == {"_console.py", "_blackjack.py"}, "the latter plays on standard error"


@pytest.mark.slow
@pytest.mark.parametrize(
    "args", [["--help"], ["machine", "cache", "status"], ["convert", "m.log", "-"]]
)
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
    assert "-90 chips" in said
    assert "+90 chips" in said


def test_standard_output_that_is_closed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = tmp_path / "m.log"
    log.write_text("Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", None)
        code = run(["convert", str(log), "-", "--to", "line"])
    assert code == 2
    assert capsys.readouterr().err == "railbird: standard output is closed\n"


# Names from logs and from the command line cannot drive the terminal.


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
        (["assess", "--show", "crosstable", "{log}"], 0),
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_name_with_control_characters_does_not_abort_the_drawing_of_a_page(log: Path) -> None:
    # In a process of its own: the renderer of charts aborted.
    command = [sys.executable, "-m", "railbird", "assess", str(log), "--method", "decisions"]
    done = subprocess.run([*command, "--out", "page", "--image", "svg"], capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    page = (log.parent / "page" / "report.html").read_text()
    assert [c for c in page if is_hidden(c) and c not in "\n\t"] == []
    assert "a\ufffd]0;title" in page


# Progress on a terminal: few rows, whole counts, notices above them.


UP = "\x1b[1A"


@pytest.fixture(params=[60, 80, 120])
def terminal(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """What is written to a terminal of some width."""
    written = io.StringIO()
    console = SafeConsole(file=written, force_terminal=True, width=request.param)
    monkeypatch.setattr(_console, "errors", console)
    return written


def frames(written: io.StringIO) -> list[list[str]]:
    """The rows of every picture of the bars, as a reader sees them."""
    pictures = re.split(rf"(?:\x1b\[2K|{re.escape(UP)}|\r)+", written.getvalue())
    return [re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", picture).splitlines() for picture in pictures]


def test_a_job_whose_words_change_stays_one_row(terminal: io.StringIO) -> None:
    with progress() as report:
        for done in range(100):
            report(done, 0, f"solving, exploitability {1 / (done + 1):.1e}")
    assert max(len(rows) for rows in frames(terminal)) == 1
    (row,) = frames(terminal)[-2]
    assert re.search(r" 99 +\d:\d\d:\d\d *$", row.strip()), row


def test_many_jobs_are_few_rows(terminal: io.StringIO) -> None:
    with progress() as report:
        for number in range(50):
            report(number + 1, 51, "hands")
            for done in (1, 2, 3):
                report(done, 3, f"file {number}.log")
    most = max(len(rows) for rows in frames(terminal))
    assert most == 4
    last = frames(terminal)[-2]
    assert any("50/51" in row for row in last), "what is not done stays"
    assert "file 49.log" in last[-1]


def test_a_long_path_leaves_the_counts_whole(terminal: io.StringIO) -> None:
    path = "/a/very/long/path" * 20 + "/match\x1b[31m.log"
    with progress() as report:
        report(123_456_789, 987_654_321, path)
    (row,) = frames(terminal)[-2]
    assert "ch�[31m.log" in row
    assert "…" in row
    assert re.search(r"123 M/988 M \d:\d\d:\d\d -:--:--$", row.strip())


def test_notices_stand_above_the_bars(terminal: io.StringIO) -> None:
    with progress() as report:
        report(1, 2, "hands")
        logging.getLogger("railbird.acpc.program").warning("waiting for %s", "x" * 200)
    assert f"waiting for {'x' * 200}\n" in terminal.getvalue()


def test_a_terminal_that_is_none_gets_no_bars(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.StringIO()
    monkeypatch.setattr(_console, "errors", SafeConsole(file=written, width=80))
    with progress() as report:
        report(1, 2, "hands")
        logging.getLogger("railbird").warning("said")
    assert written.getvalue() == "said\n"
