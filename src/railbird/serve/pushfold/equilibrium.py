"""The equilibrium at a stack, solved once, and the value of decisions against it."""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from railbird.cards import CLASSES, HandClass
from railbird.errors import BadInput
from railbird.progress import Progress
from railbird.serve.pushfold.hand import Choice
from railbird.solve import (
    LEAST_STACK,
    MOST_STACK,
    PushFoldValues,
    Seat,
    pushfold_ev,
    solve_pushfold,
)


def checked_stack(stack: float) -> float:
    """Round a stack to a tenth of a big blind.

    Raises `railbird.errors.BadInput` outside 1 to 100 and for finer steps.

    >>> checked_stack(9.5)
    9.5
    """
    if not (math.isfinite(stack) and LEAST_STACK <= stack <= MOST_STACK):
        raise BadInput(f"a stack of {stack:g} big blinds; allowed: 1 to 100")
    tenths = round(stack, 1)
    if not math.isclose(tenths, stack, rel_tol=0, abs_tol=1e-9):
        raise BadInput(f"a stack of {stack:g} big blinds; allowed: steps of 0.1")
    return tenths


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """Both strategies at a stack, and the value of every class against them."""

    stack: float
    push: NDArray[np.float64]
    """(169,) how often the small blind pushes each class."""
    call: NDArray[np.float64]
    """(169,) how often the big blind calls with each class."""
    values: PushFoldValues

    def frequencies(self, seat: Seat) -> NDArray[np.float64]:
        """Return how often each class pushes or calls, (169,)."""
        return self.push if seat is Seat.SMALL_BLIND else self.call

    def choice(self, seat: Seat, hand_class: HandClass, roll: float) -> Choice:
        """Return the choice of the equilibrium for a random ``roll`` in [0, 1)."""
        frequency = self.frequencies(seat)[hand_class]
        return Choice.AGGRESS if roll < frequency else Choice.FOLD

    def value_of(self, seat: Seat, hand_class: HandClass) -> Values:
        """Return the values of both choices of the player with a class."""
        if seat is Seat.SMALL_BLIND:
            aggress, fold = self.values.push_ev[hand_class], self.values.fold_ev_sb
        else:
            aggress, fold = self.values.call_ev[hand_class], self.values.fold_ev_bb
        return Values(float(self.frequencies(seat)[hand_class]), float(aggress), float(fold))


@dataclass(frozen=True, slots=True)
class Values:
    """Values of the choices against the equilibrium, in big blinds."""

    frequency: float
    aggress: float
    fold: float

    def loss(self, choice: Choice) -> float:
        """Compute what a choice gives up.

        >>> Values(1.0, 0.25, -0.5).loss(Choice.FOLD)
        0.75
        """
        chosen = self.aggress if choice is Choice.AGGRESS else self.fold
        return max(self.aggress, self.fold) - chosen


def solve(stack: float, *, progress: Progress | None = None) -> Equilibrium:
    """Solve the game at a stack."""
    solution = solve_pushfold(stack, progress=progress)
    values = pushfold_ev(solution.push, solution.call, stack=stack)
    return Equilibrium(stack, solution.push, solution.call, values)


class Equilibria:
    """Cache of equilibria; each is solved once, in a thread, one at a time."""

    def __init__(self, solver: Callable[[float], Equilibrium] = solve, *, most: int = 256) -> None:
        self._solver = solver
        self._most = most
        self._solved: OrderedDict[float, Equilibrium] = OrderedDict()
        self._solving = asyncio.Lock()

    async def at(self, stack: float) -> Equilibrium:
        """Return the equilibrium at a stack. Raises `railbird.errors.BadInput`."""
        stack = checked_stack(stack)
        if stack not in self._solved:
            async with self._solving:
                if stack not in self._solved:
                    solution = await asyncio.to_thread(self._solver, stack)
                    assert solution.push.shape == (CLASSES,)
                    self._solved[stack] = solution
                    if len(self._solved) > self._most:
                        self._solved.popitem(last=False)
                    return solution
        self._solved.move_to_end(stack)
        return self._solved[stack]
