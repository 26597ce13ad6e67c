"""How often a player folds, calls and raises, by street and bets to call (Papp 1998, chapter 6)."""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from railbird.game import Street

BLENDED = 20
"""Observations after which the defaults no longer count."""
BETS = 3
"""Kinds of contexts on a street: no bet to call, one, two or more."""


class Habit(IntEnum):
    """What a player did."""

    FOLD = 0
    CALL = 1
    """Or check."""
    RAISE = 2
    """Or bet."""


DEFAULTS = np.array([[0.0, 0.5, 0.5], [0.5, 0.3, 0.2], [0.7, 0.2, 0.1]])
"""(bets to call, habit) what is expected of anybody."""
DEFAULTS.flags.writeable = False


class Frequencies:
    """What one player was seen to do, blended with the defaults while there is little of it.

    The defaults of a street are the blend of the street before, those of the first the table's.
    """

    def __init__(self, *, decay: float = 1.0) -> None:
        self._counts = np.zeros((len(Street), BETS, len(Habit)))
        self._decay = decay

    def count(self, street: Street, bets: int, habit: Habit) -> None:
        """Note an action; what was seen before in this context counts less if there is decay."""
        context = self._counts[street, min(bets, BETS - 1)]
        context *= self._decay
        context[habit] += 1

    def of(self, street: Street, bets: int) -> NDArray[np.float64]:
        """Shares of folds, calls and raises in a context, (3,); they add up to one.

        >>> habits = Frequencies()
        >>> for _ in range(10):
        ...     habits.count(Street.PREFLOP, 1, Habit.RAISE)
        >>> habits.of(Street.PREFLOP, 1).tolist()
        [0.25, 0.15, 0.6]
        >>> habits.of(Street.RIVER, 1).tolist()
        [0.25, 0.15, 0.6]
        """
        bets = min(bets, BETS - 1)
        shares: NDArray[np.float64] = DEFAULTS[bets]
        for each in range(street + 1):
            counts = self._counts[each, bets]
            seen = float(counts.sum())
            if seen:
                trusted = min(seen / BLENDED, 1.0)
                shares = trusted * counts / seen + (1 - trusted) * shares
        return shares


_GENERIC = Frequencies()


def generic() -> Frequencies:
    """The defaults, of which nothing is to be counted."""
    return _GENERIC
