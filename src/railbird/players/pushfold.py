"""A player that shoves or folds by the equilibrium of push/fold."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from railbird.cards import CLASS_OF_HOLDING
from railbird.game import Action, Call, Fold, Raise, Street, View
from railbird.players.splitmix import SplitMix64
from railbird.solve import LEAST_STACK, MOST_STACK, solve_pushfold

_TOLERANCE = 1e-5
"""Big blinds that a best response may gain: a chart is solved while the table waits."""
_STEP = 0.5
"""Stacks that the cards bring are solved to this many big blinds."""


class PushFoldPlayer:
    """Before the flop all-in or nothing, by the equilibrium of a stack or of the hand's own.

    Made for two players; at a larger table it takes every raise for a shove of a small blind.
    After the flop, which it sees only when called or let in for nothing, it checks and calls.
    """

    def __init__(self, stack: float | None = None) -> None:
        self._stack = stack
        _charts(stack if stack is not None else LEAST_STACK)  # reads the matrix
        self._stream = SplitMix64(0)

    def reset(self, rng: np.random.Generator) -> None:
        """Start a new stream of draws."""
        self._stream = SplitMix64(int(rng.integers(1 << 64, dtype=np.uint64)))

    def act(self, view: View) -> Action:
        """Draw the action by the chart of the seat."""
        state = view.state
        if state.street is not Street.PREFLOP:
            return Call()
        push, call = _charts(self._stack if self._stack is not None else _effective_stack(view))
        hand = CLASS_OF_HOLDING[view.holding]
        facing = state.raises > 0
        chance = float((call if facing else push)[hand])
        if self._stream.fraction() >= chance:
            return Call() if state.to_call == 0 else Fold()
        most = state.max_raise_to
        return Call() if most is None else Raise(most)


def _effective_stack(view: View) -> float:
    """The smallest stack before the hand, in big blinds, to the step of the charts."""
    rules = view.rules
    if rules.stacks is None:
        return MOST_STACK
    stack = min(rules.stacks) / max(rules.blinds)
    return min(max(round(stack / _STEP) * _STEP, LEAST_STACK), MOST_STACK)


@lru_cache(maxsize=256)
def _charts(stack: float) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    solution = solve_pushfold(stack, tolerance=_TOLERANCE)
    return solution.push, solution.call
