"""Means per hand from pieces of unequal length, such as sessions that ended early."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from railbird.estimates.estimate import Estimate
from railbird.estimates.result_units import ResultUnit


def ratio(
    totals: npt.ArrayLike, sizes: npt.ArrayLike, *, unit: str = ResultUnit.SMALL_BETS
) -> Estimate:
    """Estimate the ratio of ``totals`` to ``sizes`` from independent pieces.

    It is the ratio of the sums; its standard error is that of a ratio estimator (Cochran, *Sampling
    Techniques*, 3rd ed., eq. 6.13), from how far each piece's total is from the one that its size
    predicts. Pieces of equal size give the mean of their means. ``n`` is the number of pieces.

    >>> print(ratio([10, 40, 60] * 10, [10, 20, 30] * 10))
    1.8333 ± 0.1126 sb (95 %, n = 30)
    """
    total, size = np.asarray(totals, np.float64), np.asarray(sizes, np.float64)
    n = int(np.count_nonzero(size))
    if not n:
        return Estimate(math.nan, math.inf, 0, unit)
    value = float(total.sum() / size.sum())
    if n == 1:
        return Estimate(value, math.inf, 1, unit, int(np.count_nonzero(total)))
    residuals = float(np.square(total - value * size).sum())
    stderr = math.sqrt(n * residuals / (n - 1)) / float(size.sum())
    return Estimate(value, stderr, n, unit, int(np.count_nonzero(total)))
