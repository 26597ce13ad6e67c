"""``railbird pushfold``: people's decisions and ranges against a strategy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from railbird import assessment, solve
from railbird.cli._completion import INPUT_FILE, OUTPUT_FOLDER, BigBlinds, Whole
from railbird.cli._console import (
    json_option,
    output,
    print_document,
    print_json,
    progress,
    seed_option,
)
from railbird.cli._hand_files import check_folder, check_inputs, force_option
from railbird.cli._play import ante_option, stack_in_blinds_option
from railbird.cli._pushfold import (
    deviations_json,
    population_json,
    print_deviations,
    print_skipped,
)
from railbird.cli._verbs import Commands
from railbird.errors import BadInput, NothingUsable

if TYPE_CHECKING:
    import numpy as np

    from railbird.progress import Progress

_MANY = 20
_FINE, _COARSE = 1e-8, 1e-6
"""Big blinds a hand that a best response may gain, for fewer stacks than `_MANY` and for more."""


@click.group(name="pushfold", cls=Commands)
def command() -> None:
    """Judge people's push/fold decisions, and ranges.

    The charts to play by are found by `railbird solve pushfold`.
    """


@command.command()
@click.argument("file", type=INPUT_FILE)
@click.option(
    "--stack",
    type=BigBlinds(),
    default=10.0,
    help="Big blinds, 1-100, such as 10 or 10bb, of decisions that do not say theirs (column "
    "stack_bb).",
)
@ante_option
@click.option(
    "--against",
    type=INPUT_FILE,
    help="Strategy to use instead of the equilibrium: JSON of `railbird solve pushfold`, or "
    "another list of decisions at one stack.",
)
@click.option("-n", "--count", "first", type=Whole(min=1), help="Maximum number of decisions.")
@seed_option
@click.option("-o", "--out", type=OUTPUT_FOLDER, help="Folder of a report.")
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
    """Judge the decisions in a CSV file, and show what a strategy wins from such people.

    The file has the columns card1, card2, position (sb or bb) and decision (aggress or fold), and
    optionally stack_bb and hinted, as the web game exports them. Each decision is judged at its
    stack; decisions after a hint are ignored. Unusable rows are counted by reason; the exit code is
    1 if no row is usable.

    \b
    Examples:
      railbird pushfold report gameplay.csv --stack 10 --out report
      railbird solve pushfold --stack 8 --json > chart.json
      railbird pushfold report gameplay.csv --stack 10 --against chart.json
    """
    import numpy as np

    from railbird.report.pushfold_pages import (
        FILES,
        PopulationReport,
        population_document,
        write_population,
    )

    inputs = [file] if against is None else [file, against]
    check_inputs(inputs)
    if out is not None:
        check_folder(out, FILES, inputs=inputs, force=force)
    solve.PushFold(stack=stack, ante=ante)  # refuses stakes that are none before anything is read
    rng = np.random.default_rng(seed)
    with progress() as tell:
        census = assessment.pushfold.take_census(
            assessment.pushfold.read_decisions(file, progress=tell), stack=stack, first=first
        )
        if not census.by_stack:
            if as_json:
                print_json({"decisions": 0, "skipped": dict(census.skipped), "report": None})
            else:
                print_skipped(file, census)
            raise NothingUsable(f"{file}: no decision that counts")
        stacks = list(census.by_stack)
        # Lists may have a thousand stacks; mixed hands need the finer tolerance to be shown.
        tolerance = _FINE if len(stacks) < _MANY else _COARSE
        solved = solve.sweep_stacks(stacks, ante=ante, tolerance=tolerance, progress=tell).solutions
        equilibria = dict(zip(stacks, solved, strict=True))
        if against is None:
            name = "equilibrium"
            own = {
                key: assessment.pushfold.PushfoldStrategy(solution.push, solution.call)
                for key, solution in equilibria.items()
            }
        else:
            name, other = _strategy(against, stack=stack, ante=ante, rng=rng, tell=tell)
            own = dict.fromkeys(stacks, other)
        judged = assessment.pushfold.judge_decisions(census.by_stack, own, ante=ante)
    fit = None
    if len(stacks) == 1 and judged.small_blind.decisions and judged.big_blind.decisions:
        people = assessment.pushfold.fit_strategy(census.population, equilibria[stacks[0]], rng=rng)
        fit = assessment.pushfold.judge_fit(own[stacks[0]], people, stack=stacks[0], ante=ante)
    population = PopulationReport(decisions=judged, census=census, strategy=name, fit=fit)
    document = population_document(population, source=file.name)
    page = None if out is None else write_population(population, document, out)
    if as_json:
        print_json(population_json(population) | {"report": None if page is None else str(page)})
        return
    print_document(document)
    print_skipped(file, census)
    if page is not None:
        output.print(str(page))


def _strategy(
    against: Path, *, stack: float, ante: float, rng: np.random.Generator, tell: Progress
) -> tuple[str, assessment.pushfold.PushfoldStrategy]:
    """Return the strategy named by ``--against``: a chart, or the fit to another list of people."""
    with against.open("rb") as stream:
        is_json = stream.read(64).lstrip().startswith(b"{")
    if is_json:
        chart = solve.read_pushfold_chart(against)
        solved_for = "" if chart.stack == stack else f" for {chart.stack:g} big blinds"
        return against.name + solved_for, assessment.pushfold.PushfoldStrategy(
            chart.push, chart.call
        )
    census = assessment.pushfold.take_census(
        assessment.pushfold.read_decisions(against, progress=tell), stack=stack
    )
    if len(census.by_stack) != 1:
        raise NothingUsable(f"{against}: decisions at {len(census.by_stack)} stacks; allowed: one")
    (at,) = census.by_stack
    try:
        equilibrium = solve.solve_pushfold(at, ante=ante, progress=tell)
        people = assessment.pushfold.fit_strategy(census.population, equilibrium, rng=rng)
    except BadInput as problem:
        raise NothingUsable(f"{against}: {problem}") from None
    return f"{against.name}, made complete", people.mean


@command.command()
@click.option(
    "--push", metavar="RANGE", help="Range that the small blind pushes, such as 22+, A2+, K5+."
)
@click.option("--call", metavar="RANGE", help="Range with which the big blind calls.")
@click.option(
    "--chart",
    type=INPUT_FILE,
    help="Both ranges, from the (possibly edited) JSON of `railbird solve pushfold`.",
)
@stack_in_blinds_option
@ante_option
@json_option
def judge(
    *,
    push: str | None,
    call: str | None,
    chart: Path | None,
    stack: float,
    ante: float,
    as_json: bool,
) -> None:
    """Judge ranges against the equilibrium: value, exploitability, and the hands that differ.

    A range is written as in `railbird equity`: "22+, A2+, K5o+, JTs:0.5", with a frequency after a
    colon. The seat that is not given plays the equilibrium.

    \b
    Examples:
      railbird pushfold judge --push "22+, A2+, K5o+, K2s+" --stack 12
      railbird pushfold judge --push "50%" --call "22+, A2+, KT+"
    """
    if chart is not None and (push is not None or call is not None):
        raise BadInput("--chart has both ranges; allowed: --chart, or --push and --call")
    if chart is None and push is None and call is None:
        raise BadInput("no range; allowed: --push, --call or --chart")
    if chart is not None:
        check_inputs([chart])
    chart_ranges = None if chart is None else solve.read_pushfold_chart(chart)
    pushed = None if push is None else solve.range_frequencies(push)
    called = None if call is None else solve.range_frequencies(call)
    with progress() as tell:
        equilibrium = solve.solve_pushfold(stack, ante=ante, progress=tell)
    if chart_ranges is not None:
        pushed, called = chart_ranges.push, chart_ranges.call
    own = assessment.pushfold.PushfoldStrategy(
        equilibrium.push if pushed is None else pushed,
        equilibrium.call if called is None else called,
    )
    seats = [
        seat
        for seat, range_ in zip(
            assessment.pushfold.deviations(own, equilibrium), (pushed, called), strict=True
        )
        if range_ is not None
    ]
    if as_json:
        print_json(deviations_json(seats, equilibrium))
    else:
        print_deviations(seats, equilibrium)
