"""The 13 x 13 chart of a player's frequencies on the equilibrium's, as numbers for a template."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from railbird.cards import CLASS_NAMES, HandClass

CELL = 26
"""Side of a cell in the drawing's units."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A class of hands."""

    name: str
    x: int
    y: int
    equilibrium: float | None
    """None where it is not to be seen."""
    decisions: int
    own: float | None
    """Share of the player's decisions; None without one."""

    @property
    def differs(self) -> bool:
        """Whether the player does otherwise than the equilibrium, which may mix."""
        if self.own is None or self.equilibrium is None:
            return False
        off = abs(self.own - self.equilibrium)
        return off > 0.25 if 0.01 < self.equilibrium < 0.99 else off > 0.01

    @property
    def told(self) -> str:
        """The cell in words."""
        parts = [] if self.equilibrium is None else [f"equilibrium {self.equilibrium:.0%}"]
        if self.own is not None:
            parts.append(f"you {self.own:.0%} of {self.decisions}")
        return f"{self.name}: {', '.join(parts) or 'not played yet'}"


def cells(
    equilibrium: NDArray[np.float64], counts: NDArray[np.int64], *, asked: HandClass | None
) -> tuple[Cell, ...]:
    """Lay out the chart: frequencies (169,) and counts (169, 2), aggressive ones and all.

    The equilibrium is shown where the player has decided before, else the chart would be a hint
    that nobody notes; so it is not shown for the class that the player is ``asked`` about now.
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


def sparkline(winnings: list[float], *, width: int, height: int) -> str:
    """Give the points of a polyline of the running sum, fitted into a box.

    >>> sparkline([1.0, -1.0], width=10, height=4)
    '0.0,4.0 5.0,0.0 10.0,4.0'
    """
    if not winnings:
        return ""
    sums = np.concatenate(([0.0], np.cumsum(winnings)))
    low, high = float(sums.min()), float(sums.max())
    scale = height / (high - low) if high > low else 0.0
    steps = np.linspace(0, width, len(sums))
    return " ".join(
        f"{x:.1f},{height - (y - low) * scale:.1f}" for x, y in zip(steps, sums, strict=True)
    )
