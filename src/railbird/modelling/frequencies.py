"""How often a player folds, calls and raises, by street and bets to call (Papp 1998, chapter 7)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from railbird.game import Street

BLENDED = 20
"""Observations after which the defaults no longer count."""
BETS = 3
"""Kinds of contexts on a street: no bet to call, one, two or more."""

_BETS = range(BETS)


class Habit(IntEnum):
    """What a player did."""

    FOLD = 0
    CALL = 1
    """Or check."""
    RAISE = 2
    """Or bet."""


Shares = tuple[float, float, float]
"""Of folds, calls and raises; they add up to one."""

DEFAULTS: tuple[Shares, ...] = ((0.0, 0.5, 0.5), (0.5, 0.3, 0.2), (0.7, 0.2, 0.1))
"""By bets to call, what is expected of anybody."""


class Frequencies:
    """What one player was seen to do, blended with the defaults while there is little of it.

    The defaults of a street are the blend of the street before, those of the first the table's.
    """

    def __init__(
        self, *, decay: float = 1.0, counts: Sequence[Sequence[Sequence[float]]] | None = None
    ) -> None:
        self._counts = [
            [[0.0] * len(Habit) if counts is None else [*counts[street][bets]] for bets in _BETS]
            for street in Street
        ]
        self._decay = decay

    @property
    def counts(self) -> list[list[list[float]]]:
        """Times seen by street, bets to call and `Habit`."""
        return [[[*context] for context in street] for street in self._counts]

    def count(self, street: Street, bets: int, habit: Habit) -> None:
        """Note an action; what was seen before in this context counts less if there is decay."""
        context = self._counts[street][min(bets, BETS - 1)]
        if self._decay < 1:
            context[:] = [seen * self._decay for seen in context]
        context[habit] += 1

    def of(self, street: Street, bets: int) -> Shares:
        """Shares of folds, calls and raises in a context.

        >>> habits = Frequencies()
        >>> for _ in range(10):
        ...     habits.count(Street.PREFLOP, 1, Habit.RAISE)
        >>> habits.of(Street.PREFLOP, 1)
        (0.25, 0.15, 0.6)
        >>> habits.of(Street.RIVER, 1)
        (0.25, 0.15, 0.6)
        """
        bets = min(bets, BETS - 1)
        fold, call, bet = DEFAULTS[bets]
        for counts in self._counts[: street + 1]:
            folds, calls, raises = counts[bets]
            seen = folds + calls + raises
            if seen:
                own = 1.0 / max(seen, BLENDED)
                rest = 1.0 - own * seen
                fold, call = own * folds + rest * fold, own * calls + rest * call
                bet = own * raises + rest * bet
        return fold, call, bet
