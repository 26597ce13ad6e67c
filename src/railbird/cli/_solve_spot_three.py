"""``railbird solve spot three``: three players on the turn or the river, approximately."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import click

from railbird import cards, solve
from railbird._threads import core_count
from railbird.cli._completion import INPUT_FILE, OUTPUT_FILE, Whole
from railbird.cli._console import (
    EXIT_INTERRUPTED,
    errors,
    json_option,
    output,
    print_json,
    print_made,
    progress,
)
from railbird.cli._gap_option import gap_option
from railbird.cli._hand_files import check_inputs, check_output, force_option
from railbird.cli._solve_spot import begins_anew, unwritten_interruption, written_words
from railbird.errors import BadInput
from railbird.report.number_format import counted, percent

if TYPE_CHECKING:
    from railbird.solve.spot.three import ThreePoint, ThreeSolution, ThreeSolver


@click.command(name="three")
@click.argument("file", type=INPUT_FILE)
@click.option(
    "--line",
    default="",
    show_default=False,
    help='Show the decision after this, such as "check", or "check check check Ah" from the turn.',
)
@click.option("--hands", is_flag=True, help="Every holding, with what each action is worth.")
@gap_option(
    unit=solve.settings.PERCENT,
    default=1.0,
    help="Stop when nobody gains more alone, in per cent of the pot; 0 takes all iterations.",
)
@click.option(
    "--iterations", type=Whole(1, 1_000_000), default=1000, help="Maximum number of iterations."
)
@click.option("--workers", "threads", type=Whole(1, 1024), help="By default as many as cores.")
@click.option(
    "--memory", type=float, metavar="MB", help="The most memory to take, by default what is free."
)
@click.option("-o", "--out", type=OUTPUT_FILE, help="Save the solution to a file.")
@force_option
@json_option
@click.pass_context
def solve_three_players(
    context: click.Context,
    /,
    *,
    file: Path,
    line: str,
    hands: bool,
    gap: float,
    iterations: int,
    threads: int | None,
    memory: float | None,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Solve a spot of three players on the turn or the river, approximately.

    The file has lines: board, pot, stacks (of all three in the order in which they act, or one
    number), ranges as first, second and third, and bets and raises, also of one street, such as
    river_bets. For three players no way to an equilibrium is known. What is measured is how much
    each player could gain alone against the two others, which is printed for each of them. A file
    of --out is shown and not solved again.

    \b
    Examples:
      railbird solve spot three FILE.txt
      railbird solve spot three FILE.txt --line "check bet 60" --hands
      railbird solve spot three FILE.txt --gap 0.5 --out FILE.solution
      railbird solve spot three FILE.solution --line "check check check Ah"
    """
    with unwritten_interruption(file):
        three, files = solve.spot.three, solve.spot.three_files
        check_inputs([file])
        if out is not None:
            check_output(out, inputs=[file], force=force)
        threads = core_count() if threads is None else threads
        is_solved = solve.spot.is_solution(file)
        if is_solved and out is not None:
            raise BadInput(f"{file} is a solution; --out writes what is solved")
        if is_solved:
            solution = files.open_three(file, threads=threads, memory_mb=memory)
        else:
            solver = three.ThreeSolver(three.ThreeSpot.read(file), threads=threads)
            three.check_three_memory(solver, memory)
            needs = solver.needs
            errors.print(
                f"{needs.nodes:,} nodes of betting: "
                f"{solve.spot.solution.megabytes(needs.memory_mb)} MB"
            )
            # A line that is not there is refused before anything is solved.
            solver.check_decision(line)
            solution = _solved(solver, gap, iterations)
            if out is not None:
                files.save_three(solution, out)
        point = solution.solver.at(line)
    if as_json:
        print_json(_answer(solution, point, out))
    else:
        _print_three(solution, point, hands=hands)
    if solution.interrupted:
        errors.print(
            f"interrupted: the gains are those of the result so far; "
            f"{written_words(out)}{begins_anew(out)}",
            soft_wrap=True,
        )
        context.exit(EXIT_INTERRUPTED)


def _solved(solver: ThreeSolver, gap: float, iterations: int) -> ThreeSolution:
    with progress() as notify:

        def show(solution: ThreeSolution) -> None:
            words = f"iterations, gap {solution.gap_percent:.2f} %"
            notify(solution.solver.iterations, iterations, words)

        notify(0, iterations, "iterations")
        return solve.spot.three.solve_three(
            solver, gap_percent=gap, iterations=iterations, on_check=show, keep=True
        )


def _answer(solution: ThreeSolution, point: ThreePoint, out: Path | None) -> dict[str, object]:
    names = solve.spot.three.SEATS
    return {
        "ev": dict(zip(names, solution.values, strict=True)),
        "gains": dict(zip(names, solution.gains, strict=True)),
        "gap_percent_of_pot": solution.gap_percent,
        "iterations": solution.solver.iterations,
        "interrupted": solution.interrupted,
        "made": solution.made and solution.made.as_json(),
        "file": None if out is None else str(out),
        "line": point.line,
        "board": cards.format_cards(point.board),
        "player": names[point.seat],
        "pot": point.pot,
        "actions": [*map(str, point.actions)],
        "frequency": [*point.frequency],
        "holdings": [
            {
                "holding": cards.format_holding(point.holdings[h]),
                "reach": float(point.weights[h]),
                "strategy": point.strategy[:, h].tolist(),
                "action_values": [
                    value if math.isfinite(value) else None
                    for value in point.action_values[:, h].tolist()
                ],
            }
            for h in point.weights.nonzero()[0]
        ],
    }


def _print_three(solution: ThreeSolution, point: ThreePoint, *, hands: bool) -> None:
    pot = solution.solver.spot.pot
    names = solve.spot.three.SEATS
    output.print(f"three players, approximate; {counted(solution.solver.iterations, 'iteration')}")
    for name, value, gain in zip(names, solution.values, solution.gains, strict=True):
        alone = f"{gain:.3f} ({100 * gain / pot:.2f} % of the pot)"
        output.print(f"{name:>6}: EV {value:.2f} of {pot}; alone it could gain {alone}")
    after = f' after "{point.line}"' if point.line else ""
    mix = ", ".join(
        f"{action} {percent(share)}"
        for action, share in zip(point.actions, point.frequency, strict=True)
    )
    output.print(f"{names[point.seat]}{after}, {point.pot} in the pot: {mix}", soft_wrap=True)
    for h in point.weights.nonzero()[0] if hands else ():
        shares = "  ".join(
            f"{action} {percent(share, 0)} worth {value + 0.0:.2f}"
            for action, share, value in zip(
                point.actions, point.strategy[:, h], point.action_values[:, h], strict=True
            )
        )
        holding = cards.format_holding(point.holdings[h])
        output.print(f"  {holding}  reach {point.weights[h]:.2f}  {shares}", soft_wrap=True)
    print_made(solution.made)
