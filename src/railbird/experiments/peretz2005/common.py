"""Shared by the experiments: exact numbers as estimates, in per cent."""

from __future__ import annotations

from typing import Final

from railbird.estimates import Estimate

GAME: Final = "holdem.nolimit.6p.game,stack=10000"
"""For logs of ACPC lines, which do not name their game."""


def exact(value: float, unit: str = "%") -> Estimate:
    """Return a number without an error."""
    return Estimate(float(value), 0.0, 1, unit=unit)


def in_percent(share: float) -> Estimate:
    """Return an exact share in per cent."""
    return exact(100 * share)
