"""Options that stand for several: ``--show KIND``, ``--set KEY=VALUE``, ``--out`` of many endings.

What few ask for has no option of its own. A verb lists its kinds, settings or endings; its command
gets each as an argument of that name, as if there were an option for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

import click
from click.shell_completion import CompletionItem

from railbird.cli._completion import OUTPUT_FILE
from railbird.cli._hand_files import check_ending
from railbird.cli._verbs import in_our_words
from railbird.errors import BadInput, unknown_name

_Command = Callable[..., Any]


class Setting(NamedTuple):
    """A rarer option: an example of its value, what it is for, and how it is read."""

    example: str
    help: str
    type: click.ParamType[Any] = click.STRING
    default: Any = None


class _Keys(click.ParamType[tuple[str, str]]):
    """A key, perhaps with a value behind an equals sign; completed from those that there are."""

    name = "text"

    def __init__(self, what: str, keys: Sequence[str], ending: str = "") -> None:
        self._what = what
        self._keys = keys
        self._ending = ending

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """Split a key from its value, and refuse one that there is not."""
        key, equals, text = value.partition("=") if self._ending else (value, "", "")
        key = key.strip().lower().replace("_", "-")
        if key not in self._keys:
            self.fail(str(unknown_name(self._what, key, self._keys)), param, ctx)
        if self._ending and not equals:
            self.fail(f"{key}; allowed: {key}=VALUE", param, ctx)
        return key, text.strip()

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the keys that begin with what is written."""
        words = [f"{key}{self._ending}" for key in self._keys]
        return [CompletionItem(word) for word in words if word.startswith(incomplete)]


def show_option(**kinds: str) -> Callable[[_Command], _Command]:
    """Add ``--show``; the command gets a boolean for each kind, whose value here is its help."""
    keys = {kind.replace("_", "-"): kind for kind in kinds}
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
            type=_Keys("kind", list(keys)),
            help=f"Show {words}.{' May be repeated.' if len(keys) > 1 else ''}",
        )(run)

    return decorate


def set_option(**settings: Setting) -> Callable[[_Command], _Command]:
    """Add ``--set``; the command gets the value of each setting, or its default."""
    keys = {name.replace("_", "-"): name for name in settings}
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
            type=_Keys("setting", list(keys), "="),
            help=f"A rarer setting; may be repeated: {words}.",
        )(run)

    return decorate


def _values(
    settings: Mapping[str, Setting], keys: Mapping[str, str], given: Sequence[tuple[str, str]]
) -> dict[str, Any]:
    """Read the values of the settings. Raises `BadInput` for one that does not read."""
    values = {name: setting.default for name, setting in settings.items()}
    for key, text in given:
        try:
            values[keys[key]] = settings[keys[key]].type.convert(text, None, None)
        except click.BadParameter as problem:
            raise BadInput(
                f"--set {key}={text}: {in_our_words(problem.message).rstrip('.')}"
            ) from None
    return values


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
