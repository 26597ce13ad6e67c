"""The verbs: one module of this folder for each, found by its name.

A module without an underscore before its name is a verb, underscores in it being hyphens. It has a
``command`` of click, and a ``SECTION`` of ``railbird --help``.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections import defaultdict
from enum import Enum
from functools import cache
from pathlib import Path
from types import ModuleType

import click

from railbird.errors import unknown_name

_WIDEST = 200
"""Characters of a summary, which the terminal wraps."""


class HelpSection(Enum):
    """Parts of ``railbird --help``, in order."""

    BEGIN = "Begin here"
    JUDGE = "Judge what was played"
    CALCULATE = "Calculate and solve"
    PLAY = "Play"
    FILES = "Hand histories"
    SERVE = "Serve"
    MACHINE = "This machine"
    OTHERS = "Others"


@cache
def verbs() -> tuple[str, ...]:
    """The names of all verbs, sorted."""
    modules = (module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)]))
    return tuple(sorted(name.replace("_", "-") for name in modules if name[0] != "_"))


class Commands(click.Group):
    """A group that refuses a misspelt command by naming the nearest."""

    what = "command"

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        known = self.list_commands(ctx)
        if args and args[0] not in known and not args[0].startswith("-"):
            raise click.UsageError(str(unknown_name(self.what, args[0], known)), ctx)
        return super().resolve_command(ctx, args)


class Verbs(Commands):
    """The verbs, each imported when it runs; the list of them imports all."""

    what = "verb"

    def invoke(self, ctx: click.Context) -> object:
        """Run a verb; click would print a blank line for Ctrl-C before we say a word."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as pressed:
            raise click.exceptions.Abort from pressed

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(verbs())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return _command(_module(cmd_name)) if cmd_name in verbs() else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        by_section = defaultdict(list)
        for verb in verbs():
            module = _module(verb)
            summary = _command(module).get_short_help_str(_WIDEST)
            by_section[getattr(module, "SECTION", HelpSection.OTHERS)].append((verb, summary))
        for section in HelpSection:
            if section in by_section:
                with formatter.section(section.value):
                    formatter.write_dl(by_section[section])


def _module(verb: str) -> ModuleType:
    return importlib.import_module(f"railbird.cli.{verb.replace('-', '_')}")


def _command(module: ModuleType) -> click.Command:
    command = module.command
    assert isinstance(command, click.Command)
    return command
