"""Confidence sequences of bounded values, which hold exactly: no approximation for large samples.

They are wider than the asymptotic ones of `confidence_sequences`, by much if the bound is far from
what the values usually are. So they are a certificate for what has been found, not a rule by which
to stop.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from railbird.errors import BadInput
from railbird.estimates.confidence_sequences import AnytimeInterval
from railbird.estimates.result_units import ResultUnit
from railbird.estimates.settings import ALPHA

Floats = npt.NDArray[np.float64]

_LARGEST_BET = 0.5


class Path(NamedTuple):
    """Intervals after each value, along the last axis."""

    centre: Floats
    half_width: Floats


def bounded_path(values: npt.ArrayLike, *, bound: float, alpha: float = ALPHA) -> Path:
    """Return a confidence sequence for the mean of independent values in [-bound, bound].

    It is the predictable plug-in empirical Bernstein sequence of Waudby-Smith and Ramdas,
    "Estimating means of bounded random variables by betting" (Journal of the Royal Statistical
    Society B 86, 2024; arXiv:2010.09686, theorem 2). The last axis is time; others are other
    sequences. Raises `BadInput` for a value beyond the bound.
    """
    given = np.asarray(values, dtype=np.float64)
    if not (bound > 0 and np.all(np.abs(given) <= bound)):
        worst = np.max(np.abs(given), initial=0.0)
        raise BadInput(f"values up to {worst:g}; allowed: up to the bound, {bound:g}")
    x = (given + bound) / (2 * bound)
    time = np.arange(1, x.shape[-1] + 1)
    mean = (0.5 + np.cumsum(x, axis=-1)) / (time + 1)
    variance = (0.25 + np.cumsum(np.square(x - mean), axis=-1)) / (time + 1)
    # What is bet on a value may depend on those before it alone.
    mean_before = np.concatenate([np.full((*x.shape[:-1], 1), 0.5), mean[..., :-1]], axis=-1)
    variance_before = np.concatenate(
        [np.full((*x.shape[:-1], 1), 0.25), variance[..., :-1]], axis=-1
    )
    log = math.log(2 / alpha)
    bets = np.sqrt(2 * log / (variance_before * time * np.log1p(time)))
    bets = np.minimum(bets, _LARGEST_BET)
    cost = np.square(x - mean_before) * (-np.log1p(-bets) - bets)
    total = np.cumsum(bets, axis=-1)
    centre = np.cumsum(bets * x, axis=-1) / total
    half_width = (log + np.cumsum(cost, axis=-1)) / total
    return Path(bound * (2 * centre - 1), np.minimum(2 * bound * half_width, 2 * bound))


def bounded_sequence(
    values: npt.ArrayLike,
    *,
    bound: float,
    alpha: float = ALPHA,
    unit: str = ResultUnit.SMALL_BETS,
) -> AnytimeInterval:
    """Return the interval after the last value; see `bounded_path`. The order matters.

    >>> won = np.tile([2.0, -1.0, -0.5], 3000)
    >>> print(bounded_sequence(won, bound=24))
    0.1667, 0.1109 to 0.2225 sb (95 % at any time, n = 9,000)
    """
    given = np.asarray(values, dtype=np.float64)
    if not given.size:
        return AnytimeInterval(value=math.nan, half_width=math.inf, n=0, unit=unit, alpha=alpha)
    path = bounded_path(given, bound=bound, alpha=alpha)
    return AnytimeInterval(
        value=float(path.centre[-1]),
        half_width=float(path.half_width[-1]),
        n=given.size,
        unit=unit,
        alpha=alpha,
    )
