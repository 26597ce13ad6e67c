"""Running an experiment by name, with a record for reproducing it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from railbird._arguments import checked
from railbird._display import Illustrated
from railbird.errors import Interrupted, unknown_name
from railbird.experiments.framework.output import table
from railbird.experiments.framework.registry import EXPERIMENTS
from railbird.experiments.framework.rows import Verdict
from railbird.report.match.report_files import specification
from railbird.report.notebook import Specifications, specifications

if TYPE_CHECKING:
    import polars as pl

    from railbird.experiments.framework.experiment import Experiment
    from railbird.experiments.framework.result import Result
    from railbird.experiments.framework.workspace import Work, Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Run(Illustrated):
    """An experiment's run, with everything needed to repeat it."""

    experiment: Experiment
    scale: float
    seed: int
    result: Result
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
def run(name: str, workspace: Workspace) -> Run:
    """Run an experiment.

    Raises `BadInput` for an unknown name and `Interrupted` on Ctrl-C; the logs are then kept, and
    the same call resumes from them.
    """
    if name not in EXPERIMENTS:
        raise unknown_name("experiment", name, EXPERIMENTS)
    experiment, before = EXPERIMENTS[name], len(workspace.work)
    started = time.perf_counter()
    try:
        result = experiment.perform(workspace)
    except KeyboardInterrupt:
        raise Interrupted(
            f"stopped while scoring {name}; the hands played are kept in {workspace.folder}; "
            "run the same command again to resume"
        ) from None
    return Run(
        experiment=experiment,
        scale=workspace.scale,
        seed=workspace.seed,
        result=result,
        work=workspace.work[before:],
        seconds=time.perf_counter() - started,
    )


@specifications.register
def _of_run(run: Run) -> Specifications:
    return {
        drawing.figure.name: partial(
            specification,
            drawing.figure,
            {name: sums.table.to_dict(as_series=False) for name, sums in drawing.data.items()},
            subtitle=drawing.subtitle,
        )
        for drawing in run.result.drawings
    }
