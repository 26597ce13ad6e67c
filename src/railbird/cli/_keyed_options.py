"""Options that stand for several: ``--show KIND``, ``--set KEY=VALUE``, ``--out`` of many endings.

What few ask for has no option of its own. A verb lists its kinds, settings or endings; its command
gets each as an argument of that name, as if there were an option for it. Where they are fields of a
dataclass, the command is a `CommandOfFields`. A key may be written with hyphens or underscores.
"""

# Help that lists forty options is read by nobody, and a stranger finds nothing in it. What most
# people need has an option of its own; the rest shares three, and their kinds and keys are
# completed by the shell like options. The price is that click cannot check the values, so they are
# read here, with messages as click's would be.
#
# Fields of a dataclass are not listed a second time. A rule of a spot that is added to `Spot` is an
# option, a line of its help and a key of its files without a change here.

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

import click
from click.shell_completion import CompletionItem
from click.types import StringParamType

from railbird._option_fields import OptionField
from railbird.cli._completion import OUTPUT_FILE, Words
from railbird.cli._hand_files import check_ending
from railbird.cli._verbs import in_our_words
from railbird.errors import BadInput, unknown_name

_Command = Callable[..., Any]

ASSIGNMENTS = "assignments"
"""The name under which a `CommandOfFields` gets what ``--set`` gives, pairs of a key and a text."""


class Setting(NamedTuple):
    """A rarer option: an example of its value, what it is for, and how it is read."""

    example: str
    help: str
    type: click.ParamType[Any] = click.STRING
    default: Any = None

    @property
    def choices(self) -> Sequence[str]:
        """All values that there are, as text; none for numbers and free text."""
        return self.type.choices if isinstance(self.type, click.Choice) else ()


class _Keys(click.ParamType[tuple[str, str]]):
    """A key, perhaps with a value behind an equals sign; completed from those that there are.

    ``choices`` gives the values of each key, if they are few; ``is_other`` tells of another key
    whether it is allowed, too.
    """

    name = "text"

    def __init__(
        self,
        what: str,
        choices: Callable[[], Mapping[str, Sequence[str]]],
        ending: str = "",
        is_other: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self._what, self._choices, self._ending, self._is_other = what, choices, ending, is_other

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """Split a key from its value, and refuse one that there is not."""
        key, equals, text = value.partition("=") if self._ending else (value, "", "")
        key = hyphened(key.strip().lower())
        known = self._choices()
        if key not in known and not self._is_other(key):
            self.fail(str(unknown_name(self._what, key, known)), param, ctx)
        if self._ending and not equals:
            self.fail(f"{key!r}; allowed: {key}=VALUE", param, ctx)
        return key, text.strip()

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the keys that begin with what is written, with their values if they are few."""
        key, equals, text = incomplete.partition("=")
        words = [
            f"{name}{self._ending}{value}"
            for name, values in self._choices().items()
            for value in (values or [""])
        ]
        begun = f"{hyphened(key)}{equals}{text}"
        return [CompletionItem(word) for word in words if word.startswith(begun)]


def hyphened(name: str) -> str:
    """Write a name as options are written."""
    return name.replace("_", "-")


def show_option(**kinds: str) -> Callable[[_Command], _Command]:
    """Add ``--show``; the command gets a boolean for each kind, whose value here is its help."""
    keys = {hyphened(kind): kind for kind in kinds}
    words = "; ".join(f"{key}, {kinds[kind]}" for key, kind in keys.items())

    def decorate(command: _Command) -> _Command:
        @wraps(command)
        def run(*, show: Sequence[tuple[str, str]], **values: Any) -> Any:
            chosen = {keys[key] for key, _ in show}
            return command(**values, **{kind: kind in chosen for kind in kinds})

        return click.option(
            "--show",
            multiple=True,
            metavar="KIND",
            type=_Keys("kind", lambda: dict.fromkeys(keys, ())),
            help=f"Show {words}.{' May be repeated.' if len(keys) > 1 else ''}",
        )(run)

    return decorate


def set_option(**settings: Setting) -> Callable[[_Command], _Command]:
    """Add ``--set``; the command gets the value of each setting, or its default."""
    keys = {hyphened(name): name for name in settings}
    words = "; ".join(
        f"{key}={settings[name].example}, {settings[name].help}" for key, name in keys.items()
    )

    def decorate(command: _Command) -> _Command:
        @wraps(command)
        def run(*, settings_given: Sequence[tuple[str, str]], **values: Any) -> Any:
            return command(**values, **_values(settings, keys, settings_given))

        return click.option(
            "--set",
            "settings_given",
            multiple=True,
            metavar="KEY=VALUE",
            type=_Keys(
                "setting", lambda: {key: settings[name].choices for key, name in keys.items()}, "="
            ),
            help=f"A rarer setting; may be repeated: {words}.",
        )(run)

    return decorate


def _values(
    settings: Mapping[str, Setting], keys: Mapping[str, str], given: Sequence[tuple[str, str]]
) -> dict[str, Any]:
    """Read the values of the settings. Raises `BadInput` for one that does not read, or for two."""
    values = {name: setting.default for name, setting in settings.items()}
    texts: dict[str, str] = {}
    for key, text in given:
        # The same value twice is harmless, as where a script appends to an alias; two different
        # ones are a mistake, and the last one winning would hide it.
        if texts.setdefault(key, text) != text:
            words = f"{key} is given twice, as {texts[key]} and {text}; allowed: once"
            raise BadInput(f"--set {words}")
        try:
            values[keys[key]] = settings[keys[key]].type.convert(text, None, None)
        except click.BadParameter as problem:
            words = in_our_words(problem.message).rstrip(".")
            raise BadInput(f"--set {key}: {words}") from None
    return values


class CommandOfFields(click.Command):
    """A command with options of a dataclass, which is loaded when somebody asks for them.

    ``fields`` returns its options. Those of the keys in ``own`` have an option of the command, the
    others are given by ``--set KEY=VALUE``, as is each key of which ``is_other_key`` is true. The
    command gets texts, which the dataclass reads.
    """

    def __init__(
        self,
        *arguments: Any,
        fields: Callable[[], Iterable[OptionField]],
        own: Iterable[str],
        is_other_key: Callable[[str], bool],
        **attributes: Any,
    ) -> None:
        self._fields, self._own, self._is_other_key = fields, tuple(own), is_other_key
        self._is_complete = False
        super().__init__(*arguments, **attributes)

    @property
    def params(self) -> list[click.Parameter]:
        """All parameters: arguments, then the options of fields, then the others."""
        # The fields are read when somebody asks for the parameters of this command: reading them
        # earlier would import the room for the help of every other verb.
        if not self._is_complete:
            self._is_complete = True
            after = sum(isinstance(parameter, click.Argument) for parameter in self._params)
            self._params[after:after] = self._options()
        return self._params

    @params.setter
    def params(self, params: list[click.Parameter]) -> None:
        self._params = params

    def _options(self) -> Iterable[click.Parameter]:
        fields = {option.key: option for option in self._fields()}
        for key in self._own:
            yield click.Option(
                [f"--{hyphened(key)}", key], help=_help(fields[key]), type=_type(fields[key])
            )
        yield click.Option(
            ["--set", ASSIGNMENTS],
            multiple=True,
            metavar="KEY=VALUE",
            type=_Keys(
                "key",
                lambda: {hyphened(option.key): option.choices for option in self._others()},
                "=",
                lambda key: key in map(hyphened, fields) or self._is_other_key(key),
            ),
            help="Any other option, of those below; may be repeated.",
        )

    def _others(self) -> Iterable[OptionField]:
        """The options that ``--set`` gives."""
        return (option for option in self._fields() if option.key not in self._own)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, and below them the keys of ``--set``."""
        super().format_options(ctx, formatter)
        with formatter.section("Keys of --set"):
            formatter.write_dl(
                [(f"{hyphened(option.key)}=", _help(option)) for option in self._others()]
            )


def _help(option: OptionField) -> str:
    example = f"; such as {option.example}" if option.example else ""
    bounds = [
        option.allowed,
        f"default: {option.default_text}" if option.default_text else "",
        "may be repeated" if option.repeats else "",
    ]
    limits = "; ".join(filter(None, bounds))
    sentence = option.summary[:1].upper() + option.summary[1:] + example + "."
    return f"{sentence}  [{limits}]" if limits else sentence


def _type(option: OptionField) -> click.ParamType[str]:
    return Words(option.key, lambda: option.choices) if option.choices else StringParamType()


def out_option(help_text: str, **endings: Sequence[str]) -> Callable[[_Command], _Command]:
    """Add ``--out`` of files of several kinds; the command gets each as the argument of its ending.

    What has none of the endings is the first argument's if that has none, a folder for instance;
    otherwise it is refused.
    """
    first = next(iter(endings))
    kinds = {ending: name for name, of in endings.items() for ending in of}

    def decorate(command: _Command) -> _Command:
        @wraps(command)
        def run(*, outputs: Sequence[Path], **values: Any) -> Any:
            files: dict[str, Path | None] = dict.fromkeys(endings)
            for path in outputs:
                # A first argument without endings takes anything, a folder included, so that there
                # is nothing to check.
                if endings[first]:
                    check_ending(path, list(kinds))
                name = kinds.get(path.suffix.lower(), first)
                if files[name] is not None:
                    raise BadInput(f"--out {path} beside --out {files[name]}; allowed: one of them")
                files[name] = path
            return command(**values, **files)

        return click.option(
            "-o",
            "--out",
            "outputs",
            type=OUTPUT_FILE,
            multiple=True,
            metavar="FILE",
            help=help_text,
        )(run)

    return decorate
