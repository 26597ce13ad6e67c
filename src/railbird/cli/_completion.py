"""Shell completion of players, settings, games, formats and files, beside click's of options.

The names come from their rooms, which are imported only when somebody presses Tab.
"""

from __future__ import annotations

import math
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    add_completion_class,
    split_arg_string,
)
from click.types import StringParamType

from railbird import assessment, baseline, histories, odds, players, storage
from railbird.errors import RailbirdError, did_you_mean, unknown_name

COMPLETE_VARIABLE = "_RAILBIRD_COMPLETE"
"""Set by the shell when it wants completions; see `docs/cli.md`."""

_ENUMERATED = re.compile(r"[\w-]+(, [\w-]+)+")
"""Allowed values that are all there are."""

FILE = click.Path(allow_dash=True)


class UncheckedPath(click.Path):
    """A path that the verb checks itself, so that all verbs refuse it in the same words."""

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Path:
        return Path(str(value))


INPUT_FILE = UncheckedPath(dir_okay=False)
OUTPUT_FILE = UncheckedPath(dir_okay=False)
OUTPUT_FOLDER = UncheckedPath(file_okay=False)
"""A file or a folder to read, or a file to write; "-" is standard input or output."""


class OneOf(click.Choice[str]):
    """One of a few words; a misspelt one is refused by naming the nearest."""

    def get_invalid_choice_message(self, value: object, ctx: click.Context | None) -> str:
        nearest = did_you_mean(str(value), self.choices)
        return f"{value!r}; {nearest or 'allowed: ' + ', '.join(self.choices)}"


_MOST: Final = 10**15
"""Largest number without a bound of its own: any count or amount that could ever be reached."""


class Whole(click.IntRange):  # noqa: TID251
    """A whole number within bounds."""

    name = "integer"

    def _describe_range(self) -> str:
        return _bounds(self.min, self.max)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        most = _MOST if self.max is None else self.max
        allowed = f"allowed: {_bounds(self.min, most)}"
        try:
            number = int(value)
        except ValueError:
            self.fail(f"{value!r} is no whole number; {allowed}", param, ctx)
        # Python's integers have no bound, but the arrays that the number goes into have; past the
        # bound they would wrap around or fail with an error of NumPy's.
        if number > most or number < -_MOST:
            self.fail(f"{number}; {allowed}", param, ctx)
        return int(super().convert(number, param, ctx))


class Within(click.FloatRange):  # noqa: TID251
    """A number within bounds; nan and endless ones, which click lets through, are refused."""

    name = "float"

    def _describe_range(self) -> str:
        return _bounds(self.min, self.max)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        number = float(super().convert(value, param, ctx))
        # The comparison is negated since every comparison with NaN is false.
        if not abs(number) <= _MOST:
            most = _MOST if self.max is None else self.max
            least = -_MOST if self.min is None else self.min
            what = f"{value!r} is no number" if math.isnan(number) else str(value)
            self.fail(f"{what}; allowed: {_bounds(least, most)}", param, ctx)
        return number


class BigBlinds(Within):
    """A stack in big blinds; the unit may be written: 10, 10bb."""

    def convert(
        self, value: float | str, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        text = str(value).strip().lower()
        if text.endswith("chips"):
            self.fail(f"{value!r}; allowed: big blinds, such as 10 or 10bb", param, ctx)
        # A text that is only a unit stays as it is, so that the error names what was typed.
        return super().convert(text.removesuffix("bb").rstrip() or text, param, ctx)


def _bounds(least: float | None, most: float | None) -> str:
    """Write bounds, which are allowed themselves, in words."""
    least_text, most_text = (
        f"{bound or 0:,.{'0f' if float(bound or 0).is_integer() else '15g'}}"
        for bound in (least, most)
    )
    if most is None:
        return "" if least is None else f"{least_text} or more"
    return f"up to {most_text}" if least is None else f"{least_text} to {most_text}"


class Words(StringParamType):
    """Text with suggested values; other values may be refused later, where they are used.

    ``known`` gives the values. Behind one of the ``separators`` another value may follow.
    """

    def __init__(
        self, name: str, known: Callable[[], Iterable[str]], *, separators: str = ""
    ) -> None:
        self.name = name
        self._known = known
        self._separators = separators

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the values that begin with what is written."""
        done = 1 + max((incomplete.rfind(sign) for sign in self._separators), default=-1)
        return _beginning(incomplete, [incomplete[:done] + word for word in self._known()])


class _WrittenFormat(Words):
    """The name of a format; one that there is not is refused with those that are written."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        name = str(super().convert(value, param, ctx))
        if name not in _formats():
            raise unknown_name("format", name, _written_formats())
        return name


class PlayerText(StringParamType):
    """A player's spec, which may have a name before it: ``alice=loki:som,tightness=loose``."""

    name = "player"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return names, then what may stand behind the name."""
        named, equals, spec = incomplete.partition("=")
        # An equals sign behind a colon or a comma belongs to an option of the spec, not to a name
        # before it.
        if not equals or re.search(r"[:,]", named):
            named, equals, spec = "", "", incomplete
        return _beginning(incomplete, [f"{named}{equals}{text}" for text in _specs(spec)])


class StoredOpponentName(StringParamType):
    """The name of an opponent whom somebody remembers, in the database that the command names."""

    name = "name"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the names that begin with what is written; none without a database."""
        from railbird.cli._opponents_database import opened

        try:
            with (
                opened(ctx.params.get("database") or "default") as database,
                database.read() as session,
            ):
                return _beginning(incomplete, storage.opponents.opponent_names(session))
        except RailbirdError:
            return []


class GameText(StringParamType):
    """A game by name, or the file of one."""

    name = "game"

    def __init__(self, *names: str) -> None:
        self._names = names

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the names that fit, and where none does, files."""
        names = _beginning(incomplete, [*self._names, *histories.STANDARD_GAMES])
        # The shell offers files where it finds some; the names stand beside them.
        return [CompletionItem(incomplete, type="file"), *names]


def _formats() -> list[str]:
    return [known.name for known in histories.FORMATS]


def _written_formats() -> list[str]:
    return [known.name for known in histories.FORMATS if known.write is not None]


def _settings() -> Iterable[str]:
    return baseline.SETTINGS


def _estimators() -> Iterable[str]:
    return dict.fromkeys(estimator.name for estimator in assessment.ESTIMATORS)


def _players() -> Iterable[str]:
    return players.REGISTRY


def _tables() -> list[str]:
    return ["roe", *odds.rank_tables.BUILDERS]


def _presets() -> Iterable[str]:
    from railbird.solve.spot import presets  # judging a match needs no solver

    return presets.PRESETS


BETTINGS: Final = ("limit", "nolimit", "potlimit")
"""Games by their betting, as they are shown; other spellings, such as no-limit and nl, are read."""
SPREAD: Final = "spreadlimit"
"""Of ring games."""

FORMAT = Words("format", _formats)
WRITTEN_FORMAT = _WrittenFormat("format", _written_formats)
SETTINGS = Words("settings", _settings, separators="+,=")
ESTIMATORS = Words("a,b", _estimators, separators=",")
OPPONENT = StoredOpponentName()
PLAYER = PlayerText()
PRESET = Words("name", _presets)
PLAYER_NAME = Words("player", _players)
TABLE = Words("table", _tables)


def _beginning(incomplete: str, words: Sequence[str]) -> list[CompletionItem]:
    return [CompletionItem(word) for word in words if word.startswith(incomplete)]


def _specs(written: str) -> Iterator[str]:
    """Specs that what is written may become; variants only once the name is decided."""
    name = re.split("[:,]", written)[0]
    entry = players.REGISTRY.get(name)
    if entry is not None and name != written:
        yield from _details(entry, written)
        return
    names = [key for key in players.REGISTRY if key.startswith(name)]
    yield from names
    if len(names) == 1:
        entry = players.REGISTRY[names[0]]
        yield from (f"{names[0]}:{variant}" for variant in _variants(entry))


def _details(entry: players.PlayerEntry, written: str) -> Iterator[str]:
    """Continuations of a name: a variant, then options and their values."""
    prefix, comma, last = written.rpartition(",")
    if not comma:
        yield from (f"{entry.name}:{variant}" for variant in _variants(entry))
        return
    for option in entry.options:
        yield f"{prefix},{option.key}="
        if last.startswith(f"{option.key}="):
            yield from (f"{prefix},{option.key}={value}" for value in _values(option.allowed))
    if entry.text is not None:
        yield from (f"{prefix},{variant}" for variant in _variants(entry))


def _variants(entry: players.PlayerEntry) -> Sequence[str]:
    if entry.variant is not None:
        return _values(entry.variant.allowed)
    return list(_settings()) if entry.name == "baseline" else []


def _values(allowed: str) -> Sequence[str]:
    return allowed.split(", ") if _ENUMERATED.fullmatch(allowed) else []


class _Bash(BashComplete):
    """Completion for bash, which takes colons and equals signs for the beginnings of words.

    So the words are read from the line itself, and of a completion only what follows the last such
    sign is given back.
    """

    source_template = """\
%(complete_func)s() {
    local IFS=$'\\n' completion type value
    for completion in $(env COMP_LINE="${COMP_LINE:0:COMP_POINT}" \
COMP_WORDBREAKS="$COMP_WORDBREAKS" %(complete_var)s=bash_complete "$1"); do
        IFS=',' read -r type value <<< "$completion"
        case $type in
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
            plain)
                COMPREPLY+=("$value")
                [[ $value == *[:=,] ]] && compopt -o nospace
                ;;
        esac
    done
    return 0
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""

    def get_completion_args(self) -> tuple[list[str], str]:
        line = os.environ["COMP_LINE"]
        words = split_arg_string(line) or [""]
        self._incomplete = "" if line.endswith((" ", "\t")) else words.pop()
        return words[1:], self._incomplete

    def format_completion(self, item: CompletionItem) -> str:
        # Users change this variable; where a sign no longer breaks words, bash replaces the whole
        # word and the part before the sign must be given back, too.
        breaks = [sign for sign in ":=" if sign in os.environ.get("COMP_WORDBREAKS", ":=")]
        cut = 1 + max((self._incomplete.rfind(sign) for sign in breaks), default=-1)
        value = str(item.value)
        kept = value[cut:] if value.startswith(self._incomplete[:cut]) else value
        return f"{item.type},{kept}"


_NEEDED: Final = {
    "bash_complete": ("COMP_LINE",),
    "zsh_complete": ("COMP_WORDS", "COMP_CWORD"),
    "fish_complete": ("COMP_WORDS",),
}
"""What a shell says of the line to complete."""


def complete(command: click.Command) -> NoReturn:
    """Answer the shell that asks for completions, or for the script that asks, and exit."""
    add_completion_class(_Bash, "bash")
    needed = _NEEDED.get(os.environ[COMPLETE_VARIABLE], ())
    # Click would fail with a KeyError where somebody sets the variable by hand.
    if missing := [name for name in needed if not os.environ.get(name)]:
        asked = f"{COMPLETE_VARIABLE}={os.environ[COMPLETE_VARIABLE]}"
        click.echo(f"railbird: {asked} without {missing[0]}, which the shell sets", err=True)
        sys.exit(2)
    command.main(prog_name="railbird", complete_var=COMPLETE_VARIABLE)
    sys.exit(1)
