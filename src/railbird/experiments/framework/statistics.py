"""Estimates of spreads, with standard errors by the delta method.

To first order, the error of a statistic is the mean of its influence function over the sample, so
its standard error follows from the variance of the influences. This assumes nothing about tails and
accounts for the correlation of two scores of the same hands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from railbird.estimates import Estimate, Moments
from railbird.estimates.estimate import estimate

if TYPE_CHECKING:
    import polars as pl

Floats = npt.NDArray[np.float64]


def money_and_divat(scores: pl.DataFrame) -> tuple[Floats, Floats]:
    """Return the two amounts in a table of hands."""
    return scores["money"].to_numpy(), scores["divat"].to_numpy()


def sd(values: Floats) -> Estimate:
    """Estimate the standard deviation of one value.

    >>> print(sd(np.array([-1.0, 1.0, -1.0, 1.0] * 250)))
    1.0005 ± 0.0000 sb (95 %, n = 1,000)
    """
    return Estimate(Moments.of(values).sd, _stderr(_sd_influence(values)), len(values))


def sd_change(values: Floats, others: Floats) -> Estimate:
    """Estimate the sd of ``values`` less that of ``others``, two scores of the same hands."""
    influence = _sd_influence(values) - _sd_influence(others)
    change = Moments.of(values).sd - Moments.of(others).sd
    return Estimate(change, _stderr(influence), len(values))


def reduction(reference: Floats, reduced: Floats) -> Estimate:
    """Estimate the variance of ``reference`` over that of ``reduced``, scores of the same hands."""
    ratio = Moments.of(reference).variance / Moments.of(reduced).variance
    influence = _relative_square(reference) - _relative_square(reduced)
    return Estimate(ratio, ratio * _stderr(influence), len(reduced), unit="times")


def _sd_influence(values: Floats) -> Floats:
    spread = Moments.of(values).sd
    influence: Floats = _relative_square(values) * spread / 2
    return influence


def _relative_square(values: Floats) -> Floats:
    """Return squared deviations over their mean; 0 if nothing varies."""
    squares = np.square(values - values.mean())
    mean = squares.mean()
    relative: Floats = squares / mean if mean else squares
    return relative


def _stderr(influence: Floats) -> float:
    return estimate(influence).stderr
