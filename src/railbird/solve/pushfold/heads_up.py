"""Heads-up push/fold: the small blind pushes or folds, the big blind calls or folds.

All hands of a class are played alike: exchanging suits changes none of the counts of boards, so the
reduction to 169 classes with exact weights loses nothing. Amounts are in big blinds; a stack
includes the blind and the ante posted from it (Chin and Lopez 2023).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird._display import Illustrated
from railbird.cards import CLASS_NAMES, CLASS_OF_HOLDING, CLASSES, HOLDINGS
from railbird.errors import BadInput
from railbird.odds import classes_matrix
from railbird.progress import Progress
from railbird.solve.best_responses import best_response
from railbird.solve.cfr import Solution, solve
from railbird.solve.game_tree import Decision, Game, Terminal, compile_game
from railbird.solve.settings import LEAST_STACK, MOST_STACK
from railbird.solve.strategy import Strategy

if TYPE_CHECKING:
    import polars as pl

SMALL_BLIND, BIG_BLIND = 0.5, 1.0
COMBINATIONS: npt.NDArray[np.int64] = np.bincount(CLASS_OF_HOLDING, minlength=CLASSES)
"""(169,) holdings of each class."""
_PUSH = 1
_FREQUENCIES = npt.NDArray[np.float64]


class Seat(StrEnum):
    """A position: the small blind pushes or folds, the big blind calls or folds."""

    SMALL_BLIND = "sb"
    BIG_BLIND = "bb"

    @property
    def other(self) -> Seat:
        """The opponent's seat."""
        return Seat.BIG_BLIND if self is Seat.SMALL_BLIND else Seat.SMALL_BLIND


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class PushFold:
    """The stakes. Raises `BadInput` for a stack outside 1 to 100 and an ante that leaves none."""

    stack: float = 10.0
    ante: float = 0.0
    """Posted by each player."""

    def __post_init__(self) -> None:
        if not LEAST_STACK <= self.stack <= MOST_STACK:
            raise BadInput(
                f"stack {self.stack:g}; allowed: {LEAST_STACK:g} to {MOST_STACK:g} big blinds"
            )
        if not 0.0 <= self.ante <= self.stack - BIG_BLIND:
            raise BadInput(
                f"ante {self.ante:g}; allowed: 0 to {self.stack - BIG_BLIND:g}, "
                "what the stack has beside the big blind"
            )

    @property
    def lost_by_folding(self) -> float:
        """Amount that the small blind loses by folding."""
        return SMALL_BLIND + self.ante

    @property
    def won_by_a_fold(self) -> float:
        """Amount that the small blind wins if the big blind folds."""
        return BIG_BLIND + self.ante

    def tree(self) -> Game:
        """Build the game in arrays: 169 states for each player, payoffs in big blinds."""
        dealt, wins = showdown_matrices()
        call = Decision(
            1, "call", ("fold", "call"), (Terminal(0, self.won_by_a_fold), Terminal(1, self.stack))
        )
        root = Decision(0, "push", ("fold", "push"), (Terminal(0, -self.lost_by_folding), call))
        return compile_game(root, [dealt, wins], state_names=CLASS_NAMES)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PushFoldSolution(Illustrated):
    """An equilibrium."""

    game: PushFold
    push: _FREQUENCIES
    """(169,) how often the small blind pushes each class."""
    call: _FREQUENCIES
    """(169,) how often the big blind calls with each class."""
    value_sb_bb: float
    """Big blinds a hand that the small blind wins."""
    exploitability_bb: float
    """Big blinds a hand that a best response gains, averaged over the seats."""
    iterations: int
    took_s: float

    @property
    def push_share(self) -> float:
        """Share of the 1,326 holdings that are pushed."""
        return share(self.push)

    @property
    def call_share(self) -> float:
        """Share of the 1,326 holdings that call."""
        return share(self.call)

    def to_polars(self) -> pl.DataFrame:
        """Give a row for each class of holdings: how often it is shoved, and how often it calls."""
        import polars as pl

        return pl.DataFrame({"hand": CLASS_NAMES, "push": self.push, "call": self.call})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PushFoldValues:
    """Value of each choice in big blinds against the other seat's frequencies."""

    push_ev: _FREQUENCIES
    """(169,) of pushing each class."""
    fold_ev_sb: float
    call_ev: _FREQUENCIES
    """(169,) of calling a push with each class; that of folding if nothing is ever pushed."""
    fold_ev_bb: float
    sb_value: float
    """Value of the small blind's frequencies, a hand; the big blind's is its negative."""
    facing: _FREQUENCIES
    """(169,) probability that the small blind pushes, given the big blind's class."""

    @property
    def bb_value(self) -> float:
        """Value of the big blind's frequencies, a hand."""
        return -self.sb_value


@checked
def share(frequencies: npt.ArrayLike) -> float:
    """Compute the share of the 1,326 holdings that frequencies (169,) by class stand for.

    Raises `BadInput`.
    """
    return float(frequencies_of(frequencies, "class") @ COMBINATIONS) / HOLDINGS


@checked
def solve_pushfold(
    stack: float,
    *,
    ante: float = 0.0,
    tolerance: float = 1e-8,
    progress: Progress | None = None,
) -> PushFoldSolution:
    """Solve the game to an exploitability of ``tolerance`` big blinds a hand.

    1e-6 is enough for the value; the frequencies of mixed hands have three digits at 1e-8.

    >>> solution = solve_pushfold(10)
    >>> f"{solution.value_sb_bb:.5f} {solution.push_share:.1%} {solution.call_share:.1%}"
    '-0.04537 58.3% 37.4%'
    """
    game = PushFold(stack=stack, ante=ante)
    return _named(game, solve(game.tree(), tolerance=tolerance, progress=progress))


@checked
def pushfold_ev(
    push: npt.ArrayLike, call: npt.ArrayLike, *, stack: float, ante: float = 0.0
) -> PushFoldValues:
    """Value every choice against the other seat's frequencies, both (169,) from 0 to 1.

    Raises `BadInput` for frequencies of another shape or outside that range.
    """
    game = PushFold(stack=stack, ante=ante)
    pushes, calls = frequencies_of(push, "push"), frequencies_of(call, "call")
    dealt, wins = showdown_matrices()
    own = dealt.sum(axis=1)
    folded = dealt @ (1 - calls) * game.won_by_a_fold
    push_ev = (folded + game.stack * (wins @ calls)) / own
    pushed = pushes @ dealt
    never = pushed <= 0
    won = -game.stack * (pushes @ wins)
    fold_ev_bb = -game.won_by_a_fold
    call_ev = np.where(never, fold_ev_bb, won / np.where(never, 1.0, pushed))
    fold_ev_sb = -game.lost_by_folding
    return PushFoldValues(
        push_ev=push_ev,
        fold_ev_sb=fold_ev_sb,
        call_ev=call_ev,
        fold_ev_bb=fold_ev_bb,
        sb_value=float(own @ (pushes * push_ev + (1 - pushes) * fold_ev_sb)),
        facing=pushed / own,
    )


@checked
def best_response_push(call: npt.ArrayLike, *, stack: float, ante: float = 0.0) -> _FREQUENCIES:
    """Find the pushes (169,) that earn most against a big blind; where equal, a hand folds."""
    return _best(np.zeros(CLASSES), frequencies_of(call, "call"), 0, stack=stack, ante=ante)


@checked
def best_response_call(push: npt.ArrayLike, *, stack: float, ante: float = 0.0) -> _FREQUENCIES:
    """Find the calls (169,) that earn most against a small blind; where equal, a hand folds."""
    return _best(frequencies_of(push, "push"), np.zeros(CLASSES), 1, stack=stack, ante=ante)


@checked
def frequencies_of(values: npt.ArrayLike, what: str) -> _FREQUENCIES:
    """Check frequencies by class. Raises `BadInput`."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        kind = type(values).__name__
        raise BadInput(f"{what} frequencies of type {kind}; allowed: (169,) of 0 to 1") from None
    if array.shape != (CLASSES,):
        raise BadInput(f"{what} frequencies of shape {array.shape}; allowed: (169,) of 0 to 1")
    wrong = np.flatnonzero(~((array >= 0) & (array <= 1)))
    if wrong.size:
        hand = CLASS_NAMES[wrong[0]]
        raise BadInput(f"{what} frequency {array[wrong[0]]:g} of {hand}; allowed: 0 to 1")
    return array


def _best(
    push: _FREQUENCIES, call: _FREQUENCIES, player: int, *, stack: float, ante: float
) -> _FREQUENCIES:
    game = PushFold(stack=stack, ante=ante).tree()
    strategy: Strategy = (np.stack([1 - push, push]), np.stack([1 - call, call]))
    response: _FREQUENCIES = best_response(game, strategy, player=player)[_PUSH]
    return response


def _named(game: PushFold, solution: Solution) -> PushFoldSolution:
    return PushFoldSolution(
        game=game,
        push=solution.strategy[0][_PUSH],
        call=solution.strategy[1][_PUSH],
        value_sb_bb=solution.value,
        exploitability_bb=solution.exploitability,
        iterations=solution.iterations,
        took_s=solution.took_s,
    )


@cache
def showdown_matrices() -> tuple[_FREQUENCIES, _FREQUENCIES]:
    """(169, 169) probability of two classes; that times the row's net wins, in stacks."""
    counts = classes_matrix()
    boards = counts.boards.sum()
    return counts.boards / boards, (counts.wins - counts.wins.T) / boards
