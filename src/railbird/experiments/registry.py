"""The experiments by name, and what running one gives."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from railbird.errors import BadInput, Interrupted
from railbird.experiments import (
    always_call,
    duplicate,
    income_rates,
    loki,
    loki_calibration,
    loki_strength,
    pushfold,
    robustness,
    self_play,
    unbiased,
)
from railbird.experiments.laboratory import Laboratory, Work
from railbird.experiments.result import Result
from railbird.experiments.rows import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """One experiment of a source."""

    name: str
    summary: str
    """A sentence."""
    source: str
    """Where it was published."""
    perform: Callable[[Laboratory], Result]


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


_ALL = (
    Experiment(
        name="always-call-always-raise",
        summary="Two players without skill: money wanders, DIVAT stays near zero.",
        source="Kan 2007, section 4.2.1, figures 1.1 and 4.1 to 4.4",
        perform=always_call.perform,
    ),
    Experiment(
        name="self-play",
        summary="A player against itself, on the same cards: DIVAT knows that it is a draw.",
        source="Kan 2007, section 4.2.2, figure 4.5",
        perform=self_play.perform,
    ),
    Experiment(
        name="duplicate",
        summary="Two players in duplicate: DIVAT in one direction, duplicate money, and both.",
        source="Kan 2007, section 4.2.3, figures 4.6 and 4.7",
        perform=duplicate.perform,
    ),
    Experiment(
        name="robustness",
        summary="One match judged by 161 settings of the baseline: all lines end together.",
        source="Kan 2007, section 4.3, tables 4.1 and 4.2, figures 4.8 to 4.11",
        perform=robustness.perform,
    ),
    Experiment(
        name="unbiased",
        summary="A million hands of a wild player: DIVAT and money agree in the long run.",
        source="Kan 2007, section 4.1",
        perform=unbiased.perform,
    ),
    Experiment(
        name="loki-features",
        summary="Loki's betting strategy with each of its parts left out.",
        source="Papp 1998, chapter 8, betting strategy experiment",
        perform=loki.features,
    ),
    Experiment(
        name="loki-tightness",
        summary="Loki without modelling, tight, moderate and loose.",
        source="Papp 1998, chapter 8, the non-modelling players",
        perform=loki.TIGHTNESS.perform,
    ),
    Experiment(
        name="loki-generic",
        summary="Loki with generic opponent modelling against Loki without.",
        source="Papp 1998, chapter 8, generic opponent modelling experiment",
        perform=loki.GENERIC.perform,
    ),
    Experiment(
        name="loki-specific",
        summary="Loki with specific opponent modelling, generic, and without.",
        source="Papp 1998, chapter 8, specific opponent modelling experiment",
        perform=loki.SPECIFIC.perform,
    ),
    Experiment(
        name="loki-showdown-odds",
        summary="Showdown odds lose in self-play and gain where bets mean little.",
        source="Papp 1998, chapter 8, showdown odds experiment",
        perform=loki.showdown_odds,
    ),
    Experiment(
        name="loki-styles",
        summary="Specific against generic modelling, with maniacs and rocks at the table.",
        source="a field of our own making, after Papp 1998, chapter 8",
        perform=loki.STYLES.perform,
    ),
    Experiment(
        name="loki-beyond",
        summary="Specific modelling that heeds checks or learns how far thresholds vary.",
        source="of our own making, on the future work of Papp 1998, chapter 9",
        perform=loki.BEYOND.perform,
    ),
    Experiment(
        name="loki-income-rates",
        summary="Income rates of the 169 kinds of hands beside the published tables.",
        source="Papp 1998, appendix A",
        perform=income_rates.perform,
    ),
    Experiment(
        name="loki-calibration",
        summary="Weight arrays scored on the cards that the opponents really held.",
        source="of our own making, on Papp 1998, chapter 7",
        perform=loki_calibration.perform,
    ),
    Experiment(
        name="loki-strength",
        summary="Two shortcuts to strength against two opponents beside the exact sum.",
        source="of our own making, on Papp 1998, chapter 5",
        perform=loki_strength.perform,
    ),
    Experiment(
        name="pushfold-convergence",
        summary="Push/fold by sampled deals, from 1,000 iterations to 100,000.",
        source="Chin and Lopez 2023, figures 1 and 2",
        perform=pushfold.convergence,
    ),
    Experiment(
        name="pushfold-users",
        summary="The equilibrium of push/fold against the people who played it.",
        source="Chin and Lopez 2023, section 3",
        perform=pushfold.users,
    ),
    Experiment(
        name="pushfold-charts",
        summary="Largest stacks to push and call with, beside printed charts.",
        source="Chin and Lopez 2023, section 3.4",
        perform=pushfold.charts,
    ),
)

EXPERIMENTS: Mapping[str, Experiment] = MappingProxyType({each.name: each for each in _ALL})
"""Every experiment by its name."""


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
