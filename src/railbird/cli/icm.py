"""``railbird icm``: the prize money that stacks in a tournament are worth."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import click

from railbird import report, solve, tournament
from railbird.cli._completion import Whole, Within
from railbird.cli._console import json_option, output, print_json, print_table, progress
from railbird.cli._play import (
    amounts,
    blinds_of,
    bounties_json,
    bounties_of,
    bounty_options,
    prizes_of,
)
from railbird.errors import BadInput
from railbird.report.document import Table
from railbird.report.number_format import number, percent

if TYPE_CHECKING:
    from railbird._arrays import Floats

_MOST_IN_A_MATRIX: Final = 10
"""Players whose bubble factors fit into a terminal."""
_PLACES_BESIDE: Final = {3: 4, 4: 2, 5: 1}
"""Places whose probabilities the table shows, by its number of other columns of results."""


@click.command(name="icm")
@click.option("--stacks", required=True, help="Stacks of all players still in, such as 5000,3000.")
@click.option("--payouts", required=True, help="Prizes from the first place on, such as 50,30,20.")
@bounty_options
@click.option("--blinds", help="Blinds of those hands in chips, such as 50/100.")
@click.option("--ante", type=Within(), help="Ante of each player.")
@click.option("--bb-ante", type=Within(), help="Ante that the big blind posts for everybody.")
@click.option(
    "--button",
    type=Whole(1),
    help="Who has the button in the next hand: 1 for the first of the stacks, which go round the "
    "table.",
)
@json_option
def command(
    *,
    stacks: str,
    payouts: str,
    bounties: str | None,
    paid_at_once: float | None,
    bounty_model: str | None,
    future_game: int,
    blinds: str | None,
    ante: float | None,
    bb_ante: float | None,
    button: int | None,
    as_json: bool,
) -> None:
    """Compute the prize money that stacks are worth, by the independent chip model (ICM).

    The chance of winning is in proportion to the stack, and the players who remain share the
    further places in the same way (Malmuth-Harville). Players with a stack of 0 share the last
    places. The bubble factor of an all-in between two players is what the row's player loses with
    the hand divided by what he wins with it: 1 if chips are money.

    With --bounties each player is assumed to be knocked out by one of those who finish above him,
    with a chance in proportion to their stacks; the winner of the tournament keeps his own bounty.
    The bubble factors then count the bounty of the player who is knocked out by the all-in.

    With --set future-game=N (future game simulation, FGS) the blinds and who posts them count for N
    hands. In each hand everybody goes all-in or folds by an equilibrium, with one caller at most.
    The model then says what the stacks after the last hand are worth.

    \b
    Examples:
      railbird icm --stacks 5000,3000,2000 --payouts 50,30,20
      railbird icm --stacks 10.5,8,4.2,1.3 --payouts 65,35 --json
      railbird icm --stacks 5000,3000,2000 --payouts 50,30,20 --bounties 20,15,30
      railbird icm --stacks 9,26,25 --payouts 65,35 --set future-game=2 --blinds 1/2 --button 2
    """
    chips = amounts("--stacks", stacks, "5000,3000,2000")
    prizes = prizes_of(payouts)
    heads = bounties_of(bounties, paid_at_once, bounty_model)
    looked_at = {"--blinds": blinds, "--ante": ante, "--bb-ante": bb_ante, "--button": button}
    if not future_game and (alone := [name for name, at in looked_at.items() if at is not None]):
        raise BadInput(f"{alone[0]} without --set future-game; allowed: with --set future-game")
    import numpy as np

    equity = tournament.prize_equities(chips, prizes)
    won = None if heads is None else tournament.bounty_equities(chips, heads)
    total = equity if won is None else equity + won
    share = np.asarray(chips) / sum(chips)
    places = tournament.place_probabilities(chips, min(len(chips), len(prizes)))
    factors = future = None
    with progress() as notify:
        if future_game:
            if blinds is None or button is None:
                raise BadInput("--set future-game; allowed: with --blinds and --button")
            order = _order_of_acting(chips, button)
            table = solve.PushFoldTable(
                stacks=tuple(chips[player] for player in order),
                payouts=tuple(prizes),
                blinds=blinds_of(blinds),
                ante=ante or 0.0,
                big_blind_ante=bb_ante or 0.0,
                bounties=heads
                and replace(heads, heads=tuple(heads.heads[player] for player in order)),
                most_in=2,
                future_hands=future_game - 1,
            )
            future = total.copy()  # for those without chips
            future[order] = solve.future_equities(table, progress=notify)
        if as_json or len(chips) <= _MOST_IN_A_MATRIX:
            factors = tournament.bubble_factors(chips, prizes, bounties=heads, progress=notify)
    if as_json:
        print_json(
            {
                "stacks": chips,
                "payouts": prizes,
                "stack_share": share.tolist(),
                "equity": equity.tolist(),
                "place_probabilities": places.tolist(),
                "bounties": bounties_json(heads),
                "bounty_equity": None if won is None else won.tolist(),
                "total_equity": total.tolist(),
                "future_hands": future_game,
                "future_equity": None if future is None else future.tolist(),
                "bubble_factors": None if factors is None else factors.tolist(),
            }
        )
        return
    columns = {"equity": [number(amount, 4) for amount in equity]}
    if heads is None or won is None:
        of_prizes = equity / (equity.sum() or 1.0)
        columns["of prizes"] = [percent(prize_share, 2) for prize_share in of_prizes]
        columns["a chip"] = [
            number(prize_share / chip_share if chip_share else None, 3)
            for prize_share, chip_share in zip(of_prizes, share, strict=True)
        ]
    else:
        columns = {
            "bounty": [f"{bounty:,.15g}" for bounty in heads.heads],
            "prizes": columns["equity"],
            "bounties": [number(amount, 4) for amount in won],
            "total": [number(amount, 4) for amount in total],
        }
    if future is not None:
        columns[f"FGS {future_game}"] = [number(amount, 4) for amount in future]
    _print_equities(chips, columns, places, len(prizes))
    if heads is not None:
        output.print(report.pushfold_pages.bounty_words(heads))
    if factors is not None and len(chips) > 1:
        output.print("\nbubble factors, row against column")
        print_table(_factors(factors))


def _order_of_acting(chips: list[float], button: int) -> list[int]:
    """Return the players with chips in the order in which they act, the big blind last.

    Heads-up the button has the small blind.
    """
    playing = [player for player, stack in enumerate(chips) if stack]
    if button - 1 not in playing:
        raise BadInput(f"--button {button}; allowed: the number of a player with chips")
    after_blinds = playing.index(button - 1) + min(3, len(playing))
    return [playing[(after_blinds + step) % len(playing)] for step in range(len(playing))]


def _print_equities(
    chips: list[float], columns: dict[str, list[str]], places: Floats, prizes: int
) -> None:
    print_table(_equities(chips, columns, places))
    if prizes > len(chips):
        left = "one player is" if len(chips) == 1 else f"{len(chips)} players are"
        output.print(f"{left} left: lower prizes are not at stake")


def _equities(chips: list[float], columns: dict[str, list[str]], places: Floats) -> Table:
    """Return a row for each player: stack, share, the columns, and as many places as have room."""
    shown = min(places.shape[1], _PLACES_BESIDE[len(columns)])
    for place in range(shown):
        columns[f"place {place + 1}"] = [
            percent(probability, 2) for probability in places[:, place]
        ]
    rows = [
        (str(player + 1), f"{stack:,.15g}", percent(stack / sum(chips), 2), *cells)
        for player, (stack, *cells) in enumerate(zip(chips, *columns.values(), strict=True))
    ]
    return Table(("player", "stack", "of chips", *columns), rows)


def _factors(factors: Floats) -> Table:
    players = [str(player + 1) for player in range(len(factors))]
    rows = [
        (player, *("∞" if math.isinf(factor) else number(factor, 2) for factor in row))
        for player, row in zip(players, factors, strict=True)
    ]
    return Table(("player", *players), rows)
