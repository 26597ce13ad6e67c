"""The names of options on the command line: each is a word that a user learns once."""

from __future__ import annotations

from collections import defaultdict

import click

from railbird.cli._verbs import Verbs, verbs

MOST = 140
"""How many there may be; a rarer setting is a key of ``--set``, what is shown one of ``--show``."""


def commands() -> dict[str, click.Command]:
    """Every command that is no group, by the names that lead to it without the program's own."""
    all_verbs = Verbs()
    pending: list[tuple[str, click.Command]] = []
    for verb in verbs():
        command = all_verbs.get_command(click.Context(all_verbs), verb)
        assert command is not None
        # of another package's, too
        pending.append((verb, command.make_context(verb, [], resilient_parsing=True).command))
    by_names: dict[str, click.Command] = {}
    while pending:
        names, command = pending.pop()
        if isinstance(command, click.Group):
            pending += [(f"{names} {name}", member) for name, member in command.commands.items()]
        else:
            by_names[names] = command
    return by_names


def option_names() -> dict[str, list[str]]:
    """The commands that have each long option, without those that no help shows."""
    names = defaultdict[str, list[str]](list)
    for command_names, command in commands().items():
        for option in command.params:
            if isinstance(option, click.Option) and not option.hidden:
                for name in [*option.opts, *option.secondary_opts]:
                    if name.startswith("--"):
                        names[name].append(command_names)
    return dict(sorted(names.items()))
