"""Charts and tables of blackjack for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from railbird.report.toolkit.number_format import counted, interval_of, number, percent, signed

if TYPE_CHECKING:
    from railbird.blackjack import HandValues
    from railbird.blackjack.chart import Chart
    from railbird.blackjack.play.counting import IndexPlay
    from railbird.blackjack.play.simulation import SeatResult
    from railbird.blackjack.score.assessment import Assessment

STYLES = {"H": "", "S": "on red", "D": "on blue", "P": "on green", "R": "on magenta"}
"""Colours of the cells, which only add to the letters."""


def value_table(values: HandValues) -> Table:
    """Values of the actions, the best first."""
    from railbird.blackjack import Action

    table = Table(box=None)
    table.add_column("action")
    table.add_column("value", justify="right")
    table.add_column("costs", justify="right")
    allowed = [action for action in Action if values.of(action) == values.of(action)]
    best = values.of(values.best)
    for action in sorted(allowed, key=values.of, reverse=True):
        word = action.word
        if word == "split":
            word += f" ({values.after_split.value})"
        cost = best - values.of(action)
        table.add_row(word, signed(values.of(action), 5), number(cost, 5) if cost else "best")
    return table


def chart_table(chart: Chart) -> Table:
    """The chart, coloured."""
    from railbird.blackjack.chart import UPCARDS

    table = Table(box=None, padding=(0, 0, 0, 1), pad_edge=False, header_style="")
    table.add_column("")
    for upcard in UPCARDS:
        table.add_column(upcard, justify="center", min_width=2)
    for row, cells in chart.items():
        if row in ("A,2", "2,2"):
            table.add_row()
        table.add_row(row, *(Text(cell.ljust(2), STYLES[cell[0]]) for cell in cells.values()))
    return table


def index_table(plays: Sequence[IndexPlay]) -> Table:
    """Index plays."""
    table = Table(box=None)
    for heading in ("hand", "dealer", "below", "from", "play"):
        table.add_column(heading, justify="right" if heading == "from" else "left")
    for play in plays:
        table.add_row(play.row, play.upcard, play.below, f"{play.count:+d}", play.above)
    return table


def seat_table(results: Sequence[SeatResult]) -> Table:
    """What the seats won."""
    table = Table(box=None)
    table.add_column("seat")
    for heading in ("units a round", "95 % interval", "a wager", "sd", "wager"):
        table.add_column(heading, justify="right")
    for result in results:
        table.add_row(
            result.name,
            signed(result.won.value, 5),
            interval_of(result.won, 5),
            percent(result.per_wager, 3),
            number(result.sd, 3),
            number(result.wagered, 2),
        )
    return table


def assessment_table(players: Sequence[tuple[str, Assessment]]) -> Table:
    """Money beside skill."""
    table = Table(box=None)
    table.add_column("player")
    headings = ("rounds", "money", "skill", "95 % interval", "sd money", "sd skill", "reduction")
    for heading in headings:
        table.add_column(heading, justify="right")
    for name, found in players:
        table.add_row(
            name,
            f"{found.rounds:,}",
            signed(found.money.value, 4),
            signed(found.skill.value, 5),
            interval_of(found.skill, 5),
            number(found.money_sd, 3),
            number(found.skill_sd, 4),
            number(found.variance_reduction, 0),
        )
    return table


def needed(rounds: int | None) -> str:
    """Rounds that decide, in words."""
    return "no number of rounds" if rounds is None else counted(rounds, "round")
