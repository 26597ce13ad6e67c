"""Mistakes in what was asked are named at once, and with what was meant."""

from __future__ import annotations

import gzip
import json
import os
import random
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.command_line import call, call_json
from railbird.cli import run


@pytest.fixture
def refusals_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def log(capsys: pytest.CaptureFixture[str]) -> str:
    assert run(["match", "tom=baseline", "always-call", "--hands", "40", "--log", "m.log"]) == 0
    capsys.readouterr()
    return "m.log"


def said(args: list[str], code: int, capsys: pytest.CaptureFixture[str]) -> str:
    assert run(args) == code
    out, err = capsys.readouterr()
    assert out == ""
    (line,) = [line for line in err.splitlines() if not line.startswith("compiling ")]
    return str(line)


@pytest.mark.usefixtures("refusals_here")
def test_both_misspelt_players_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    both = "no player 'tmo', no player 'alway-call' (did you mean always-call or always-fold?)"
    for verb in ("match", "league", "ring", "tournament"):
        assert said([verb, "tmo", "alway-call"], 2, capsys) == f"railbird: {both}"
    one = said(["match", "baseline", "alway-call"], 2, capsys)
    assert one == "railbird: no player 'alway-call'; did you mean always-call or always-fold?"
    neither = said(["match", "tmo", "tmi"], 2, capsys)
    assert neither.startswith("railbird: no player 'tmo', no player 'tmi'; allowed: always-call")


@pytest.mark.usefixtures("refusals_here")
def test_an_absent_player_is_refused_before_anything_is_scored(
    log: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def scored(*_: object, **__: object) -> None:
        raise AssertionError("it was to be refused before")

    monkeypatch.setattr("railbird.assessment.assess", scored)
    line = said(["assess", log, "--player", "tmo"], 1, capsys)
    assert line == "railbird: no player 'tmo' in this log; players: always-call, tom"


@pytest.mark.usefixtures("refusals_here")
def test_renaming_nobody_is_refused(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    args = ["convert", log, "out.phhs", "--rename", "tom=Ann", "--rename", "allways-call=Bob"]
    line = said(args, 1, capsys)
    assert line == "railbird: no player 'allways-call' in this log; players: always-call, tom"
    assert not Path("out.phhs").exists()
    assert run(["convert", log, "out.phhs", "--rename", "tom=Ann"]) == 0
    text = Path("out.phhs").read_text()
    assert "Ann" in text
    assert "tom" not in text


@pytest.mark.usefixtures("refusals_here")
def test_renaming_into_one_name_skips_the_hands(
    log: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["convert", log, "out.phhs", "--rename", "tom=always-call"]) == 1
    assert "one name in two seats" in capsys.readouterr().err


@pytest.mark.usefixtures("refusals_here")
def test_a_text_of_no_format_is_told_what_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    Path("notes.xyz").write_text("hello\n")
    line = said(["assess", "notes.xyz"], 1, capsys)
    assert "notes.xyz is of no known format" in line
    assert "34 of sites and programs, such as those of PokerStars, GGPoker" in line
    assert "pacific" not in line


@pytest.mark.usefixtures("refusals_here")
def test_equity_of_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    line = said(["equity"], 2, capsys)
    assert line == "railbird: no hands; allowed: 2 to 10 hands or ranges, such as AsKs QQ+ random"


@pytest.mark.slow
@pytest.mark.usefixtures("refusals_here")
@pytest.mark.parametrize("game", ["limit", "nolimit"])
def test_hands_given_twice_are_told_in_the_same_words(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    match = ["match", "baseline", "always-call", "--hands", "40", "--game", game]
    assert run([*match, "--log", "m.log"]) == 0
    Path("copy.log").write_bytes(Path("m.log").read_bytes())
    capsys.readouterr()
    for verb in ("assess", "stats"):
        assert run([verb, "m.log", "copy.log"]) == 0
        out, err = capsys.readouterr()
        assert "40 copies of hands were merged" in " ".join((out + err).split())
    assert run(["stats", "m.log", "copy.log", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["players"]["baseline"]["hands"] == 40
    assert found["integrity"]["duplicates_merged"] == 40
    assert found["skipped"] == {}


# Bad input is one line and exit code 2, whatever the verb.


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["nonsense"], "no verb 'nonsense'; allowed: acpc-client, archive"),
        (["asess"], "railbird: no verb 'asess'; did you mean assess?"),
        (
            ["machine", "tables", "stats"],
            "railbird machine tables: no command 'stats'; did you mean status?",
        ),
        (
            ["odds", "AsKs", "--ou", "2"],
            "did you mean --out or --count or --pot?",
        ),
        (["players", "lokki"], "no player 'lokki'; did you mean loki?"),
        (["convert", "x.log"], "Missing argument 'OUT'; as in: railbird convert"),
        (["score", "nosuch.log"], "nosuch.log: no such file and no hand"),
        (["players", "loki:sum"], "version=sum; did you mean som or sim?"),
        (["odds", "prflop", "AKs"], "no hand or command 'prflop'; did you mean preflop?"),
        (["equity", "AsKs", "QdQh", "Td5hTh"], "is no hand; a board is an option: --board Td5hTh"),
        (["odds", "hits", "Kd9s2h", "QQ+"], "is a board; allowed: RANGE BOARD, in this order"),
        (["server", "ratings", "http://localhost:8080"], "a server's page; allowed: its database"),
        (["match", "random", "random", "-n", "x"], "'x' is no whole number; allowed: 1 to 1,000,0"),
        (["match", "random", "random", "-n", "1" * 31], "allowed: 1 to 1,000,000,000,000,000"),
        (["tournament", "random", "random", "--count", "1" * 31], "allowed: 1 to 1,000,000,000,"),
        (["ring", "random", "random", "--hands", "1" * 31], "allowed: 1 to 1,000,000,000,000,"),
        (["league", "random", "random", "--hands", "1" * 31], "allowed: 1 to 1,000,000,000,000"),
        (["solve", "pushfold", "--stack", "7", "--stacks", "5,5"], "allowed: one of the two"),
        (["solve", "pushfold", "--stack", "7", "--sweep", "1:2:1"], "allowed: one of the two"),
        (["solve", "pushfold", "--stacks", "10"], "allowed: one for each of 2 to 9 seats, or --s"),
        (["solve", "pushfold", "--sweep", "1:3:inf"], "--sweep 1:3:inf; allowed: LOW:HIGH:STEP"),
        (
            ["blackjack", "ev", "--player", "4,5", "--upcard", "7", "--set", "after_split=XX"],
            "--set after-split: 'XX'; allowed: CDZ-, CDP1",
        ),
        (["solve", "spot", "--set", "mergin=1"], "--set: no key 'mergin'; did you mean merging?"),
        (["deals", "--to", "x"], "--to: 'x'; allowed: kaggle, text"),
        (["match", "random", "random", "--stop", "soon"], "--stop: goal 'soon'; allowed: decided"),
        (["league", "random", "random", "--stop", "5"], "--stop: goal '5'; allowed: decided"),
        (["match", "random", "random", "--clock", "5+0+1/2"], "a bank, and what it gets, as in"),
        (["match", "random", "random", "--clock", "5+60+x"], "a bank, and what it gets, as in"),
        (["solve", "pushfold", "--stacks", "4,9", "--bounties", "3,2"], "--bounties without --pay"),
        (
            ["solve", "pushfold", "--stacks", "4,9,12", "--set", "future-game=1"],
            "--set future-game without --payouts; allowed: with --payouts",
        ),
        (["match", "random", "Baselin"], "no player 'Baselin'; did you mean baseline?"),
        (["match", "random", "loki:smo"], "loki: version=smo; did you mean som"),
        (["match", "random", "loki:som,tightnes=tight"], "did you mean tightness"),
        (["match", "random", "baseline:tigth-low"], "no settings 'tigth-low'; did you mean tight-"),
        (["match", "random", "baseline:flop.mkae1=1"], "no threshold 'mkae1'; did you mean make1?"),
        (["match", "random", "random", "--game", "nolimt"], "no game 'nolimt'; did you mean noli"),
        (["experiment", "unbiasd"], "no experiment 'unbiasd'; did you mean unbiased or "),
        (["equity", "AsAh", "--bord", "x"], "No such option '--bord'; did you mean --board?"),
        (["evaluate", "tight", "--stack", "100"], "'--stack'; did you mean --stacks?"),
        (["match", "random", "random", "--threads", "2"], "'--threads'; did you mean --workers?"),
        (["stats", "x.log", "--hero", "Ann"], "No such option '--hero'; did you mean --player?"),
        (["exam", "random", "--stack", "9"], "No such option '--stack'; allowed: --count, --"),
        (["equity", "AsAh"], "equity needs 2 to 10 hands, got 1"),
        (["equity", "AsAh", "AsKs"], "holding"),
        (["equity", "AsAh", "QQ+, XX"], "'QQ+, XX' at character 6 ('X')"),
        (["equity", "AsAh", "KK", "--board", "2c"], "board"),
        (["odds", "AsXh"], "not a rank: 'AsXh' at character 3"),
        (["odds", "AsAs"], "comes twice"),
        (["odds", "AsKs", "--set", "make1=nan"], "'nan' is no number"),
        (["play", "baseline", "--plain", "--pause", "nan"], "'nan' is no number"),
        (["train", "response", "x.log", "--p", "nan"], "'nan' is no number"),
        (["odds", "AsKs", "--pot", "3"], "both --pot and --to-call"),
        (["match", "always-call", "nobody"], "no player 'nobody'; allowed: always-call"),
        (["match", "always-call", "random", "--game", "chess"], "chess"),
        (["match", "random", "random", "--stop", "1bb"], "such as 0.02sb"),
        (["match", "random", "random", "--game", "potlimit"], "`railbird ring`"),
        (["match", "random", "random", "--dealer", "acpd"], "did you mean acpc?"),
        (["stats", "table.log", "--where", "buton"], "did you mean button?"),
        (["icm", "--stacks", "5,3", "--payouts", "30,70"], "place 2 gets 70, the one before it 30"),
        (["solve", "pushfold", "--stacks", "9,9", "--payouts", "0,5"], "that do not increase"),
        (["league", "random"], "1 players; allowed: 2 or more"),
        (["players", "nobody"], "no player 'nobody'; allowed: always-call"),
        (["league", "random", "nobody"], "no player 'nobody'"),
        (
            ["league", *["random"] * 3, "--ring", "--game", "holdem.limit.2p.reverse_blinds.game"],
            "is for 2 seats; allowed here: 3",
        ),
        (["tournament", "random"], "1 players; allowed: 2 or more"),
        (["tournament", "random", "random", "--blinds", "10/20"], "SMALL/BIGxHANDS"),
        (["tournament", "random", "random", "--blinds", "20/40x9,10/20x9"], "blinds never fall"),
        (["tournament", "random", "random", "--payouts", "50/40"], "add up to 100"),
        (["tournament", "random", "random", "--entry", "much"], "an amount such as 16.66"),
        (["tournament", "random", "random", "--entry", "1e999999999"], "such as 16.66"),
        (["match", "python:", "random"], "allowed: python:MODULE:CLASS,KEY=VALUE"),
        (["match", "random", "random", "--log", "/dev/null"], "/dev/null is not a regular file"),
        (["ring", "random", "random", "--log", "/dev/full"], "/dev/full is not a regular file"),
        (["acpc-client", "random", ".", "1"], "no dealer at . port 1: encoding with 'idna'"),
        (["archive", "add", "archive", "missing.log"], "missing.log: cannot be read"),
        (["equity", "AA", "KK", "--samples", str(1 << 64)], "allowed: 1 to 10,000,000,000"),
        (["convert", "missing.log", "out.txt"], "missing.log"),
        (["equity", "AA", "KK", "--samples", "9", "--seed", "-1"], "-1; allowed: 0 or more"),
        (["machine", "tables"], "railbird machine tables: no command; allowed: build, status"),
        (["machine", "tables", "nonsense"], "no command 'nonsense'; allowed: build, status"),
        (["machine", "tables", "build", "nonsense"], "no table 'nonsense'"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    args: list[str],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = call(capsys, *args)
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1
    assert said in err
    assert not list(tmp_path.iterdir()), "nothing half-written"


# Exit codes by the rule: 2 nothing was read, 1 nothing came of what was read, or a finding.


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
    "assess --show crosstable {file}",
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
solve toy kuhn --gap 0
solve toy kuhn --gap inf
solve pushfold --gap 1e308
solve pushfold --seats 2 --gap inf
solve preflop --gap 1e308
solve limit --gap inf
train response good.log --player a --gap 1e308 --out new
solve spot --board Td9d6hQc2s --oop AA --ip KK --pot 200 --stack 900 --bets a --gap 1e308
solve spot --board Td9d6hQc2s --oop AA --ip KK --pot 200 --stack 900 --bets a --gap -0.1
solve spot --board Td9d6hQc2s --oop AA --ip KK --pot 200 --stack 900 --bets a --gap nan
solve spot --board Td9d6hQc2s --oop AA --ip KK --pot 200 --stack 900 --bets a --memory inf
preflop AKs --bets 1e308
blackjack simulate basic --bankroll inf
match random
match random random --hands 0
match random random --seed -1
match random random --clock nan
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
experiment unbiased --image png
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
assess good.log --image png
assess good.log --out good.log
explain good.log --hand 1
explain good.log --hand 1 --seat 0 --ask nobody
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
def exit_codes_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
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


@pytest.mark.slow(only=["assess {file}", "pushfold report good.csv --against {file}"])
@pytest.mark.parametrize("reader", READERS)
def test_of_what_is_no_input_nothing_comes(
    capsys: pytest.CaptureFixture[str], exit_codes_here: Path, reader: str
) -> None:
    for file in UNUSABLE:
        check(capsys, exit_codes_here, reader.format(file=file), 1)
    check(capsys, exit_codes_here, reader.format(file="good.log/x"), 2)
    check(capsys, exit_codes_here, reader.format(file="missing"), 2)


@pytest.mark.parametrize("command", WRONG.strip().splitlines())
def test_wrong_commands(
    capsys: pytest.CaptureFixture[str], exit_codes_here: Path, command: str
) -> None:
    check(capsys, exit_codes_here, command, 2)


@pytest.mark.parametrize("command", NOTHING.strip().splitlines())
def test_of_a_log_that_was_read_nothing_comes(
    capsys: pytest.CaptureFixture[str], exit_codes_here: Path, command: str
) -> None:
    check(capsys, exit_codes_here, command, 1)


# Names of games, spelt alike by every verb.


@pytest.mark.parametrize(
    "command",
    [
        "match always-call random --hands 4",
        "league always-call random always-raise --hands 4",
        "tournament always-call random",
        "ring always-call random --hands 4",
    ],
)
def test_every_verb_spells_games_alike(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = [
        call_json(capsys, *command.split(), "--seed", "3", "--game", game)
        for game in ("nolimit", "No-Limit", "no_limit")
    ]
    for each in found:
        for key in [key for key in each if key.endswith("_per_s")]:
            del each[key]
    assert found[0] == found[1] == found[2]
    code, _, err = call(capsys, *command.split(), "--game", "no-limmit")
    assert code == 2
    assert "did you mean nolimit" in err


def test_logs_and_archives_spell_games_alike(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log = tmp_path / "a.log"
    args = ("match", "always-call", "random", "--hands", "9", "--game", "no-limit")
    call_json(capsys, *args, "--log", str(log))
    bare = tmp_path / "bare.log"
    bare.write_text(
        "".join(line + "\n" for line in log.read_text().splitlines() if "#" not in line)
    )
    for game in ("nolimit", "No-Limit", "holdem.no-limit"):
        hands = call_json(capsys, "archive", "add", str(tmp_path / game), str(bare), "--game", game)
        assert hands["hands"] == 9
        rows = call_json(capsys, "archive", "query", str(tmp_path / game), "--game", game)
        assert sum(row["hands"] for row in rows["players"]) == 18


@pytest.mark.slow(
    but=["assess nofile.log-nofile.log", "explain nofile.log --hand 1 --seat 1-nofile.log"]
)
@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("match baseline loki:zzz --hands 2", "version=zzz"),
        ("ring baseline loki:gom,nosuch=1 --hands 2", "nosuch"),
        ("assess nofile.log", "nofile.log"),
        ("explain nofile.log --hand 1 --seat 1", "nofile.log"),
        ("score nonsense", "nonsense"),
    ],
)
def test_what_is_wrong_is_said_before_anything_compiles(
    line: str, says: str, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    done = subprocess.run(
        [sys.executable, "-m", "railbird", *shlex.split(line)],
        cwd=tmp_path,
        env={**os.environ, "RAILBIRD_CACHE": str(cache)},
        capture_output=True,
        text=True,
    )
    assert done.returncode in (1, 2)
    (said,) = done.stderr.splitlines()
    assert says in said
    assert not [*cache.rglob("*.nbi"), *cache.rglob("*.table")]


@pytest.mark.parametrize(
    ("args", "words", "form"),
    [
        ("solve pushfold 10", "extra argument (10)", "railbird solve pushfold --stack 10"),
        ("icm 5000 3000 --payouts 50,30", "'--stacks'", "railbird icm --stacks 5000,3000,2000 "),
        ("bot check", "'PROGRAM'", 'railbird bot check "python3 tom.py"'),
        ("odds AKs 22 33", "extra argument (33)", "railbird odds "),
        ("odds", "Missing argument 'HOLE'", "railbird odds AcKc "),
        (
            "blackjack match basic",
            "Missing argument 'SEAT'",
            "railbird blackjack match basic source",
        ),
    ],
)
def test_too_few_or_too_many_arguments_are_shown_the_form(
    args: str, words: str, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    line = said(args.split(), 2, capsys)
    assert words in line
    assert f"; as in: {form}" in line
