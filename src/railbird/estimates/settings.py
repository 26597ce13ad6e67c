"""Levels and limits of the intervals; none is read from the data."""

from __future__ import annotations

LEVEL = 0.95
"""How often an interval is to hold the mean."""

FEWEST = 20
"""Values other than zero below which a mean has no interval: there are too few to say.

Intervals by Student's t hold the mean of a hand's winnings 94 to 96 times in 100 from here on. With
fewer, the values are too often all alike, and the interval has no width: two of the baseline's
relatives break even on most duplicate deals, and ten such deals give intervals that hold the mean
85 times in 100. For the same reason zeros do not count: where the play of two differs in one hand
of eleven, 30 hands with three scores that are not zero hold it 75 times in 100.
"""

ALPHA = 0.05
"""How often at most a confidence sequence may miss the mean at any time."""

TUNED_FOR = 10_000
"""Number of values at which a confidence sequence is narrowest beside a fixed interval.

There it is 1.55 times as wide. The number has to be chosen before the data are seen, but that costs
little: at a tenth of it the interval is a quarter wider than one tuned for that, at ten times it a
fourteenth.
"""

FIRST_LOOK = 200
"""Values below which a sequence says nothing: it goes by the normal law and a variance, both of
which many values make true."""
