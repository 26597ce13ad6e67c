"""What a scripted server finds wrong with a bot, and in which line."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from railbird.client.check_bot import BotCheck, _Script, check_bot
from railbird.client.templates import TEMPLATES
from railbird.errors import BadInput

GOOD = TEMPLATES["python"].text("tom")

CheckOf = Callable[[str], dict[str, BotCheck]]
CHECK_BOT = import_module("railbird.client.check_bot")  # the door has the function of this name


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for what a bot does for as long as a busy machine takes."""
    monkeypatch.setattr("railbird.protocol.messages.HELLO_SECONDS", 300.0)
    for limit in ("TURN_SECONDS", "SHORT_SECONDS", "EXIT_SECONDS"):
        monkeypatch.setattr(CHECK_BOT, limit, 300.0)


@pytest.fixture
def check(tmp_path: Path) -> CheckOf:
    def run(source: str) -> dict[str, BotCheck]:
        file = tmp_path / "tom.py"
        file.write_text(source, encoding="utf-8")
        return {one.name: one for one in check_bot(shlex.join([sys.executable, str(file)]))}

    return run


@pytest.mark.slow
def test_the_first_bot_passes(check: CheckOf) -> None:
    checks = check(GOOD)
    assert len(checks) == 12
    assert all(one.passed for one in checks.values())


@pytest.mark.slow
def test_the_first_bot_in_javascript_passes(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    file = tmp_path / "tom.js"
    file.write_text(TEMPLATES["javascript"].text("tom"), encoding="utf-8")
    assert all(one.passed for one in check_bot(shlex.join([node, str(file)])))


@pytest.mark.parametrize(
    ("old", "new", "name", "words"),
    [
        ("versions=[1]", "versions=[2]", "says hello and logs in", "line 1, .*versions"),
        ("versions=[1]", "version_s=[1]", "says hello and logs in", "line 1, .*version_s"),
        (
            '"to": legal["min_to"]',
            '"to": 1',
            "plays no-limit heads-up",
            r'line \d+, \{.*"verb": "raise", "to": 1\}: seat \d cannot raise to 1: legal',
        ),
        (
            'return {"verb": "call" if 3',
            'return {"verb": "check" if 3',
            "plays no-limit heads-up",
            r'line \d+, \{.*"verb": "check".*\}: seat \d cannot check: \d+ to call',
        ),
        (
            "import json, os, socket, sys",
            "import json, os, socket, sys\nprint('Hello!')",
            "says hello and logs in",
            "line 1, Hello!: ",
        ),
        (
            'turn=turn["turn"], action=message["seq"]',
            'turn="mine", action=message["seq"]',
            "plays no-limit heads-up",
            "an action for turn mine; allowed: turn-1",
        ),
        (
            "message = json.loads(line)",
            "message = json.loads(line); assert message['type'] != 'weather'",
            "ignores messages and fields that it does not know",
            "it ended with status 1",
        ),
        ('kind == "ping"', 'kind == "pang"', "answers pings", "no pong"),
        pytest.param(
            'kind == "snapshot"',
            'kind == "snap"',
            "acts in a snapshot, after its connection was cut",
            "no answer to a turn",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_the_wrong_line_is_named(
    check: CheckOf, old: str, new: str, name: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = _Script.snapshot

    def snapshot_in_vain(script: _Script) -> str:
        monkeypatch.setattr(CHECK_BOT, "TURN_SECONDS", 0.5)
        return snapshot(script)

    if words == "no answer to a turn":  # the bot is silent there alone, however long one waits
        monkeypatch.setattr(_Script, "snapshot", snapshot_in_vain)
    assert old in GOOD
    checks = check(GOOD.replace(old, new))
    failed = [one for one in checks.values() if not one.passed]
    assert [one.name for one in failed] == [name]
    assert re.search(words, failed[0].detail)


@pytest.mark.slow
def test_what_servers_only_advise_fails_nothing(
    check: CheckOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CHECK_BOT, "SHORT_SECONDS", 0.5)  # for the action that does not come
    checks = check(GOOD.replace("illegal_action", "no_such_code"))
    (failed,) = [one for one in checks.values() if not one.passed]
    assert failed.is_advice


@pytest.mark.slow
def test_a_bot_that_does_not_end_is_killed(check: CheckOf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CHECK_BOT, "EXIT_SECONDS", 0.5)
    failed = check(GOOD + "import time\ntime.sleep(600)\n")["exits when the server closes"]
    assert not failed.passed


def test_what_is_no_program_is_refused() -> None:
    with pytest.raises(BadInput, match="is not a program"):
        list(check_bot("no-such-program --here"))
