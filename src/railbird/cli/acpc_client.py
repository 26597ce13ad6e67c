"""``railbird acpc-client``: a player of ours at the table of an ACPC dealer."""

from __future__ import annotations

import click

from railbird import arena, histories, players
from railbird.cli._completion import PLAYER, Whole
from railbird.cli._console import json_option, print_json
from railbird.cli._play import game_option
from railbird.errors import BadInput


@click.command(name="acpc-client")
@click.argument("player", type=PLAYER)
@click.argument("host")
@click.argument("port", type=Whole(1, 65535))
@game_option
@click.option(
    "-s",
    "--seed",
    default="0",
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
    rules = histories.resolve_game(game)
    ((name,), (spec,)) = arena.names_of([player]), arena.specs_of([player])
    rng, ours = players.rng_of(seed), players.make_player(spec)
    if why := players.policy.why_not(ours, rules):
        raise BadInput(f"{name}: {why}")
    try:
        link = players.acpc.connect(host, port)
    except (OSError, UnicodeError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else None
        raise BadInput(f"no dealer at {host} port {port}: {why or problem}") from None
    try:
        hands = players.acpc.sit_down(ours, rules, link, rng)
    finally:
        players.policy.close(ours)
    if as_json:
        print_json({"player": name, "hands": hands})
    else:
        click.echo(f"{hands:,} hands")
