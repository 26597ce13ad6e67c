"""Exit codes by the rule: 2 nothing was read, 1 nothing came of what was read, or a finding."""

from __future__ import annotations

import gzip
import json
import random
import shlex
from pathlib import Path

import pytest

from railbird.cli import run

LOG = (
    "# name/game/hands/seed m holdem.limit.2p.reverse_blinds.game 2 0\n"
    "STATE:0:crrrc/rc/rc/crc:7d3d|2hAc/5sKs7s/9s/6h:90|-90:Alice|Bob\n"
    "STATE:1:crrf:2sQd|8h4d:-20|20:Bob|Alice\n"
)
HEADING = "card1,card2,position,decision\n"
FILES = {
    "good.log": LOG.encode(),
    "bad.log": LOG.splitlines(keepends=True)[0].encode() + b"STATE:0:what\n",
    "empty": b"",
    "zeros": bytes(1000),
    "random": random.Random(1).randbytes(100_000),
    "line": b"x" * 5_000_000,
    "deep.json": b'{"a":' * 100_000,
    "cut.gz": gzip.compress(LOG.encode() * 1000)[:100],
    "bad.game": b"GAMEDEF\nfoo\n",
    "columns.csv": b"a,b\n1,2\n",
    "rows.csv": HEADING.encode() + b"xx,Ad,sb,aggress\n",
    "good.csv": HEADING.encode() + b"As,Ad,sb,aggress\n10s,KS,bb,fold\n",
}
UNUSABLE = [name for name in FILES if not name.startswith("good")]
READERS = [
    "assess {file}",
    "assess --crosstable {file}",
    "stats {file}",
    "convert {file} new.txt",
    "convert {file} - --to acpc",
    "archive add new {file}",
    "explain {file} --hand 1 --seat 0",
    "pushfold report {file}",
    "pushfold report good.csv --against {file}",
    "assess good.log --game {file}",
    "match random random --hands 2 --game {file}",
]
WRONG = """
odds
odds AsXh
odds AsKs 2c3c4c5c6c7c
odds AsKs --pot nan --to-call 1
equity AA
equity AA KK --samples 0
score x
score "STATE:0:what"
solve
solve pushfold --stack nan
solve pushfold --sweep 1:2:0
solve pushfold --out x.pdf
solve toy chess
solve toy kuhn --tolerance 0
match random
match random random --hands 0
match random random --seed -1
match random random --time nan
match random random --workers 0
match random random --until soon
match random random --log good.log
match random random --log .
match python:nosuch:X random
league random
league random random --log good.log
tournament random random --payouts 1/2
tournament random random --entry nan
ring random random --blinds 0,0
players nobody
acpc-client random localhost 99999
experiment nonsense
experiment unbiased --scale 0
experiment unbiased --images png
tables status nonsense
tables build nonsense
serve --http 99999
serve --http 0 --database mysql://x
demo --out good.log
convert good.log
convert good.log good.log
convert good.log good.csv --to acpc
convert good.log new --to nonsense
convert good.log new.txt --rename x
convert good.log .
assess
assess good.log --estimators nonsense
assess good.log --settings nonsense
assess good.log --images png
assess good.log --out good.log
explain good.log --hand 1
explain good.log --hand 1 --seat 0 --as nobody
archive query .
archive query missing
archive add . good.log
nonsense
"""
NOTHING = """
assess good.log --player nobody
explain good.log --hand 9 --seat 0
explain good.log --hand 1 --seat 5
explain good.log --hand 1 --seat 0
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(capsys: pytest.CaptureFixture[str], here: Path, command: str, code: int) -> None:
    """One line that says why, no object but of nothing, and no file that was not there."""
    before = sorted(here.rglob("*"))
    for more in ([], ["--json"]):
        if more and "convert" in command and " - " in command:
            continue  # both want standard output
        assert run([*shlex.split(command), *more]) == code, capsys.readouterr().err
        out, err = capsys.readouterr()
        assert err.splitlines()[-1].startswith("railbird")
        assert "Traceback" not in err
        if out:
            assert more
            assert not json.loads(out).get("hands")
    assert sorted(here.rglob("*")) == before


@pytest.mark.parametrize("reader", READERS)
def test_of_what_is_no_input_nothing_comes(
    capsys: pytest.CaptureFixture[str], here: Path, reader: str
) -> None:
    for file in UNUSABLE:
        check(capsys, here, reader.format(file=file), 1)
    check(capsys, here, reader.format(file="good.log/x"), 2)
    check(capsys, here, reader.format(file="missing"), 2)


@pytest.mark.parametrize("command", WRONG.strip().splitlines())
def test_wrong_commands(capsys: pytest.CaptureFixture[str], here: Path, command: str) -> None:
    check(capsys, here, command, 2)


@pytest.mark.parametrize("command", NOTHING.strip().splitlines())
def test_of_a_log_that_was_read_nothing_comes(
    capsys: pytest.CaptureFixture[str], here: Path, command: str
) -> None:
    check(capsys, here, command, 1)
