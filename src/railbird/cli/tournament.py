"""``railbird tournament``: knock-out tournaments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final

import click
from rich.table import Table

from railbird.cli._completion import PLAYER
from railbird.cli._playing import Playing, betting_of, betting_option, playing_options
from railbird.cli._results import tell_faults
from railbird.cli._shell import print_json, print_table, progress
from railbird.cli._verbs import Section
from railbird.errors import BadInput
from railbird.report.toolkit.number_format import interval_of, number, percent

if TYPE_CHECKING:
    from railbird.arena import TournamentsResult

_AMOUNT = re.compile(r"\d{1,15}([./]\d{1,15})?")
"""A fraction without an exponent, since 1e999999999 would fill the memory with digits."""

SECTION: Final = Section.PLAY


@click.command(name="tournament")
@click.argument("players", nargs=-1, required=True, metavar="A B...", type=PLAYER)
@click.option(
    "--count",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="Number of tournaments.",
)
@betting_option
@click.option(
    "--stack",
    type=click.IntRange(min=1),
    default=1500,
    show_default=True,
    help="Starting stack of every player.",
)
@click.option("--blinds", help="A schedule such as 10/20x20,15/30x20,25/50/5x20.")
@click.option(
    "--payouts",
    default="100",
    show_default=True,
    help="Percentages of the prize money by place, such as 70/30.",
)
@click.option("--entry", default="1", show_default=True, help="Entry fee of every player.")
@click.option(
    "--seats",
    type=click.IntRange(min=2, max=23),
    default=9,
    show_default=True,
    help="Maximum number of seats at a table.",
)
@playing_options(log="PHHS file to write; an unfinished one is resumed.")
def command(
    *,
    players: Sequence[str],
    count: int,
    game: str,
    stack: int,
    blinds: str | None,
    payouts: str,
    entry: str,
    seats: int,
    how: Playing,
) -> None:
    """Play knock-out tournaments for prizes, each until one player has all the chips.

    A level of --blinds is SMALL/BIGxHANDS or SMALL/BIG/ANTExHANDS. After the last one the blinds
    double again and again, so every tournament ends. The button moves to the next player who is
    still in; more players than --seats sit at several tables, which play hand for hand and are
    balanced. Seats are drawn for every tournament. With a log, a series that was stopped is
    resumed.

    \b
    Examples:
      railbird tournament always-raise always-call random --count 1000
      railbird tournament random random random random random always-call --payouts 70/30 \\
        --entry 16.66 --blinds 10/20x10,15/30x10,25/50x10 --count 175 --log tournaments.phhs
    """
    from railbird.arena import Tournaments, play_tournaments
    from railbird.arena.settings import SCHEDULE
    from railbird.tournament import parse_payouts, parse_schedule

    tournaments = Tournaments(
        players=tuple(players),
        count=count,
        seed=how.seed,
        stack=stack,
        schedule=SCHEDULE if blinds is None else parse_schedule(blinds),
        payouts=parse_payouts(payouts),
        entry=_money(entry),
        seats=seats,
        betting=betting_of(game),
        faults=how.faults,
    )
    with how.begun(how.log), progress() as report:
        result = play_tournaments(
            tournaments, log=how.log, workers=how.workers, on=how.on, progress=report
        )
    faults = [(name, result.faults(player)) for player, name in enumerate(tournaments.names)]
    if how.as_json:
        print_json(result.as_json(how.log))
        tell_faults(faults, result.hands, strict=how.strict)
        return
    print_table(_table(result))
    tell_faults(faults, result.hands, strict=how.strict)


def _money(text: str) -> Fraction:
    try:
        if not _AMOUNT.fullmatch(text):
            raise ValueError(text)
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise BadInput(f"entry {text!r}; allowed: an amount such as 16.66") from None


def _table(result: TournamentsResult) -> Table:
    """Wins, prizes and places of all players, the largest prize first."""
    tournaments = result.tournaments
    table = Table(
        title=f"{tournaments.count:,} tournaments, {result.hands:,} hands, "
        f"{result.hands_per_s:,.0f} a second",
        title_justify="left",
        box=None,
    )
    table.add_column("player", overflow="fold")
    for column in ("wins", "95 % interval", "prize", "95 % interval", "place"):
        table.add_column(column, justify="right", no_wrap=True)
    standings = [(name, result.standing(player)) for player, name in enumerate(tournaments.names)]
    for name, standing in sorted(standings, key=lambda row: -row[1].prize.value):
        wins, prize = standing.win_rate, standing.prize
        table.add_row(
            name,
            percent(wins.value),
            f"{percent(wins.low)} to {percent(wins.high)}",
            number(prize.value, 3),
            interval_of(prize, 3),
            number(standing.place.value, 2),
        )
    return table
