"""``railbird solve pushfold`` for a table: the options' table, and what is printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from railbird.cli._amounts import amounts, prizes_of
from railbird.cli._console import output, print_table
from railbird.errors import BadInput
from railbird.report.toolkit.number_format import number, percent, signed

if TYPE_CHECKING:
    from railbird.solve import PushFoldTable, TableSolution


def table_of(
    *,
    players: int | None,
    stack: float,
    stacks: str | None,
    payouts: str | None,
    blinds: str | None,
    ante: float,
    big_blind_ante: float = 0.0,
) -> PushFoldTable:
    """Return the table that the options describe. Raises `BadInput`."""
    from railbird.solve import PushFoldTable

    given = [] if stacks is None else amounts("--stacks", stacks, "10,8,12")
    if players is not None and given and players != len(given):
        raise BadInput(f"--players {players} with {len(given)} stacks; allowed: one of the two")
    posted = (0.5, 1.0)
    if blinds is not None:
        both = amounts("--blinds", blinds, "50/100")
        if len(both) != 2:
            raise BadInput(f"--blinds {blinds!r}; allowed: SMALL/BIG such as 50/100")
        posted = (both[0], both[1])
    return PushFoldTable(
        stacks=tuple(given or [stack * posted[1]] * (players or 2)),
        payouts=None if payouts is None else tuple(prizes_of(payouts)),
        blinds=posted,
        ante=ante,
        big_blind_ante=big_blind_ante,
    )


def print_solution(solution: TableSolution, seat: str | None) -> None:
    """Print a row for each seat and its ranges, and the charts of one seat if it is named."""
    from railbird.report.pushfold import table_page
    from railbird.report.pushfold.range_chart import range_text
    from railbird.solve.settings import MOST_IN

    output.print(table_page.heading(solution))
    output.print(table_page.convergence(solution))
    if len(solution.table.stacks) > MOST_IN:
        output.print(table_page.crowded(solution))
    output.print()
    print_table(_seats(solution))
    seats = solution.table.seats
    for place in solution.table.forced:
        output.print(f"\n{seats[place]} is all-in with what it posts")
    for node in solution.strategy:
        if node[0] in solution.table.forced:
            continue
        if node[1] if seat is None else seats[node[0]] != seat:
            continue
        name = f"{seats[node[0]]} {table_page.situation(seats, node[1])}"
        output.print(f"\n{name}: {table_page.range_words(solution, node)}")
        if seat is not None and len(node[1]) < 2:
            output.print(range_text(solution.strategy[node]))


def _seats(solution: TableSolution) -> Table:
    """What the hand is worth to each seat, and how often it goes all-in in each situation."""
    table, seats = solution.table, solution.table.seats
    prize = table.payouts is not None
    grid = Table(box=None)
    grid.add_column("seat")
    for heading in ("stack", *(["equity"] if prize else []), "hand worth", "first in"):
        grid.add_column(heading, justify="right", no_wrap=True)
    for name in seats[:-1]:
        grid.add_column(f"v {name}", justify="right", no_wrap=True)
    for seat, name in enumerate(seats):
        cells = [
            percent(solution.share(node)) if (node := (seat, inside)) in solution.strategy else ""
            for inside in [(), *((other,) for other in range(len(seats) - 1))]
        ]
        equity = [number(float(table.equities[seat]), 3)] if prize else []
        worth = signed(float(solution.values.seats[seat]), 4)
        grid.add_row(name, f"{table.stacks[seat]:g}", *equity, worth, *cells)
    return grid


def solution_json(solution: TableSolution) -> dict[str, object]:
    """Return all numbers of a solution."""
    from railbird.report.pushfold import table_page
    from railbird.solve import by_name

    table, values = solution.table, solution.values
    seats = table.seats
    return {
        "seats": list(seats),
        "stacks": list(table.stacks),
        "blinds": list(table.blinds),
        "ante": table.ante,
        "big_blind_ante": table.big_blind_ante,
        "forced": [seats[seat] for seat in table.forced],
        "payouts": None if table.payouts is None else list(table.payouts),
        "unit": table.unit,
        "value": values.seats.tolist(),
        "best_response_gains": values.gains.tolist(),
        "exploitability_percent": 100 * solution.exploitability / table.whole,
        "worst_percent": 100 * solution.worst / table.whole,
        "discrepancy": solution.discrepancy,
        "crowded": solution.crowded,
        "iterations": solution.iterations,
        "took_s": solution.took_s,
        "finished": solution.finished,
        "decisions": [
            {
                "seat": seats[node[0]],
                "behind": [seats[each] for each in node[1]],
                "reached": solution.reached(node),
                "all_in": solution.share(node),
                "range": table_page.range_words(solution, node),
                "chart": by_name(solution.strategy[node]),
                "value": {
                    "all_in": by_name(values.push[node]),
                    "fold": by_name(values.fold[node]),
                },
            }
            for node in solution.strategy
        ],
    }
