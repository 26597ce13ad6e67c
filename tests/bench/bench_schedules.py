"""Iterations with other schedules of discounting, on the spots of `bench_spot`.

To 0.3 % of the pot on the river and the turn, and to 0.5 % on the flop; at most 300. What is named
after a paper has its numbers: DCFR (Brown and Sandholm 2019), CFR+ (Tammelin 2014), predictive CFR+
(Farina, Kroer and Sandholm 2021), predictive DCFR (Xu and others 2024), and the changing powers of
HS-DCFR (Zhang, McAleer and Sandholm 2024).
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Final

from bench.goals import Row
from railbird.solve.spot import DiscountSchedule, Spot, SpotSolver, begun, resume
from railbird.solve.spot.kernels import StepFactors

_GAPS: Final = {"river": 0.3, "turn": 0.3, "flop": 0.5}
_MOST: Final = 300
_NEVER: Final = math.inf
"""A power with which positive regrets stay as they are, or, below zero, negative ones go."""


class _Changing:
    """A schedule whose powers change while it runs."""

    def __init__(self, of: int | None = None, restarts: bool = False) -> None:
        self.of, self.restarts, self.ahead = of, restarts, 0.0
        self.counted = 0.0

    def step(self, t: int, unit: float = 1.0) -> StepFactors:
        """Return the factors of iteration ``t``, which come one after the other."""
        gain, loss, keep = 1.5, 0.0, 3.0
        if self.of is not None:
            part = t / self.of
            gain, loss, keep = 1 + 3 * part, -1 - 2 * part, max(30 - 5 * part, 0)
        since = t
        if self.restarts:
            since = t - 4 ** int(math.log(t, 4) + 1e-9) if t else 0
        kept = self.counted * (since / (since + 1)) ** keep
        self.counted = kept + 1
        return StepFactors(
            t**gain / (t**gain + 1),
            t**loss / (t**loss + 1) if t else 0.5,
            kept / self.counted,
            1 / self.counted,
            unit,
            0.0,
        )


def schedules() -> dict[str, DiscountSchedule | _Changing]:
    """Return them by name, ours first."""
    return {
        "ours: 1.25, 1 of t / 20, 6": DiscountSchedule(),
        "t / 10 for losses": DiscountSchedule(half=10),
        "t / 40 for losses": DiscountSchedule(half=40),
        "1.15 for gains": DiscountSchedule(gain=1.15),
        "1.35 for gains": DiscountSchedule(gain=1.35),
        "4 for the average": DiscountSchedule(keep=4),
        "8 for the average": DiscountSchedule(keep=8),
        "1.35, 0, 6": DiscountSchedule(1.35, 0, 6),
        "1.5, 0, 4": DiscountSchedule(1.5, 0, 4),
        "DCFR: 1.5, 0, 2": DiscountSchedule(1.5, 0, 2),
        "postflop-solver's without restarts: 1.5, 0, 3": DiscountSchedule(1.5, 0, 3),
        "CFR+, average by squares": DiscountSchedule(gain=_NEVER, loss=-_NEVER, keep=2),
        "postflop-solver's, with restarts": _Changing(restarts=True),
        "HS-DCFR of 200": _Changing(of=200),
        "predictive CFR+, average by squares": DiscountSchedule(_NEVER, -_NEVER, 2, 1),
        "predictive DCFR: 2.3, 5": DiscountSchedule(2.3, -_NEVER, 5, 1),
        "ours, predictive": DiscountSchedule(ahead=1),
        "ours, half predictive": DiscountSchedule(ahead=0.5),
    }


def rows() -> list[Row]:
    """Return what, how much and in which unit."""
    found: list[Row] = []
    for name, gap in _GAPS.items():
        spot = Spot.read(Path(__file__).parent / "spots" / f"{name}.spot")
        for words, schedule in schedules().items():
            solver = SpotSolver(spot, threads=1, schedule=schedule)  # type: ignore[arg-type]
            solution = resume(begun(solver), gap_percent=gap, iterations=_MOST)
            more = "" if solution.finished else f", gap {solution.gap_percent_of_pot:.2f} %"
            found.append((f"{name}: {words}{more}", solution.iterations, "iterations"))
    return found
