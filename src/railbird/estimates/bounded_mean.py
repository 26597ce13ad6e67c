"""Proportions and other means of bounded values, such as prize money.

Student's t ignores the bounds: after three lost tournaments it would say that the share of wins is
exactly zero. The intervals here are valid for any number of values.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Self

import numpy as np
import numpy.typing as npt

from railbird._arrays import Floats
from railbird._display import HasTable
from railbird.errors import BadInput
from railbird.estimates.distributions import (
    beta_quantile,
    half_line_integral,
    normal_quantile,
    root,
    student_t,
)
from railbird.estimates.estimate import LEVEL, Estimate, finite_or_none


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedMean(HasTable):
    """The mean of independent values between ``least`` and ``most``.

    The interval is Gaffke's ("Three test statistics for a nonparametric one-sided hypothesis on the
    mean of a nonnegative variable", Mathematical Methods of Statistics 14, 2005; Learned-Miller and
    Thomas, arXiv:1905.06208). One more value at the bound is added to the sample, and the weighted
    mean is considered under weights that are uniform on the simplex. For proportions this is
    exactly the Clopper-Pearson interval. Its coverage is proved for proportions and conjectured for
    the rest.

    >>> wins = BoundedMean.of([0, 0, 0], least=0, most=1, unit="wins")
    >>> print(*(round(end, 4) for end in wins.interval()))
    0.0 0.7076
    """

    levels: tuple[float, ...]
    """The distinct values, ascending."""
    counts: tuple[int, ...]
    """Count of each value."""
    least: float
    most: float
    unit: str

    @classmethod
    def of(cls, values: npt.ArrayLike, *, least: float, most: float, unit: str) -> BoundedMean:
        """Summarise values. Raises `BadInput` if a value is out of bounds."""
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
        """Return the confidence interval for the mean at a level."""
        if not self.n:
            return self.least, self.most
        tail = (1 - level) / 2
        # The value that is added stands at the end towards which the interval is closed off: the
        # worst that one more value could do.
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
        return {
            **finite_or_none(value=self.value, stderr=self.stderr, low=low, high=high),
            "n": self.n,
        }


def _weighted_quantile(
    probability: float, levels: tuple[float, ...], counts: tuple[int, ...]
) -> float:
    """Return a quantile of the mean of ``levels`` under Dirichlet weights (``counts``)."""
    x, inverse = np.unique(levels, return_inverse=True)
    k = np.bincount(inverse, counts)
    if x.size == 1:
        return float(x[0])
    # Prizes and profits differ only by the entry fee. Rescaled, they share one cache entry.
    scaled = np.round((x - x[0]) / (x[-1] - x[0]), 12)
    return float(x[0] + (x[-1] - x[0]) * _scaled_quantile(probability, tuple(scaled), tuple(k)))


@lru_cache(maxsize=1024)
def _scaled_quantile(
    probability: float, levels: tuple[float, ...], counts: tuple[float, ...]
) -> float:
    """Return the quantile of `_weighted_quantile` for distinct levels from 0 to 1."""
    # With two values the weighted mean is a beta variable, whose quantile is cheaper and exact.
    if len(levels) == 2:
        return beta_quantile(counts[1], counts[0], probability)
    x, k = np.array(levels), np.array(counts)

    total = float(k.sum())
    centre = float(np.dot(k, x)) / total
    sd = math.sqrt(float(np.dot(k, np.square(x - centre))) / (total + 1) / total)

    def excess(mean: float) -> float:
        return _below(mean, x, k) - probability

    # Far from the centre the integrand oscillates fast, so the bracket is widened step by step.
    low = high = centre
    while excess(low) > 0:
        low = max(low - 2 * sd, 0.0)
    while excess(high) < 0:
        high = min(high + 2 * sd, 1.0)
    return root(excess, low, high, tolerance=1e-5 * sd)


def _below(mean: float, x: npt.NDArray[np.float64], k: npt.NDArray[np.float64]) -> float:
    """Return the probability that the weighted mean is below ``mean``.

    Dirichlet weights are gamma variables divided by their sum. So this is the probability that the
    gamma variables, each multiplied by its ``x - mean``, sum to less than zero. Imhof's integral
    gives it ("Computing the distribution of quadratic forms in normal variables", Biometrika 48,
    1961, eq. 3.2).
    """
    if not 0 < mean < 1:
        return float(mean >= 1)
    # Scaled to length 1, so that the integrand falls off at the same place whatever the values are.
    # The sign of the sum does not depend on the scale.
    slopes = (x - mean) / math.sqrt(float(np.dot(k, np.square(x - mean))))

    def integrand(u: Floats) -> Floats:
        turns = np.multiply.outer(u, slopes)
        fall = np.log1p(np.square(turns)) @ k / 2
        oscillating: Floats = np.sin(np.arctan(turns) @ k) / u * np.exp(-fall)
        return oscillating

    return 0.5 - half_line_integral(integrand) / math.pi


# Proportions with Wilson's interval, also for trials that come in dependent clusters.


@dataclass(frozen=True, slots=True)
class Proportion(Estimate):
    """A share of trials.

    The interval is Wilson's ("Probable inference, the law of succession, and statistical
    inference", JASA 22, 1927). It stays within 0 and 1, and has a width even if all trials or none
    succeed. Dependent trials count as the number of independent trials that would have the same
    standard error.

    >>> wins = Proportion.of_trials([1, 1, 1, 1, 1, 1, 1, 1, 1, 0])
    >>> " to ".join(f"{end:.4f}" for end in wins.interval())
    '0.5958 to 0.9821'
    """

    trials: float = 0.0
    """Number of independent trials with the same standard error."""

    @classmethod
    def of_trials(cls, successes: npt.ArrayLike, *, unit: str = "share") -> Proportion:
        """Average trials of 0 and 1, (trials,), or (clusters, trials) if clusters are dependent.

        Within a cluster, players may learn from trial to trial. Clusters must be independent.
        """
        values = np.asarray(successes, np.float64)
        n, share = values.size, float(values.mean()) if values.size else math.nan
        binomial = share * (1 - share) / n if n else math.inf
        worth = float(n)
        if values.ndim == 2 and len(values) > 1 and binomial > 0:
            variance = float(values.mean(axis=1).var(ddof=1)) / len(values)
            # Clustered trials may count as fewer independent ones, never as more: that clusters
            # happen to vary less than chance would let them is chance too.
            worth = n / max(1.0, variance / binomial)
        stderr = math.sqrt(share * (1 - share) / worth) if n else math.inf
        return cls(share, stderr, n, unit, None, worth)

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """Return Wilson's interval at a level."""
        if not self.trials:
            return 0.0, 1.0
        squared = normal_quantile(0.5 + level / 2) ** 2
        centre = (self.value + squared / (2 * self.trials)) / (1 + squared / self.trials)
        variance = self.value * (1 - self.value) / self.trials + squared / (4 * self.trials**2)
        half = math.sqrt(squared * variance) / (1 + squared / self.trials)
        return max(0.0, centre - half), min(1.0, centre + half)


# Means of skewed quantities, such as the cost of rare but expensive mistakes.


_LOSS = (0.0, math.inf)


@dataclass(frozen=True, slots=True, kw_only=True)
class SkewedEstimate(Estimate):
    """A mean whose interval reaches farther on the side of the long tail.

    Student's t assumes that the mean is distributed symmetrically. If values are zero four times in
    five and sometimes large, it is not: from 50 such values, t's interval covers the mean only 80
    times in 100. So Hall's cubic transformation is applied to the studentised mean first ("On the
    removal of skewness by transformation", Journal of the Royal Statistical Society B 54, 1992).
    """

    skewness: float
    """Skewness of the estimate: that of the values, over the square root of their number."""
    bounds: tuple[float, float] = (-math.inf, math.inf)
    """Bounds of the quantity; a loss, for example, is at least zero."""

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """Return the confidence interval for the mean at a level."""
        if not self.enough:
            return -math.inf, math.inf
        reach = student_t(0.5 + level / 2, self.n - 1)
        # The studentised mean has the true mean with a minus sign, so its upper quantile gives the
        # lower end.
        low = self.value - self.stderr * self._transformed(reach)
        high = self.value - self.stderr * self._transformed(-reach)
        return max(low, self.bounds[0]), min(high, self.bounds[1])

    def __neg__(self) -> Self:
        """Return the other side's estimate in a zero-sum game."""
        return self.scaled(-1.0)

    def scaled(self, factor: float, shift: float = 0.0) -> Self:
        """Return the estimate of ``factor`` times the quantity plus ``shift``."""
        low, high = sorted(factor * bound + shift for bound in self.bounds)
        return replace(
            self,
            value=factor * self.value + shift,
            stderr=abs(factor) * self.stderr,
            skewness=self.skewness if factor > 0 else -self.skewness,
            bounds=(low, high),
        )

    def _transformed(self, reach: float) -> float:
        skew = self.skewness
        if abs(skew) < 1e-9:
            return reach
        return 3 / skew * (math.cbrt(1 + skew * (reach - skew / 6)) - 1)


def skewed(
    values: npt.ArrayLike, counts: npt.ArrayLike, *, unknown: float, unit: str
) -> SkewedEstimate:
    """Average non-negative ``values``, most of them zero, that occurred ``counts`` times each.

    A short sample may lack the rare nonzero values, and a sample without any would look exact. So
    one extra value counts in the variance and the skewness, but not in the mean: the average of
    the nonzero values, or ``unknown`` if there are none.
    """
    x, times = np.asarray(values, dtype=np.float64), np.asarray(counts, dtype=np.int64)
    n = int(times.sum())
    if n < 2:
        value = float(x @ times) if n else math.nan
        return SkewedEstimate(
            value=value,
            stderr=math.inf,
            n=n,
            unit=unit,
            nonzero=int(times[x != 0].sum()),
            skewness=0.0,
            bounds=_LOSS,
        )
    mean = float(x @ times) / n
    others = int(times[x != 0].sum())
    extra = mean * n / others if others else unknown
    second = float(np.square(x - mean) @ times) + extra**2
    third = float((x - mean) ** 3 @ times) + extra**3
    deviation = math.sqrt(second / (n - 1))
    return SkewedEstimate(
        value=mean,
        stderr=deviation / math.sqrt(n),
        n=n,
        unit=unit,
        nonzero=others,
        skewness=third / (n * deviation**3 * math.sqrt(n)) if deviation else 0.0,
        bounds=_LOSS,
    )


def mean_of(estimates: Iterable[SkewedEstimate]) -> SkewedEstimate:
    """Average independent estimates; variances and third cumulants add.

    The result has enough values for an interval if each estimate has.
    """
    averaged = list(estimates)
    stderr = math.sqrt(sum(estimate.stderr**2 for estimate in averaged))
    third = sum(
        estimate.skewness * estimate.stderr**3 for estimate in averaged if estimate.skewness
    )
    return SkewedEstimate(
        value=sum(estimate.value for estimate in averaged) / len(averaged),
        stderr=stderr / len(averaged),
        n=sum(estimate.n for estimate in averaged),
        unit=averaged[0].unit,
        nonzero=min(
            estimate.n if estimate.nonzero is None else estimate.nonzero for estimate in averaged
        ),
        skewness=third / stderr**3 if stderr else 0.0,
        bounds=(
            sum(estimate.bounds[0] for estimate in averaged) / len(averaged),
            sum(estimate.bounds[1] for estimate in averaged) / len(averaged),
        ),
    )
