"""Push/fold at a table as a page, a picture or rows: who goes all-in with what."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from railbird._files import replace_files
from railbird.cards import CLASS_OF_HOLDING, Range
from railbird.report.match.report_files import Image, render
from railbird.report.pushfold.range_chart import range_chart, range_figure
from railbird.report.toolkit.charts_page import Chart, Section, charts_page
from railbird.report.toolkit.number_format import percent, signed

if TYPE_CHECKING:
    from railbird.solve import TableSolution
    from railbird.solve.pushfold.table.evaluation import Node, Seats

ENDINGS = (".html", ".svg", ".png", ".csv")
"""Kinds of files that `write_table` writes."""

_DECIMALS = 4
_TINY = 1e-7
_EVEN_DIGITS = 2
"""Digits of a frequency in a range's text."""


def heading(solution: TableSolution) -> str:
    """Name the table: seats, stacks, ante and prizes."""
    table = solution.table
    small, big = table.blinds
    stacks = "/".join(f"{stack:g}" for stack in table.stacks)
    if len(set(table.stacks)) == 1:
        stacks = f"{table.stacks[0]:g} each"
    ante = f", ante {table.ante:g}" if table.ante else ""
    if table.big_blind_ante:
        ante += f", big blind ante {table.big_blind_ante:g}"
    prizes = "chips"
    if table.payouts is not None:
        prizes = "prizes " + "/".join(f"{prize:g}" for prize in table.payouts)
    return f"{len(table.stacks)} seats, {stacks}, blinds {small:g}/{big:g}{ante}, {prizes}"


def convergence(solution: TableSolution) -> str:
    """Say how far the solution is from an equilibrium."""
    of = "chips" if solution.table.payouts is None else "prizes"
    worst, mean = (
        percent(gain / solution.table.whole, 5)
        if gain > _TINY * solution.table.whole or not gain
        else f"{100 * gain / solution.table.whole:.0e}\N{NARROW NO-BREAK SPACE}%"
        for gain in (solution.worst, solution.exploitability)
    )
    return (
        f"a best response gains at most {worst} of the {of} ({mean} on average); "
        f"{solution.iterations:,} iterations in {solution.took_s:.1f} s"
    )


def crowded(solution: TableSolution) -> str:
    """Say how often somebody must fold because three are all-in before him."""
    return f"three are all-in before somebody in {percent(solution.crowded, 2)} of hands"


def situation(seats: Sequence[str], inside: Seats) -> str:
    """Say who is all-in before a decision."""
    return "first in" if not inside else "behind " + ", ".join(seats[each] for each in inside)


def range_words(solution: TableSolution, node: Node) -> str:
    """Write a decision's range as text that `railbird.cards.Range` reads."""
    weights = solution.strategy[node].round(_EVEN_DIGITS)
    return str(Range(weights[CLASS_OF_HOLDING])) or "nothing"


def write_table(solution: TableSolution, path: Path) -> None:
    """Write charts of an equilibrium, or all its numbers; the ending of ``path`` says which."""
    ending = path.suffix.lower()
    if ending == ".csv":
        replace_files({path: solution.to_polars().write_csv().encode()})
    elif ending == ".html":
        replace_files({path: _page(solution).encode()})
    else:
        seats = solution.table.seats
        charts = [
            range_chart(
                solution.strategy[node],
                title=f"{seats[node[0]]} {situation(seats, node[1])}: "
                f"{percent(solution.share(node))}",
            )
            for node in _drawn(solution)
        ]
        spec = range_figure(*charts) | {"background": "var(--paper)", "padding": 16}
        spec["title"] = {
            "text": f"Push/fold: {heading(solution)}",
            "subtitle": convergence(solution),
        }
        replace_files({path: render(spec, Image(ending[1:]))})


def _drawn(solution: TableSolution) -> list[Node]:
    """Return the decisions that are drawn: all that are first in, and the big blind's calls.

    A chart takes a third of a megabyte; the others are ranges in a table, and rows of the CSV.
    """
    last = len(solution.table.seats) - 1
    decided = [node for node in solution.strategy if node[0] not in solution.table.forced]
    first_in = [node for node in decided if not node[1]]
    return first_in + [node for node in decided if node[0] == last and len(node[1]) == 1]


def _page(solution: TableSolution) -> str:
    table, seats = solution.table, solution.table.seats
    unit = "bb" if table.payouts is None else "prize"
    sentence, drawn_nodes = convergence(solution), set(_drawn(solution))
    sections = [
        Section(
            columns=("seat", "stack", f"hand worth, {unit}", "first in", "a best response gains"),
            rows=tuple(
                (
                    name,
                    f"{table.stacks[seat]:g}",
                    signed(float(solution.values.seats[seat]), _DECIMALS),
                    percent(solution.share((seat, ()))) if (seat, ()) in solution.strategy else "",
                    f"{solution.values.gains[seat]:.1e}",
                )
                for seat, name in enumerate(seats)
            ),
            words=f"{sentence[0].upper()}{sentence[1:]}. {crowded(solution).capitalize()}.",
        )
    ]
    for seat, name in enumerate(seats):
        nodes = [node for node in solution.strategy if node[0] == seat]
        drawn = tuple(
            Chart(
                range_chart(
                    solution.strategy[node],
                    title=f"{situation(seats, node[1]).capitalize()}: "
                    f"{percent(solution.share(node))}",
                ),
                f"How often {name} goes all-in {situation(seats, node[1])}, in per cent.",
            )
            for node in nodes
            if node in drawn_nodes
        )
        rows = tuple(
            (
                situation(seats, node[1]),
                percent(solution.reached(node), 2),
                percent(solution.share(node)),
                range_words(solution, node),
            )
            for node in nodes
        )
        columns = ("situation", "arises", "all-in", "range")
        sections.append(Section(heading=name, charts=drawn, columns=columns, rows=rows))
    return charts_page("Push/fold at a table", sections, lead=heading(solution) + ".")
