"""``railbird solve spot compare``: why two solutions of a spot differ."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from railbird import solve
from railbird.cli._completion import INPUT_FILE
from railbird.cli._console import json_option, output, print_json, progress
from railbird.cli._hand_files import check_inputs
from railbird.cli._solve_spot import opened_spot
from railbird.errors import BadInput
from railbird.report.number_format import counted, percent

if TYPE_CHECKING:
    from railbird.solve.spot.comparison import Parting, PlacedStrategies

_SHOWN: Final = 10
"""Decisions that are printed."""
_LEAST: Final = 5e-4
_LONGEST: Final = 60
"""Characters of a line of a spot that are printed."""


@click.command(name="compare")
@click.argument("first", type=INPUT_FILE)
@click.argument("second", type=INPUT_FILE)
@click.option(
    "--line", default="", show_default=False, help="Where the decision of a table is, in FIRST."
)
@json_option
def compare(*, first: Path, second: Path, line: str, as_json: bool) -> None:
    """Say why two solutions differ: their inputs, what each is worth in the other's tree, where.

    A strategy is placed in the other's tree: a bet that it lacks becomes the nearest one, and where
    it does not know the line the other's own strategy stays. Its gap there is what best responses
    of that tree gain. In the lines of decisions * is any card.

    SECOND may be what another solver wrote: the JSON of TexasSolver, a UPI session with
    show_strategy and show_children, or a table of one decision with a column for each action.

    \b
    Examples:
      railbird solve spot compare ONE.solution OTHER.solution
      railbird solve spot compare ONE.solution output_result.json
      railbird solve spot compare ONE.solution river.csv --line "check bet 120"
    """
    check_inputs([first, second])
    if not solve.spot.is_solution(second):
        _compare_export(first, second, line, as_json=as_json)
        return
    if line:
        raise BadInput("--line is for a table of one decision; these are two solutions")
    with progress() as notify:
        solutions = [opened_spot(file, notify) for file in (first, second)]
        comparison = solve.spot.comparison.compare_solutions(*solutions, progress=notify)
    placed = {
        "first_in_second": comparison.first_in_second,
        "second_in_first": comparison.second_in_first,
    }
    if as_json:
        print_json(
            {
                "inputs": [difference._asdict() for difference in comparison.inputs],
                "ev": [solution.values() for solution in solutions],
                "gap_percent_of_pot": [solution.gap_percent_of_pot for solution in solutions],
                "doubt": comparison.doubt,
                **{name: value and value._asdict() for name, value in placed.items()},
                "partings": [parting._asdict() for parting in comparison.partings],
            }
        )
        return
    if not comparison.inputs:
        output.print("the same spot")
    for difference in comparison.inputs:
        values = [value[:_LONGEST] or "none" for value in difference[1:]]
        output.print(f"{difference.key}: {values[0]} | {values[1]}", soft_wrap=True, markup=False)
    for name, solution in zip(("first", "second"), solutions, strict=True):
        output.print(
            f"{name}: {solution.values()[0]:.3f} for the first player, "
            f"gap {solution.gap_percent_of_pot:.3f} % of the pot"
        )
    if comparison.first_in_second is None or comparison.second_in_first is None:
        output.print(
            "these are different games, so neither strategy has a place in the other's tree"
        )
        return
    apart = abs(solutions[0].values()[0] - solutions[1].values()[0])
    verdict = "no more than" if apart <= comparison.doubt else "more than"
    output.print(f"{apart:.3f} chips apart, {verdict} both gaps allow ({comparison.doubt:.3f})")
    _print_placed("first in the second's tree", comparison.first_in_second)
    _print_placed("second in the first's tree", comparison.second_in_first)
    _print_partings(comparison.partings)


def _compare_export(first: Path, second: Path, line: str, *, as_json: bool) -> None:
    """Say what another solver's strategy is worth in a solution's tree, and where they part."""
    exports = solve.spot.exports
    with progress() as notify:
        solution = opened_spot(first, notify)
        strategy = exports.read_export(second, solution=solution, line=line)
        placed, partings = exports.compare_export(strategy, solution, progress=notify)
    if as_json:
        print_json(
            {
                "form": strategy.form,
                "decisions": len(strategy.decisions),
                "ev": solution.values(),
                "gap_percent_of_pot": solution.gap_percent_of_pot,
                "second_in_first": placed._asdict(),
                "partings": [parting._asdict() for parting in partings],
            }
        )
        return
    output.print(
        f"first: {solution.values()[0]:.3f} for the first player, "
        f"gap {solution.gap_percent_of_pot:.3f} % of the pot"
    )
    count = counted(len(strategy.decisions), "decision")
    output.print(f"second: {strategy.form}, {count}", soft_wrap=True)
    _print_placed("second in the first's tree", placed)
    _print_partings(
        [parting._replace(first=parting.second, second=parting.first) for parting in partings]
    )


def _print_placed(title: str, value: PlacedStrategies) -> None:
    output.print(
        f"{title}: {value.ev[0]:.3f} for the first player, "
        f"gap {value.gap_percent_of_pot:.3f} % of the pot",
        soft_wrap=True,
    )
    if value.moved or value.unknown:
        output.print(
            f"  bets were moved at {counted(value.moved, 'decision')}; "
            f"{counted(value.unknown, 'decision')} are unknown to it",
            soft_wrap=True,
        )


def _print_partings(every: Sequence[Parting]) -> None:
    partings = [parting for parting in every if parting.difference >= _LEAST]
    if not partings:
        output.print("both play alike")
    for parting in partings[:_SHOWN]:
        mixes = [
            ", ".join(
                f"{action} {percent(chance, 0)}"
                for action, chance in zip(parting.actions, mix, strict=True)
            )
            for mix in (parting.first, parting.second)
        ]
        where = f'"{parting.line}"' if parting.line else "at the start"
        output.print(
            f"{where}, reached {percent(parting.reach, 1)}, "
            f"{percent(parting.difference, 1)} of the mix differs: {mixes[0]} | {mixes[1]}",
            soft_wrap=True,
        )
