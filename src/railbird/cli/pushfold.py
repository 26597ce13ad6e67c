"""``railbird pushfold report``: people's decisions against a strategy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.table import Table

from railbird.cli._shell import errors, json_option, output, print_json, print_table, progress

if TYPE_CHECKING:
    from collections.abc import Mapping

    from railbird.assessment.population import PopulationReport
    from railbird.report.population_page import Extreme


@click.group(name="pushfold")
def command() -> None:
    """Judge people's push/fold decisions."""


@command.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--stack", type=float, default=10.0, show_default=True, help="In big blinds, 1-100.")
@click.option("--ante", type=float, default=0.0, show_default=True, help="Of each player.")
@click.option(
    "--against",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Another list of decisions whose people are the strategy, rather than the equilibrium.",
)
@click.option("--first", type=click.IntRange(min=1), help="Only so many decisions.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder of a report.")
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
    as_json: bool,
) -> None:
    """What a strategy wins from the people whose decisions a CSV file lists.

    The file has the columns card1, card2, position (sb or bb) and decision (aggress or fold).
    Rows that cannot be read are counted by reason; exit code 0 all the same.

    \b
    Example:
      railbird pushfold report gameplay.csv --stack 10 --out report
    """
    import numpy as np

    from railbird.assessment.population import (
        PushFoldDecision,
        SkippedRow,
        count_decisions,
        judge_population,
        read_decisions,
        skipped_counts,
    )
    from railbird.report.population_page import write_population
    from railbird.solve import solve_pushfold

    rows = list(read_decisions(file))
    decisions = [row for row in rows if isinstance(row, PushFoldDecision)][:first]
    dirty = [row for row in rows if isinstance(row, SkippedRow)]
    with progress() as tell:
        if against is None:
            solution = solve_pushfold(stack, ante=ante, progress=tell)
            push, call, opponent = solution.push, solution.call, "equilibrium"
        else:
            others = count_decisions(
                row for row in read_decisions(against) if isinstance(row, PushFoldDecision)
            )
            push, call, opponent = others.push, others.call, against.name
        judged = judge_population(
            count_decisions(decisions),
            push,
            call,
            stack=stack,
            ante=ante,
            rng=np.random.default_rng(seed),
        )
    skipped = skipped_counts(dirty)
    page = None
    if out is not None:
        page = write_population(judged, out, people=file.name, strategy=opponent, skipped=dirty)
    if as_json:
        print_json(_json(judged, opponent, skipped, page))
    else:
        _print(judged, opponent)
        for row in dirty[:10]:
            errors.print(f"{file}, line {row.line}: {row.problem.value}: {row.text}")
        if len(dirty) > 10:
            errors.print(f"and {len(dirty) - 10} more lines that do not count")
        if page is not None:
            output.print(str(page))


def _json(
    judged: PopulationReport, opponent: str, skipped: Mapping[str, int], page: Path | None
) -> dict[str, object]:
    from railbird.assessment.population import Seat
    from railbird.cards import CLASS_NAMES
    from railbird.solve import COMBINATIONS

    def named(values: object) -> dict[str, float]:
        return dict(zip(CLASS_NAMES, values.tolist(), strict=True))  # type: ignore[attr-defined]

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
        "hands_bb": {seat.value: named(judged.hand_values(seat)) for seat in Seat},
        "people_bb": {seat.value: named(judged.people_values(seat)) for seat in Seat},
        "population": {
            "push": named(judged.population.push),
            "call": named(judged.population.call),
        },
        "report": None if page is None else str(page),
    }


def _print(judged: PopulationReport, opponent: str) -> None:
    from railbird.report.population_page import extremes
    from railbird.report.range_chart import DIFFERENCE, range_text

    table = Table(box=None, title=f"{opponent} against the people", title_justify="left")
    for heading in ("seat", "bb a hand", "95 %", "best response"):
        table.add_column(heading, justify="left" if heading == "seat" else "right")
    for name, estimate, best in (
        ("small blind", judged.sb, judged.best_sb),
        ("big blind", judged.bb, judged.best_bb),
        ("mean", judged.mean, (judged.best_sb + judged.best_bb) / 2),
    ):
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
        output.print(_words(line))


def _words(line: Extreme) -> str:
    return f"{line.what}: {line.hands}"
