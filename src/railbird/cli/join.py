"""``railbird join``: a player of ours on a tournament server."""

from __future__ import annotations

from typing import Final

import click

from railbird.cli._completion import PLAYER
from railbird.cli._console import errors, json_option, print_json
from railbird.cli._log_in import address_of, credentials_of
from railbird.cli._verbs import Section

SECTION: Final = Section.PLAY


@click.command(name="join")
@click.argument("address", metavar="HOST:PORT")
@click.option("--player", required=True, type=PLAYER, help="Who plays: a player or a bot.")
@click.option("--queue", metavar="NAME", help="Queue to wait in; the lobby's first if not given.")
@click.option("--table", metavar="NAME", help="Ring table to sit at, with --buy-in.")
@click.option("--buy-in", type=click.IntRange(1), metavar="CHIPS", help="Chips to sit down with.")
@click.option(
    "--count", type=click.IntRange(1), default=1, show_default=True, help="Tournaments to play."
)
@click.option("--name", metavar="NAME", help="Log in as this account, by its password.")
@click.option("--bot-version", default="1", show_default=True, help="The bot's own version.")
@click.option("--seed", type=click.IntRange(0), default=0, help="Seed of the player.")
@json_option
def command(
    *,
    address: str,
    player: str,
    queue: str | None,
    table: str | None,
    buy_in: int | None,
    count: int,
    name: str | None,
    bot_version: str,
    seed: int,
    as_json: bool,
) -> None:
    """Seat a player at the tournament server at HOST:PORT.

    A bot logs in by its token, from the environment variable RAILBIRD_TOKEN; with --name an account
    logs in by its password, from RAILBIRD_PASSWORD or asked for. A connection that is cut is made
    again.

    \b
    Examples:
      RAILBIRD_TOKEN=... railbird join localhost:4680 --player booker:4 --queue six --count 10
      railbird join localhost:4680 --player "bot:python3 tom.py" --name alice
    """
    from functools import partial

    from railbird.arena.names import names_of, specs_of
    from railbird.client.connection import Connection
    from railbird.client.join import join, queue_or_table
    from railbird.players import make_player

    host, port = address_of(address)
    enter = queue_or_table(queue, table, buy_in)
    (spec,) = specs_of([player])
    names_of([player])  # refuses what is no player before anything is connected
    credentials = credentials_of(name)
    joined = join(
        make_player(spec),
        partial(Connection, host, port),
        credentials,
        version=bot_version if name is None else None,
        enter=enter,
        count=count,
        seed=seed,
        told=lambda line: click.echo(line, err=as_json),
    )
    if as_json:
        print_json(joined.as_json())
        return
    for kind, entry in joined.faults.as_json().items():
        errors.print(f"{entry['count']} {kind} faults, first: {entry['first']}", markup=False)
