"""Heads-up no-limit before the flop, with more actions than push/fold.

`pushfold` is the game with two actions; `spot.preflop` continues with play after the flop.

In push/fold the small blind cannot limp or raise less than everything, which the source names as
the limitation of that game (Chin and Lopez 2023). Here it can do both. Play after the flop is
replaced either by a showdown, so that a call is worth its equity, or by the values that a strategy
for fixed limit gets from the pot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird._display import HasTable, table_of
from railbird._threads import map_threads, thread_count
from railbird.cards import CLASS_NAMES, CLASS_OF_HOLDING, CLASSES
from railbird.errors import BadInput, Interrupted
from railbird.estimates import Estimate, ResultUnit
from railbird.game import HEADS_UP_LIMIT
from railbird.game.rules import BOARD_CARDS
from railbird.progress import Progress
from railbird.solve.cfr import (
    Decision,
    Game,
    Node,
    Solution,
    Strategy,
    Terminal,
    compile_game,
    solve,
    values,
)
from railbird.solve.kernels import add_by_class, in_order_of_strength, multiply
from railbird.solve.limit.betting_tree import betting_tree, same_game
from railbird.solve.limit.kernels import reach_of_round
from railbird.solve.limit.matrix_cfr import round_arrays
from railbird.solve.pushfold import BIG_BLIND, COMBINATIONS, SMALL_BLIND, showdown_matrices
from railbird.solve.real_game.opponents import BoardStrategy
from railbird.solve.settings import (
    BOARD_GROUPS,
    LEAST_STACK,
    MOST_BOARDS,
    MOST_STACK,
    check_goal,
)
from railbird.solve.simd_kernels import WIDTH, aligned

if TYPE_CHECKING:
    import polars as pl

# Pots that are called before the flop and then played in fixed limit by a given strategy.
#
# On one board, what one holding wins from another is a sum over the ends of the betting: the
# probability that one player's actions lead there, times the other player's, times the amount won.
# For all pairs of holdings at once that is a matrix product: one for folds, and one for showdowns,
# whose sign depends on who has the better hand. The exact value of checking down is subtracted on
# each board, so that the mean over random boards estimates only what betting adds, with much less
# noise.


Matrix = npt.NDArray[np.float64]
"""(169, 169) by hand class: the first player's winnings in big blinds, a mean over all deals."""
_Reach = npt.NDArray[np.float32]

_DECK = 52
_BIG_BLIND, _SMALL_BLIND = 0, 1
"""Numbers of the seats in the limit game, where the big blind is seat 0."""
_PAIRS = 1081 * 990
"""Number of pairs of holdings without a common card that a board of five cards leaves."""


class CalledPot(NamedTuple):
    """The betting before the flop that led to a pot."""

    limped: bool
    """Whether the first action was a call of the big blind."""
    raises: int
    paid: float
    """Big blinds that each player has put in."""

    def limit_actions(self, most_raises: int) -> str:
        """Return the limit actions that stand for this betting, after which the pot is played on.

        If limit does not allow so many raises, the longest line that it allows is used.
        """
        called = "cc" if self.limped and not self.raises else "c"
        raised = "r" * min(self.raises, most_raises)
        return ("c" if self.limped and self.raises else "") + raised + called


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class Postflop:
    """A strategy for play after the flop. Raises `BadInput` if it is for another game."""

    strategy: BoardStrategy
    """A strategy for limit hold'em that both seats play."""
    boards: int
    seed: int = 0

    def __post_init__(self) -> None:
        if not 2 <= self.boards <= MOST_BOARDS:
            raise BadInput(f"{self.boards} boards; allowed: 2 to {MOST_BOARDS:,}")
        if not same_game(self.strategy.tree.betting, betting_tree(HEADS_UP_LIMIT).betting):
            raise BadInput("a strategy for another game; allowed: heads-up limit, standard caps")


@checked
def gains_of_betting(
    postflop: Postflop,
    pots: Sequence[CalledPot],
    stack: float,
    *,
    progress: Progress | None = None,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Return (groups, pots, 169, 169) what betting adds to the pots' values, and (groups,) boards.

    Values are means over the boards of a group, in big blinds, times the probability of both
    classes. Boards are dealt to `BOARD_GROUPS` groups in turn, so that the differences between
    groups give a standard error. Raises `Interrupted` on Ctrl-C.
    """
    groups = min(BOARD_GROUPS, postflop.boards)
    sums = np.zeros((groups, len(pots), CLASSES, CLASSES))
    counts = np.zeros(groups, dtype=np.int64)
    player = _PotPlayer(postflop.strategy, pots, stack)
    rng = np.random.default_rng(postflop.seed)
    boards = (
        rng.choice(_DECK, size=BOARD_CARDS[-1], replace=False).astype(np.uint8)
        for _ in range(postflop.boards)
    )
    try:
        # Results arrive in the order of the boards, so neither the groups nor the order of the
        # additions depends on the threads.
        for number, won in enumerate(map_threads(player.on, boards, threads=thread_count())):
            sums[number % groups] += won
            counts[number % groups] += 1
            if progress is not None:
                progress(number + 1, postflop.boards, "boards")
    except KeyboardInterrupt:
        done = int(counts.sum())
        words = f"stopped after {done:,} of {postflop.boards:,} boards; nothing is kept"
        raise Interrupted(words) from None
    return sums / counts[:, np.newaxis, np.newaxis, np.newaxis], counts


class _Ends(NamedTuple):
    """The ends of the betting after one pot, as places in the arrays of `_BoardPlay`."""

    folds: npt.NDArray[np.int64]
    fold_wins: npt.NDArray[np.float32]
    """What the small blind wins at each fold; negative where it folds itself."""
    shown: npt.NDArray[np.int64]
    at_stake: npt.NDArray[np.float32]


class _BoardPlay(NamedTuple):
    """How both seats play on a board."""

    row: npt.NDArray[np.int64]
    """(holdings,) the row of each holding, in the order of strength."""
    reach: tuple[_Reach, _Reach]
    """By seat (ends, rows): the probability that own actions lead to an end of the betting.

    Rows of zeros fill up to a multiple of `WIDTH`. Ends are ordered as folds by street, then
    showdowns; within these by the action that ends the betting, and then by sequence.
    """


class _PotPlayer:
    """Plays pots on boards of five cards."""

    def __init__(self, strategy: BoardStrategy, pots: Sequence[CalledPot], stack: float) -> None:
        self._strategy, self._rounds = strategy, strategy.tree.rounds
        self._parts = [round_arrays(part) for part in self._rounds]
        self._pots = pots
        self._ends = [self._ends_of(pot, stack) for pot in pots]
        self._classes = CLASS_OF_HOLDING.astype(np.int64)

    def on(self, board: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
        """Return (pots, 169, 169) what betting adds to each pot's value on a board."""
        order, begin = in_order_of_strength(board, board[:0])
        played = self._play(board, order)
        own, opponent = played.reach[_SMALL_BLIND], played.reach[_BIG_BLIND]
        # Ends that either player never reaches are left out of the products.
        happens: npt.NDArray[np.bool_] = np.any(own, axis=1) & np.any(opponent, axis=1)
        folded, at_showdown = (aligned(own.shape[1], opponent.shape[1]) for _ in range(2))
        gains = np.zeros((len(self._pots), CLASSES, CLASSES))
        for pot, ends, won in zip(self._pots, self._ends, gains, strict=True):
            some, more = happens[ends.folds], happens[ends.shown]
            multiply(own, opponent, ends.folds[some], ends.fold_wins[some], folded)
            multiply(own, opponent, ends.shown[more], ends.at_stake[more], at_showdown)
            # Checked down, every pair of holdings would win or lose what was paid before the flop.
            at_showdown -= np.float32(pot.paid)
            add_by_class(order, begin, played.row, self._classes, folded, at_showdown, won)
        gains /= _PAIRS
        return gains

    def _play(self, board: npt.NDArray[np.uint8], order: npt.NDArray[np.int64]) -> _BoardPlay:
        table = self._strategy.on(board[:0], None)
        row = np.zeros(len(order), dtype=np.int64)
        starts = [np.ones((1, self._rounds[1].sequences), dtype=np.float32) for _ in range(2)]
        folds: list[list[_Reach]] = [[], []]
        for street in range(1, len(BOARD_CARDS)):
            table = self._strategy.on(board[: BOARD_CARDS[street]], table)
            # Holdings that play alike on this street and on all streets before share a row.
            rows = len(table.table)
            distinct, row = np.unique(row * rows + table.rows[order], return_inverse=True)
            parents, member = np.divmod(distinct, rows)
            shares = table.table[member]
            for seat in range(2):
                fold, starts[seat] = self._follow(street, seat, shares, starts[seat], parents)
                folds[seat] = [reach[parents] for reach in folds[seat]] + [fold]
        first, second = (_by_end([*folds[seat], starts[seat]]) for seat in range(2))
        return _BoardPlay(row, (first, second))

    def _follow(
        self,
        street: int,
        seat: int,
        shares: _Reach,
        start: _Reach,
        parents: npt.NDArray[np.int64],
    ) -> tuple[_Reach, _Reach]:
        betting_round, none = self._rounds[street], np.empty((0, 0), dtype=np.float32)
        fold, end = (
            np.empty((len(shares), n), dtype=np.float32)
            for n in (betting_round.folds, betting_round.ends)
        )
        reach_of_round(
            self._parts[street],
            seat,
            shares,
            0,
            len(shares),
            start,
            parents.astype(np.int32),
            fold,
            end,
            0.0,
            none,
            none,
            none,
        )
        return fold, end

    def _ends_of(self, pot: CalledPot, stack: float) -> _Ends:
        """Return the ends of the betting after a pot, with bets cut at the stacks.

        A player with no chips left goes to the showdown, even where the strategy would fold.
        """
        tree = self._strategy.tree
        actions = pot.limit_actions(tree.betting.most_raises[0])
        sequence = tree.after(actions).sequence
        flops = self._rounds[1].sequences
        paid_in_limit = self._rounds[1].before[sequence]
        amounts, wins = [], []
        for betting_round in self._rounds[1:]:
            folder = betting_round.player[betting_round.node[betting_round.fold_slot]]
            amounts.append((betting_round.before + betting_round.fold_paid[:, np.newaxis]).ravel())
            wins.append(np.repeat(np.where(folder == _SMALL_BLIND, -1, 1), betting_round.sequences))
        last = self._rounds[-1]
        amounts.append((last.before + last.end_paid[:, np.newaxis]).ravel())
        wins.append(np.zeros(last.ends, dtype=np.int64))
        # A later sequence's number is that of the flop's sequence plus a multiple of `flops`.
        led = [np.arange(len(amount)) % flops == sequence for amount in amounts]
        of_pot = np.concatenate(led)
        chips, sign = np.concatenate(amounts), np.concatenate(wins)
        paid = pot.paid + (chips - paid_in_limit) / tree.chips_per_unit
        is_fold = of_pot & (sign != 0) & (paid < stack)
        is_shown = of_pot & ~is_fold
        return _Ends(
            np.flatnonzero(is_fold),
            (sign * paid)[is_fold].astype(np.float32),
            np.flatnonzero(is_shown),
            np.minimum(paid, stack)[is_shown].astype(np.float32),
        )


def _by_end(reach: list[_Reach]) -> _Reach:
    """Join tables (rows, ends) into one (ends, rows), with rows padded to a multiple of `WIDTH`."""
    rows, ends = len(reach[0]), sum(table.shape[1] for table in reach)
    by_end = aligned(ends, -(-rows // WIDTH) * WIDTH)
    by_end[:, :rows] = np.concatenate(reach, axis=1).T
    return by_end


_DEALT, _WON = 0, 1
# The game before the flop and its equilibrium.


_LIMPED = "limp"
_MOST_RAISES = 5
"""The most raises of the minimum; after these only all-in, a call or a fold remain."""


class PreflopAction(StrEnum):
    """An action that a game may allow. Checking and calling a raise are always allowed."""

    FOLD = "fold"
    LIMP = "limp"
    """A call of the big blind by the small blind."""
    MINRAISE = "minraise"
    """A raise of the size of the last bet or raise."""
    SHOVE = "shove"


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class PreflopGame:
    """The stack and the actions. Raises `BadInput` for a combination that is no game."""

    stack: float = 10.0
    """Stack of each player in big blinds."""
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
        """Return the pots that can be called before the flop and leave chips to bet."""
        # A dictionary as an ordered set: the matrices of pots are numbered in this order.
        called_pots: dict[CalledPot, None] = {}

        def called(pot: CalledPot) -> Terminal:
            called_pots[pot] = None
            return Terminal(_WON, pot.paid)

        self._root(called)
        return tuple(pot for pot in called_pots if pot.paid < self.stack)

    def tree(self, worth: Mapping[CalledPot, Matrix] | None = None) -> Game:
        """Build the game in arrays: 169 states for each player, payoffs in big blinds.

        ``worth`` has the values of pots that are not checked down.
        """
        worths = {} if worth is None else worth
        numbers = {pot: number for number, pot in enumerate(worths, start=_WON + 1)}

        def called(pot: CalledPot) -> Terminal:
            return Terminal(numbers[pot], 1.0) if pot in numbers else Terminal(_WON, pot.paid)

        matrices = [*showdown_matrices(), *worths.values()]
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
        """Build the tree from a decision on. ``step`` is the size of the last bet or raise."""
        opponent, level = 1 - player, max(paid)
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
            limp = self._decision((level, level), opponent, step, raises, (_LIMPED,), called)
            add("limp", limp)
        if level < self.stack:
            to = level + step
            if PreflopAction.MINRAISE in self.actions and raises < _MOST_RAISES and to < self.stack:
                after = (to, paid[1]) if player == 0 else (paid[0], to)
                name = f"raise to {to:g}"
                later = (*line, name)
                add(name, self._decision(after, opponent, step, raises + 1, later, called))
            if PreflopAction.SHOVE in self.actions:
                after = (self.stack, paid[1]) if player == 0 else (paid[0], self.stack)
                later = (*line, "shove")
                added = self.stack - level
                add("shove", self._decision(after, opponent, added, raises + 1, later, called))
        return Decision(player, ", ".join(line) or "first", tuple(actions), tuple(children))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PreflopSolution(HasTable):
    """An equilibrium of play before the flop."""

    game: PreflopGame
    decisions: tuple[tuple[Decision, npt.NDArray[np.float64]], ...]
    """Every decision with its frequencies (actions, 169), the small blind's first."""
    solution: Solution
    """The small blind's value in big blinds, the exploitability and the iterations."""
    value: Estimate
    """The value with its standard error over groups of boards; exact if hands are checked down."""
    boards: int = 0
    """Number of boards on which pots were played after the flop."""

    def shares(self, frequencies: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the share of the 1,326 holdings that take each action, (actions,)."""
        overall: npt.NDArray[np.float64] = frequencies @ COMBINATIONS / COMBINATIONS.sum()
        return overall

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each action of each decision: the share of holdings that take it."""
        return table_of(
            {"decision": decision.name, "action": action, "share": share}
            for decision, frequencies in self.decisions
            for action, share in zip(decision.actions, self.shares(frequencies), strict=True)
        )


@checked
def solve_preflop(
    stack: float,
    actions: Iterable[PreflopAction] = frozenset(PreflopAction),
    *,
    postflop: Postflop | None = None,
    tolerance: float = 1e-4,
    progress: Progress | None = None,
) -> PreflopSolution:
    """Solve heads-up no-limit before the flop.

    After a call, hands are checked down, or ``postflop`` plays them in fixed limit with bets of 1
    and 2 big blinds, cut at the stacks. ``tolerance`` is the gain of a best response at which to
    stop, in big blinds, averaged over the seats. Raises `BadInput` for a stack or actions that make
    no game, and `Interrupted` on Ctrl-C while boards are dealt.
    """
    game = PreflopGame(stack=stack, actions=frozenset(actions))
    check_goal("tolerance", tolerance)
    if postflop is None:
        tree = game.tree()
        solution = solve(tree, tolerance=tolerance, progress=progress)
        value = Estimate(solution.value, 0.0, 1, ResultUnit.BIG_BLINDS)
        return PreflopSolution(
            game=game, decisions=_decisions(tree, solution.strategy), solution=solution, value=value
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
    solution = solve(tree, tolerance=tolerance, progress=progress)
    # The standard error keeps the strategies fixed. They are nearly best responses to each other,
    # so to first order the value on other boards changes with the payoffs alone.
    by_group = [
        float(values(game.tree(_worth(pots, gain)), solution.strategy, player=0).sum())
        for gain in gains
    ]
    share = boards / boards.sum()
    far = (share * (np.array(by_group) - solution.value)) ** 2
    error = float(np.sqrt(far.sum() * len(gains) / (len(gains) - 1)))
    return PreflopSolution(
        game=game,
        decisions=_decisions(tree, solution.strategy),
        solution=solution,
        value=Estimate(solution.value, error, len(gains), ResultUnit.BIG_BLINDS),
        boards=int(boards.sum()),
    )


def _worth(pots: tuple[CalledPot, ...], gains: npt.NDArray[np.float64]) -> dict[CalledPot, Matrix]:
    """Return the pots' values: those of checking down, plus what betting adds."""
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
