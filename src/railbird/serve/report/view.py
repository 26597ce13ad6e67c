"""What the pages of a report show, from the data that a worker made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from railbird.histories import HandRecord
from railbird.report.toolkit.number_format import number, signed
from railbird.serve.view.replay import step_of

_WIDTH: Final = 640
_HEIGHT: Final = 180
_NUMERIC: Final = "+\N{MINUS SIGN}-.0123456789"
_STYLES: Final = ("money", "skill")
PAGE: Final = 100
"""Hands on a page of the list."""


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line of the chart."""

    title: str
    points: str
    style: str
    last: str


@dataclass(frozen=True, slots=True)
class ShownChart:
    """Running sums as a picture."""

    lines: tuple[ShownLine, ...]
    zero: float
    """Height of the zero line."""
    high: str
    low: str
    hands: int
    words: str


def chart_of(lines: Mapping[str, Any], unit: str) -> ShownChart:
    """Draw running sums."""
    hands: Sequence[int] = lines["hands"]
    sums: Mapping[str, Sequence[float]] = lines["sums"]
    values = [value for each in sums.values() for value in each]
    high, low = max(*values, 0.0), min(*values, 0.0)
    span = (high - low) or 1.0
    last = hands[-1] or 1

    def y(value: float) -> float:
        return round(_HEIGHT * (high - value) / span, 1)

    shown = tuple(
        ShownLine(
            title=title,
            points=" ".join(
                f"{round(_WIDTH * hand / last, 1):g},{y(value):g}"
                for hand, value in zip(hands, each, strict=True)
            ),
            style=style,
            last=number(each[-1], 1),
        )
        for (title, each), style in zip(sums.items(), _STYLES, strict=False)
    )
    ends = ", ".join(f"{line.title} {line.last} {unit}" for line in shown)
    return ShownChart(
        lines=shown,
        zero=y(0.0),
        high=number(high, 0),
        low=number(low, 0),
        hands=last,
        words=f"Running sums over {last:,} hands; in the end {ends}.",
    )


@dataclass(frozen=True, slots=True)
class ShownDecision:
    """A decision of a hand, beside what others would have done."""

    step: int
    """The step of the replay before it."""
    did: str
    house: str
    why: str
    cost: str
    """What it changed beside the baseline, with all cards seen, or gave up by the equilibrium;
    empty where neither is known."""


def decisions_of(
    report: Mapping[str, Any], row: int, record: HandRecord
) -> tuple[ShownDecision, ...]:
    """Return one's own decisions in a hand."""
    return tuple(
        ShownDecision(
            step=step_of(record, act) or 0,
            did=did,
            house="the same" if house == did else house,
            why=why,
            cost=f"−{number(given_up, 3)}"
            if given_up
            else signed(own, 2)
            if own is not None
            else "",
        )
        for act, did, house, why, own, given_up in report["decisions"].get(str(row), ())
    )


def sections_of(report: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the sections, with the side to which each column is set."""
    return [
        {
            **section,
            "sides": [
                "n" if cells and all(cell[:1] in _NUMERIC for cell in cells) else ""
                for cells in (
                    [row[place] for row in section["rows"]]
                    for place in range(len(section["columns"]))
                )
            ],
        }
        for section in report["sections"]
    ]
