"""The manual's page on the command line knows every verb."""

from __future__ import annotations

import importlib
from pathlib import Path

import click
import pytest

from railbird.cli._verbs import verbs

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"


def commands() -> list[str]:
    names = []
    for verb in verbs():
        command = importlib.import_module(f"railbird.cli.{verb.replace('-', '_')}").command
        group = command.commands if isinstance(command, click.Group) else {}
        names += [f"{verb} {name}" for name in group] or [verb]
    return names


@pytest.mark.parametrize("name", commands())
def test_the_manual_lists_every_verb(name: str) -> None:
    table = PAGE.read_text().partition("## Verbs")[2].partition("\n## ")[0]
    assert f"`{name}`" in table
