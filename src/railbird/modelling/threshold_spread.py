"""How far a player's thresholds vary, learned from the hands that it shows. Beyond Papp 1998.

The source gives everybody the same spread and names the learning of it as future work. A shown hand
lies somewhere on the scales of the actions that its player took, and each spread would have given
it some chance. The chances multiply over the hands shown, and over a prior about the usual spread;
the estimate is the mean of the logarithms that this leaves. Hands shown are those that were not
folded, a choice that the estimate does not make good.
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
"""Of the spreads that are tried, over the usual one."""
PRIOR: NDArray[np.float64] = -(OCTAVES**2) / 2
"""Logarithm of their chances before anything was shown: most people within a factor of two."""
STREETS = 2
"""Kinds of scales: income rate before the flop, EHS' from then on."""
_STEPS = 4
"""Estimates are rounded to so many parts of an octave, so that arrays can be shared."""


class ThresholdSpread:
    """What one player's shown hands say of its spreads."""

    def __init__(self, evidence: Sequence[Sequence[float]] | None = None) -> None:
        self._evidence = np.zeros((STREETS, len(OCTAVES)))
        if evidence is not None:
            self._evidence[:] = evidence

    @property
    def evidence(self) -> list[list[float]]:
        """Logarithms of the chances of what was shown, by kind of scale and spread."""
        return self._evidence.tolist()

    def show(self, start: Belief, lesson: Evidence, holding: Holding) -> None:
        """Take in the holding behind a lesson, and what was believed when its street began."""
        self._evidence[_kind(lesson)] += chances(start, lesson, holding)

    def of(self, *, postflop: bool) -> float:
        """The spread, over the usual one; 1 before anything was shown.

        >>> ThresholdSpread().of(postflop=True)
        1.0
        """
        found = self._evidence[int(postflop)]
        if not found.any():
            return 1.0
        weight = np.exp(found + PRIOR - np.max(found + PRIOR))
        octaves = float((OCTAVES * weight).sum() / weight.sum())
        return float(2 ** (round(octaves * _STEPS) / _STEPS))


@lru_cache(maxsize=1 << 12)
def chances(start: Belief, lesson: Evidence, holding: Holding) -> NDArray[np.float64]:
    """Logarithm of the chance of a holding after a lesson, by spread."""
    before = visible(start, lesson.board)
    found = np.empty(len(OCTAVES))
    for i, octaves in enumerate(OCTAVES.tolist()):
        after = before * factors(replace(lesson, spread=2**octaves))
        found[i] = np.log(after[holding] / after.sum())
    return found


def _kind(lesson: Evidence) -> int:
    return int(bool(lesson.board))
