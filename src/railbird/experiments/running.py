"""Running an experiment by its name, with a record of what it took."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from railbird.errors import BadInput, Interrupted
from railbird.experiments.registry import EXPERIMENTS
from railbird.experiments.rows import Verdict

if TYPE_CHECKING:
    from railbird.experiments.laboratory import Laboratory, Work
    from railbird.experiments.registry import Experiment
    from railbird.experiments.result import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """An experiment that was run, with all that it takes to run it again."""

    experiment: Experiment
    scale: float
    seed: int
    result: Result
    work: tuple[Work, ...]
    seconds: float

    @property
    def failed(self) -> bool:
        """Whether something does not hold that must."""
        return any(row.verdict is Verdict.FAILS for row in self.result.rows)

    def as_json(self) -> dict[str, object]:
        """Say what was run, without the rows."""
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


def run(name: str, laboratory: Laboratory) -> Run:
    """Run an experiment.

    Raises `BadInput` for an unknown name and `Interrupted` on Ctrl-C; the logs stay then, and the
    same call goes on from them.
    """
    if name not in EXPERIMENTS:
        raise BadInput(f"no experiment {name!r}; allowed: {', '.join(EXPERIMENTS)}")
    experiment, before = EXPERIMENTS[name], len(laboratory.work)
    started = time.perf_counter()
    try:
        result = experiment.perform(laboratory)
    except KeyboardInterrupt:
        raise Interrupted(
            f"stopped while scoring {name}; the hands played are kept in {laboratory.folder}, and "
            "the same command goes on from there"
        ) from None
    return Run(
        experiment=experiment,
        scale=laboratory.scale,
        seed=laboratory.seed,
        result=result,
        work=tuple(laboratory.work[before:]),
        seconds=time.perf_counter() - started,
    )
