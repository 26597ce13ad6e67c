"""Heads-up no-limit before the flop with more actions than push/fold.

The source of the push/fold game names it as its limitation that the small blind cannot limp or
raise less than everything (Chin and Lopez 2023). Here both may. What is played after the flop is
replaced by the showdown of the hands, so that a call is worth its equity, or by what a strategy for
fixed limit makes of the pot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird.cards import CLASS_NAMES
from railbird.errors import BadInput
from railbird.estimates import Estimate, ResultUnit
from railbird.progress import Progress
from railbird.solve.best_responses import values
from railbird.solve.cfr import Solution, solve
from railbird.solve.game_tree import Decision, Game, Node, Terminal, compile_game
from railbird.solve.preflop.postflop import CalledPot, Matrix, Postflop, gains_of_betting
from railbird.solve.pushfold.heads_up import (
    BIG_BLIND,
    COMBINATIONS,
    SMALL_BLIND,
    showdown_matrices,
)
from railbird.solve.settings import LEAST_STACK, MOST_STACK
from railbird.solve.strategy import Strategy

_DEALT, _WON = 0, 1
_LIMPED = "limp"
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

    def pots(self) -> tuple[CalledPot, ...]:
        """Return the pots that are called before the flop and leave something to bet."""
        found: dict[CalledPot, None] = {}

        def called(pot: CalledPot) -> Terminal:
            found[pot] = None
            return Terminal(_WON, pot.paid)

        self._root(called)
        return tuple(pot for pot in found if pot.paid < self.stack)

    def tree(self, worth: Mapping[CalledPot, Matrix] | None = None) -> Game:
        """Build the game in arrays: 169 states for each player, payoffs in big blinds.

        ``worth`` is what pots are worth that are not checked down.
        """
        found = {} if worth is None else worth
        place = {pot: number for number, pot in enumerate(found, start=_WON + 1)}

        def called(pot: CalledPot) -> Terminal:
            return Terminal(place[pot], 1.0) if pot in place else Terminal(_WON, pot.paid)

        matrices = [*showdown_matrices(), *found.values()]
        return compile_game(self._root(called), matrices, state_names=CLASS_NAMES)

    def _root(self, called: Callable[[CalledPot], Terminal]) -> Decision:
        return self._decision((SMALL_BLIND, BIG_BLIND), 0, BIG_BLIND, 0, (), called)

    def _decision(
        self,
        paid: tuple[float, float],
        player: int,
        step: float,
        raises: int,
        line: tuple[str, ...],
        called: Callable[[CalledPot], Terminal],
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
        limped = line[:1] == (_LIMPED,)
        if line:
            add("call" if behind else "check", called(CalledPot(limped, raises, level)))
        elif PreflopAction.LIMP in self.actions:
            limp = self._decision((level, level), other, step, raises, (_LIMPED,), called)
            add("limp", limp)
        if level < self.stack:
            to = level + step
            if PreflopAction.MINRAISE in self.actions and raises < _MOST_RAISES and to < self.stack:
                after = (to, paid[1]) if player == 0 else (paid[0], to)
                name = f"raise to {to:g}"
                later = (*line, name)
                add(name, self._decision(after, other, step, raises + 1, later, called))
            if PreflopAction.SHOVE in self.actions:
                after = (self.stack, paid[1]) if player == 0 else (paid[0], self.stack)
                later = (*line, "shove")
                added = self.stack - level
                add("shove", self._decision(after, other, added, raises + 1, later, called))
        return Decision(player, ", ".join(line) or "first", tuple(actions), tuple(children))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PreflopSolution:
    """An equilibrium."""

    game: PreflopGame
    decisions: tuple[tuple[Decision, npt.NDArray[np.float64]], ...]
    """Every decision with its frequencies (actions, 169), the small blind's first."""
    solution: Solution
    """Value to the small blind in big blinds, exploitability, iterations."""
    value: Estimate
    """The value with its uncertainty over groups of boards; exact where hands are checked down."""
    boards: int = 0
    """On which pots were played after the flop."""

    def shares(self, frequencies: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the share of the 1,326 holdings that take each action, (actions,)."""
        found: npt.NDArray[np.float64] = frequencies @ COMBINATIONS / COMBINATIONS.sum()
        return found


@checked
def solve_preflop(
    stack: float,
    actions: Iterable[PreflopAction] = frozenset(PreflopAction),
    *,
    postflop: Postflop | None = None,
    tolerance: float = 1e-4,
    progress: Progress | None = None,
) -> PreflopSolution:
    """Solve heads-up play before the flop.

    After a call hands are checked down, or played on by ``postflop``, in fixed limit with bets of 1
    and 2 big blinds, cut at the stacks. ``tolerance`` is what a best response may gain, in big
    blinds, averaged over the seats. Raises `BadInput` for a stack or actions that make no game,
    `Interrupted` on Ctrl-C while boards are dealt.
    """
    game = PreflopGame(stack=stack, actions=frozenset(actions))
    if not tolerance > 0:
        raise BadInput(f"tolerance {tolerance:g}; allowed: more than 0")
    if postflop is None:
        tree = game.tree()
        found = solve(tree, tolerance=tolerance, progress=progress)
        value = Estimate(found.value, 0.0, 1, ResultUnit.BIG_BLINDS)
        return PreflopSolution(
            game=game, decisions=_decisions(tree, found.strategy), solution=found, value=value
        )
    pots = game.pots()
    if not pots:
        given = ",".join(sorted(game.actions))
        raise BadInput(
            f"actions {given}, after which nothing is left to bet; allowed for playing on: limp, "
            "or minraise with more than 2 big blinds"
        )
    gains, boards = gains_of_betting(postflop, pots, stack, progress=progress)
    tree = game.tree(_worth(pots, np.average(gains, axis=0, weights=boards)))
    found = solve(tree, tolerance=tolerance, progress=progress)
    # The strategies are nearly best against each other, so what they are worth on other boards
    # changes with the payoffs alone.
    by_group = [
        float(values(game.tree(_worth(pots, gain)), found.strategy, player=0).sum())
        for gain in gains
    ]
    share = boards / boards.sum()
    far = (share * (np.array(by_group) - found.value)) ** 2
    error = float(np.sqrt(far.sum() * len(gains) / (len(gains) - 1)))
    return PreflopSolution(
        game=game,
        decisions=_decisions(tree, found.strategy),
        solution=found,
        value=Estimate(found.value, error, len(gains), ResultUnit.BIG_BLINDS),
        boards=int(boards.sum()),
    )


def _worth(pots: tuple[CalledPot, ...], gains: npt.NDArray[np.float64]) -> dict[CalledPot, Matrix]:
    """Return what pots are worth: hands checked down, and what betting brings."""
    won = showdown_matrices()[1]
    return {pot: pot.paid * won + gain for pot, gain in zip(pots, gains, strict=True)}


def _decisions(
    tree: Game, strategy: Strategy
) -> tuple[tuple[Decision, npt.NDArray[np.float64]], ...]:
    rows = []
    for player in (0, 1):
        start = 0
        for decision in tree.decisions[player]:
            stop = start + len(decision.actions)
            rows.append((decision, strategy[player][start:stop]))
            start = stop
    return tuple(rows)
