"""The 13 x 13 chart of a player's frequencies beside the equilibrium's, for a template."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from railbird.cards import CLASS_NAMES, HandClass
from railbird.report.toolkit.number_format import percent

CELL = 26
"""Side of a cell in the drawing's units."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of the chart: a class of hands."""

    name: str
    x: int
    y: int
    equilibrium: float | None
    """None where it must not be seen."""
    decisions: int
    own: float | None
    """Share of the player's decisions that pushed or called; None without a decision."""

    @property
    def differs(self) -> bool:
        """True if the player deviates from the equilibrium, which may mix."""
        if self.own is None or self.equilibrium is None:
            return False
        off = abs(self.own - self.equilibrium)
        return off > 0.25 if 0.01 < self.equilibrium < 0.99 else off > 0.01

    @property
    def told(self) -> str:
        """Describe the cell in words."""
        parts = [] if self.equilibrium is None else [f"equilibrium {percent(self.equilibrium, 0)}"]
        if self.own is not None:
            parts.append(f"you {percent(self.own, 0)} of {self.decisions}")
        return f"{self.name}: {', '.join(parts) or 'not played yet'}"


def cells(
    equilibrium: NDArray[np.float64], counts: NDArray[np.int64], *, asked: HandClass | None
) -> tuple[Cell, ...]:
    """Lay out the chart from frequencies (169,) and counts (169, 2) of pushes or calls, and all.

    The equilibrium is shown only where the player has decided before; otherwise the chart would be
    a hint that is not recorded. For the same reason it is hidden for the class that the player is
    ``asked`` about now.
    """
    return tuple(
        Cell(
            name,
            CELL * (index % 13),
            CELL * (index // 13),
            float(equilibrium[index]) if counts[index, 1] and index != asked else None,
            int(counts[index, 1]),
            float(counts[index, 0] / counts[index, 1]) if counts[index, 1] else None,
        )
        for index, name in enumerate(CLASS_NAMES)
    )


@dataclass(frozen=True, slots=True)
class Sparkline:
    """A running sum fitted into a box, as points of polylines."""

    hands: int
    before: str
    """Up to the hand before the last, whose outcome may not be known yet."""
    last: str
    zero: float
    """Height of the line where nothing is won or lost."""


def sparkline(winnings: Sequence[float], *, width: int, height: int) -> Sparkline:
    """Draw the running sum of winnings from zero.

    >>> sparkline([1.0, -1.0], width=10, height=4)
    Sparkline(hands=2, before='0.0,4.0 5.0,0.0', last='5.0,0.0 10.0,4.0', zero=4.0)
    """
    sums = np.concatenate(([0.0], np.cumsum(winnings)))
    low, high = float(sums.min()), float(sums.max())
    scale = height / (high - low) if high > low else 0.0
    steps = np.linspace(0, width, len(sums))
    points = [f"{x:.1f},{height - (y - low) * scale:.1f}" for x, y in zip(steps, sums, strict=True)]
    return Sparkline(
        hands=len(winnings),
        before=" ".join(points[:-1]),
        last=" ".join(points[-2:]),
        zero=round(height + low * scale, 1),
    )
