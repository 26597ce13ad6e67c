"""An option that is given twice with two values, of which click would take the last in silence."""

from __future__ import annotations

from collections.abc import Sequence

import click


def check_repeated(above: click.Context, command: click.Command, args: Sequence[str]) -> None:
    """Refuse a command's arguments if an option that takes one value has several.

    All names of an option count as one. A flag may be repeated, but not with its opposite. Whatever
    else is wrong with the arguments is left to the command.
    """
    context = click.Context(command, parent=above, info_name=command.name)
    parser = click.Command(None).make_parser(context)
    parser.ignore_unknown_options = True
    options: dict[str, click.Option] = {}
    for parameter in command.get_params(context):
        if not isinstance(parameter, click.Option) or parameter.multiple or parameter.count:
            parameter.add_to_parser(parser, context)
            continue
        name = parameter.name or ""
        options[name] = parameter
        if parameter.is_flag:
            for opts, flag in ((parameter.opts, True), (parameter.secondary_opts, False)):
                if opts:
                    parser.add_option(parameter, opts, name, "append_const", const=flag)
        else:
            parser.add_option(parameter, parameter.opts, name, "append", parameter.nargs)
    try:
        given, _, _ = parser.parse_args([*args])
    except click.UsageError:
        return
    for name, option in options.items():
        values = given.get(name) or []
        if not option.is_flag and len(values) > 1:
            first, second = (_text(value) for value in values[:2])
            words = f"{option.opts[-1]} is given twice, as {first} and {second}; allowed: once"
            raise click.UsageError(words, context)
        if option.is_flag and len(set(values)) > 1:
            both = f"{option.opts[-1]} and {option.secondary_opts[-1]}"
            raise click.UsageError(f"{both} are both given; allowed: one of them", context)


def _text(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
