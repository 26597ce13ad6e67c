"""``railbird icm``: the prize money that stacks in a tournament are worth."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import click

from railbird import tournament
from railbird.cli._console import json_option, output, print_json, print_table
from railbird.cli._play import amounts, prizes_of
from railbird.cli._verbs import HelpSection
from railbird.report.document import Table
from railbird.report.number_format import number, percent

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

SECTION: Final = HelpSection.CALCULATE

_MOST_IN_A_MATRIX: Final = 10
"""Players whose bubble factors fit into a terminal."""
_MOST_PLACES: Final = 4
"""Places whose probabilities the table shows."""


@click.command(name="icm")
@click.option("--stacks", required=True, help="Stacks of all players still in, such as 5000,3000.")
@click.option(
    "--payouts",
    required=True,
    help="Prizes from the first place on, such as 50,30,20.",
)
@json_option
def command(*, stacks: str, payouts: str, as_json: bool) -> None:
    """Compute the prize money that stacks are worth, by the independent chip model (ICM).

    A chance of winning in proportion to the stack, and the further places shared in the same way
    by those who remain (Malmuth-Harville). Players with a stack of 0 share the last places. The
    bubble factors are, for an all-in between two players, what the row's player loses with the
    hand over what he wins with it: 1 where chips are money.

    \b
    Examples:
      railbird icm --stacks 5000,3000,2000 --payouts 50,30,20
      railbird icm --stacks 10.5,8,4.2,1.3 --payouts 65,35 --json
    """
    chips = amounts("--stacks", stacks, "5000,3000,2000")
    prizes = prizes_of(payouts)
    import numpy as np

    equity = tournament.prize_equities(chips, prizes)
    share = np.asarray(chips) / sum(chips)
    places = tournament.place_probabilities(chips, min(len(chips), len(prizes)))
    in_matrix = len(chips) <= _MOST_IN_A_MATRIX
    factors = tournament.bubble_factors(chips, prizes) if as_json or in_matrix else None
    if as_json:
        print_json(
            {
                "stacks": chips,
                "payouts": prizes,
                "stack_share": share.tolist(),
                "equity": equity.tolist(),
                "place_probabilities": places.tolist(),
                "bubble_factors": None if factors is None else factors.tolist(),
            }
        )
        return
    print_table(_equities(chips, share, equity, places))
    if factors is not None and len(chips) > 1:
        output.print("\nbubble factors, row against column")
        print_table(_factors(factors))


def _equities(
    chips: list[float],
    share: npt.NDArray[np.float64],
    equity: npt.NDArray[np.float64],
    places: npt.NDArray[np.float64],
) -> Table:
    pool = equity.sum()
    shown = min(places.shape[1], _MOST_PLACES)
    finishes = [f"place {place + 1}" for place in range(shown)]
    rows = []
    for player, stack in enumerate(chips):
        of_prizes = equity[player] / pool if pool else 0.0
        a_chip = number(of_prizes / share[player], 3) if stack else number(None, 3)
        rows.append(
            (
                str(player + 1),
                f"{stack:,.15g}",
                percent(share[player], 2),
                number(equity[player], 4),
                percent(of_prizes, 2),
                a_chip,
                *(percent(each, 2) for each in places[player, :shown]),
            )
        )
    heads = ("player", "stack", "of chips", "equity", "of prizes", "a chip", *finishes)
    return Table(heads, rows)


def _factors(factors: npt.NDArray[np.float64]) -> Table:
    players = [str(player + 1) for player in range(len(factors))]
    rows = [
        (player, *("∞" if math.isinf(each) else number(each, 2) for each in row))
        for player, row in zip(players, factors, strict=True)
    ]
    return Table(("player", *players), rows)
