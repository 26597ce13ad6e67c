"""``railbird match``: two players against each other."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.table import Table

from railbird.cli._clock import clock_options, policy_of
from railbird.cli._shell import (
    Report,
    errors,
    json_option,
    on_option,
    output,
    print_json,
    print_table,
    progress,
)
from railbird.errors import BadInput
from railbird.report.wording import counted

if TYPE_CHECKING:
    from railbird.arena import FaultTally, MatchResult
    from railbird.assessment import Assessment
    from railbird.assessment.estimate import Estimate
    from railbird.assessment.sequential import Watch
    from railbird.game import Rules

HANDS = 1000
"""Hands of a match, unless the command says otherwise."""
MOST_HANDS = 1_000_000
"""Hands after which a match that plays until something is known gives up."""


@click.command(name="match")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option(
    "--game", default="limit", show_default=True, help="limit, nolimit, a .game file or its name."
)
@click.option(
    "--hands",
    type=click.IntRange(min=1),
    help=f"{HANDS:,} by default; with --until the most that are played, {MOST_HANDS:,} by default.",
)
@click.option("--duplicate", is_flag=True, help="Play each deal twice, with the seats exchanged.")
@click.option("--until", help="Stop when A's win is known so well: 0.02sb, or decided.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option(
    "--dealer",
    type=click.Choice(["seeded", "acpc"]),
    default="seeded",
    show_default=True,
    help="Whose cards the seed deals.",
)
@clock_options
@click.option("--log", type=click.Path(dir_okay=False, path_type=Path), help="An ACPC log.")
@click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True)
@on_option
@click.option("--assess", "assessed", is_flag=True, help="Tell skill from luck in it as well.")
@json_option
def command(
    *,
    first: str,
    second: str,
    game: str,
    hands: int | None,
    duplicate: bool,
    until: str | None,
    seed: int,
    dealer: str,
    seconds: float | None,
    bank: float | None,
    refill: str | None,
    log: Path | None,
    workers: int,
    on: str | None,
    assessed: bool,
    as_json: bool,
) -> None:
    """Play A against B and say what they won.

    A match with a log that was stopped goes on where it was. The same seed plays the same hands,
    whatever the number of workers. --until looks after every chunk of deals at an interval that is
    made for being looked at, so stopping there does not make a winner of an equal.

    \b
    Examples:
      railbird match always-call always-raise --hands 10000
      railbird match baseline baseline:aggressive-high --hands 4000 --duplicate --log match.log
      railbird match baseline baseline:aggressive-high --duplicate --until decided --assess
    """
    from railbird.arena import Dealing, Match, Seating, play

    rules = rules_of(game)
    if assessed and unit_of(rules)[0] != "sb":
        raise BadInput(f"--assess with {game}; allowed: limit betting")
    if hands is None:
        hands = HANDS if until is None else MOST_HANDS
    match = Match(
        players=(first, second),
        rules=rules,
        deals=-(-hands // 2) if duplicate else hands,
        seed=seed,
        seating=Seating.DUPLICATE if duplicate else Seating.SINGLE,
        dealing=Dealing(dealer),
        faults=policy_of(seconds, bank, refill),
    )
    watch = None if until is None else _watch(rules, until)
    with progress() as report:
        result = play(match, log=log, workers=workers, on=on, until=watch, progress=report)
        found = _assess(result, log, report) if assessed else None
    if as_json:
        judged = {} if watch is None else {"until": until, **_as_json(watch)}
        if found is not None:
            from railbird.assessment import ESTIMATORS
            from railbird.cli import assess

            judged["assessment"] = assess.as_object([], found, tuple(ESTIMATORS), None)
        print_json(as_object(result, log) | judged)
        return
    print_table(_table(result))
    if watch is not None:
        reached = "reached" if watch.reached else "not reached"
        output.print(
            f"{until} {reached}: {match.names[0]} wins {watch.interval}",
            markup=False,
            soft_wrap=True,
        )
    show_faults(zip(match.names, result.faults, strict=True))
    if found is not None:
        from railbird.report import text

        output.print(text(found))


def rules_of(game: str, seats: int = 2) -> Rules:
    """The rules that ``--game`` names, for so many seats.

    Raises `BadInput` for a game of another number of seats.
    """
    from railbird.game import acpc_rules, limit_holdem, no_limit_holdem
    from railbird.histories import resolve_game

    match game:
        case "limit":
            return acpc_rules(limit_holdem(seats))
        case "nolimit":
            return acpc_rules(no_limit_holdem(seats, blinds=(50, 100), stack=20_000))
    rules = resolve_game(game)
    if rules.seats != seats:
        raise BadInput(f"{game} is for {rules.seats} seats; needed: {seats}")
    return rules


def unit_of(rules: Rules) -> tuple[str, int]:
    """Small bets in limit, else big blinds, and how many chips one is."""
    from railbird.game import Betting

    if rules.betting is Betting.LIMIT:
        return "sb", rules.bet_sizes[0]
    return "bb", max(rules.blinds)


def as_object(result: MatchResult, log: Path | None) -> dict[str, object]:
    """The JSON object of a finished match."""
    return {
        "hands": result.match.hands,
        "seed": result.match.seed,
        "unit": unit_of(result.match.rules)[0],
        "hands_per_s": result.hands_per_s,
        "log": None if log is None else str(log),
        "players": {
            name: {
                "spec": result.match.specs[player],
                "money": winnings(result, player).as_json(),
                "faults": result.faults[player].as_json(),
            }
            for player, name in enumerate(result.match.names)
        },
    }


def winnings(result: MatchResult, player: int) -> Estimate:
    """What a player won in a hand, in the unit of its game."""
    from railbird.assessment.estimate import estimate

    unit, chips = unit_of(result.match.rules)
    return estimate(result.per_deal(player) / chips, unit=unit)


def show_faults(faults: Iterable[tuple[str, FaultTally]]) -> None:
    """List players' faults on standard error."""
    for name, tally in faults:
        for fault, count in tally.counts.items():
            words = f"{name}: {count} {fault.value}, first: {tally.first[fault]}"
            errors.print(words, markup=False)


def money_table(title: str, unit: str, rows: Iterable[tuple[str, Estimate]]) -> Table:
    """What players won, with intervals."""
    table = Table(title=title, title_justify="left", box=None)
    table.add_column("player")
    table.add_column(f"{unit} a hand", justify="right")
    table.add_column("95 % interval", justify="right")
    for name, won in rows:
        # One hand alone has no spread.
        interval = f"{won.low:+.4f} to {won.high:+.4f}" if math.isfinite(won.stderr) else "–"
        table.add_row(name, f"{won.value:+.4f}", interval)
    return table


def _table(result: MatchResult) -> Table:
    return money_table(
        f"{counted(result.match.hands)}, {result.hands_per_s:,.0f} a second",
        unit_of(result.match.rules)[0],
        [(name, winnings(result, player)) for player, name in enumerate(result.match.names)],
    )


def _watch(rules: Rules, until: str) -> Watch:
    from railbird.assessment.sequential import Watch, parse_goal

    unit, chips = unit_of(rules)
    return Watch(parse_goal(until, unit=unit), chips=chips, unit=unit)


def _as_json(watch: Watch) -> dict[str, object]:
    return {"reached": watch.reached, "interval": watch.interval.as_json()}


def _assess(result: MatchResult, log: Path | None, report: Report) -> Assessment:
    """Assess the hands of the log, or else play them once more."""
    from railbird.arena import hands
    from railbird.assessment import assess
    from railbird.histories import read

    played = hands(result.match) if log is None else islice(read(log), result.match.hands)
    return assess(played, player=result.match.names[0], progress=report)
