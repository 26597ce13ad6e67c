"""Means with their uncertainty, and the number of hands that decides a match.

A result is never a bare number: it is an `Estimate`, a mean with its standard error. The `Moments`
behind it can be merged, so a long match can be read piece by piece.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from railbird._arguments import checked
from railbird.errors import BadInput
from railbird.estimates.result_units import ResultUnit
from railbird.estimates.settings import FEWEST, LEVEL

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

Z_95 = 1.959963984540054
"""Two-sided 95 % point of the normal distribution."""


def finite(**numbers: float) -> dict[str, float | None]:
    """Replace infinities and nan, which JSON lacks, by None."""
    return {name: x if math.isfinite(x) else None for name, x in numbers.items()}


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its standard error.

    >>> bankroll = Estimate(0.0482, 0.0666, 7000)
    >>> print(bankroll)
    0.0482 ± 0.1306 sb (95 %, n = 7,000)
    """

    value: float
    stderr: float
    """Standard error; infinite for a single value, 0 if exact."""
    n: int
    """Number of values averaged."""
    unit: str = ResultUnit.SMALL_BETS
    nonzero: int | None = None
    """Number of values other than zero; None if not counted."""

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """Return the confidence interval for the mean at this level, by Student's t.

        Both ends are infinite if fewer than `FEWEST` values are nonzero. An exact value has an
        interval of zero width.
        """
        if self.nonzero is None and self.stderr == 0:
            return self.value, self.value
        if not self.enough:
            return -math.inf, math.inf
        half = student_t(0.5 + level / 2, self.n - 1) * self.stderr
        return self.value - half, self.value + half

    @property
    def enough(self) -> bool:
        """True if there are enough values for an interval."""
        return min(self.n, self._told) >= FEWEST

    @property
    def low(self) -> float:
        """Lower end of the 95 % interval."""
        return self.interval()[0]

    @property
    def high(self) -> float:
        """Upper end of the 95 % interval."""
        return self.interval()[1]

    @property
    def p_value(self) -> float:
        """Two-sided probability of a value at least this far from zero if the mean is zero."""
        if not self.stderr > 0:
            return 1.0 if self.value == 0 else 0.0
        if self.n < 2 or math.isinf(self.stderr):
            return 1.0
        from scipy.special import stdtr

        return float(2 * stdtr(self.n - 1, -abs(self.value) / self.stderr))

    def as_json(self) -> dict[str, float | int | None]:
        """Return the numbers unrounded, None for those that are not finite.

        >>> Estimate(1.0, math.inf, 1).as_json()
        {'value': 1.0, 'stderr': None, 'low': None, 'high': None, 'n': 1}
        """
        low, high = self.interval()
        return {**finite(value=self.value, stderr=self.stderr, low=low, high=high), "n": self.n}

    def __neg__(self) -> Estimate:
        """Return the other side's estimate in a zero-sum game."""
        return replace(self, value=-self.value)

    def __sub__(self, other: Estimate) -> Estimate:
        """Return the difference from an *independent* estimate; ``n`` is the smaller one.

        For two scores of the same hands use `paired_difference` instead.
        """
        if self.unit != other.unit:
            raise BadInput(f"a difference of {self.unit} and {other.unit}; allowed: the same unit")
        return Estimate(
            self.value - other.value,
            math.hypot(self.stderr, other.stderr),
            min(self.n, other.n),
            self.unit,
            None if self.nonzero is other.nonzero is None else min(self._told, other._told),
        )

    @property
    def _told(self) -> int:
        return self.n if self.nonzero is None else self.nonzero

    def __str__(self) -> str:
        low, high = self.interval()
        within = f"± {(high - low) / 2:.4f}" if math.isfinite(low) else "± ?"
        return f"{self.value:.4f} {within} {self.unit} (95 %, n = {self.n:,})"


@dataclass(frozen=True, slots=True)
class Moments:
    """Count, mean and sum of squared deviations of a sample.

    >>> first, rest = Moments.of(np.array([1.0, 2.0])), Moments.of(np.array([6.0]))
    >>> (first + rest).mean, (first + rest).variance
    (3.0, 7.0)
    """

    n: int = 0
    mean: float = 0.0
    deviations: float = 0.0
    """Sum of the squared deviations from the mean."""
    nonzero: int | None = None
    """Number of values other than zero; None where they were not counted."""

    @classmethod
    def of(cls, values: npt.ArrayLike) -> Moments:
        """Summarise values of any shape, ignoring nan."""
        x = np.asarray(values, dtype=np.float64).ravel()
        if (absent := np.isnan(x)).any():
            x = x[~absent]
        if not x.size:
            return cls(nonzero=0)
        mean = float(x.mean())
        nonzero = int(np.count_nonzero(x))
        return cls(int(x.size), mean, float(np.square(x - mean).sum()), nonzero)

    @classmethod
    def sum(cls, parts: Iterable[Moments]) -> Moments:
        """Merge any number of parts."""
        total = cls()
        for part in parts:
            total += part
        return total

    def __add__(self, other: Moments) -> Moments:
        """Merge two samples (Chan, Golub, LeVeque 1979)."""
        n = self.n + other.n
        if not (self.n and other.n):
            return self if self.n else other
        step = other.mean - self.mean
        counts = (self.nonzero, other.nonzero)
        return Moments(
            n,
            self.mean + step * other.n / n,
            self.deviations + other.deviations + step * step * self.n * other.n / n,
            None if None in counts else sum(count or 0 for count in counts),
        )

    @property
    def variance(self) -> float:
        """Unbiased variance of one value; nan below two values."""
        return self.deviations / (self.n - 1) if self.n > 1 else math.nan

    @property
    def sd(self) -> float:
        """Standard deviation of one value; nan below two values."""
        return math.sqrt(self.variance)

    def estimate(self, unit: str = ResultUnit.SMALL_BETS) -> Estimate:
        """Return the mean with its standard error."""
        if self.n == 0:
            return Estimate(math.nan, math.inf, 0, unit)
        stderr = self.sd / math.sqrt(self.n) if self.n > 1 else math.inf
        return Estimate(self.mean, stderr, self.n, unit, self.nonzero)


def estimate(values: npt.ArrayLike, *, unit: str = ResultUnit.SMALL_BETS) -> Estimate:
    """Average independent values, ignoring nan.

    >>> print(estimate([1.0, 2.0, 6.0] * 10))
    3.0000 ± 0.8204 sb (95 %, n = 30)
    >>> print(estimate([1.0, 2.0, 6.0]))
    3.0000 ± ? sb (95 %, n = 3)
    """
    return Moments.of(values).estimate(unit)


def paired_difference(
    values: npt.ArrayLike, others: npt.ArrayLike, *, unit: str = ResultUnit.SMALL_BETS
) -> Estimate:
    """Estimate the mean of ``values`` less that of ``others``, two scores of the same hands.

    What the two have in common cancels, unlike in the difference of two estimates.
    """
    return estimate(np.subtract(values, others), unit=unit)


@lru_cache(maxsize=1024)
def student_t(probability: float, freedom: int) -> float:
    """Return a quantile of Student's t distribution.

    >>> round(student_t(0.975, 4), 4), round(student_t(0.975, 10**6), 4)
    (2.7764, 1.96)
    """
    # Imported here because it takes a quarter of a second, and most commands do not need it.
    from scipy.special import stdtrit

    return float(stdtrit(freedom, probability))


@checked
def variance_reduction(reference: Moments, reduced: Moments) -> float:
    """Return the factor by which ``reduced`` needs fewer hands than ``reference``.

    It is the ratio of the variances: infinite if ``reduced`` does not vary, nan if neither does.

    >>> money, divat = Moments(2, 0.0, 6.856**2), Moments(2, 0.0, 2.934**2)
    >>> round(variance_reduction(money, divat), 2)
    5.46
    """
    if reduced.variance == 0:
        return math.nan if reference.variance == 0 else math.inf
    return reference.variance / reduced.variance


@checked
def hands_to_decide(mean: float, sd: float) -> int | None:
    """Return the smallest number of hands at which a mean's 95 % interval excludes zero.

    That is the smallest n with ``|mean| > 1.96 sd / sqrt(n)``, with mean and standard deviation per
    hand. None if no number suffices: the mean is zero, or either is not finite.

    >>> hands_to_decide(0.05, 6.0), hands_to_decide(0.05, 2.0), hands_to_decide(0.0, 2.0)
    (55318, 6147, None)
    """
    if mean == 0 or not (math.isfinite(mean) and math.isfinite(sd)):
        return None
    return math.floor((Z_95 * sd / mean) ** 2) + 1
