"""Means with their uncertainty, and the number of hands that it takes to decide a match.

A result is never a bare number: it is an `Estimate`, a mean with its standard error. The `Moments`
behind it can be merged, so a long match can be read piece by piece.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird.errors import BadInput
from railbird.estimates.distributions import student_p_value, student_t

if TYPE_CHECKING:
    from collections.abc import Iterable


# Levels and limits of the intervals, all of them chosen before any data are seen.


LEVEL = 0.95
"""Coverage of an interval: the share of samples whose interval contains the true mean."""

FEWEST = 20
"""Number of nonzero values below which a mean gets no interval.

From this number on, Student's t covers the mean winnings per hand 94 to 96 times in 100. With fewer
values, all of them are too often equal, and then the interval has no width. For example, two
variants of the baseline break even on most duplicate deals, and intervals from ten such deals cover
the mean only 85 times in 100. Zeros do not count, for the same reason: if two players differ in one
hand of eleven, intervals from 30 hands cover the mean only 75 times in 100.
(`tests/assessment/test_control_variates.py` repeats the measurement.)
"""

ALPHA = 0.05
"""Largest probability that a confidence sequence ever misses the true mean."""

TUNED_FOR = 10_000
"""Number of values at which a confidence sequence is narrowest relative to a fixed interval.

At this number it is 1.55 times as wide. The number has to be chosen before the data are seen, but
that costs little. At a tenth of it, the interval is a quarter wider than one tuned for that many
values; at ten times the number, it is a fourteenth wider.
"""

FIRST_LOOK = 500
"""Number of values below which a confidence sequence is infinitely wide.

It relies on the normal approximation and on an estimated variance, which need some values to
settle.
"""

PERMUTATIONS = 999
"""Permutations in a test for a change of the mean; p-values are multiples of a thousandth."""

LONG_SEQUENCE = 20_000
"""Length from which such a test uses the limiting distribution, if all values are independent."""

MOST_PERMUTED = 50_000_000
"""Most values moved in all permutations of a test. Longer sequences get fewer permutations, at
least 199."""


# Units in which the results of hands are counted.


class ResultUnit(StrEnum):
    """A unit of winnings; the value is its abbreviation in tables, keys and JSON.

    ``sb`` always means small bet; the small blind has no abbreviation.

    >>> f"0.05 {ResultUnit.SMALL_BETS} a hand", ResultUnit("bb").words
    ('0.05 sb a hand', 'big blinds')
    """

    SMALL_BETS = "sb"
    BIG_BLINDS = "bb"
    MILLI_BIG_BLINDS = "mbb"
    CHIPS = "chips"

    @property
    def words(self) -> str:
        """The plural in full."""
        return _WORDS[self]


_WORDS = {
    ResultUnit.SMALL_BETS: "small bets",
    ResultUnit.BIG_BLINDS: "big blinds",
    ResultUnit.MILLI_BIG_BLINDS: "thousandths of a big blind",
    ResultUnit.CHIPS: "chips",
}


# Means, and the number of hands that it takes to decide.


Z_95 = 1.959963984540054
"""Two-sided 95 % point of the normal distribution."""

Z_80 = 0.8416212335729143
"""One-sided 80 % point of the normal distribution."""


ROUNDING = 1e-12
"""Standard error over the mean below which values differ only by rounding."""


def finite_or_none(**numbers: float) -> dict[str, float | None]:
    """Replace infinities and nan, which JSON does not have, by None."""
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
    """The standard error; infinite for a single value, 0 if the mean is exact."""
    n: int
    """Number of values in the mean."""
    unit: str = ResultUnit.SMALL_BETS
    nonzero: int | None = None
    """Number of values other than zero; None if not counted."""

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """Return the confidence interval for the mean at this level, by Student's t.

        Both ends are infinite if fewer than `FEWEST` values are nonzero, or if all values are
        `alike`. An exact value has an interval of width zero.
        """
        # A value that nobody counted and that has no error is one that was computed, not measured.
        if self.nonzero is None and self.stderr == 0:
            return self.value, self.value
        if not self.enough or self.alike:
            return -math.inf, math.inf
        half = student_t(0.5 + level / 2, self.n - 1) * self.stderr
        return self.value - half, self.value + half

    @property
    def enough(self) -> bool:
        """Whether there are enough values for an interval."""
        return min(self.n, self._told) >= FEWEST

    @property
    def alike(self) -> bool:
        """Whether all values are equal, which says nothing about values to come."""
        return self.nonzero is not None and self.stderr <= ROUNDING * abs(self.value)

    @property
    def excludes_zero(self) -> bool:
        """Whether the 95 % interval has a width and excludes zero; the rule of every verdict."""
        return self.low < self.high and not self.low <= 0 <= self.high

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
        """Two-sided probability of a value at least this far from zero if the mean is zero.

        It is 1 if all values are `alike`.
        """
        if self.alike or self.n < 2 or math.isinf(self.stderr):
            return 1.0
        if not self.stderr > 0:
            return 1.0 if self.value == 0 else 0.0
        return student_p_value(self.value / self.stderr, self.n - 1)

    def as_json(self) -> dict[str, float | int | None]:
        """Return the numbers unrounded, None for those that are not finite.

        >>> Estimate(1.0, math.inf, 1).as_json()
        {'value': 1.0, 'stderr': None, 'low': None, 'high': None, 'n': 1}
        """
        low, high = self.interval()
        return {
            **finite_or_none(value=self.value, stderr=self.stderr, low=low, high=high),
            "n": self.n,
        }

    def __neg__(self) -> Estimate:
        """Return the other side's estimate in a zero-sum game."""
        return replace(self, value=-self.value)

    def __sub__(self, other: Estimate) -> Estimate:
        """Return the difference from an *independent* estimate, with the smaller ``n``.

        Two scores of the same hands are not independent; use `paired_difference` for them.
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
        if math.isfinite(low):
            return f"{self.value:.4f} ± {(high - low) / 2:.4f} {self.unit} (95 %, n = {self.n:,})"
        if self.enough:
            why = "all alike"
        else:
            why = f"fewer than {FEWEST}" + " other than 0" * (self.n >= FEWEST)
        return f"{self.value:.4f} {self.unit} (n = {self.n:,}; no interval: {why})"


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
    """Number of values other than zero; None if they were not counted."""

    @classmethod
    def of(cls, values: npt.ArrayLike) -> Moments:
        """Summarise values of any shape, ignoring nan."""
        x = np.asarray(values, dtype=np.float64).ravel()
        if (absent := np.isnan(x)).any():
            x = x[~absent]
        if not x.size:
            return cls(nonzero=0)
        # The deviations are summed after the mean is known: the difference of the sum of squares
        # and the squared sum would cancel where the mean is large beside them.
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
    3.0000 sb (n = 3; no interval: fewer than 20)
    """
    return Moments.of(values).estimate(unit)


def paired_difference(
    values: npt.ArrayLike, others: npt.ArrayLike, *, unit: str = ResultUnit.SMALL_BETS
) -> Estimate:
    """Estimate the mean difference of ``values`` and ``others``, two scores of the same hands.

    Variation that both have in common cancels, which it does not in a difference of two estimates.
    """
    return estimate(np.subtract(values, others), unit=unit)


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


DIFFERENCE: Final = 0.05
"""What a good player wins, in small bets or big blinds per hand: 5 per hundred hands."""


@checked
def hands_to_tell(difference: float, sd: float) -> int | None:
    """Return how many hands show a true difference in four matches out of five.

    It is the smallest n with ``difference >= (1.96 + 0.84) sd / sqrt(n)``. The 95 % interval then
    excludes zero with a probability of 80 %. The observed result does not enter, because it is
    large if luck was large. Returns None if ``sd`` is not finite. Raises `BadInput` if the
    difference is zero.

    >>> hands_to_tell(0.05, 6.0), hands_to_tell(0.05, 2.0)
    (113024, 12559)
    """
    if not 0 < difference < math.inf:
        raise BadInput(f"a difference of {difference:g}; allowed: more than 0")
    if not math.isfinite(sd):
        return None
    return math.ceil(((Z_95 + Z_80) * sd / difference) ** 2)


# Means per hand, from pieces of unequal length such as sessions that ended early.


def ratio(
    totals: npt.ArrayLike, sizes: npt.ArrayLike, *, unit: str = ResultUnit.SMALL_BETS
) -> Estimate:
    """Estimate the ratio of ``totals`` to ``sizes`` from independent pieces.

    It is the ratio of the sums. The standard error is that of a ratio estimator (Cochran, *Sampling
    Techniques*, 3rd ed., eq. 6.13), which goes by how far each piece's total is from what its size
    predicts. For pieces of equal size the result is the mean of their means. ``n`` is the number of
    pieces.

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
