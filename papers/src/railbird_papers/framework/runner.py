"""Running an experiment by name, with a record for reproducing it."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from railbird.errors import Interrupted, WriteFailed, interruption_words, unknown_name
from railbird.extending import HasFigures, checked, choice, current_provenance, replace_files
from railbird.report import Image, Theme
from railbird.report.document import Document, Section, Table
from railbird.report.html_page import page, render, specification
from railbird.report.notebook import Specifications, specifications
from railbird.report.number_format import counted
from railbird_papers.framework.registry import EXPERIMENTS
from railbird_papers.framework.rows import Verdict

if TYPE_CHECKING:
    from railbird_papers.framework.experiment import Experiment, ExperimentResult
    from railbird_papers.framework.figures import Drawing
    from railbird_papers.framework.workspace import Work, Workspace


# Output of experiments: a table as JSON and CSV, a page, every figure.


FILES = ("report.html", "table.json", "table.csv", "*-*.csv", "figures/*")
"""Patterns of the files that `write` may write into a folder."""


@checked
def as_object(runs: Sequence[ExperimentRun]) -> dict[str, Any]:
    """Return the JSON object of several experiments: the runs and all their rows."""
    return {
        "experiments": [run.as_json() for run in runs],
        "rows": [
            {"experiment": run.experiment.name, **row.as_json()}
            for run in runs
            for row in run.result.rows
        ],
    }


@checked
def table(runs: Sequence[ExperimentRun]) -> pl.DataFrame:
    """Return the rows of several experiments; estimates are ours, stderr, low, high and n."""
    flat = [
        {
            "experiment": run.experiment.name,
            "row": row.name,
            "published": None if row.published is None else row.published.value,
            "ours": row.ours.value,
            "stderr": row.ours.stderr if math.isfinite(row.ours.stderr) else None,
            "low": row.ours.low if math.isfinite(row.ours.low) else None,
            "high": row.ours.high if math.isfinite(row.ours.high) else None,
            "n": row.ours.n,
            "unit": row.ours.unit,
            "verdict": row.verdict.value,
            "rule": row.rule,
            "note": row.note,
        }
        for run in runs
        for row in run.result.rows
    ]
    return pl.DataFrame(flat, infer_schema_length=None)


@checked
def write(
    runs: Sequence[ExperimentRun], folder: Path | str, *, images: Collection[Image | str] = ()
) -> Path:
    """Write ``report.html``, ``table.json`` and ``table.csv`` into a folder; return the first.

    With ``images``, every figure is also written to ``figures/`` in these formats; tables too long
    for the page are written beside it as ``EXPERIMENT-NAME.csv``. The tables come first, so that
    they are there if the page cannot be drawn, which raises `WriteFailed`.
    """
    folder, wanted = Path(folder), [choice(Image, image) for image in images]
    tables = {
        folder / f"{run.experiment.name}-{name}.csv": lines.write_csv().encode()
        for run in runs
        for name, lines in run.result.tables.items()
    }
    made = {"made": current_provenance().as_json()}
    rows = {
        folder / "table.json": json.dumps(made | as_object(runs), indent=1).encode(),
        folder / "table.csv": table(runs).write_csv().encode(),
    }
    replace_files(rows | tables)
    report = folder / "report.html"
    try:
        drawn = _drawn(runs, report, wanted)
    except ValueError as error:  # of the renderer
        words = (str(error).splitlines() or ["no reason given"])[0]
        raise WriteFailed(f"{report} is not drawn: {words}; the tables are in {folder}") from error
    replace_files(drawn)
    return report


def _drawn(
    runs: Sequence[ExperimentRun], report: Path, images: Collection[Image]
) -> dict[Path, bytes]:
    """Return the page, and the pictures beside it."""
    pictures = {
        report.parent / "figures" / f"{run.experiment.name}-{drawing.figure.name}.{image.value}": (
            picture(drawing, image)
        )
        for run in runs
        for drawing in run.result.drawings
        for image in images
    }
    return {report: page(document(runs)).encode()} | pictures


def picture(drawing: Drawing, image: Image, *, theme: Theme = Theme.LIGHT) -> bytes:
    """Return a figure as the bytes of an image file."""
    return render(_specification(drawing), image, theme=theme)


def _specification(drawing: Drawing) -> dict[str, Any]:
    data = {name: sums.table.to_dict(as_series=False) for name, sums in drawing.data.items()}
    return specification(drawing.figure, data, subtitle=drawing.subtitle)


@checked
def document(runs: Sequence[ExperimentRun]) -> Document:
    """Say what experiments found: published, ours, its interval, the verdict and its rule."""
    return Document(
        title="Experiments of the sources",
        sections=[section for run in runs for section in _sections(run)],
    )


def _sections(run: ExperimentRun) -> Iterator[Section]:
    result = run.result
    notes = list(dict.fromkeys(row.note for row in result.rows if row.note))
    rules = dict.fromkeys(f"{row.verdict.value}: {row.rule}" for row in result.rows if row.rule)
    rows = [
        (
            row.name,
            "–" if row.published is None else row.published.shown,
            row.shown,
            row.shown_interval,
            row.verdict.value,
            str(notes.index(row.note) + 1) if row.note else "",
        )
        for row in result.rows
    ]
    size = counted(result.hands, result.noun)
    yield Section(
        heading=f"{run.experiment.name}: {size}, seed {run.seed}, scale {run.scale:g}",
        anchor=run.experiment.name,
        words=f"{run.experiment.summary} {run.experiment.source}.",
        table=Table(("", "published", "ours", "95 % interval", "verdict", "note"), rows),
        terms=[(str(number), note) for number, note in enumerate(notes, 1)],
    )
    for title, lines in result.printed.items():
        cells = [[str(cell) for cell in line] for line in lines.iter_rows()]
        yield Section(table=Table(lines.columns, cells, title=title))
    yield Section(
        figures=[
            replace(drawing.figure, whole=partial(_specification, drawing))
            for drawing in result.drawings
        ],
        note=". ".join(rules),
        page_only=True,
    )


# The run.


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentRun(HasFigures):
    """An experiment's run, with everything needed to repeat it."""

    experiment: Experiment
    scale: float
    seed: int
    result: ExperimentResult
    work: tuple[Work, ...]
    seconds: float

    @property
    def failed(self) -> bool:
        """True if a required property does not hold."""
        return any(row.verdict is Verdict.FAILS for row in self.result.rows)

    def as_json(self) -> dict[str, object]:
        """Return a description of the run, without the rows."""
        return {
            "name": self.experiment.name,
            "summary": self.experiment.summary,
            "source": self.experiment.source,
            "scale": self.scale,
            "seed": self.seed,
            "seconds": self.seconds,
            "work": [
                {"what": part.what, "hands": part.hands, "hands_per_s": part.hands_per_s}
                for part in self.work
            ],
        }

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each number: published, ours, its interval and the verdict."""
        return table([self])


@checked
def run(name: str, workspace: Workspace) -> ExperimentRun:
    """Run an experiment.

    Raises `BadInput` for an unknown name and `Interrupted` on Ctrl-C; the logs are then kept, and
    the same call resumes from them.
    """
    if name not in EXPERIMENTS:
        raise unknown_name("experiment", name, EXPERIMENTS)
    experiment, work_before = EXPERIMENTS[name], len(workspace.work)
    started = time.perf_counter()
    try:
        result = experiment.perform(workspace)
    except KeyboardInterrupt as interruption:
        progress_kept = (
            [f"what was done is kept in {workspace.folder}"] if workspace.has_files else []
        )
        words = interruption_words(interruption, *progress_kept) or "nothing is kept"
        raise Interrupted(f"stopped in {name}; {words}") from None
    return ExperimentRun(
        experiment=experiment,
        scale=workspace.scale,
        seed=workspace.seed,
        result=result,
        work=workspace.work[work_before:],
        seconds=time.perf_counter() - started,
    )


@specifications.register
def _of_run(run: ExperimentRun) -> Specifications:
    return {
        drawing.figure.name: partial(_specification, drawing) for drawing in run.result.drawings
    }
