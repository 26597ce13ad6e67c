"""What players won, as tables for the terminal and as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table

from railbird.cli._shell import errors
from railbird.report.toolkit.number_format import counted, decimals_for, interval_of, signed

if TYPE_CHECKING:
    from railbird.arena import FaultTally, MatchResult
    from railbird.estimates.bounded import BoundedMean
    from railbird.estimates.estimate import Estimate
    from railbird.estimates.sequential import Watch
    from railbird.game import Rules


def unit_of(rules: Rules) -> tuple[str, int]:
    """Small bets in limit, else big blinds, and how many chips one is."""
    from railbird.game import Betting

    if rules.betting is Betting.LIMIT:
        return "sb", rules.bet_sizes[0]
    return "bb", max(rules.blinds)


def winnings(result: MatchResult, player: int) -> Estimate:
    """What a player won in a hand, in the unit of its game."""
    from railbird.estimates.estimate import estimate

    unit, chips = unit_of(result.match.rules)
    return estimate(result.per_deal(player) / chips, unit=unit)


def match_object(result: MatchResult, log: Path | None) -> dict[str, object]:
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


def match_table(result: MatchResult, players: Iterable[int]) -> Table:
    """What these players won in a match, in this order, with intervals."""
    table = Table(
        title=f"{counted(result.match.hands)}, {result.hands_per_s:,.0f} a second",
        title_justify="left",
        box=None,
    )
    table.add_column("player")
    table.add_column(f"{unit_of(result.match.rules)[0]} a hand", justify="right")
    table.add_column("95 % interval", justify="right")
    for player in players:
        table.add_row(result.match.names[player], *shown(winnings(result, player)))
    return table


def shown(won: Estimate | BoundedMean, decimals: int | None = None) -> tuple[str, str]:
    """A mean with its sign and its interval, as every screen shows them."""
    decimals = decimals_for(won.stderr) if decimals is None else decimals
    return signed(won.value, decimals), interval_of(won, decimals)


def watch_object(watch: Watch) -> dict[str, object]:
    """What the JSON object says of a match that was watched."""
    return {"reached": watch.reached, "interval": watch.interval.as_json()}


def show_faults(faults: Iterable[tuple[str, FaultTally]]) -> None:
    """List players' faults on standard error."""
    for name, tally in faults:
        for fault, count in tally.counts.items():
            words = f"{name}: {count} {fault.value}, first: {tally.first[fault]}"
            errors.print(words)
