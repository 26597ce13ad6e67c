"""A player of heads-up push/fold, which shoves or folds by the equilibrium.

`tight` uses it for short stacks.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

import numpy as np
import numpy.typing as npt

from railbird._option_fields import Between
from railbird.cards import CLASS_OF_HOLDING
from railbird.game import (
    Action,
    ActionKind,
    Call,
    HandState,
    Raise,
    Rules,
    Street,
    View,
    action_of_kind,
)
from railbird.players.explanation import Explanation, Reading, Requirement
from railbird.players.policy import Distribution, RangeDistribution, ask_each
from railbird.players.seeds import SplitMix64
from railbird.solve import LEAST_STACK, MOST_STACK, solve_pushfold

_TOLERANCE = 1e-5
"""Exploitability to reach, in big blinds; coarse, because the table waits while a chart is
solved."""
_STEP = 0.5
"""Stacks in play are rounded to multiples of this many big blinds."""


class PushFoldPlayer:
    """Goes all-in or folds before the flop, by the equilibrium for a fixed stack or the hand's own.

    It is made for two players; at a larger table it treats every raise as a small blind's shove.
    After the flop it checks and calls; it only gets there without a decision of its own.
    """

    def __init__(
        self,
        stack: Annotated[
            float | None,
            Between(LEAST_STACK, MOST_STACK, "big blinds"),
            "the stack whose chart is played, in big blinds",
        ] = None,
    ) -> None:
        self._stack = stack
        charts(stack if stack is not None else LEAST_STACK)  # reads the equity matrix now
        self._stream = SplitMix64(0)
        self._drawn = 0.0

    def reset(self, rng: np.random.Generator) -> None:
        """Start a new stream of draws."""
        self._stream = SplitMix64(int(rng.integers(1 << 64, dtype=np.uint64)))

    def act(self, view: View) -> Action:
        """Draw the action from the seat's chart."""
        state = view.state
        if state.street is not Street.PREFLOP:
            return Call()
        self._drawn = self._stream.fraction()
        return _all_in(state) if self._drawn < self._chance(view) else _give_up(state)

    def distribution(self, view: View) -> Distribution:
        """Return the chart's probabilities."""
        state = view.state
        if state.street is not Street.PREFLOP:
            return Distribution.certain(Call())
        chance = self._chance(view)
        return Distribution.of([(_all_in(state), chance), (_give_up(state), 1 - chance)])

    def range_distribution(
        self, view: View, holdings: npt.NDArray[np.integer]
    ) -> RangeDistribution:
        """Return the answers for the given holdings."""
        return ask_each(self, view, holdings)

    def explain(self, view: View) -> Explanation:
        """Explain the last answer, which was to this view."""
        state = view.state
        if state.street is not Street.PREFLOP:
            return Explanation(rule="After the flop it checks and calls.", readings=())
        chance = self._chance(view)
        stack = self._stack if self._stack is not None else effective_stack(view.rules)
        plays = self._drawn < chance
        chart = "call" if state.raises > 0 else "shove"
        return Explanation(
            rule=f"The equilibrium's chart for {'calling' if state.raises else 'shoving'}.",
            readings=(
                Reading(name="stack in big blinds", value=stack, decimals=1),
                Reading(name=f"probability of a {chart}", value=chance, decimals=4),
            ),
            requirements=(
                Requirement(
                    action="all-in",
                    needed=f"a draw below {chance:.4f}",
                    actual=f"{self._drawn:.4f}",
                    decided=plays,
                ),
                Requirement(
                    action="fold" if state.to_call else "check",
                    needed="nothing",
                    actual="the rest",
                    decided=not plays,
                ),
            ),
        )

    def _chance(self, view: View) -> float:
        """Look up the probability of shoving or calling with the hand."""
        stack = effective_stack(view.rules) if self._stack is None else self._stack
        push, call = charts(stack)
        chart = call if view.state.raises > 0 else push
        return min(1.0, max(0.0, float(chart[CLASS_OF_HOLDING[view.holding]])))


def _all_in(state: HandState) -> Action:
    most = state.max_raise_to
    return Call() if most is None else Raise(most)


def _give_up(state: HandState) -> Action:
    return action_of_kind(state, ActionKind.FOLD)


def effective_stack(rules: Rules) -> float:
    """Return the smallest starting stack in big blinds, rounded to the charts' step."""
    if rules.stacks is None:
        return MOST_STACK
    stack = min(rules.stacks) / max(rules.blinds)
    return min(max(round(stack / _STEP) * _STEP, LEAST_STACK), MOST_STACK)


@lru_cache(maxsize=256)
def charts(
    stack: float, ante: float = 0.0
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return how often each class pushes and how often it calls, (169,); amounts in big blinds."""
    solution = solve_pushfold(stack, ante=min(ante, stack - LEAST_STACK), tolerance=_TOLERANCE)
    return solution.push, solution.call
