"""``railbird bankroll``: risk of ruin, N0 and Kelly's bankroll of a win rate."""

from __future__ import annotations

import math
import re
from typing import Final

import click

from railbird import estimates, report
from railbird.cli._completion import Whole, Within
from railbird.cli._console import json_option, print_json, print_table
from railbird.errors import BadInput

_RATE: Final = re.compile(r"([+-]?[0-9.]+)(?:\s*(?:±|\+/?-)\s*([0-9.]+))?")


@click.command(name="bankroll")
@click.option(
    "--rate", required=True, help="Win rate, perhaps with its 95 % interval: 5 or 5±3 or 5+-3."
)
@click.option("--sd", required=True, type=Within(), help="Standard deviation, such as 80.")
@click.option(
    "--per",
    type=Whole(1, 10**6),
    default=100,
    help="Number of hands to which rate and deviation refer.",
)
@click.option(
    "-n",
    "--hands",
    "played",
    type=Whole(2, 10**12),
    help="Hands behind the rate, in place of its interval.",
)
@click.option(
    "--bankroll",
    type=Within(),
    help="Also compute the risk of losing this bankroll, in the rate's unit.",
)
@click.option(
    "--within", type=Whole(1, 10**12), help="Also compute the risk within this many hands."
)
@json_option
def command(
    *,
    rate: str,
    sd: float,
    per: int,
    played: int | None,
    bankroll: float | None,
    within: int | None,
    as_json: bool,
) -> None:
    """Compute what a win rate means for a bankroll: risk of ruin, N0, Kelly.

    Each number has an interval, which follows from that of the win rate. `stats --bankroll` takes
    rate and deviation from logs, and `blackjack simulate --bankroll` takes them from a simulation.

    \b
    Examples:
      railbird bankroll --rate 5 --sd 80 --hands 40000 --bankroll 2000
      railbird bankroll --rate 2.5±3 --sd 100
      railbird bankroll --rate 0.01 --sd 1.15 --per 1 --bankroll 500 --within 5000
    """
    if within is not None and bankroll is None:
        raise BadInput("--within needs --bankroll, which may be lost by then")
    mean, half = _rate(rate)
    if half is not None and played is not None:
        raise BadInput(f"--rate {rate} and --hands {played}; allowed: one of both intervals")
    if not 0 < sd < 1e12:
        raise BadInput(f"--sd {sd:g}; allowed: more than 0, less than 10^12")
    if played is not None:
        from railbird.estimates.estimate import Z_95

        half = Z_95 * sd / math.sqrt(played / per)
    check_bankroll(bankroll)
    bankroll_figures = estimates.bankroll_of(
        mean,
        sd,
        low=mean - (half or 0.0),
        high=mean + (half or 0.0),
        bankroll=bankroll,
        horizon=math.inf if within is None else within / per,
    )
    if as_json:
        print_json(bankroll_figures.as_json(per=per))
        return
    name = f"per {per:,} hands" if per > 1 else "a hand"
    print_table(report.bankroll_table(bankroll_figures, rate=name, unit="", hands="hands", per=per))


def check_bankroll(bankroll: float | None) -> None:
    """Refuse a bankroll that is none."""
    if bankroll is not None and not 0 < bankroll < 1e12:
        raise BadInput(f"--bankroll {bankroll:g}; allowed: more than 0")


def _rate(text: str) -> tuple[float, float | None]:
    """Read a rate, and half the width of its interval if there is one."""
    match = _RATE.fullmatch(text.strip())
    try:
        if match is None:
            raise ValueError
        mean, half = float(match[1]), None if match[2] is None else float(match[2])
    except ValueError:
        raise BadInput(f"--rate {text}; allowed: such as 5, -2.5 or 5±3") from None
    if not max(abs(mean), half or 0.0) < 1e12:
        raise BadInput(f"--rate {text}; allowed: less than 1e12")
    return mean, half
