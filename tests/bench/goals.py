"""Goals of benchmarks: how many times as good as a peer ours has to be, and the bar that shows it.

A benchmark carries its goals itself, as the constant `GOALS` of its module; the figures of both
sides stand among its rows. The idea is Stim's (github.com/quantumlib/Stim), whose benchmarks say a
goal in seconds. A ratio to a peer that runs beside depends less on the machine; goals are set below
what was measured (docs/speed.md), so that one that is missed means a loss.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import log2
from typing import Final

Row = tuple[str, float, str]
"""Label, figure and unit."""

LESS_IS_BETTER: Final = {"s", "ms", "us/hand", "µs", "MB"}
"""Units of which less is better; of every other unit more is."""
HALF: Final = 20
"""Characters of a bar on each side of the goal."""
DOUBLINGS: Final = 4
"""Doublings of the ratio from the goal to an end of the bar."""


@dataclass(frozen=True, slots=True)
class Goal:
    """A row of ours is at least ``times`` as good as a peer's."""

    ours: str
    """Label of our row."""
    peer: str
    """Label of the peer's; without it, as where the peer is not installed, there is no bar."""
    times: float
    """Least ratio, of speeds or, the other way round, of times and sizes."""

    def ratio(self, rows: Mapping[str, tuple[float, str]]) -> float | None:
        """Return how many times as good ours is; None without the peer, and where one is 0.

        A peer's clock may have steps of 10 ms, and then shows nothing of what is faster.

        Raises `ValueError` where ours was not measured, or the two have different units.
        """
        if self.peer not in rows:
            return None
        if self.ours not in rows:
            raise ValueError(f"no row {self.ours!r}, of which {self} is a goal")
        (ours, unit), (theirs, their_unit) = rows[self.ours], rows[self.peer]
        if unit != their_unit:
            raise ValueError(f"{self.ours} is in {unit}, {self.peer} in {their_unit}")
        if not ours or not theirs:
            return None
        return theirs / ours if unit in LESS_IS_BETTER else ours / theirs


def bar(ratio: float, goal: float) -> str:
    """Draw a ratio on a scale of doublings, with the goal ``|`` in the middle.

    >>> bar(2, 1)
    '[                    |====*               ]'
    >>> bar(1, 2)
    '[               *====|                    ]'
    """
    place = round(HALF * max(-1.0, min(1.0, log2(ratio / goal) / DOUBLINGS)))
    marks = [" "] * (2 * HALF + 1)
    for position in range(min(0, place), max(0, place)):
        marks[HALF + position] = "="
    marks[HALF + place] = "*"
    if place:
        marks[HALF] = "|"
    return f"[{''.join(marks)}]"


def compared(goals: Iterable[Goal], rows: Iterable[Row]) -> list[tuple[str, str, str, str, str]]:
    """Return what is compared, its ratio, goal, bar and verdict, for each peer that was measured.

    Raises `ValueError` for a goal about rows that there are not.
    """
    figures = {label: (value, unit) for label, value, unit in rows}
    lines = []
    for goal in goals:
        ratio = goal.ratio(figures)
        if ratio is not None:
            verdict = "reached" if ratio >= goal.times else "missed"
            what = f"{goal.ours.removeprefix('ours: ')} / {goal.peer.partition(':')[0]}"
            shown = f"{ratio:,.3g}" if ratio < 1000 else f"{ratio:,.0f}"
            lines.append((what, shown, f"{goal.times:g}", bar(ratio, goal.times), verdict))
    return lines
