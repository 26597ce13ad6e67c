"""Programs on standard input and output: honest ones, broken ones and enemies."""

from __future__ import annotations

import json
import logging
import re
import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from railbird.arena import Fault, FaultPolicy, Match, MatchResult, play
from railbird.client.templates import TEMPLATES
from railbird.errors import BadInput
from railbird.game import HEADS_UP_LIMIT, Rules, acpc_rules, limit_holdem, no_limit_holdem
from railbird.players import make_player
from railbird.players.bot_program import MOST_LATE, MOST_REFUSED, BotProgramPlayer
from railbird.protocol import following, parse_server
from railbird.protocol.messages import HandBegins, Turn

BOT = r"""
import json, sys
how = sys.argv[1]
heard = open(sys.argv[2], "a")

def send(**message):
    print(json.dumps(message), flush=True)

if how == "ends":
    sys.exit(3)
if how == "chatters before":
    for _ in range(5):
        print("Hello, world!", flush=True)
send(type="hello", versions=[7] if how == "version" else [1], version="1",
     log_in={"by": "token", "token": "local"})
owed = None
for line in sys.stdin:
    print(line, end="", file=heard, flush=True)
    message = json.loads(line)
    if message["type"] == "error":
        if message["code"] == "illegal_action" and how in ("learns", "checks"):
            send(type="act", turn=message["turn"], action=message["action"], verb="call")
    if message["type"] != "turn":
        continue
    if owed:
        send(**owed)
    turn = message["turn"]
    answer = dict(type="act", turn=turn, action=int(turn), verb="call")
    if how == "checks":
        answer["verb"] = "check"
    if how in ("refused", "learns"):
        answer |= {"verb": "raise", "to": 1}
        if how == "refused":
            send(**answer)
            send(**answer)
    if how == "twice":
        send(**answer)
    if how == "stale":
        send(**answer | {"turn": "0"})
    if how == "late":
        owed = answer  # until the next turn, when this one is over
        continue
    if how == "long":
        print("x" * 70_000, flush=True)
    if how == "garbage":
        print("I call", flush=True)
    if how == "garbage alone":
        print("I call", flush=True)
        continue
    if how == "garbage for ever":
        for _ in range(3):
            print("I call", flush=True)
    if how == "asks":
        send(type="lobby")
        send(type="sit", table="local", buy_in=100)
        send(type="ping", n=7)
    if how == "dies":
        sys.exit(0)
    if how == "floods":
        for n in range(20_000):
            send(type="lobby")
    send(**answer)
"""

Run = Callable[..., MatchResult]


@pytest.fixture
def heard(tmp_path: Path) -> Path:
    return tmp_path / "heard"


@pytest.fixture
def run(tmp_path: Path, heard: Path) -> Run:
    program = tmp_path / "bot.py"
    program.write_text(BOT, encoding="utf-8")

    def run(how: str, *, rules: Rules = HEADS_UP_LIMIT, limit: float | None = None) -> MatchResult:
        command = shlex.join([sys.executable, str(program), how, str(heard)])
        faults = FaultPolicy(decision_limit=limit)
        others = ("always-call",) * (rules.seats - 1)
        match = Match(players=(f"bot:{command}", *others), rules=rules, deals=4, faults=faults)
        return play(match, workers=1)

    return run


def messages_in(heard: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in heard.read_text(encoding="utf-8").splitlines()]


def faults_of(result: MatchResult) -> dict[Fault, int]:
    return dict(result.faults[0].counts)


def test_a_good_program_plays_without_faults(run: Run) -> None:
    assert not faults_of(run("good"))


@pytest.mark.parametrize(
    "rules",
    [
        HEADS_UP_LIMIT,
        limit_holdem(4),
        acpc_rules(no_limit_holdem(3, blinds=(50, 100), stack=900)),
        no_limit_holdem(6, blinds=(1, 2), stack=[4, 30, 9, 200, 3, 55], ante=1),
    ],
)
def test_a_program_hears_what_its_seat_sees(run: Run, heard: Path, rules: Rules) -> None:
    """What it was sent since the hand began adds up to the view in each of its turns."""
    run("good", rules=rules)
    hand, turns = None, 0
    for line in heard.read_text(encoding="utf-8").splitlines():
        message = parse_server(line)
        assert message is not None
        before, hand = hand, following(hand, message)
        if isinstance(message, Turn):
            turns += 1
            assert message.hand == before
        if isinstance(message, HandBegins):
            with_cards = [seat for seat, one in enumerate(message.hand.seats) if one.cards]
            assert with_cards == [message.hand.you]
    assert turns > 4


def test_an_illegal_action_may_be_mended(run: Run, heard: Path) -> None:
    assert not faults_of(run("learns"))
    errors = [m for m in messages_in(heard) if m["type"] == "error"]
    assert {error["code"] for error in errors} == {"illegal_action"}
    assert all(error["ms_left"] > 0 and '"to":1' in error["sent"] for error in errors)


def test_a_check_never_costs_chips(run: Run, heard: Path) -> None:
    assert not faults_of(run("checks"))
    messages = messages_in(heard)
    prices = [m["legal"]["to_call"] for m in messages if m["type"] == "turn"]
    errors = [m["text"] for m in messages if m["type"] == "error"]
    assert len(errors) == sum(map(bool, prices)) > 0
    assert all("cannot check: 5 to call (preflop)" in text for text in errors)


def test_an_action_that_stays_illegal_is_a_fault(run: Run) -> None:
    assert MOST_REFUSED == 3
    counts = faults_of(run("refused"))
    assert counts.keys() == {Fault.ILLEGAL}


@pytest.mark.parametrize("how", ["twice", "stale"])
def test_stale_actions_move_no_chips(run: Run, heard: Path, how: str) -> None:
    assert run(how).money(0) == run("good").money(0)
    codes = [m["code"] for m in messages_in(heard) if "code" in m]
    assert "stale" in codes


def test_requests_for_a_server_are_answered(run: Run, heard: Path) -> None:
    assert not faults_of(run("asks"))
    messages = messages_in(heard)
    (queue,) = next(m["queues"] for m in messages if m["type"] == "lobby")
    assert queue["format"]["betting"] == "limit"
    assert {m["code"] for m in messages if m["type"] == "error"} == {"seated"}
    assert any(m["type"] == "pong" and m["n"] == 7 for m in messages)


def test_late_decisions_end_a_program(run: Run) -> None:
    counts = faults_of(run("late", limit=0.1))
    assert counts[Fault.LATE] == MOST_LATE
    assert counts[Fault.EXCEPTION]


@pytest.mark.parametrize(
    "how", ["ends", "dies", "version", "long", "garbage for ever", "chatters before", "floods"]
)
def test_a_broken_program_stops_no_match(run: Run, how: str) -> None:
    result = run(how)
    assert result.payoffs[..., 0].size == 4
    assert faults_of(result).keys() == {Fault.EXCEPTION}


def test_single_malformed_lines_are_passed_over(run: Run) -> None:
    assert not faults_of(run("garbage"))


def test_malformed_lines_are_told_at_the_end(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        run("garbage")
    (line,) = [m for m in caplog.messages if "decisions" in m]
    told = re.search(r"late 0, refused 0, stale 0; malformed (\d+), the first: I call: (.*)$", line)
    assert told is not None
    assert int(told[1]) >= 4, "one in each hand"
    assert "JSON is malformed" in told[2]


@pytest.mark.parametrize(
    ("how", "fault"), [("garbage alone", Fault.LATE), ("garbage for ever", Fault.EXCEPTION)]
)
def test_a_decision_that_fails_tells_of_malformed_lines(run: Run, how: str, fault: Fault) -> None:
    words = run(how, limit=0.1 if fault is Fault.LATE else None).faults[0].first[fault]
    assert re.search(r"; malformed \d, the first: I call: ", words)


def test_a_program_that_says_no_hello_is_given_up() -> None:
    player = BotProgramPlayer(shlex.join([sys.executable, "-c", "input()"]), hello_seconds=0.2)
    match = Match(players=(player, "random"), deals=2)
    result = play(match)
    player.close()
    assert faults_of(result).keys() == {Fault.EXCEPTION}
    assert "no hello in 0.2 s" in result.faults[0].first[Fault.EXCEPTION]


def test_its_times_are_told_at_the_end(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        run("good")
    (line,) = [m for m in caplog.messages if "decisions" in m]
    assert "late 0, refused 0, stale 0" in line


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("bot:", "no program"),
        ("bot:'", "no closing quotation"),
        ("bot:/no/such/program", "not an executable program"),
    ],
)
def test_what_cannot_be_started_is_refused_in_a_line(spec: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        make_player(spec)


@pytest.mark.parametrize(
    ("language", "interpreter"), [("python", sys.executable), ("javascript", "node")]
)
def test_the_bots_that_users_begin_with(tmp_path: Path, language: str, interpreter: str) -> None:
    if shutil.which(interpreter) is None:
        pytest.skip(f"{interpreter} is not installed")
    template = TEMPLATES[language]
    file = tmp_path / template.file("tom")
    file.write_text(template.text("tom"), encoding="utf-8")
    assert len(file.read_text(encoding="utf-8").splitlines()) <= 30
    command = shlex.join([interpreter, str(file)])
    rules = no_limit_holdem(3, blinds=(50, 100), stack=2_000)
    result = play(Match(players=(f"bot:{command}", "random", "random"), rules=rules, deals=30))
    assert not faults_of(result)
