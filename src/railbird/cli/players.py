"""``railbird players``: the players and their options."""

from __future__ import annotations

import click

from railbird import players
from railbird.cli._completion import PLAYER_NAME
from railbird.cli._console import (
    json_option,
    output,
    print_json,
    print_table,
)
from railbird.errors import unknown_name
from railbird.report.document import Table


@click.command(name="players")
@click.argument("name", required=False, type=PLAYER_NAME)
@json_option
def command(*, name: str | None, as_json: bool) -> None:
    """List the players, or the options of the one called NAME.

    \b
    Examples:
      railbird players
      railbird players loki
    """
    if name is not None and name not in players.REGISTRY:
        raise unknown_name("player", name, players.REGISTRY)
    entries = list(players.REGISTRY.values()) if name is None else [players.REGISTRY[name]]
    if as_json:
        print_json({"players": [entry.as_json() for entry in entries]})
        return
    if name is None:
        _list([(entry.name, entry.summary) for entry in entries])
        return
    (entry,) = entries
    output.print(f"{entry.name} {entry.summary}", highlight=False)
    if note := entry.fit.note:
        output.print(f" {note}", highlight=False)
    _list([(form, f"{option.summary}: {option.allowed}") for form, option in entry.forms])


def _list(rows: list[tuple[str, str]]) -> None:
    print_table(Table(("", ""), rows))
