"""Running the command line in this process."""

from __future__ import annotations

import io
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from types import MappingProxyType
from typing import Any
from unittest import mock

import click
import pytest

from railbird.cards import parse_cards, parse_holding
from railbird.cli import _console, run
from railbird.game import (
    BOARD_CARDS,
    Action,
    Call,
    DealBoard,
    DealHoles,
    Fold,
    HandState,
    Phase,
    Raise,
    Rules,
    act,
    initial,
    step,
)
from railbird.units import Chips


def call(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    code = run(list(args))
    out, err = capsys.readouterr()
    return code, out, err


def call_json(capsys: pytest.CaptureFixture[str], *args: str) -> Any:
    code, out, err = call(capsys, *args, "--json")
    assert code == 0, err
    assert out.count("\n") == 1, "one JSON object and nothing else"
    return json.loads(out)


def call_in(
    folder: Path, *args: str, environment: Mapping[str, str] = MappingProxyType({})
) -> tuple[int, str, str]:
    """Run in a folder, as a process begun there would; lines have a hundred columns."""
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2)]
    with (
        chdir(folder),
        mock.patch.dict(os.environ, environment, COLUMNS="100"),
        # A console asks the environment only once, which may have been before.
        mock.patch.object(_console.output, "_width", 100),
        mock.patch.object(_console.errors, "_width", 100),
        redirect_stdout(streams[0]),
        redirect_stderr(streams[1]),
    ):
        code = run(list(args))
    out, err = (_written(stream) for stream in streams)
    return code, out, err


def _written(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


# Hands as short texts: ``c`` calls or checks, ``f`` folds, ``r150`` raises to 150.


def action_of(word: str) -> Action:
    match word[0]:
        case "f":
            return Fold()
        case "c":
            return Call()
        case _:
            return Raise(Chips(int(word[1:])))


def played(
    rules: Rules, script: str = "", *, holes: str = "", board: str = "2c 7d 9h Js 4c"
) -> HandState:
    """The state after a script; holes such as ``AsKd 7c7h`` by seat, a dash where unknown."""
    texts = holes.split() or ["-"] * rules.seats
    held = tuple(None if text == "-" else parse_holding(text) for text in texts)
    state = dealt(step(initial(rules), DealHoles(held)), board)
    for word in script.split():
        state = dealt(act(state, action_of(word)), board)
    return state


def dealt(state: HandState, board: str) -> HandState:
    """Deal as far as cards are due."""
    while state.phase is Phase.DEAL_BOARD:
        due = slice(BOARD_CARDS[state.street], BOARD_CARDS[state.street + 1])
        state = step(state, DealBoard(parse_cards(board)[due]))
    return state


# Waiting for what another process does, but not for ever.


PATIENCE_S = 300.0
"""Longest wait for an answer: against hanging alone, on a busy machine too."""


def wait_for(what: Callable[[], bool], *, seconds: float = PATIENCE_S) -> None:
    """Look again and again until something is so."""
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline, f"waited for {seconds:g} s"
        time.sleep(0.01)


def leaves(
    command: click.Command, path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield all commands of a group with their full names; of what is no group itself alone."""
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            member = command.get_command(click.Context(command), name)
            assert member is not None
            yield from leaves(member, (*path, name))
    else:
        yield path, command
