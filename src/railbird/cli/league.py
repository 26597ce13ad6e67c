"""``railbird league``: everybody against everybody."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table

from railbird.cli._clock import clock_options, policy_of
from railbird.cli._crosstable import crosstable_of
from railbird.cli._shell import json_option, on_option, print_json, print_table, progress
from railbird.cli.match import (
    HANDS,
    as_object,
    counted,
    money_table,
    rules_of,
    show_faults,
    unit_of,
    winnings,
)

if TYPE_CHECKING:
    from railbird.arena import LeagueResult, MatchResult
    from railbird.assessment.estimate import Estimate

RING_LOG = "ring.log"


@click.command(name="league")
@click.argument("players", nargs=-1, required=True, metavar="A B...")
@click.option(
    "--game", default="limit", show_default=True, help="limit, nolimit, a .game file or its name."
)
@click.option(
    "--hands",
    type=click.IntRange(min=1),
    default=HANDS,
    show_default=True,
    help="In each match; with --ring in all.",
)
@click.option("--duplicate", is_flag=True, help="Play each deal once in every seat.")
@click.option("--ring", is_flag=True, help="All at one table instead of two by two.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@clock_options
@click.option(
    "--log", type=click.Path(file_okay=False, path_type=Path), help="A folder for ACPC logs."
)
@click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True)
@on_option
@json_option
def command(
    *,
    players: Sequence[str],
    game: str,
    hands: int,
    duplicate: bool,
    ring: bool,
    seed: int,
    seconds: float | None,
    bank: float | None,
    refill: str | None,
    log: Path | None,
    workers: int,
    on: str | None,
    as_json: bool,
) -> None:
    """Let A, B and so on play each other and rank them.

    Every pair plays the same deals. With --ring all sit at one table; --duplicate then plays each
    deal as often as there are seats, so that everybody holds every seat's cards, next to others
    each time where the number of players is one less than a prime. A league with a log that was
    stopped goes on where it was.

    \b
    Examples:
      railbird league always-call always-raise random --hands 10000 --duplicate
      railbird league baseline baseline:tight-low random random --ring --duplicate --log logs
    """
    from railbird.arena import League, Match, Seating, play, play_league

    seats = len(players) if ring else 2
    several = Seating.PERMUTED if ring else Seating.DUPLICATE
    seating = several if duplicate else Seating.SINGLE
    deals = -(-hands // seats) if duplicate else hands
    rules, faults = rules_of(game, seats), policy_of(seconds, bank, refill)
    with progress() as report:
        if ring:
            match = Match(
                players=tuple(players),
                rules=rules,
                deals=deals,
                seed=seed,
                seating=seating,
                faults=faults,
            )
            if log is not None:
                log /= RING_LOG
            played = play(match, log=log, workers=workers, on=on, progress=report)
            _tell_ring(played, log, as_json)
            return
        league = League(
            players=tuple(players),
            rules=rules,
            deals=deals,
            seed=seed,
            seating=seating,
            faults=faults,
        )
        result = play_league(league, logs=log, workers=workers, on=on, progress=report)
    if as_json:
        print_json(_as_object(result, log))
        return
    print_table(_crosstable(result), lead=2)
    show_faults((name, result.faults(player)) for player, name in enumerate(league.names))


def _tell_ring(result: MatchResult, log: Path | None, as_json: bool) -> None:
    if as_json:
        print_json(as_object(result, log))
        return
    ranked = sorted(
        ((name, winnings(result, player)) for player, name in enumerate(result.match.names)),
        key=lambda row: -row[1].value,
    )
    title = f"{counted(result.match.hands)}, {result.hands_per_s:,.0f} a second"
    print_table(money_table(title, unit_of(result.match.rules)[0], ranked))
    show_faults(zip(result.match.names, result.faults, strict=True))


def _total(result: LeagueResult, player: int) -> Estimate:
    from railbird.assessment.estimate import estimate

    unit, chips = unit_of(result.league.rules)
    return estimate(result.per_deal(player) / chips, unit=unit)


def _against(result: LeagueResult, player: int, opponent: int) -> Estimate:
    from railbird.assessment.estimate import estimate

    unit, chips = unit_of(result.league.rules)
    return estimate(result.against(player, opponent) / chips, unit=unit)


def _ranking(result: LeagueResult) -> list[int]:
    """The players, the one who won most first."""
    return sorted(range(len(result.league.players)), key=lambda p: -_total(result, p).value)


def _as_object(result: LeagueResult, log: Path | None) -> dict[str, Any]:
    """The JSON object of a league."""
    league, ranking = result.league, _ranking(result)
    return {
        "hands": league.hands,
        "seed": league.seed,
        "unit": unit_of(league.rules)[0],
        "hands_per_s": result.hands_per_s,
        "log": None if log is None else str(log),
        "players": {
            name: {
                "rank": ranking.index(player) + 1,
                "money": _total(result, player).as_json(),
                "faults": result.faults(player).as_json(),
            }
            for player, name in enumerate(league.names)
        },
        "pairs": [
            {
                "players": [league.names[player] for player in pair],
                "money": _against(result, *pair).as_json(),
            }
            for pair in league.pairs
        ],
    }


def _crosstable(result: LeagueResult) -> Table:
    """Who won how much a hand from whom; rows and columns in the order of the ranking."""
    league, ranking = result.league, _ranking(result)
    return crosstable_of(
        f"{unit_of(league.rules)[0]} a hand, 95 % intervals; "
        f"{counted(league.hands)}, {result.hands_per_s:,.0f} a second",
        [league.names[player] for player in ranking],
        lambda place: _total(result, ranking[place]),
        lambda place, other: _against(result, ranking[place], ranking[other]),
    )
