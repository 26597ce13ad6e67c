"""``railbird tournament``: knock-out tournaments."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from railbird import arena, assessment, cards, report, tournament
from railbird.arena.settings import ENTRY, PAYOUTS, STACK, TABLE_SEATS, TOURNAMENTS
from railbird.cli._completion import PLAYER, Whole
from railbird.cli._console import output, print_json, print_table, progress
from railbird.cli._keyed_options import show_option
from railbird.cli._play import (
    Playing,
    betting_of,
    betting_option,
    entry_of,
    game_or_usual,
    playing_options,
    stack_of,
    variant_option,
)
from railbird.cli._result_tables import game_words, tell_faults
from railbird.errors import BadInput
from railbird.report.document import Table
from railbird.report.number_format import counted, interval_of, number, percent

if TYPE_CHECKING:
    from railbird.estimates import Estimate


@click.command(name="tournament")
@click.argument("players", nargs=-1, required=True, metavar="A B...", type=PLAYER)
@click.option(
    "-n",
    "--count",
    type=Whole(min=1),
    default=TOURNAMENTS,
    help="Number of tournaments.",
)
@betting_option
@variant_option
@click.option(
    "--stack",
    default=str(STACK),
    help="Starting stack of every player, such as 75bb or 1500 chips; a bare number is chips.",
)
@click.option("--blinds", help="A schedule such as 10/20x10,15/30x10,25/50/5x10.")
@click.option(
    "--payouts",
    default=PAYOUTS,
    help="Percentages of the prize money by place, such as 70,30.",
)
@click.option("--entry", default=str(ENTRY), help="Entry fee of every player.")
@click.option(
    "--seats",
    type=Whole(min=2, max=23),
    default=TABLE_SEATS,
    help="Maximum number of seats at a table.",
)
@click.option(
    "--duplicate",
    is_flag=True,
    help="Play sets with the same cards in the same chairs, in which everybody has every chair.",
)
@click.option(
    "--shoot-out", is_flag=True, help="Let every table play to a winner, and the winners meet."
)
@show_option(icm="also prizes less the luck of the all-ins, by the independent chip model")
@playing_options(log="PHHS file to write; an unfinished one is resumed.")
def command(
    *,
    players: Sequence[str],
    count: int,
    game: str,
    variant: str,
    stack: str,
    blinds: str | None,
    payouts: str,
    entry: str,
    seats: int,
    duplicate: bool,
    shoot_out: bool,
    icm: bool,
    how: Playing,
) -> None:
    """Play knock-out tournaments for prizes, each until one player has all the chips.

    A level of --blinds is SMALL/BIGxHANDS or SMALL/BIG/ANTExHANDS; an ante bb50 is posted by the
    big blind for all. After the last one the blinds double again and again, so every tournament
    ends. The button moves to the next player who is still in; more players than --seats sit at
    several tables, which play hand for hand and are balanced. Seats are drawn for every tournament.
    With a log, a stopped series is resumed. In other games than hold'em (--variant) only a few
    players can play. With --duplicate a set has as many tournaments as players, and is one result:
    hand for hand, each chair gets the same cards in all of them. The count is rounded up to whole
    sets. With --show icm every all-in with cards to come counts by its mean prize equity over all
    boards. This does not change the means, and makes the intervals narrower.

    \b
    Examples:
      railbird tournament always-raise always-call random --count 1000
      railbird tournament random random random random random always-call --payouts 70/30 \\
        --entry 16.66 --blinds 10/20x10,15/30x10,25/50x10 --count 175 --log tournaments.phhs
    """
    dealt = cards.variant_from(variant)
    schedule = tournament.schedule.SCHEDULE if blinds is None else tournament.parse_schedule(blinds)
    tournaments = arena.Tournaments(
        players=tuple(players),
        count=-(-count // len(players)) * len(players) if duplicate else count,
        seed=how.seed,
        stack=stack_of(stack, schedule.level(0).big),
        schedule=schedule,
        payouts=tournament.parse_payouts(payouts),
        entry=entry_of(entry),
        seats=seats,
        seating=arena.Seating.PERMUTED if duplicate else arena.Seating.SINGLE,
        stages=tournament.Stages.SHOOT_OUT if shoot_out else tournament.Stages.FREEZE_OUT,
        betting=betting_of(game_or_usual(game, dealt)),
        variant=dealt,
        faults=how.faults,
    )
    if icm and shoot_out:
        raise BadInput("--show icm with --shoot-out; allowed: one of the two")
    if icm and tournaments.variant is not cards.HOLDEM:
        raise BadInput(f"--show icm in {tournaments.variant.name}; allowed: in hold'em")
    with how.begun(how.log), progress() as notify:
        result = arena.play_tournaments(
            tournaments,
            log=how.log,
            workers=how.workers,
            on=how.on,
            keep=icm,
            progress=notify,
        )
        adjusted = _adjusted(result) if icm else None
    faults = [(name, result.faults(player)) for player, name in enumerate(tournaments.names)]
    if how.as_json:
        print_json(result.as_json(how.log) | ({} if adjusted is None else adjusted.as_json()))
        tell_faults(faults, result.hands, strict=how.strict)
        return
    print_table(_table(result, adjusted))
    if adjusted is not None:
        output.print(adjusted.words())
    tell_faults(faults, result.hands, strict=how.strict)


class _Adjusted(NamedTuple):
    """Prizes less the luck of all-ins."""

    estimates: dict[str, Estimate]
    """By player; each tournament, in duplicate each set, is one value."""
    luck: assessment.PrizeLuck
    variance_reduction: float
    """Variance of the prizes over that of the prizes less luck, over all players."""

    def as_json(self) -> dict[str, object]:
        return {
            "prize_less_luck": {
                name: estimate.as_json() for name, estimate in self.estimates.items()
            },
            "all_ins": self.luck.all_ins,
            "all_ins_left": self.luck.left,
            "variance_reduction": self.variance_reduction,
        }

    def words(self) -> str:
        # Prizes that are all alike have no variance to compare with.
        known = math.isfinite(self.variance_reduction) and self.variance_reduction > 0
        return report.luck_words(
            self.luck.all_ins, self.luck.left, self.variance_reduction if known else None
        )


def _adjusted(result: arena.TournamentsResult) -> _Adjusted:
    import numpy as np

    from railbird.estimates.estimate import estimate

    tournaments = result.tournaments
    luck = assessment.all_in_prize_luck(
        result.batches(),
        names=tournaments.names,
        tournaments=tournaments.count,
        stack=tournaments.stack,
        prizes=tournaments.prizes(range(1, len(tournaments.players) + 1)),
    )
    plain = result.by_set(result.prizes)
    less = result.by_set(
        assessment.control_variates.corrected(result.prizes, luck.luck[..., np.newaxis])
    )
    plain_variance, reduced_variance = (
        float(samples.var(axis=0).sum()) for samples in (plain, less)
    )
    return _Adjusted(
        estimates={
            name: estimate(less[:, player], unit="money")
            for player, name in enumerate(tournaments.names)
        },
        luck=luck,
        variance_reduction=plain_variance / reduced_variance if reduced_variance > 0 else math.nan,
    )


def _table(result: arena.TournamentsResult, adjusted: _Adjusted | None) -> Table:
    """Wins, prizes and places of all players, the largest prize first."""
    tournaments = result.tournaments
    sets = ""
    if tournaments.in_set > 1:
        sets = f" in {counted(tournaments.count // tournaments.in_set, 'set')}"
    game = game_words(tournaments.betting, tournaments.variant)
    title = (
        f"{counted(tournaments.count, 'tournament')} of {game}{sets}, "
        f"{counted(result.hands)}, "
        f"{result.hands_per_s:,.0f} a second"
    )
    less = () if adjusted is None else ("less luck", "95 % interval")
    heads = ("player", "wins", "95 % interval", "prize", "95 % interval", *less, "place")
    rows = []
    standings = [(name, result.standing(player)) for player, name in enumerate(tournaments.names)]
    for name, standing in sorted(standings, key=lambda row: -row[1].prize.value):
        wins, prize = standing.win_rate, standing.prize
        rows.append(
            (
                name,
                percent(wins.value),
                f"{percent(wins.low)} to {percent(wins.high)}",
                number(prize.value, 3),
                interval_of(prize, 3),
                *_less_luck(adjusted, name),
                number(standing.place.value, 2),
            )
        )
    return Table(heads, rows, title=title)


def _less_luck(adjusted: _Adjusted | None, name: str) -> tuple[str, ...]:
    if adjusted is None:
        return ()
    value = adjusted.estimates[name]
    return number(value.value, 3), interval_of(value, 3)
