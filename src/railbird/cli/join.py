"""``railbird join``: a player of ours on a tournament server."""

from __future__ import annotations

import os
from functools import partial
from math import inf
from pathlib import Path

import click

from railbird import arena, client, players
from railbird.cli._completion import OUTPUT_FILE, PLAYER, Whole
from railbird.cli._console import errors, json_option, output, print_json, progress
from railbird.cli._keyed_options import Setting, set_option
from railbird.cli._server import PASSWORD_VARIABLE, TOKEN_VARIABLE, address_of, credentials_of
from railbird.errors import BadInput
from railbird.report.number_format import counted, interval, signed


@click.command(name="join")
@click.argument("address", metavar="HOST:PORT", required=False)
@click.option("--player", required=True, type=PLAYER, help="Who plays: a player or a bot.")
@click.option("--queue", metavar="NAME", help="Queue to wait in; the lobby's first if not given.")
@click.option("--table", metavar="NAME", help="Ring table to sit at, with --stack.")
@click.option("--stack", "buy_in", type=Whole(1), metavar="CHIPS", help="Chips to sit down with.")
@click.option("-n", "--count", type=Whole(1), default=1, help="Tournaments to play.")
@click.option(
    "--slumbot",
    metavar="URL",
    help="Play heads-up at a server with Slumbot's interface instead, as in https://slumbot.com.",
)
@click.option("--hands", type=Whole(1, 10**7), help="With --slumbot: number of hands for the log.")
@click.option(
    "--log",
    type=OUTPUT_FILE,
    metavar="FILE",
    help="Log of these hands; an existing log is continued.",
)
@click.option("--name", metavar="NAME", help="Log in as this account, by its password.")
@set_option(bot_version=Setting("2", "the bot's own version", default="1"))
@click.option("-s", "--seed", type=Whole(0), default=0, help="Seed of the player.")
@json_option
def command(
    *,
    address: str | None,
    player: str,
    queue: str | None,
    table: str | None,
    buy_in: int | None,
    count: int,
    slumbot: str | None,
    hands: int | None,
    log: Path | None,
    name: str | None,
    bot_version: str,
    seed: int,
    as_json: bool,
) -> None:
    """Seat a player at the tournament server at HOST:PORT.

    A bot logs in by its token, from the environment variable RAILBIRD_TOKEN; with --name an account
    logs in by its password, from RAILBIRD_PASSWORD or asked for. If the connection breaks, it
    connects again.

    With --slumbot a player visits another server over HTTP, and keeps a log that `railbird assess`
    reads; a token comes from RAILBIRD_TOKEN, a password from RAILBIRD_PASSWORD.

    \b
    Examples:
      RAILBIRD_TOKEN=... railbird join localhost:4680 --player booker:4 --queue six --count 10
      railbird join localhost:4680 --player "bot:python3 tom.py" --name alice
      railbird join --slumbot http://localhost:8080 --player tight --hands 1000 --log visit.log
    """
    if slumbot is not None:
        if address or queue or table or buy_in or hands is None or log is None:
            raise BadInput(
                "--slumbot goes with --player, --hands, --log, --name, --seed and --json"
            )
        _visit(slumbot, player, hands, log, name, seed, as_json)
        return
    if address is None:
        raise BadInput("no server; allowed: HOST:PORT, or --slumbot URL")
    if hands or log:
        raise BadInput("--hands and --log go with --slumbot")

    host, port = address_of(address)
    enter = client.queue_or_table(queue, table, buy_in)
    (spec,) = arena.specs_of([player])
    arena.names_of([player])  # refuses what is no player before anything is connected
    credentials = credentials_of((host, port), name)
    joined = client.join(
        players.make_player(spec),
        partial(client.ServerConnection, host, port),
        credentials,
        version=bot_version if name is None else None,
        enter=enter,
        count=count,
        seed=seed,
        announce=lambda line: click.echo(line, err=as_json),
        waits=lambda line: errors.print(line, markup=False, highlight=False, soft_wrap=True),
    )
    if as_json:
        print_json(joined.as_json())
        return
    for kind, entry in joined.faults.as_json().items():
        errors.print(f"{entry['count']} {kind} faults, first: {entry['first']}", markup=False)


def _visit(
    address: str,
    player: str,
    hands: int,
    log: Path,
    name: str | None,
    seed: int,
    as_json: bool,
) -> None:
    """Play at a server with Slumbot's interface, and print what came of it."""
    (spec,) = arena.specs_of([player])
    (called,) = arena.names_of([player])
    log_in = None if name is None else (name, os.environ.get(PASSWORD_VARIABLE, ""))
    with progress() as notify:
        visit = client.visit_slumbot(
            players.make_player(spec),
            address,
            log,
            hands=hands,
            name=called,
            token=os.environ.get(TOKEN_VARIABLE),
            log_in=log_in,
            seed=seed,
            announce=lambda line: errors.print(line, markup=False),
            progress=notify,
        )
    if as_json:
        print_json(visit.as_json())
        return
    win_rate = visit.interval
    lost = f", {counted(visit.lost)} lost" if visit.lost else ""
    ends = ""
    if win_rate.half_width < inf:
        ends = f" ({interval(100 * win_rate.low, 100 * win_rate.high, 1)} at any time, 95 %)"
    output.print(
        f"{counted(visit.hands)}{lost}: {signed(100 * win_rate.value, 1)} bb/100{ends}, money "
        f"alone; railbird assess {log}",
        markup=False,
        soft_wrap=True,
    )
    for kind, entry in visit.faults.as_json().items():
        errors.print(f"{entry['count']} {kind} faults, first: {entry['first']}", markup=False)
