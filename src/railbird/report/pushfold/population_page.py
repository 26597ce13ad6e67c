"""The report on a population's push/fold decisions: a page, and its charts as files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from railbird._files import replace_files
from railbird.assessment.pushfold.decisions import Census
from railbird.assessment.pushfold.population import PopulationReport
from railbird.cards import CLASS_NAMES
from railbird.report.match.document import Image, render
from railbird.report.pushfold.charts_page import Chart, Section, charts_page
from railbird.report.pushfold.range_chart import DIFFERENCE, FREQUENCY, range_chart, range_figure
from railbird.report.toolkit.number_format import signed
from railbird.solve import COMBINATIONS, Seat

FILES = ("report.html", "push.svg", "call.svg")
"""What `write_population` writes into a folder."""

_SEATS = {Seat.SMALL_BLIND: "small blind", Seat.BIG_BLIND: "big blind"}
_EXTREMES = 3


@dataclass(frozen=True, slots=True)
class Extreme:
    """A line of the report: what, and the hands."""

    what: str
    hands: str


def write_population(
    judged: PopulationReport, people: Census, folder: Path | str, *, source: str, strategy: str
) -> Path:
    """Write ``report.html`` and ``push.svg`` and ``call.svg`` into a folder; return the page.

    ``source`` is where the people come from, ``strategy`` who plays them.
    """
    folder = Path(folder)
    charts = {
        "push": _charts(judged, Seat.SMALL_BLIND, strategy),
        "call": _charts(judged, Seat.BIG_BLIND, strategy),
    }
    page = charts_page(
        f"Push or fold: {source}, {judged.stack:g} big blinds",
        _sections(judged, people, charts),
        lead=f"The {strategy} wins {signed(judged.mean.value, 3)} bb a hand from these people; "
        f"whoever plays best against them wins {signed(judged.gain, 3)} more.",
    )
    drawings = {
        folder / f"{name}.svg": render(
            range_figure(*(chart.chart for chart in row))
            | {"background": "var(--paper)", "padding": 16},
            Image.SVG,
        )
        for name, row in charts.items()
    }
    report = folder / "report.html"
    replace_files({report: page.encode()} | drawings)
    return report


def _sections(
    judged: PopulationReport, people: Census, charts: Mapping[str, tuple[Chart, ...]]
) -> list[Section]:
    sections = [
        Section(
            columns=("seat", "bb a hand", "95 % interval", "best response"),
            rows=tuple(
                (
                    name,
                    signed(estimate.value, 4),
                    f"{signed(estimate.low, 4)} to {signed(estimate.high, 4)}",
                    signed(best, 4),
                )
                for name, estimate, best in judged.seats
            ),
            words="The intervals are by bootstrap over the decisions of the people.",
        ),
        Section(heading="Shoves of the small blind", charts=charts["push"]),
        Section(heading="Calls of the big blind", charts=charts["call"]),
        Section(
            heading="Hands that stand out",
            columns=("", "hands"),
            rows=tuple((line.what, line.hands) for line in extremes(judged)),
        ),
    ]
    if people.skipped:
        sections.append(
            Section(
                heading="Rows that do not count",
                words=f"{sum(people.skipped.values()):,} rows.",
                columns=("line", "why", "row"),
                rows=tuple((str(row.line), row.problem.value, row.text) for row in people.examples),
            )
        )
    return sections


def extremes(judged: PopulationReport) -> list[Extreme]:
    """Say where the other choice would win more, and which hands win and lose most."""
    lines = []
    for seat, name in _SEATS.items():
        better = judged.opposite_is_better(seat)
        hands = ", ".join(CLASS_NAMES[place] for place in np.flatnonzero(better))
        count = int(COMBINATIONS[better].sum())
        lines.append(
            Extreme(
                f"{name}, hands where the other choice would win more "
                f"({count} of 1,326 combinations)",
                hands or "none",
            )
        )
        for whose, values in (
            ("", judged.hand_values(seat)),
            ("people in the ", judged.people_values(seat)),
        ):
            order = np.argsort(values)
            for what, places in (
                ("least", order[:_EXTREMES]),
                ("most", order[: -_EXTREMES - 1 : -1]),
            ):
                hands = ", ".join(
                    f"{CLASS_NAMES[place]} {signed(float(values[place]), 3)}" for place in places
                )
                lines.append(Extreme(f"{whose}{name}, win {what}", hands))
    return lines


def _charts(judged: PopulationReport, seat: Seat, strategy: str) -> tuple[Chart, ...]:
    small = seat is Seat.SMALL_BLIND
    theirs = judged.population.push if small else judged.population.call
    ours = judged.push if small else judged.call
    return (
        Chart(range_chart(theirs, title="people", scale=FREQUENCY), "How often people play a hand"),
        Chart(range_chart(ours, title=strategy, scale=FREQUENCY), f"How often the {strategy} does"),
        Chart(range_chart(theirs - ours, title="difference", scale=DIFFERENCE), "The difference"),
    )
