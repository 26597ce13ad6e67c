"""Help texts, lists of verbs and players, and what they load."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys

import click
import pytest

from helpers.command_line import call
from railbird.cli._verbs import verbs
from railbird.players import REGISTRY


@pytest.mark.parametrize("verb", verbs())
def test_every_verb_has_help_with_an_example(capsys: pytest.CaptureFixture[str], verb: str) -> None:
    code, out, _ = call(capsys, verb, "--help")
    assert code == 0
    nested = [line.split()[0] for line in out.partition("Commands:")[2].splitlines() if line]
    for command in nested:
        out += call(capsys, verb, command, "--help")[1]
    # On a line of its own, without the mark that keeps it there.
    assert f"\n    railbird {verb}" in out.partition("Example")[2]
    assert "\\b" not in out
    assert "\b" not in out


@pytest.mark.parametrize("verb", verbs())
def test_every_option_says_what_it_does(verb: str) -> None:
    found = importlib.import_module(f"railbird.cli.{verb.replace('-', '_')}").command
    commands = found.commands.values() if isinstance(found, click.Group) else [found]
    options = [each for one in commands for each in one.params if isinstance(each, click.Option)]
    assert options
    assert [option.name for option in options if not option.help] == []


def test_help_lists_every_verb(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys)
    assert code == 0
    sections = out.partition("Begin here:")[2]
    assert re.findall(r"^  (\S+)  +[A-Z]", sections, re.MULTILINE)[0] == "demo"
    assert sorted(re.findall(r"^  (\S+)  +[A-Z]", sections, re.MULTILINE)) == list(verbs())
    assert "Others:" not in out


def test_help_and_lists_load_neither_numpy_nor_numba() -> None:
    program = (
        "import sys; from railbird.cli import run; from railbird.cli._verbs import verbs; "
        "[run([*verb, '--help']) for verb in ([], *([verb] for verb in verbs()))]; "
        "run(['experiment', 'list']); "
        "sys.exit(sorted({'numpy', 'numba', 'polars', 'altair'} & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_judging_a_match_loads_no_players_that_it_does_not_need() -> None:
    program = (
        "import sys; import railbird.assessment.match; "
        "unneeded = {'railbird.players.registry', 'railbird.protocol'} & set(sys.modules); "
        "sys.exit(sorted(unneeded) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_players_are_listed_with_all_that_they_take(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "players")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines() if line[1] != " "] == list(REGISTRY)
    code, out, _ = call(capsys, "players", "loki", "--json")
    (loki,) = json.loads(out)["players"]
    assert [each["form"] for each in loki["forms"]] == [
        "loki:VERSION",
        *(f"{option.key}=" for option in REGISTRY["loki"].options),
    ]
    assert all(each["summary"] and each["allowed"] for each in loki["forms"])
