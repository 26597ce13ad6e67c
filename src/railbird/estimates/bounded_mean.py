"""Proportions and other means of bounded values, such as prize money.

Student's t ignores bounds: after three lost tournaments it would put the share of wins at exactly
zero. The intervals here are valid for any number of values.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from railbird.errors import BadInput
from railbird.estimates.estimate import finite
from railbird.estimates.settings import LEVEL


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedMean:
    """Mean of independent values between ``least`` and ``most``.

    Its interval is that of Gaffke ("Three test statistics for a nonparametric one-sided hypothesis
    on the mean of a nonnegative variable", Mathematical Methods of Statistics 14, 2005; Learned-
    Miller and Thomas, arXiv:1905.06208): the mean of the sample with one more value at the bound,
    under weights that are uniform on the simplex. For proportions it is exactly the interval of
    Clopper and Pearson. Its coverage is proved for proportions and conjectured for the rest.

    >>> wins = BoundedMean.of([0, 0, 0], least=0, most=1, unit="wins")
    >>> print(*(round(end, 4) for end in wins.interval()))
    0.0 0.7076
    """

    levels: tuple[float, ...]
    """Distinct values, in ascending order."""
    counts: tuple[int, ...]
    """Count of each value."""
    least: float
    most: float
    unit: str

    @classmethod
    def of(cls, values: npt.ArrayLike, *, least: float, most: float, unit: str) -> BoundedMean:
        """Summarise values. Raises `BadInput` if one is out of bounds."""
        levels, counts = np.unique(np.asarray(values, np.float64), return_counts=True)
        seen = dict(zip(levels.tolist(), counts.tolist(), strict=True))
        return cls.of_counts(seen, least=least, most=most, unit=unit)

    @classmethod
    def of_counts(
        cls, counts: Mapping[float, int], *, least: float, most: float, unit: str
    ) -> BoundedMean:
        """Summarise values given with their counts.

        Raises `BadInput` if one is out of bounds.
        """
        levels = sorted(level for level, count in counts.items() if count)
        if levels and not least <= levels[0] <= levels[-1] <= most:
            words = f"values {levels[0]:g} to {levels[-1]:g}"
            raise BadInput(f"{words}; allowed: {least:g} to {most:g}")
        return cls(
            levels=tuple(levels),
            counts=tuple(counts[level] for level in levels),
            least=float(least),
            most=float(most),
            unit=unit,
        )

    @property
    def n(self) -> int:
        """Number of values."""
        return sum(self.counts)

    @property
    def value(self) -> float:
        """The mean; nan without values."""
        return float(np.dot(self.levels, self.counts)) / self.n if self.n else math.nan

    @property
    def stderr(self) -> float:
        """Standard error; infinite below two values."""
        if self.n < 2:
            return math.inf
        squares = np.dot(np.square(np.subtract(self.levels, self.value)), self.counts)
        return math.sqrt(float(squares) / (self.n - 1) / self.n)

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """Return the confidence interval for the mean at this level."""
        if not self.n:
            return self.least, self.most
        tail = (1 - level) / 2
        low = _weighted_quantile(tail, (self.least, *self.levels), (1, *self.counts))
        high = _weighted_quantile(1 - tail, (*self.levels, self.most), (*self.counts, 1))
        return low, high

    @property
    def low(self) -> float:
        """Lower end of the 95 % interval."""
        return self.interval()[0]

    @property
    def high(self) -> float:
        """Upper end of the 95 % interval."""
        return self.interval()[1]

    def as_json(self) -> dict[str, float | int | None]:
        """Return the numbers unrounded, None for those that are not finite."""
        low, high = self.interval()
        return {**finite(value=self.value, stderr=self.stderr, low=low, high=high), "n": self.n}


def _weighted_quantile(
    probability: float, levels: tuple[float, ...], counts: tuple[int, ...]
) -> float:
    """Return a quantile of the mean of ``levels`` under Dirichlet weights (``counts``)."""
    x, inverse = np.unique(levels, return_inverse=True)
    k = np.bincount(inverse, counts)
    if x.size == 1:
        return float(x[0])
    # Prizes and profits differ only by the entry fee: rescaled, they share the cache.
    scaled = np.round((x - x[0]) / (x[-1] - x[0]), 12)
    return float(x[0] + (x[-1] - x[0]) * _scaled_quantile(probability, tuple(scaled), tuple(k)))


@lru_cache(maxsize=1024)
def _scaled_quantile(
    probability: float, levels: tuple[float, ...], counts: tuple[float, ...]
) -> float:
    """Return a quantile as `_weighted_quantile` does, for distinct levels from 0 to 1."""
    if len(levels) == 2:
        from scipy.special import betaincinv

        return float(betaincinv(counts[1], counts[0], probability))
    from scipy.optimize import brentq

    x, k = np.array(levels), np.array(counts)

    total = float(k.sum())
    centre = float(np.dot(k, x)) / total
    sd = math.sqrt(float(np.dot(k, np.square(x - centre))) / (total + 1) / total)

    def excess(mean: float) -> float:
        return _below(mean, x, k) - probability

    # Far from the centre the integrand oscillates too fast for quadrature, so widen step by step.
    low = high = centre
    while excess(low) > 0:
        low = max(low - 2 * sd, 0.0)
    while excess(high) < 0:
        high = min(high + 2 * sd, 1.0)
    return float(brentq(excess, low, high, xtol=1e-5 * sd))


def _below(mean: float, x: npt.NDArray[np.float64], k: npt.NDArray[np.float64]) -> float:
    """Return the probability that the weighted mean is below ``mean``.

    The weights are gamma variables divided by their sum, so this is the probability that the gamma
    variables, each times its ``x - mean``, sum to less than zero: Imhof's integral ("Computing the
    distribution of quadratic forms in normal variables", Biometrika 48, 1961, eq. 3.2).
    """
    from scipy.integrate import quad

    if not 0 < mean < 1:
        return float(mean >= 1)
    slopes = (x - mean) / math.sqrt(float(np.dot(k, np.square(x - mean))))

    def integrand(u: float) -> float:
        angle = float(np.dot(k, np.arctan(slopes * u)))
        fall = float(np.dot(k, np.log1p(np.square(slopes * u)))) / 2
        return math.sin(angle) / u * math.exp(-fall)

    integral, _ = quad(integrand, 0, math.inf, limit=200, epsabs=1e-9)
    return 0.5 - integral / math.pi
