"""``railbird experiment``: the sources' experiments, their numbers beside ours."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from railbird.cli import (
    EXIT_FINDING,
    INPUT_FILE,
    OUTPUT_FOLDER,
    OneOf,
    Words,
    check_folder,
    check_inputs,
    errors,
    force_option,
    json_option,
    output,
    print_document,
    print_json,
    print_table,
    progress,
    seed_option,
    workers_option,
)
from railbird.report.document import Table

if TYPE_CHECKING:
    from railbird_papers import ExperimentRun


def _experiments() -> list[str]:
    from railbird_papers import EXPERIMENTS

    return ["list", "all", *EXPERIMENTS]


EXPERIMENT = Words("name|list|all", _experiments)


@click.command(name="experiment")
@click.argument("name", metavar="NAME|list|all", type=EXPERIMENT)
@click.option(
    "--scale",
    type=float,
    default=1.0,
    show_default=True,
    help="Play this share of the hands, such as 0.01, but some at least; what is solved or counted "
    "exactly takes as long at any scale.",
)
@seed_option
@workers_option
@click.option(
    "-o",
    "--out",
    type=OUTPUT_FOLDER,
    help="Folder for the page, the table and the logs.",
)
@click.option(
    "--image",
    "images",
    type=OneOf(["png", "svg"]),
    multiple=True,
    help="Also write every figure as a file.",
)
@click.option(
    "--data",
    type=INPUT_FILE,
    help="Hands for pluribus and estimators, and for the models of looseness in killer-claims.",
)
@force_option
@json_option
@click.pass_context
def command(
    context: click.Context,
    *,
    name: str,
    scale: float,
    seed: int,
    workers: int,
    out: Path | None,
    images: Sequence[str],
    data: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Run an experiment from the sources and compare its numbers with the published ones.

    `list` lists the names; `all` runs all. Everything played, counted or solved is kept in the
    folder or the cache, and after Ctrl-C the same command resumes from there. The exit code is 1 if
    a requirement fails.

    \b
    Examples:
      railbird experiment list
      railbird experiment unbiased --scale 0.01
      railbird experiment all --workers 4 --out experiments --image png
    """
    from railbird.errors import BadInput, unknown_name
    from railbird_papers import EXPERIMENTS

    if data is not None:
        check_inputs([data])
    if name == "list":
        _list(as_json=as_json)
        return
    from railbird_papers import FILES, as_object  # which load what plays

    if name != "all" and name not in EXPERIMENTS:
        raise unknown_name("experiment", name, ("list", "all", *EXPERIMENTS))
    if images and out is None:
        raise BadInput("--image needs --out, the folder to put them in")
    if images:
        from railbird.report.html_page import check_pictures

        check_pictures()
    if out is not None:
        check_folder(out, FILES, force=force)
    able = [
        name
        for name, experiment in EXPERIMENTS.items()
        if data is not None or not experiment.needs_data
    ]
    names = able if name == "all" else [name]
    performed = _performed(names, scale=scale, seed=seed, workers=workers, out=out, data=data)
    runs, page = _printed_and_written(performed, out, images, as_json=as_json)
    if as_json:
        print_json({**as_object(runs), "report": None if page is None else str(page)})
    elif page is not None:
        output.print(f"report: {page}", soft_wrap=True)
    if any(run.failed for run in runs):
        context.exit(EXIT_FINDING)


def _list(*, as_json: bool) -> None:
    from railbird_papers import EXPERIMENTS

    if as_json:
        listed = [
            {"name": experiment.name, "summary": experiment.summary, "source": experiment.source}
            for experiment in EXPERIMENTS.values()
        ]
        print_json({"experiments": listed})
        return
    rows = [(experiment.name, experiment.summary) for experiment in EXPERIMENTS.values()]
    print_table(Table(("", ""), rows))


def _printed_and_written(
    performed: Iterable[ExperimentRun], out: Path | None, images: Sequence[str], *, as_json: bool
) -> tuple[list[ExperimentRun], Path | None]:
    """Print each table as it comes, and write the finished ones even if a later one stops."""
    from railbird_papers import document, write

    runs: list[ExperimentRun] = []
    page = None
    try:
        for run in performed:
            if not as_json:
                print_document(document([run]), titled=not runs)
            runs.append(run)
    finally:
        if out is not None and runs:
            page = write(runs, out, images=images)
    return runs, page


def _performed(
    names: Sequence[str],
    *,
    scale: float,
    seed: int,
    workers: int,
    out: Path | None,
    data: Path | None,
) -> Iterator[ExperimentRun]:
    from railbird_papers import Workspace, default_folder, run

    workspace = Workspace(
        scale=scale,
        seed=seed,
        workers=workers,
        folder=default_folder() if out is None else out / "logs",
        data=data,
    )
    started = time.monotonic()
    for number, name in enumerate(names, 1):
        with progress() as report:
            workspace.progress = report
            experiment_run = run(name, workspace)
        yield experiment_run
        if number < len(names):
            elapsed = time.monotonic() - started
            remaining = elapsed / number * (len(names) - number)
            errors.print(
                f"{number} of {len(names)} experiments in {timedelta(seconds=round(elapsed))}; "
                f"at this pace {timedelta(seconds=round(remaining))} are left",
                soft_wrap=True,
            )
    if out is None:
        workspace.discard_logs()
