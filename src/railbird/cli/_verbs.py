"""The verbs: one module of this folder for each, found by its name.

A module without an underscore before its name is a verb, underscores in it being hyphens. It has a
``command`` of click. Verbs that stand under a name, as ``odds preflop``, are in `GROUPS`.
"""

# A shell runs the program anew for each completion, and would wait for the modules of all verbs. So
# names come from the files, and a verb is imported when it runs. The first screen is the exception:
# it shows a verb's own first sentence, which is written once, in the verb; `_MORE` has short words
# of its own, because it lists what few look for.
#
# Former names go through the same parser as current ones and differ by a note on standard error.
# Scripts keep working, and what they read on standard output stays the same.

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import click

from railbird.cli._former_options import with_current_options
from railbird.cli._repeated_options import check_repeated
from railbird.cli._typed_command import TypedContext
from railbird.errors import unknown_name

_WIDEST = 200
"""Characters of a summary, which the terminal wraps."""

GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "odds": ("preflop", "table169", "hits"),
    "server": ("ratings", "results", "verify-deal"),
    "machine": ("doctor", "warm", "cache", "tables", "bench", "abstraction"),
}
"""Verbs by the name above them, which may itself be a verb."""

_SUMMARIES: Final[Mapping[str, str]] = {
    "server": "Read what a server keeps: ratings, results, and the proof of its cards.",
    "machine": "Look after this machine: what is compiled and kept, and how fast it is.",
}
"""What the groups are for that are no verbs themselves."""

_GROUP_OF: Final = {verb: group for group, members in GROUPS.items() for verb in members}
"""The group of each; verbs had these names alone, which work for one more minor version."""

_QUIET: Final = re.compile("--quiet|-j?q|-qj")
"""How an argument asks for no notes, also beside ``-j``."""

FIRST_SCREEN: Final[Mapping[str, tuple[str, ...]]] = {
    "Begin here": ("demo",),
    "Judge what was played": ("assess", "stats", "report", "explain", "experiment"),
    "Calculate and solve": ("odds", "equity", "icm", "solve", "exploit", "bankroll", "blackjack"),
    "Play": ("play", "match", "tournament", "league", "players", "bot"),
    "Hand histories": ("convert", "archive"),
    "Servers, and this machine": ("serve", "server", "machine"),
}
"""Verbs that ``railbird --help`` describes by the first sentence of their help, by heading."""

_MORE: Final[Mapping[str, str]] = {
    "acpc-client": "play at a dealer of the ACPC",
    "deals": "cards for an arena elsewhere",
    "endgames": "a hundred no-limit endgames, to try algorithms on",
    "evaluate": "a no-limit player's strength, kept in a ledger",
    "exam": "decisions with known costs, asked of a player or of you",
    "hand": "one hand of a log, street by street",
    "join": "a bot's seat at a server",
    "ledger": "who owes whom after a home game",
    "mcp": "tables and tools for language models",
    "night": "a game among friends on one page",
    "opponents": "what players remember of others",
    "pushfold": "people's push/fold decisions, judged",
    "rate": "one person's play as one number, with bounds",
    "ring": "ring games with re-buys",
    "run-card": "what a paper cites of a match",
    "score": "one hand, decision by decision",
    "train": "models of players, from logs",
    "verify-run": "a match's card against its log",
}
"""The others, which are not imported for the list of verbs."""


@cache
def verbs() -> tuple[str, ...]:
    """The full names of all verbs, such as ``match`` and ``odds preflop``, sorted."""
    modules = (module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)]))
    names = (name.replace("_", "-") for name in modules if name[0] != "_")
    return tuple(sorted(_full_name(name) for name in names))


def _full_name(name: str) -> str:
    return f"{_GROUP_OF[name]} {name}" if name in _GROUP_OF else name


def _note(ctx: click.Context, args: list[str], text: str) -> None:
    """Print a line on standard error, unless arguments ask for quiet or are being completed."""
    if not (ctx.resilient_parsing or any(map(_QUIET.fullmatch, args))):
        click.echo(f"railbird: {text}", err=True)


class Commands(click.Group):
    """A group that refuses a misspelt command by naming the nearest."""

    what = "command"

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        known = self.list_commands(ctx)
        if args and args[0] not in known and not args[0].startswith("-"):
            raise click.UsageError(str(unknown_name(self.what, args[0], known)), ctx)
        name, command, rest = super().resolve_command(ctx, args)
        if name is None or command is None:
            return name, command, rest
        return name, command, self.with_current_options(ctx, name, command, rest)

    def with_current_options(
        self, ctx: click.Context, name: str, command: click.Command, args: list[str]
    ) -> list[str]:
        """Write a command's arguments with current names; a line gives each that was former."""
        if not isinstance(command, click.Group):
            command.context_class = TypedContext
        verb = f"{ctx.command_path} {name}".partition(" ")[2]
        current, notes = with_current_options(verb, command, args)
        for note in notes:
            _note(ctx, args, note)
        if not (isinstance(command, click.Group) or ctx.resilient_parsing):
            check_repeated(ctx, command, current)
        return current

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the whole summary of each command, where click cuts it at the line's end."""
        names = self.list_commands(ctx)
        _write_members(formatter, {name: self.get_command(ctx, name) for name in names})


class Verbs(Commands):
    """The verbs, each imported when it runs; the list of them imports those that it describes."""

    what = "verb"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, ``help VERB`` as ``VERB --help``."""
        if args[:1] != ["help"]:
            return super().parse_args(ctx, args)
        self._check_names(ctx, [word for word in args[1:] if not word.startswith("-")])
        return super().parse_args(ctx, [*args[1:], "--help"])

    def _check_names(self, ctx: click.Context, words: list[str]) -> None:
        """Refuse words that lead to no verb, which its help would pass over."""
        command: click.Command | None = self
        for word in words:
            members: Mapping[str, click.Command | None] = {}
            if isinstance(command, click.Group):
                members = {
                    name: command.get_command(ctx, name) for name in command.list_commands(ctx)
                }
                if command is self:
                    members |= {name: _command(name) for name in _GROUP_OF}
            elif isinstance(command, VerbWithMembers):
                members = {name: _command(name) for name in GROUPS[command.name or ""]}
            if word not in members:
                raise click.UsageError(str(unknown_name(self.what, word, sorted(members))), ctx)
            command = members[word]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a verb, also in a group or by its former name; a line then gives the new name."""
        if args[0] in _GROUP_OF:
            _note(ctx, args, f"`{args[0]}` is now `{_full_name(args[0])}`")
            args = [_GROUP_OF[args[0]], *args]
        if args[1:] and args[1] in GROUPS.get(args[0], ()):
            name = " ".join(args[:2])
            command = self.get_command(ctx, name)
            assert command is not None
            return name, command, self.with_current_options(ctx, name, command, args[2:])
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run a verb; click would print a blank line for Ctrl-C before we say a word."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as pressed:
            raise click.exceptions.Abort from pressed

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({verb.partition(" ")[0] for verb in verbs()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in _SUMMARIES:
            return VerbGroup(cmd_name)
        return _command(cmd_name.rpartition(" ")[2]) if cmd_name in verbs() else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for heading, names in FIRST_SCREEN.items():
            commands = [(name, self.get_command(ctx, name)) for name in names]
            with formatter.section(heading):
                formatter.write_dl([(name, _summary(command)) for name, command in commands])
        with formatter.section("More"):
            formatter.write_dl([*_MORE.items()])


class VerbGroup(Commands):
    """Verbs under one name that is not itself a verb; run alone, it lists them."""

    def __init__(self, name: str) -> None:
        super().__init__(
            name,
            help=_SUMMARIES[name],
            invoke_without_command=True,
            callback=lambda: click.echo(click.get_current_context().get_help()),
        )
        self._members = GROUPS[name]

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._members)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return _command(cmd_name) if cmd_name in self._members else None


class VerbWithMembers(click.Command):
    """A verb that has others under its name; its help lists them."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_options(ctx, formatter)
        members = GROUPS[self.name or ""]
        _write_members(formatter, {verb: _command(verb) for verb in members})


def _write_members(
    formatter: click.HelpFormatter, commands: Mapping[str, click.Command | None]
) -> None:
    with formatter.section("Commands"):
        formatter.write_dl([(name, _summary(command)) for name, command in commands.items()])


def _summary(command: click.Command | None) -> str:
    assert command is not None
    return command.get_short_help_str(_WIDEST)


def _command(verb: str) -> click.Command:
    command = importlib.import_module(f"railbird.cli.{verb.replace('-', '_')}").command
    assert isinstance(command, click.Command)
    return command


# What click says of values.


_OUR_WORDS: Final = {
    re.compile(r"^Invalid value for '([^']+)': "): r"\1: ",
    re.compile(r" is not a valid integer(?: range)?\."): " is no whole number",
    re.compile(r" is not a valid float(?: range)?\."): " is no number",
    re.compile(r" is not in the range (.+?)\.$"): r"; allowed: \1",
}
"""What click says of values, and how it is said here."""


def in_our_words(message: str) -> str:
    """Say what click says of values as our own types of arguments say it."""
    for pattern, words in _OUR_WORDS.items():
        message = pattern.sub(words, message)
    return message
