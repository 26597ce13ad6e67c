"""``railbird acpc-client``: a player of ours at the table of an ACPC dealer."""

from __future__ import annotations

from typing import Final

import click

from railbird.cli._completion import PLAYER
from railbird.cli._console import json_option, print_json
from railbird.cli._play import game_option
from railbird.cli._verbs import HelpSection
from railbird.errors import BadInput

SECTION: Final = HelpSection.PLAY


@click.command(name="acpc-client")
@click.argument("player", type=PLAYER)
@click.argument("host")
@click.argument("port", type=click.IntRange(1, 65535))
@game_option
@click.option(
    "--seed",
    default="0",
    show_default=True,
    envvar="RAILBIRD_SEED",
    show_envvar=True,
    help="Seed of the player; Railbird's own dealer sets the variable.",
)
@json_option
def command(*, player: str, host: str, port: int, game: str, seed: str, as_json: bool) -> None:
    """Connect PLAYER to the ACPC dealer at HOST and PORT and play until it hangs up.

    The dealer must play the game given here, since the protocol (ACPC 2.0.0) does not transmit it.

    \b
    Examples:
      railbird acpc-client baseline localhost 18791
      railbird match random "acpc:railbird acpc-client always-raise" --hands 1000
    """
    from railbird.arena.names import names_of, specs_of
    from railbird.histories import resolve_game
    from railbird.players import make_player
    from railbird.players.acpc import connect, sit_down
    from railbird.players.policy import close, why_not
    from railbird.players.seeds import rng_of

    rules = resolve_game(game)
    ((name,), (spec,)) = names_of([player]), specs_of([player])
    rng, ours = rng_of(seed), make_player(spec)
    if why := why_not(ours, rules):
        raise BadInput(f"{name}: {why}")
    try:
        link = connect(host, port)
    except (OSError, UnicodeError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else None
        raise BadInput(f"no dealer at {host} port {port}: {why or problem}") from None
    try:
        hands = sit_down(ours, rules, link, rng)
    finally:
        close(ours)
    if as_json:
        print_json({"player": name, "hands": hands})
    else:
        click.echo(f"{hands:,} hands")
