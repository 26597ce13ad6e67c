"""Heads-up no-limit before the flop with more actions than push/fold, then checked down.

The source of the push/fold game names it as its limitation that the small blind cannot limp or
raise less than everything (Chin and Lopez 2023). Here both may: what is played after the flop is
replaced by the showdown of the hands, so a call is worth its equity.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird.cards import CLASS_NAMES
from railbird.errors import BadInput
from railbird.progress import Progress
from railbird.solve.cfr import Solution, solve
from railbird.solve.game_tree import Decision, Game, Node, Terminal, compile_game
from railbird.solve.pushfold.heads_up import (
    BIG_BLIND,
    COMBINATIONS,
    SMALL_BLIND,
    showdown_matrices,
)
from railbird.solve.settings import LEAST_STACK, MOST_STACK

_DEALT, _WON = 0, 1
_MOST_RAISES = 5
"""Raises of the minimum; after so many only all-in, a call or a fold are left."""


class PreflopAction(StrEnum):
    """What may be allowed. A check is always, and so is a call of a raise."""

    FOLD = "fold"
    LIMP = "limp"
    """The small blind's call of the big blind."""
    MINRAISE = "minraise"
    """A raise of the size of the last bet or raise."""
    SHOVE = "shove"


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class PreflopGame:
    """The stakes and actions. Raises `BadInput` for those that make no game."""

    stack: float = 10.0
    """In big blinds, of each player."""
    actions: frozenset[PreflopAction] = frozenset(PreflopAction)

    def __post_init__(self) -> None:
        if not LEAST_STACK < self.stack <= MOST_STACK:
            raise BadInput(
                f"stack {self.stack:g}; allowed: more than {LEAST_STACK:g}, "
                f"at most {MOST_STACK:g} big blinds"
            )
        if PreflopAction.FOLD not in self.actions or len(self.actions) < 2:
            given = ",".join(sorted(self.actions))
            raise BadInput(
                f"actions {given}; allowed: fold and one or more of limp, minraise, shove"
            )

    def tree(self) -> Game:
        """Build the game in arrays: 169 states for each player, payoffs in big blinds."""
        root = self._decision((SMALL_BLIND, BIG_BLIND), 0, BIG_BLIND, 0, ())
        return compile_game(root, showdown_matrices(), state_names=CLASS_NAMES)

    def _decision(
        self,
        paid: tuple[float, float],
        player: int,
        step: float,
        raises: int,
        line: tuple[str, ...],
    ) -> Decision:
        """Build the tree from a decision on; ``step`` is the size of the last bet or raise."""
        other, level = 1 - player, max(paid)
        actions: list[str] = []
        children: list[Node] = []

        def add(action: str, child: Node) -> None:
            actions.append(action)
            children.append(child)

        behind = paid[player] < level
        if behind:
            add("fold", Terminal(_DEALT, paid[0] * -1.0 if player == 0 else paid[1]))
        if not behind:
            add("check", Terminal(_WON, level))
        elif line:
            add("call", Terminal(_WON, level))
        elif PreflopAction.LIMP in self.actions:
            add("limp", self._decision((level, level), other, step, raises, (*line, "limp")))
        if level < self.stack:
            to = level + step
            if PreflopAction.MINRAISE in self.actions and raises < _MOST_RAISES and to < self.stack:
                after = (to, paid[1]) if player == 0 else (paid[0], to)
                name = f"raise to {to:g}"
                add(name, self._decision(after, other, step, raises + 1, (*line, name)))
            if PreflopAction.SHOVE in self.actions:
                after = (self.stack, paid[1]) if player == 0 else (paid[0], self.stack)
                later = (*line, "shove")
                add("shove", self._decision(after, other, self.stack - level, raises + 1, later))
        return Decision(player, ", ".join(line) or "first", tuple(actions), tuple(children))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PreflopSolution:
    """An equilibrium."""

    game: PreflopGame
    decisions: tuple[tuple[Decision, npt.NDArray[np.float64]], ...]
    """Every decision with its frequencies (actions, 169), the small blind's first."""
    solution: Solution
    """Value to the small blind in big blinds, exploitability, iterations."""

    def shares(self, frequencies: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the share of the 1,326 holdings that take each action, (actions,)."""
        found: npt.NDArray[np.float64] = frequencies @ COMBINATIONS / COMBINATIONS.sum()
        return found


@checked
def solve_preflop(
    stack: float,
    actions: Iterable[PreflopAction] = frozenset(PreflopAction),
    *,
    tolerance: float = 1e-4,
    progress: Progress | None = None,
) -> PreflopSolution:
    """Solve heads-up play before the flop, hands being checked down after a call.

    ``tolerance`` is what a best response may gain, in big blinds, averaged over the seats. Raises
    `BadInput` for a stack or actions that make no game.
    """
    game = PreflopGame(stack=stack, actions=frozenset(actions))
    tree = game.tree()
    found = solve(tree, tolerance=tolerance, progress=progress)
    rows = []
    for player in (0, 1):
        start = 0
        for decision in tree.decisions[player]:
            stop = start + len(decision.actions)
            rows.append((decision, found.strategy[player][start:stop]))
            start = stop
    return PreflopSolution(game=game, decisions=tuple(rows), solution=found)
