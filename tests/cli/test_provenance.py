"""Which files say what made them: the manual's table, and a file of every verb in it."""

from __future__ import annotations

import hashlib
import html
import json
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath
from typing import NamedTuple

import click
import numpy as np
import pytest

from helpers.command_line import call_in
from railbird import _provenance
from railbird._provenance import Provenance
from railbird._version import __version__
from railbird.cli._typed_command import TypedContext, _is_output, _typed
from railbird.cli._verbs import _command, verbs
from railbird.modelling.opponent_memory import Learned, OpponentMemory
from railbird.modelling.tracker import ModelForm, ModelRecord
from railbird.storage.opponents import memory_place

_SECTION = re.compile(r"^## What made a file\n(.*?)^## ", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`([a-z0-9][a-z0-9 -]*)`")
MANUAL = Path(__file__).parents[2] / "docs" / "cli.md"
_KINDS = {
    ".solution": "solution",
    ".strategy": "strategy",
    ".npz": "model",
    ".html": "page",
    ".md": "page",
    ".jsonl": "line",
    ".log": "log",
    ".phhs": "log",
}
"""How a row of the table begins, by ending."""
_FIRST = "logs/m.log"
_RIVER = "--board Td9d6hQc2s --oop 66+,A8s+ --ip QQ-22 --pot 20 --stack 50 --bets a --gap 5"
_BLINDS = "--stack 600 --opens a --oop AA,QQ --ip KK,AKs --flops Ks7d2c --gap 50"

WRITERS: Mapping[str, str] = {
    f"solve spot {_RIVER} --out x.solution": "x.solution",
    f"solve preflop-tree {_BLINDS} --out y.solution": "y.solution",
    "solve spot three three.txt --gap 9 --out three.solution": "three.solution",
    f"solve spot report {_RIVER} --boards Td9d6hQc2s --out boards": "boards/Td9d6hQc2s.solution",
    "solve limit --size blind --gap 500 --out x.strategy": "x.strategy",
    "solve nolimit --stacks 4 --buckets 169-1-1-1 --samples 20 --seed 3 --out z.strategy": (
        "z.strategy"
    ),
    f"train response {_FIRST} --player random --buckets 1-1-1-1 --gap 900 --out r.strategy": (
        "r.strategy"
    ),
    f"train response {_FIRST} --player random --buckets 1-1-1-1 --gap 900 --out r.html": "r.html",
    f"train loki {_FIRST} --out model.npz": "model.npz",
    f"archive add hands {_FIRST}": "hands/railbird-archive.json",
    "experiment pushfold-charts --scale 0.01 --out sources": "sources/table.json",
    f"assess {_FIRST} --out rep": "rep/report.html",
    "demo --hands 20 --out demo": "demo/report.html",
    "explain explained.log --hand 1 --player loki:basic --out e.html": "e.html",
    f"run-card {_FIRST} --out run.json": "run.json",
    f"run-card {_FIRST} --out run.html": "run.html",
    f"night {_FIRST} --out night.html": "night.html",
    "opponents show tom --database people.sqlite3 --out tom.html": "tom.html",
    "players tight --fingerprint -n 20 --out tight.html": "tight.html",
    "pushfold report people.csv --out judged": "judged/report.html",
    f"report {_FIRST} --player random --out played.html": "played.html",
    f"hand {_FIRST} --hand 1 --out hand.html": "hand.html",
    f"score {_FIRST} --hand 1 --out score.html": "score.html",
    "solve pushfold --stack 5 --out push.md": "push.md",
    "solve toy kuhn --gap 0.1 --out toy.html": "toy.html",
    f"stats {_FIRST} --out stats.html": "stats.html",
    "blackjack strategy --out chart.html": "chart.html",
    "evaluate always-fold --samples 20 --seed 3 --out evaluations.jsonl": "evaluations.jsonl",
    "match random always-call --hands 2 --seed 5 --log a.log": "a.log",
    "league random always-call --hands 2 --seed 5 --log folder": "folder/1-2.log",
    "ring random always-call --hands 2 --seed 5 --log ring.log": "ring.log",
    "tournament random always-call --count 1 --payouts 100 --seed 5 --log t.phhs": "t.phhs",
    "exploit always-call --game nolimit --method local --samples 20 --seed 5 --log l.log": (
        "l.log"
    ),
}
"""A command for every verb whose files have a record, and the file."""
_LIGHT = ["archive", "match", "report", "stats", "solve spot", "solve pushfold", "solve toy"]


def record_of(path: Path) -> Provenance | None:
    """Read the record in a file of any kind."""
    content = path.read_bytes()
    match path.suffix:
        case ".html":
            text = re.search(r'<meta name="railbird-made" content="([^"]*)">', content.decode())
            assert text is not None
            made = Provenance.from_json(json.loads(html.unescape(text[1])))
            assert f"Made by {made}.</p>" in html.unescape(content.decode())
            return made
        case ".md":
            *_, last = content.decode().splitlines()
            words = re.fullmatch(r"Made by (\w+) (\S+): (.*)\.", last)
            assert words is not None
            return Provenance(program=words[1], version=words[2], command=words[3])
        case ".npz":
            with np.load(path) as arrays:
                return Provenance.from_json(json.loads(str(arrays["made"])))
        case ".strategy":
            header = content.split(b"\n", 2)[1]
        case ".json":
            header = content
        case _:
            header = content.split(b"\n", 1)[0]
            header = header[header.index(b"{") :]
    return Provenance.from_json(json.loads(header)["made"])


class Row(NamedTuple):
    """A row of the manual's table."""

    file: str
    verbs: set[str]
    says_command: str
    says_time: str


def _rows() -> list[Row]:
    section = _SECTION.search(MANUAL.read_text(encoding="utf-8"))
    assert section is not None
    lines = [line for line in section[1].splitlines() if line[:1] == "|"]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    return [Row(file, {*_CODE.findall(named)}, *rest) for file, named, *rest in cells]


def _writing(command: click.Command, name: str) -> Iterator[str]:
    """Yield the verbs from a name on that have an option or an argument for what they write."""
    if isinstance(command, click.Group):
        for member in command.list_commands(click.Context(command)):
            below = command.get_command(click.Context(command), member)
            assert below is not None
            yield from _writing(below, f"{name} {member}")
    elif any(map(_is_output, command.params)):
        yield name


def test_the_manual_knows_every_verb_that_writes() -> None:
    writing = {
        name for verb in verbs() for name in _writing(_command(verb.rpartition(" ")[2]), verb)
    }
    named = set[str]().union(*(row.verbs for row in _rows()))
    assert named == writing | {"experiment"}  # which is of another package


def test_every_verb_with_records_is_tried() -> None:
    tried = {(_row_of(file).file, _verb(command)) for command, file in WRITERS.items()}
    expected = {
        (row.file, verb) for row in _rows() if row.says_time != "no record" for verb in row.verbs
    }
    assert {file for file, _ in expected} == {file for file, _ in tried}
    assert {verb for _, verb in expected} == {verb for _, verb in tried}


def _verb(command: str) -> str:
    """Return the longest verb of the table that a command begins with."""
    commands = command, command.replace("solve spot ", "solve spot file ")
    written = [verb for row in _rows() for verb in row.verbs]
    known = [verb for verb in written if any(full.startswith(f"{verb} ") for full in commands)]
    return max(known, key=len)


def _row_of(file: str) -> Row:
    path = PurePath(file)
    word = f"`{path.name}`" if path.suffix == ".json" else _KINDS[path.suffix]
    return next(row for row in _rows() if row.file.startswith(word))


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a log, one of a player that explains, people's decisions and a database."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "logs").mkdir()
    match = "match random always-call --hands 20 --seed 1 --log logs/m.log"
    assert call_in(folder, *match.split())[0] == 0
    (folder / "boards").mkdir()
    (folder / "three.txt").write_text(
        "board = 2c3d7h9sJs\npot = 30\nstacks = 9\nfirst = AA\nsecond = KK\nthird = QQ\nbets = a\n"
    )
    (folder / "people.csv").write_text(
        "card1,card2,position,decision\nAs,Ad,sb,aggress\n10s,KS,bb,fold\n"
    )
    model = OpponentMemory(memory_place(str(folder / "people.sqlite3")), ModelForm())
    model.begin(["bob", "tom"], observer="bob", game="limit", seats=2)
    known = ModelRecord(actions=[[[1.0, 2.0, 5.0]] * 3] * 4, shown=[[0.0] * 9] * 2)
    model.end({"tom": Learned(known, hands=20, bets=60, actions=96)})
    model.close({})
    return folder


@pytest.mark.slow(
    but=[name for command, name in WRITERS.items() if command.startswith(tuple(_LIGHT))],
)
@pytest.mark.parametrize("command", WRITERS, ids=WRITERS.values())
def test_a_file_says_what_made_it(
    here: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    monkeypatch.setattr("railbird.cli.evaluate.HOUSE", ())  # of whom one is solved beforehand
    if command.startswith("explain"):
        logged = "match loki:basic random --hands 1 --log explained.log"
        assert call_in(here, *logged.split())[0] == 0
    arguments = shlex.split(command.replace(_FIRST, str(here / _FIRST)))
    code, _, err = call_in(here, *arguments)
    assert code == 0, err
    made = record_of(here / WRITERS[command])
    assert made is not None
    assert (made.program, made.version) == ("railbird", __version__)
    row, file = _row_of(WRITERS[command]), WRITERS[command]
    assert [made.command != "", made.time != ""] == [
        says == "yes" for says in (row.says_command, row.says_time)
    ]
    if made.command:
        assert made.command == command.replace(_FIRST, "m.log"), "as typed, without folders"
    if _FIRST in command and not file.endswith(".md"):
        of_log = hashlib.sha256((here / _FIRST).read_bytes()).hexdigest()
        assert made.inputs == (("m.log", of_log),)
    if "--seed 3" in command:
        assert made.seed == 3
    assert _provenance.typed == _provenance.TypedCommand(), "a library's use says no command"


def test_a_file_that_is_shown_says_what_made_it(here: Path) -> None:
    shown = "shown.solution"
    solve = f"solve spot {_RIVER} --out {shown}"
    assert call_in(here, *solve.split(), environment={"SOURCE_DATE_EPOCH": "86400"})[0] == 0
    code, out, _ = call_in(here, "solve", "spot", "show", shown)
    assert code == 0
    assert out.splitlines()[-1] == f"Made by railbird {__version__}: {solve} · 1970-01-02"
    said = json.loads(call_in(here, "solve", "spot", "show", shown, "--json")[1])["made"]
    assert said == {
        "program": "railbird",
        "version": __version__,
        "command": solve,
        "time": "1970-01-02T00:00:00Z",
    }


def test_a_time_that_is_none_is_refused(here: Path) -> None:
    wrong = {"SOURCE_DATE_EPOCH": "today"}
    command = ["archive", "add", "never", str(here / _FIRST)]
    code, _, err = call_in(here, *command, environment=wrong)
    assert code == 2
    assert err == "railbird: SOURCE_DATE_EPOCH 'today'; allowed: seconds since 1970\n"
    assert not (here / "never" / "railbird-archive.json").exists()


def test_files_in_players_are_inputs_and_addresses_are_left_out(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player's file counts; where a database is, and who logs in there, is nobody's business."""
    typed = [
        *("match", "x=loki:som,model=learned,actions=logs/m.log", "random", "--seed", "4"),
        *("--log", str(here / "new.log"), "postgresql://ann:secret@db.example/people"),
    ]
    context = TypedContext(_command("match"), obj=typed)
    context.params = {"first": typed[1], "second": "random", "seed": 4, "log": here / "new.log"}
    monkeypatch.chdir(here)
    made = _typed(context)
    assert made.seed == 4
    assert made.inputs == [Path("logs/m.log")]
    assert made.text == shlex.join(
        [
            *("match", "x=loki:som,model=learned,actions=m.log", "random", "--seed", "4"),
            *("--log", "new.log", "postgresql://…"),
        ]
    )
