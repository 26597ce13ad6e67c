"""Progress on a terminal: few rows, whole counts, notices above them."""

from __future__ import annotations

import io
import logging
import re

import pytest

from railbird.cli import _console
from railbird.cli._console import SafeConsole, progress

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
