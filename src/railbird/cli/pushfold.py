"""``railbird pushfold report``: people's decisions against a strategy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import click
from rich.table import Table

from railbird.cli._file_checks import check_folder, force_option
from railbird.cli._shell import (
    errors,
    json_option,
    output,
    print_json,
    print_table,
    progress,
    seed_option,
)
from railbird.cli._verbs import Commands, Section

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    import numpy.typing as npt

    from railbird.assessment.pushfold.population import PopulationReport
    from railbird.progress import Progress

_SHOWN = 10
"""Rows that do not count that are listed; the rest are counted."""

SECTION: Final = Section.JUDGE


@click.group(name="pushfold", cls=Commands)
def command() -> None:
    """Judge people's push/fold decisions."""


@command.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--stack", type=float, default=10.0, show_default=True, help="In big blinds, 1-100.")
@click.option("--ante", type=float, default=0.0, show_default=True, help="Of each player.")
@click.option(
    "--against",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The strategy, rather than the equilibrium: JSON of `railbird solve pushfold`, or another "
    "list of decisions.",
)
@click.option("--first", type=click.IntRange(min=1), help="Only so many decisions.")
@seed_option
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder of a report.")
@force_option
@json_option
def report(
    *,
    file: Path,
    stack: float,
    ante: float,
    against: Path | None,
    first: int | None,
    seed: int,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """What a strategy wins from the people whose decisions a CSV file lists.

    The file has the columns card1, card2, position (sb or bb) and decision (aggress or fold).
    Rows that cannot be read are counted by reason; exit code 0 all the same.

    \b
    Examples:
      railbird pushfold report gameplay.csv --stack 10 --out report
      railbird solve pushfold --stack 8 --json > chart.json
      railbird pushfold report gameplay.csv --stack 10 --against chart.json
    """
    import numpy as np

    from railbird.assessment.pushfold.decisions import read_decisions, take_census
    from railbird.assessment.pushfold.population import judge_population
    from railbird.report.pushfold.population_page import FILES, write_population

    if out is not None:
        inputs = [file] if against is None else [file, against]
        check_folder(out, FILES, inputs=inputs, force=force)
    with progress() as tell:
        people = take_census(read_decisions(file, progress=tell), first=first)
        strategy = _strategy(against, stack=stack, ante=ante, tell=tell)
        judged = judge_population(
            people.population,
            strategy.push,
            strategy.call,
            stack=stack,
            ante=ante,
            rng=np.random.default_rng(seed),
        )
    page = None
    if out is not None:
        page = write_population(judged, people, out, source=file.name, strategy=strategy.name)
    if as_json:
        print_json(_json(judged, strategy.name, people.skipped, page))
    else:
        _print(judged, strategy.name)
        for row in people.examples[:_SHOWN]:
            words = f"{file}, line {row.line}: {row.problem.value}: {row.text}"
            errors.print(words)
        if (more := sum(people.skipped.values()) - _SHOWN) > 0:
            errors.print(f"and {more:,} more lines that do not count")
        if page is not None:
            output.print(str(page))


class _Strategy(NamedTuple):
    name: str
    push: npt.NDArray[np.float64]
    call: npt.NDArray[np.float64]


def _strategy(against: Path | None, *, stack: float, ante: float, tell: Progress) -> _Strategy:
    """What ``--against`` names; the equilibrium where it is not given."""
    from railbird.assessment.pushfold.decisions import read_decisions, take_census
    from railbird.solve import read_chart, solve_pushfold

    if against is None:
        solution = solve_pushfold(stack, ante=ante, progress=tell)
        return _Strategy("equilibrium", solution.push, solution.call)
    with against.open("rb") as stream:
        is_json = stream.read(64).lstrip().startswith(b"{")
    if is_json:
        chart = read_chart(against)
        solved_for = "" if chart.stack == stack else f" for {chart.stack:g} big blinds"
        return _Strategy(against.name + solved_for, chart.push, chart.call)
    others = take_census(read_decisions(against, progress=tell)).population
    return _Strategy(against.name, others.push, others.call)


def _json(
    judged: PopulationReport, opponent: str, skipped: Mapping[str, int], page: Path | None
) -> dict[str, object]:
    from railbird.cards import CLASS_NAMES
    from railbird.solve import COMBINATIONS, Seat, by_name

    opposite = {seat.value: judged.opposite_is_better(seat) for seat in Seat}
    return {
        "decisions": judged.population.decisions,
        "skipped": dict(skipped),
        "stack_bb": judged.stack,
        "against": opponent,
        "ev_bb": {"sb": judged.sb, "bb": judged.bb, "mean": judged.mean},
        "best_response_bb": {
            "sb": judged.best_sb,
            "bb": judged.best_bb,
            "gain": judged.gain,
        },
        "opposite_better_hands": {
            seat: int(COMBINATIONS[found].sum()) for seat, found in opposite.items()
        },
        "opposite_better": {
            seat: [name for name, better in zip(CLASS_NAMES, found, strict=True) if better]
            for seat, found in opposite.items()
        },
        "hands_bb": {seat.value: by_name(judged.hand_values(seat)) for seat in Seat},
        "people_bb": {seat.value: by_name(judged.people_values(seat)) for seat in Seat},
        "population": {
            "push": by_name(judged.population.push),
            "call": by_name(judged.population.call),
        },
        "report": None if page is None else str(page),
    }


def _print(judged: PopulationReport, opponent: str) -> None:
    from railbird.report.pushfold.population_page import extremes
    from railbird.report.pushfold.range_chart import DIFFERENCE, range_text

    table = Table(box=None, title=f"{opponent} against the people", title_justify="left")
    for heading in ("seat", "bb a hand", "95 %", "best response"):
        table.add_column(heading, justify="left" if heading == "seat" else "right")
    for name, estimate, best in judged.seats:
        span = f"{estimate.low:+.4f} to {estimate.high:+.4f}"
        table.add_row(name, f"{estimate.value:+.4f}", span, f"{best:+.4f}")
    print_table(table)
    for title, theirs, ours in (
        ("pushed by the people", judged.population.push, judged.push),
        ("called by the people", judged.population.call, judged.call),
    ):
        output.print(f"\n{title}")
        output.print(range_text(theirs))
        output.print(f"\n{title}, less {opponent}")
        output.print(range_text(theirs - ours, DIFFERENCE))
    for line in extremes(judged):
        output.print(f"{line.what}: {line.hands}")
