"""``railbird match``: two players against each other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.table import Table

from railbird.cli._shell import errors, json_option, output, print_json, progress

if TYPE_CHECKING:
    from railbird.arena import MatchResult
    from railbird.game import Rules


@click.command(name="match")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option(
    "--game", default="limit", show_default=True, help="limit, nolimit, a .game file or its name."
)
@click.option("--hands", type=click.IntRange(min=1), default=1000, show_default=True)
@click.option("--duplicate", is_flag=True, help="Play each deal twice, with the seats exchanged.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--log", type=click.Path(dir_okay=False, path_type=Path), help="An ACPC log.")
@click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True)
@json_option
def command(
    *,
    first: str,
    second: str,
    game: str,
    hands: int,
    duplicate: bool,
    seed: int,
    log: Path | None,
    workers: int,
    as_json: bool,
) -> None:
    r"""Play A against B and say what they won.

    A match with a log that was stopped goes on where it was. The same seed plays the same hands,
    whatever the number of workers. `railbird assess LOG` tells skill from luck in it.

    \b
    Examples:
      railbird match always-call always-raise --hands 10000
      railbird match baseline baseline:aggressive-high --hands 4000 --duplicate --log match.log
    """
    from railbird.arena import Match, Seating, play

    rules = rules_of(game)
    match = Match(
        players=(first, second),
        rules=rules,
        deals=-(-hands // 2) if duplicate else hands,
        seed=seed,
        seating=Seating.DUPLICATE if duplicate else Seating.SINGLE,
    )
    with progress() as report:
        result = play(match, log=log, workers=workers, progress=report)
    if as_json:
        print_json(as_object(result, log))
    else:
        output.print(_table(result))
        for name, faults in zip(match.names, result.faults, strict=True):
            for fault, count in faults.counts.items():
                errors.print(f"{name}: {count} {fault.value}, first: {faults.first[fault]}")


def rules_of(game: str) -> Rules:
    """The rules that ``--game`` names."""
    from railbird.game import HEADS_UP_LIMIT, HEADS_UP_NO_LIMIT
    from railbird.histories import resolve_game

    return {"limit": HEADS_UP_LIMIT, "nolimit": HEADS_UP_NO_LIMIT}.get(game) or resolve_game(game)


def unit_of(rules: Rules) -> tuple[str, int]:
    """Small bets in limit, else big blinds, and how many chips one is."""
    from railbird.game import Betting

    if rules.betting is Betting.LIMIT:
        return "sb", rules.bet_sizes[0]
    return "bb", max(rules.blinds)


def as_object(result: MatchResult, log: Path | None) -> dict[str, object]:
    """The JSON object of a finished match."""
    from railbird.assessment.estimate import estimate

    unit, chips = unit_of(result.match.rules)
    return {
        "hands": result.match.hands,
        "seed": result.match.seed,
        "unit": unit,
        "hands_per_s": result.hands_per_s,
        "log": None if log is None else str(log),
        "players": {
            name: {
                "money": estimate(result.per_deal(player) / chips, unit=unit).as_json(),
                "faults": result.faults[player].as_json(),
            }
            for player, name in enumerate(result.match.names)
        },
    }


def _table(result: MatchResult) -> Table:
    from railbird.assessment.estimate import estimate

    unit, chips = unit_of(result.match.rules)
    table = Table(
        title=f"{result.match.hands:,} hands, {result.hands_per_s:,.0f} a second",
        title_justify="left",
        box=None,
    )
    table.add_column("player")
    table.add_column(f"{unit} a hand", justify="right")
    table.add_column("95 % interval", justify="right")
    for player, name in enumerate(result.match.names):
        won = estimate(result.per_deal(player) / chips, unit=unit)
        table.add_row(name, f"{won.value:+.4f}", f"{won.low:+.4f} to {won.high:+.4f}")
    return table
