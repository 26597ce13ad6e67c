"""The experiments by name, and where each is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pkgutil import resolve_name
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from railbird.experiments.framework.result import Result
    from railbird.experiments.framework.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """One experiment of a source."""

    name: str
    summary: str
    """A sentence."""
    source: str
    """Where it was published."""
    place: str
    """``module:function`` in this room; imported when it is run, so that a list of all is quick."""

    def perform(self, workspace: Workspace) -> Result:
        """Play and score what it takes."""
        function = resolve_name(f"railbird.experiments.{self.place}")
        return cast("Callable[[Workspace], Result]", function)(workspace)


_ALL = (
    Experiment(
        name="always-call-always-raise",
        summary="Two players without skill: money wanders, DIVAT stays near zero.",
        source="Kan 2007, section 4.2.1, figures 1.1 and 4.1 to 4.4",
        place="kan2007.always_call:perform",
    ),
    Experiment(
        name="self-play",
        summary="A player against itself, on the same cards: DIVAT knows that it is a draw.",
        source="Kan 2007, section 4.2.2, figure 4.5",
        place="kan2007.self_play:perform",
    ),
    Experiment(
        name="duplicate",
        summary="Two players in duplicate: DIVAT in one direction, duplicate money, and both.",
        source="Kan 2007, section 4.2.3, figures 4.6 and 4.7",
        place="kan2007.duplicate:perform",
    ),
    Experiment(
        name="robustness",
        summary="One match judged by 161 settings of the baseline: all lines end together.",
        source="Kan 2007, section 4.3, tables 4.1 and 4.2, figures 4.8 to 4.11",
        place="kan2007.robustness:perform",
    ),
    Experiment(
        name="unbiased",
        summary="A million hands of a wild player: DIVAT and money agree in the long run.",
        source="Kan 2007, section 4.1",
        place="kan2007.unbiased:perform",
    ),
    Experiment(
        name="loki-features",
        summary="Loki's betting strategy with each of its parts left out.",
        source="Papp 1998, chapter 8, betting strategy experiment",
        place="papp1998.tables:features",
    ),
    Experiment(
        name="loki-tightness",
        summary="Loki without modelling, tight, moderate and loose.",
        source="Papp 1998, chapter 8, the non-modelling players",
        place="papp1998.tables:TIGHTNESS.perform",
    ),
    Experiment(
        name="loki-generic",
        summary="Loki with generic opponent modelling against Loki without.",
        source="Papp 1998, chapter 8, generic opponent modelling experiment",
        place="papp1998.tables:GENERIC.perform",
    ),
    Experiment(
        name="loki-specific",
        summary="Loki with specific opponent modelling, generic, and without.",
        source="Papp 1998, chapter 8, specific opponent modelling experiment",
        place="papp1998.tables:SPECIFIC.perform",
    ),
    Experiment(
        name="loki-showdown-odds",
        summary="Showdown odds lose in self-play and gain where bets mean little.",
        source="Papp 1998, chapter 8, showdown odds experiment",
        place="papp1998.tables:showdown_odds",
    ),
    Experiment(
        name="loki-styles",
        summary="Specific against generic modelling, with maniacs and rocks at the table.",
        source="a field of our own making, after Papp 1998, chapter 8",
        place="papp1998.tables:STYLES.perform",
    ),
    Experiment(
        name="loki-beyond",
        summary="Specific modelling that heeds checks, learns spreads or ranks by field.",
        source="of our own making, on the future work of Papp 1998, chapter 9",
        place="papp1998.tables:BEYOND.perform",
    ),
    Experiment(
        name="loki-simulation",
        summary="Loki that plays its decisions out, against Loki by rules and others.",
        source="of our own making, on Billings, Peña, Schaeffer and Szafron 1999",
        place="papp1998.tables:simulation",
    ),
    Experiment(
        name="loki-income-rates",
        summary="Income rates of the 169 kinds of hands beside the published tables.",
        source="Papp 1998, appendix A",
        place="papp1998.income_rates:perform",
    ),
    Experiment(
        name="loki-calibration",
        summary="Weight arrays scored on the cards that the opponents really held.",
        source="of our own making, on Papp 1998, chapter 7",
        place="papp1998.weight_calibration:perform",
    ),
    Experiment(
        name="loki-strength",
        summary="Two shortcuts to strength against two opponents beside the exact sum.",
        source="of our own making, on Papp 1998, chapter 5",
        place="papp1998.strength_shortcuts:perform",
    ),
    Experiment(
        name="pushfold-convergence",
        summary="Push/fold by sampled deals, from 1,000 iterations to 100,000.",
        source="Chin and Lopez 2023, figures 1 and 2",
        place="pushfold2023.experiments:convergence",
    ),
    Experiment(
        name="pushfold-users",
        summary="The equilibrium of push/fold against the people who played it.",
        source="Chin and Lopez 2023, section 3",
        place="pushfold2023.experiments:users",
    ),
    Experiment(
        name="pushfold-charts",
        summary="Largest stacks to push and call with, beside printed charts.",
        source="Chin and Lopez 2023, section 3.4",
        place="pushfold2023.experiments:charts",
    ),
)

EXPERIMENTS: Mapping[str, Experiment] = MappingProxyType({each.name: each for each in _ALL})
"""Every experiment by its name."""
