"""Variation of a player's thresholds, learned from the hands that it shows. Beyond Papp 1998.

The source gives everybody the same spread and leaves learning it to future work. Each candidate
spread implies a likelihood of a shown hand, given its player's actions. Likelihoods multiply over
the shown hands and a prior centred on the usual spread; the estimate is the posterior mean of the
logarithm. Only hands that were not folded are shown; the estimate does not correct for this
selection.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from railbird.cards import Holding
from railbird.modelling.reweighting import Belief, Evidence, factors, visible

OCTAVES: NDArray[np.float64] = np.linspace(-2, 2, 9)
"""Candidate spreads, as the base-2 logarithm of their ratio to the usual one."""
PRIOR: NDArray[np.float64] = -(OCTAVES**2) / 2
"""Logarithm of the prior: most players are within a factor of two."""
STREETS = 2
"""Number of scales: income rate before the flop, EHS' from then on."""
_STEPS = 4
"""Estimates are rounded to this fraction of an octave, so that arrays can be shared."""


class ThresholdSpread:
    """One player's estimated spreads, from its shown hands."""

    def __init__(self, evidence: Sequence[Sequence[float]] | None = None) -> None:
        self._evidence = np.zeros((STREETS, len(OCTAVES)))
        if evidence is not None:
            self._evidence[:] = evidence

    @property
    def evidence(self) -> list[list[float]]:
        """Return log-likelihoods of the shown hands, by scale and candidate spread."""
        return self._evidence.tolist()

    def show(self, start: Belief, evidence: Evidence, holding: Holding) -> None:
        """Add a shown holding, given its action's evidence and the belief when its street began."""
        self._evidence[_kind(evidence)] += chances(start, evidence, holding)

    def of(self, *, postflop: bool) -> float:
        """Return the estimated spread, relative to the usual one; 1 before any shown hand.

        >>> ThresholdSpread().of(postflop=True)
        1.0
        """
        logs = self._evidence[int(postflop)]
        if not logs.any():
            return 1.0
        weight = np.exp(logs + PRIOR - np.max(logs + PRIOR))
        octaves = float((OCTAVES * weight).sum() / weight.sum())
        return float(2 ** (round(octaves * _STEPS) / _STEPS))


@lru_cache(maxsize=1 << 12)
def chances(start: Belief, evidence: Evidence, holding: Holding) -> NDArray[np.float64]:
    """Return the log-likelihood of a holding after an action's evidence, by candidate spread."""
    before = visible(start, evidence.board)
    logs = np.empty(len(OCTAVES))
    for i, octaves in enumerate(OCTAVES.tolist()):
        after = before * factors(replace(evidence, spread=2**octaves))
        logs[i] = np.log(after[holding] / after.sum())
    return logs


def _kind(evidence: Evidence) -> int:
    return int(bool(evidence.board))
