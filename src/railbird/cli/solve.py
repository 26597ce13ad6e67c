"""``railbird solve``: equilibria."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from railbird.cli._file_checks import check_ending, check_output, force_option
from railbird.cli._shell import json_option, output, print_json, progress
from railbird.cli._verbs import Commands, Section
from railbird.errors import BadInput

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from railbird.report.pushfold.range_chart import RangeScale
    from railbird.solve import PushFoldSolution, Sweep

_MOST_STACKS = 2_000
_PICTURES = (".html", ".svg", ".png")

SECTION: Final = Section.CALCULATE


@click.group(name="solve", cls=Commands)
def command() -> None:
    """Equilibria of games, and how far from them a solution is."""


@command.command()
@click.option("--stack", type=float, default=10.0, show_default=True, help="In big blinds, 1-100.")
@click.option("--ante", type=float, default=0.0, show_default=True, help="Of each player.")
@click.option("--sweep", metavar="LOW:HIGH:STEP", help="Many stacks, such as 1:20:0.1.")
@click.option("--tolerance", type=float, default=1e-8, show_default=True, help="In big blinds.")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="A chart: .html, .svg or .png."
)
@force_option
@json_option
def pushfold(
    *,
    stack: float,
    ante: float,
    sweep: str | None,
    tolerance: float,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Heads-up push/fold: the small blind shoves or folds, the big blind calls or folds.

    A sweep gives the largest stack at which each hand is played, and the holes below it.

    \b
    Examples:
      railbird solve pushfold --stack 10
      railbird solve pushfold --sweep 1:20:0.1 --out charts.svg
    """
    if out is not None:
        check_ending(out, _PICTURES)
        check_output(out, force=force)
    from railbird.report.pushfold.range_chart import FREQUENCY, range_text, stack_scale
    from railbird.solve import solve_pushfold
    from railbird.solve import sweep as solve_stacks

    if sweep is not None:
        stacks = _stacks(sweep)
        with progress() as report:
            found = solve_stacks(stacks, ante=ante, tolerance=tolerance, progress=report)
        tables = {"pushed": found.largest(found.push), "called": found.largest(found.call)}
        scale = stack_scale(max(stacks))
        title = "largest stack at which a hand is"
        answer, head, foot = _sweep_json(found), "", _holes(found)
    else:
        with progress() as report:
            solution = solve_pushfold(stack, ante=ante, tolerance=tolerance, progress=report)
        tables = {"push": solution.push, "call": solution.call}
        scale, title = FREQUENCY, f"{stack:g} big blinds:"
        answer, head, foot = _solution_json(solution), _summary(solution), ""
    if out is not None:
        _draw(out, {f"{title} {name}": values for name, values in tables.items()}, scale)
    if as_json:
        print_json(answer | {"chart_file": None if out is None else str(out)})
        return
    if head:
        output.print(head)
    for name, values in tables.items():
        output.print(f"\n{title} {name}")
        output.print(range_text(values, scale))
    if foot:
        output.print(foot)


@command.command()
@click.argument("game", type=click.Choice(["kuhn", "leduc"]))
@click.option("--tolerance", type=float, default=1e-6, show_default=True, help="In antes.")
@json_option
def toy(*, game: str, tolerance: float, as_json: bool) -> None:
    """Kuhn poker and Leduc hold'em, by the same solver.

    \b
    Example:
      railbird solve toy leduc
    """
    from railbird import solve

    tree = {"kuhn": solve.kuhn, "leduc": solve.leduc}[game]()
    with progress() as report:
        found = solve.solve(tree, tolerance=tolerance, progress=report)
    if as_json:
        print_json(
            {
                "value": found.value,
                "exploitability": found.exploitability,
                "iterations": found.iterations,
                "took_s": found.took_s,
            }
        )
    else:
        output.print(
            f"{game}: worth {found.value:+.7f} to the first player; "
            f"a best response gains {found.exploitability:.1e}\n"
            f"{found.iterations:,} iterations in {found.took_s:.2f} s"
        )


def _stacks(text: str) -> list[float]:
    try:
        low, high, step = map(float, text.split(":"))
        if not (0 < low <= high < float("inf") and (high - low) / _MOST_STACKS < step):
            raise ValueError
    except ValueError:
        raise BadInput(
            f"--sweep {text}; allowed: LOW:HIGH:STEP in big blinds, "
            f"at most {_MOST_STACKS:,} stacks, such as 1:20:0.1"
        ) from None
    count = int((high - low) / step + 1e-9) + 1
    return [round(low + number * step, 9) for number in range(count)]


def _summary(solution: PushFoldSolution) -> str:
    return (
        f"small blind wins {solution.value_sb_bb:+.6f} bb a hand\n"
        f"pushes {solution.push_share:.3%} of hands, "
        f"the big blind calls with {solution.call_share:.3%}\n"
        f"a best response gains {solution.exploitability_bb:.1e} bb; "
        f"{solution.iterations:,} iterations in {solution.took_s:.2f} s"
    )


def _solution_json(solution: PushFoldSolution) -> dict[str, object]:
    from railbird.solve import by_name

    return {
        "stack_bb": solution.game.stack,
        "ante_bb": solution.game.ante,
        "value_sb_bb": solution.value_sb_bb,
        "push": solution.push_share,
        "call": solution.call_share,
        "exploitability_bb": solution.exploitability_bb,
        "iterations": solution.iterations,
        "took_s": solution.took_s,
        "chart": {"push": by_name(solution.push), "call": by_name(solution.call)},
    }


def _sweep_json(sweep: Sweep) -> dict[str, object]:
    from railbird.cards import CLASS_NAMES

    sides = {"push": sweep.push, "call": sweep.call}
    return {
        "stacks_bb": sweep.stacks.tolist(),
        "value_sb_bb": [solution.value_sb_bb for solution in sweep.solutions],
        "exploitability_bb": max(solution.exploitability_bb for solution in sweep.solutions),
        "spans": {
            side: {
                name: [[span.low, span.high] for span in spans]
                for name, spans in zip(CLASS_NAMES, sweep.spans(values), strict=True)
            }
            for side, values in sides.items()
        },
    }


def _holes(sweep: Sweep) -> str:
    from railbird.cards import CLASS_NAMES

    lines = []
    for side, values in (("pushed", sweep.push), ("called", sweep.call)):
        holes = [
            f"{name} {', '.join(map(str, spans))}"
            for name, spans in zip(CLASS_NAMES, sweep.spans(values), strict=True)
            if len(spans) > 1
        ]
        lines.append(f"\n{side} with holes: {'; '.join(holes) or 'none'}")
    return "\n".join(lines)


def _draw(out: Path, charts: Mapping[str, npt.NDArray[np.float64]], scale: RangeScale) -> None:
    from railbird._files import replace_files
    from railbird.report.match.document import Image, render
    from railbird.report.pushfold.charts_page import Chart, Section, charts_page
    from railbird.report.pushfold.range_chart import range_chart, range_figure

    drawn = [range_chart(values, title=name, scale=scale) for name, values in charts.items()]
    ending = out.suffix.lower()
    if ending == ".html":
        pictures = tuple(map(Chart, drawn, charts))
        replace_files({out: charts_page("Push or fold", [Section(charts=pictures)]).encode()})
    else:
        spec = range_figure(*drawn) | {"background": "var(--paper)", "padding": 16}
        replace_files({out: render(spec, Image(ending[1:]))})
