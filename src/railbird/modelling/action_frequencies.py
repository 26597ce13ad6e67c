"""Frequencies of folds, calls and raises, by street and bets to call (Papp 1998, chapter 7)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

import numpy as np

from railbird._arguments import checked
from railbird.errors import BadInput
from railbird.game import Street
from railbird.modelling.settings import BLENDED, DEFAULTS

BETS = 3
"""Number of contexts on a street: no bet to call, one, and two or more."""


class ActionKind(IntEnum):
    """Kind of an action."""

    FOLD = 0
    CALL = 1
    """Or check."""
    RAISE = 2
    """Or bet."""


_CONTEXT = len(ActionKind)
_STREET = BETS * _CONTEXT
_NUMBERS = len(Street) * _STREET

Shares = tuple[float, float, float]
"""Shares of folds, calls and raises; they add up to one."""


class Frequencies:
    """One player's observed frequencies, blended with defaults while observations are few.

    The defaults of a street are the blend of the street before; those of the first come from the
    settings.
    """

    @checked
    def __init__(
        self, *, decay: float = 1.0, counts: Sequence[Sequence[Sequence[float]]] | None = None
    ) -> None:
        # One flat list, because every player at a table keeps one for every other.
        self._counts = [0.0] * _NUMBERS
        if counts is not None:
            self._counts[:] = [float(n) for street in counts for bets in street for n in bets]
            if len(self._counts) != _NUMBERS:
                raise BadInput(f"{len(self._counts)} counts; allowed: {_NUMBERS}")
        self._decay = decay

    @property
    def counts(self) -> list[list[list[float]]]:
        """Return observation counts by street, bets to call and `ActionKind`."""
        shaped: list[list[list[float]]]
        shaped = np.reshape(self._counts, (len(Street), BETS, len(ActionKind))).tolist()
        return shaped

    def count(self, street: Street, bets: int, habit: ActionKind) -> None:
        """Count an action; with decay, earlier observations in this context count less."""
        counts, first = self._counts, street * _STREET + min(bets, BETS - 1) * _CONTEXT
        if self._decay < 1:
            for index in range(first, first + _CONTEXT):
                counts[index] *= self._decay
        counts[first + habit] += 1

    def of(self, street: Street, bets: int) -> Shares:
        """Return the shares of folds, calls and raises in a context.

        >>> habits = Frequencies()
        >>> for _ in range(10):
        ...     habits.count(Street.PREFLOP, 1, ActionKind.RAISE)
        >>> habits.of(Street.PREFLOP, 1)
        (0.25, 0.15, 0.6)
        >>> habits.of(Street.RIVER, 1)
        (0.25, 0.15, 0.6)
        """
        bets = min(bets, BETS - 1)
        fold, call, bet = DEFAULTS[bets]
        first, last = bets * _CONTEXT, street * _STREET + bets * _CONTEXT
        for context in range(first, last + 1, _STREET):
            folds, calls, raises = self._counts[context : context + _CONTEXT]
            seen = folds + calls + raises
            if seen:
                own = 1.0 / max(seen, BLENDED)
                rest = 1.0 - own * seen
                fold, call = own * folds + rest * fold, own * calls + rest * call
                bet = own * raises + rest * bet
        return fold, call, bet
