"""Options of a command that are fields of a dataclass, and ``--set`` for those without one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import click
from click.types import StringParamType

from railbird._option_fields import OptionField
from railbird.cli._completion import Words
from railbird.cli._console import errors

SET = "more"
"""The name under which a command gets what ``--set`` gives, a tuple of ``key=value``."""


class CommandOfFields(click.Command):
    """A command with options of a dataclass, which is loaded when somebody asks for them.

    ``fields`` returns its options. Those of the keys in ``own`` have an option of the command, the
    others are given by ``--set KEY=VALUE``. The keys in ``former`` had an option once: it works, is
    hidden, and says what to use. The command gets texts, which the dataclass reads.
    """

    def __init__(
        self,
        *arguments: Any,
        fields: Callable[[], Iterable[OptionField]],
        own: Iterable[str],
        former: Iterable[str],
        **attributes: Any,
    ) -> None:
        self._fields, self._own, self._former = fields, tuple(own), tuple(former)
        self._is_complete = False
        super().__init__(*arguments, **attributes)

    @property
    def params(self) -> list[click.Parameter]:
        """All parameters: arguments, then the options of fields, then the others."""
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
                [f"--{key.replace('_', '-')}", key],
                help=_help(fields[key]),
                type=_type(fields[key]),
            )
        yield click.Option(
            ["--set", SET],
            multiple=True,
            metavar="KEY=VALUE",
            type=Words("key=value", lambda: self._assignments(fields)),
            help="Any other option, of those below; may be repeated.",
        )
        for key in self._former:
            yield click.Option([f"--{key.replace('_', '-')}", key], hidden=True)

    def _assignments(self, fields: Mapping[str, OptionField]) -> Iterable[str]:
        for key, option in fields.items():
            if key not in self._own:
                yield from [f"{key}={value}" for value in option.choices] or [f"{key}="]

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; a line names what took the place of each former option."""
        for key in self._former:
            value = ctx.params.pop(key)
            if value is not None:
                line = f"railbird: `--{key.replace('_', '-')}` is now `--set {key}=VALUE`"
                errors.print(line, soft_wrap=True)
                ctx.params[SET] = (*ctx.params[SET], f"{key}={value}")
        return super().invoke(ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, and below them the keys of ``--set``."""
        super().format_options(ctx, formatter)
        rows = [
            (f"{option.key}=", _help(option))
            for option in self._fields()
            if option.key not in self._own
        ]
        with formatter.section("Keys of --set"):
            formatter.write_dl(rows)


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
