"""Proportions with Wilson's interval, also of trials that come in dependent clusters."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from railbird.estimates.estimate import Estimate
from railbird.estimates.settings import LEVEL


@dataclass(frozen=True, slots=True)
class Proportion(Estimate):
    """A share of trials.

    The interval is Wilson's ("Probable inference, the law of succession, and statistical
    inference", JASA 22, 1927), which keeps within 0 and 1 and has a width even if all or none of
    the trials succeed. With dependent trials it has as many trials as independent ones would have
    the same standard error.

    >>> wins = Proportion.of_trials([1, 1, 1, 1, 1, 1, 1, 1, 1, 0])
    >>> " to ".join(f"{end:.4f}" for end in wins.interval())
    '0.5958 to 0.9821'
    """

    trials: float = 0.0
    """Number of independent trials that the trials are worth."""

    @classmethod
    def of_trials(cls, successes: npt.ArrayLike, *, unit: str = "share") -> Proportion:
        """Average trials of 0 and 1, (trials,), or (clusters, trials) if clusters are dependent.

        A cluster may contain what players learn from trial to trial; clusters are independent.
        """
        values = np.asarray(successes, np.float64)
        n, share = values.size, float(values.mean()) if values.size else math.nan
        binomial = share * (1 - share) / n if n else math.inf
        worth = float(n)
        if values.ndim == 2 and len(values) > 1 and binomial > 0:
            variance = float(values.mean(axis=1).var(ddof=1)) / len(values)
            worth = n / max(1.0, variance / binomial)
        stderr = math.sqrt(share * (1 - share) / worth) if n else math.inf
        return cls(share, stderr, n, unit, None, worth)

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """Return Wilson's interval at this level."""
        from scipy.special import ndtri

        if not self.trials:
            return 0.0, 1.0
        squared = float(ndtri(0.5 + level / 2)) ** 2
        centre = (self.value + squared / (2 * self.trials)) / (1 + squared / self.trials)
        variance = self.value * (1 - self.value) / self.trials + squared / (4 * self.trials**2)
        half = math.sqrt(squared * variance) / (1 + squared / self.trials)
        return max(0.0, centre - half), min(1.0, centre + half)
