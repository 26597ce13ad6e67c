"""``railbird experiment``: the sources' experiments, their numbers beside ours."""

from __future__ import annotations

from collections.abc import Sequence
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
    help="Play this share of the hands, such as 0.01.",
)
@seed_option
@workers_option
@click.option(
    "--out",
    type=OUTPUT_FOLDER,
    help="Folder for the page, the table and the logs.",
)
@click.option(
    "--images",
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

    `list` lists the names; `all` runs all. Matches are played into logs, in the
    folder or the cache, from which the same command resumes after an interruption. The exit code is
    1 if something that must hold does not.

    \b
    Examples:
      railbird experiment list
      railbird experiment unbiased --scale 0.01
      railbird experiment all --workers 4 --out experiments --images png
    """
    from railbird.errors import BadInput, unknown_name
    from railbird_papers import EXPERIMENTS

    if data is not None:
        check_inputs([data])
    if name == "list":
        _list(as_json=as_json)
        return
    if name != "all" and name not in EXPERIMENTS:
        raise unknown_name("experiment", name, ("list", "all", *EXPERIMENTS))
    if images and out is None:
        raise BadInput("--images needs --out, the folder to put them in")
    if images:
        from railbird.report.html_page import check_pictures

        check_pictures()
    if out is not None:
        from railbird_papers import FILES

        check_folder(out, FILES, force=force)
    able = [name for name, one in EXPERIMENTS.items() if data is not None or not one.needs_data]
    names = able if name == "all" else [name]
    runs = _run(names, scale=scale, seed=seed, workers=workers, out=out, data=data)
    page = _write(runs, out, images) if out is not None else None
    if as_json:
        from railbird_papers import as_object

        print_json({**as_object(runs), "report": None if page is None else str(page)})
    else:
        from railbird_papers import document

        print_document(document(runs))
        if page is not None:
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


def _run(
    names: Sequence[str],
    *,
    scale: float,
    seed: int,
    workers: int,
    out: Path | None,
    data: Path | None,
) -> list[ExperimentRun]:
    from railbird_papers import Workspace, default_folder, run

    with progress() as report:
        workspace = Workspace(
            scale=scale,
            seed=seed,
            workers=workers,
            folder=default_folder() if out is None else out / "logs",
            data=data,
            progress=report,
        )
        runs = [run(name, workspace) for name in names]
    if out is None:
        workspace.discard_logs()
    return runs


def _write(runs: Sequence[ExperimentRun], out: Path, images: Sequence[str]) -> Path:
    from railbird.report import Image
    from railbird_papers import write

    return write(runs, out, images=[Image(image) for image in images])
