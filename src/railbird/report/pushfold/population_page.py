"""The report on people's push/fold decisions: a page, and its charts as files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from railbird._files import replace_files
from railbird.assessment.pushfold.decisions import Census
from railbird.assessment.pushfold.judged_decisions import JudgedDecisions, JudgedSeat
from railbird.assessment.pushfold.population_strategy import JudgedFit
from railbird.cards import CLASS_NAMES
from railbird.estimates import Estimate
from railbird.report.match.report_files import Image, render
from railbird.report.pushfold.range_chart import DIFFERENCE, FREQUENCY, range_chart, range_figure
from railbird.report.toolkit.charts_page import Chart, Section, charts_page
from railbird.report.toolkit.number_format import interval_of, number, percent, signed
from railbird.solve import COMBINATIONS, Seat

FILES = ("report.html", "push.svg", "call.svg")
"""Files that `write_population` writes into a folder."""
SEAT_WORDS = {Seat.SMALL_BLIND: "small blind", Seat.BIG_BLIND: "big blind"}
PRIOR_WORDS = (
    "Classes that never came take a prior: the log odds of playing a hand rise in proportion to "
    "what it gains against the equilibrium, and single classes keep about that curve; how steep "
    "it is and how closely they keep to it come from the decisions, from flat priors."
)
_COSTLIEST = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationReport:
    """People's decisions, judged."""

    decisions: JudgedDecisions
    census: Census
    strategy: str
    """The strategy they are judged against."""
    fit: JudgedFit | None = None
    """A complete strategy for them; None where they decided at several stacks or in one seat."""

    @property
    def at(self) -> str:
        """The stacks, in words."""
        stacks = list(self.census.by_stack)
        if len(stacks) == 1:
            return f"{stacks[0]:g} big blinds"
        return f"{len(stacks)} stacks of {stacks[0]:g} to {stacks[-1]:g} big blinds"

    @property
    def seats(self) -> tuple[JudgedSeat, JudgedSeat]:
        """The people's decisions by their seat."""
        return self.decisions.small_blind, self.decisions.big_blind

    @property
    def wins(self) -> tuple[tuple[str, Estimate], ...]:
        """Winnings of the strategy by its own seat, and the mean."""
        return (
            ("small blind", self.decisions.big_blind.win),
            ("big blind", self.decisions.small_blind.win),
            ("mean", self.decisions.mean),
        )


def write_population(report: PopulationReport, folder: Path | str, *, source: str) -> Path:
    """Write ``report.html``, ``push.svg`` and ``call.svg`` into a folder; return the page.

    ``source`` is where the decisions come from.
    """
    folder = Path(folder)
    charts = {
        name: _charts(judged, report.strategy)
        for name, judged in zip(("push", "call"), report.seats, strict=True)
    }
    won = report.decisions.mean
    page = charts_page(
        f"Push or fold: {source}, {report.at}",
        list(_sections(report, charts)),
        lead=f"{report.decisions.decisions:,} decisions. The {report.strategy} wins "
        f"{signed(won.value, 3)} bb a hand from whoever decides like this "
        f"({interval_of(won, 3)}).",
    )
    drawings = {
        folder / f"{name}.svg": render(
            range_figure(*(chart.chart for chart in row))
            | {"background": "var(--paper)", "padding": 16},
            Image.SVG,
        )
        for name, row in charts.items()
    }
    path = folder / "report.html"
    replace_files({path: page.encode()} | drawings)
    return path


def costliest(judged: JudgedSeat, most: int = _COSTLIEST) -> Iterator[tuple[str, str, str]]:
    """List hands on which most was given up: hand, what was done, big blinds in all."""
    verb = "pushed" if judged.seat is Seat.SMALL_BLIND else "called"
    for place in np.argsort(-judged.lost, kind="stable")[:most]:
        if judged.lost[place] > 0:
            yield (
                CLASS_NAMES[place],
                f"{verb} {judged.played[place]:,} of {judged.hands[place]:,}; "
                f"the strategy {percent(judged.expected[place], 0)}",
                number(float(judged.lost[place]), 2),
            )


def fit_rows(fit: JudgedFit) -> Iterator[tuple[str, str]]:
    """Return rows on the value of a complete strategy for the people: label and amount."""
    for name, estimate in (
        ("the strategy wins as the small blind", fit.small_blind),
        ("the strategy wins as the big blind", fit.big_blind),
        ("mean", fit.mean),
        ("a best response to the people wins more, mean", fit.gain),
    ):
        yield name, f"{signed(estimate.value, 4)} ({interval_of(estimate, 4)})"
    for seat, name in SEAT_WORDS.items():
        better = fit.matchup.opposite_is_better(seat)
        hands = ", ".join(CLASS_NAMES[place] for place in np.flatnonzero(better))
        count = int(COMBINATIONS[better].sum())
        what = f"{name}, hands where the other choice would win more"
        yield f"{what} ({count} of 1,326 combinations)", hands or "none"


def _sections(
    report: PopulationReport, charts: Mapping[str, tuple[Chart, ...]]
) -> Iterator[Section]:
    yield Section(
        heading="The decisions",
        words="A decision gives up what the better choice would have earned beyond it, against "
        f"the {report.strategy}; a call or a fold of the big blind, given a push. A mistake gives "
        "up something.",
        columns=("people's seat", "decisions", "mistakes", "given up, bb a decision", "95 %"),
        rows=tuple(
            (
                SEAT_WORDS[judged.seat],
                f"{judged.decisions:,}",
                f"{judged.mistakes:,}",
                number(judged.given_up.value, 4),
                interval_of(judged.given_up, 4),
            )
            for judged in report.seats
        ),
    )
    yield Section(
        heading=f"What the {report.strategy} wins",
        words="From people who give up as much in the other seat. Only decisions that were made "
        "count, each at its stack; hands must have come as they are dealt.",
        columns=("its seat", "bb a hand", "95 %"),
        rows=tuple(
            (name, signed(estimate.value, 4), interval_of(estimate, 4))
            for name, estimate in report.wins
        ),
    )
    yield Section(heading="Pushes of the small blind", charts=charts["push"])
    yield Section(heading="Calls of the big blind", charts=charts["call"])
    for judged in report.seats:
        yield Section(
            heading=f"Costliest hands of the {SEAT_WORDS[judged.seat]}",
            columns=("hand", "what was done", "bb given up in all"),
            rows=tuple(costliest(judged)),
        )
    if report.fit is not None:
        yield Section(
            heading="As a complete strategy",
            words=f"{PRIOR_WORDS} Intervals hold 95 % of the posterior.",
            columns=("", "bb a hand"),
            rows=tuple(fit_rows(report.fit)),
        )
    if report.census.skipped:
        yield Section(
            heading="Rows that do not count",
            words="; ".join(
                f"{count:,} {reason}" for reason, count in report.census.skipped.items()
            )
            + ".",
            columns=("line", "why", "row"),
            rows=tuple(
                (str(row.line), row.problem.value, row.text) for row in report.census.examples
            ),
        )


def _charts(judged: JudgedSeat, strategy: str) -> tuple[Chart, ...]:
    verb = "push" if judged.seat is Seat.SMALL_BLIND else "call with"
    counts = [f"{count:,}" if count else "" for count in judged.hands]
    frequency: npt.NDArray[np.float64] = judged.frequency
    return (
        Chart(
            range_chart(frequency, title="People, and number of decisions", notes=counts),
            f"How often people {verb} each hand, in per cent, and in how many decisions.",
        ),
        Chart(
            range_chart(
                frequency - judged.expected, title=f"People less {strategy}", scale=DIFFERENCE
            ),
            f"The difference to the {strategy}, where a hand came.",
        ),
        Chart(
            range_chart(judged.expected, title=strategy, scale=FREQUENCY),
            f"How often the {strategy} does, at the stacks of these decisions.",
        ),
    )
