"""Spots in which a player lost most, described in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from railbird.assessment import Assessment

MOST = 8
"""Spots shown of each player."""

_FACING = {
    "nothing": "nothing to call",
    "blind": "facing the blind",
    "bet": "facing a bet",
    "raise": "facing a raise",
    "reraise": "facing a re-raise",
    "cap": "facing the last raise",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CostlySpot:
    """One action in one spot; amounts are that player's, summed over the match."""

    where: str
    """Street, and the action faced."""
    hand: str
    """The class of the player's hand."""
    action: str
    decisions: int
    divat: float
    stderr: float | None
    """Standard error of ``divat``; None for a single decision."""
    evat: float

    @property
    def mean(self) -> float:
        """Mean DIVAT of a decision."""
        return self.divat / self.decisions


def costly(assessment: Assessment, player: str, *, most: int = MOST) -> tuple[CostlySpot, ...]:
    """List the spots where a player lost by DIVAT, the most expensive first.

    None where cards are `Assessment.hidden`: the spots are then of a selected sample, in which a
    player is seen with the hands that won.
    """
    if assessment.hidden:
        return ()
    lost = (
        assessment.spots.filter(pl.col("player") == player, pl.col("divat") < 0)
        .sort("divat", maintain_order=True)
        .head(most)
    )
    return tuple(
        CostlySpot(
            where=f"{str(row['street']).capitalize()}, {_FACING[row['facing']]}",
            hand=row["class"],
            action=row["action"],
            decisions=row["decisions"],
            divat=row["divat"],
            stderr=row["stderr"],
            evat=row["evat"],
        )
        for row in lost.iter_rows(named=True)
    )
