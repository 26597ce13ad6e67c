"""A check that a player acts as often as the strategy says by which it is said to play.

Values may be any numbers, but with wrong probabilities for a known player AIVAT is biased, and
nothing in its estimates shows it. The player's actions do.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from railbird.assessment.aivat.settings import CONTRADICTION

VERBS = ("folds", "checks or calls", "bets or raises")
"""What a player does, by the kind of action."""


@dataclass(slots=True)
class ActionCheck:
    """Counts of a known player's actions, beside what its strategy expects."""

    decisions: int = 0
    _seen: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros(3))
    _expected: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros(3))
    _variance: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros(3))

    def add(self, kind: int, chances: npt.NDArray[np.float64]) -> None:
        """Count an action: ``kind`` 0 fold, 1 check or call, 2 bet or raise; (3,) its chances."""
        self.decisions += 1
        self._seen[kind] += 1
        self._expected += chances
        self._variance += chances * (1 - chances)

    @property
    def contradiction(self) -> str | None:
        """The action that comes too often or too seldom to be believed; None if none does.

        By Freedman's (1975) inequality for martingales with steps of at most 1: it holds for few
        decisions and for rare actions, where a normal approximation does not.
        """
        excess = np.abs(self._seen - self._expected)
        exponent = excess**2 / (2 * np.maximum(self._variance + excess / 3, 1e-12))
        worst = int(exponent.argmax())
        if 2 * np.exp(-exponent[worst]) >= CONTRADICTION:
            return None
        return (
            f"{VERBS[worst]} in {self._seen[worst]:,.0f} of {self.decisions:,} decisions, "
            f"where about {self._expected[worst]:,.0f} are expected"
        )
