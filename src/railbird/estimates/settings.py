"""Levels and limits of the intervals, all chosen before any data are seen."""

from __future__ import annotations

LEVEL = 0.95
"""Coverage of an interval: the share of samples whose interval contains the mean."""

FEWEST = 20
"""Number of nonzero values below which a mean gets no interval.

From here on Student's t covers the mean winnings of a hand 94 to 96 times in 100. Fewer values are
too often all equal, and the interval has no width: two variants of the baseline break even on most
duplicate deals, and intervals from ten such deals cover the mean 85 times in 100. Zeros do not
count for the same reason: if two players differ in one hand of eleven, intervals from 30 hands
cover it 75 times in 100. (`tests/assessment/test_coverage.py` repeats the measurement.)
"""

ALPHA = 0.05
"""Largest probability that a confidence sequence ever misses the mean."""

TUNED_FOR = 10_000
"""Number of values at which a confidence sequence is narrowest relative to a fixed interval.

There it is 1.55 times as wide. The number must be chosen before the data are seen, but that costs
little: at a tenth of it the interval is a quarter wider than one tuned for that, at ten times it a
fourteenth.
"""

FIRST_LOOK = 500
"""Number of values below which a confidence sequence is infinitely wide.

It relies on the normal approximation and an estimated variance, which need some values to settle.
"""

PERMUTATIONS = 999
"""Permutations behind a test for a change of the mean: p-values are multiples of a thousandth."""

LONG_SEQUENCE = 20_000
"""Length beyond which such a test takes its limit's distribution, if all values are independent."""

MOST_PERMUTED = 50_000_000
"""Values moved in all permutations of a test; longer sequences get fewer of them, at least 199."""
