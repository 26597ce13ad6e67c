"""Any game of two players with zero sum, as arrays, and its solution by regret minimisation.

`limit`, `nolimit` and `spot` have their own solvers for hold'em.

The iterations follow Zinkevich, Johanson, Bowling and Piccione, "Regret minimization in games with
incomplete information" (2007), with the players updated in turn. `CfrVariant` names the papers of
the variants.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird._display import HasTable, table_of
from railbird.errors import BadInput
from railbird.progress import Progress
from railbird.solve.kernels import iterate, reach_nodes, value_nodes
from railbird.solve.settings import MOST_ITERATIONS, check_goal

if TYPE_CHECKING:
    import polars as pl

# A two-player zero-sum game as arrays. What both players know is a tree; what one player knows is a
# state.
#
# Each player is dealt one of a few private states, such as a card or a hand class; both see all
# actions and public cards. The probabilities of chance appear only in the payoff matrices: entry
# (i, j) of a terminal's matrix is the probability that the first player holds state i, that the
# second holds j and that the terminal's public cards are dealt, multiplied by what the first player
# then wins. The solver therefore needs to know the rules of no game, and states that are
# interchangeable can be merged into classes before the game is written down.


PUBLIC, TERMINAL = -1, -2
"""Values of `Game.player` where nobody acts: a public card is dealt, or the game is over."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """An end of the game: the first player wins ``scale`` times the entry of the matrix."""

    matrix: int
    scale: float


@dataclass(frozen=True, slots=True)
class Chance:
    """A public card, with one branch for each card; its probabilities are in the matrices."""

    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """A player's decision; ``name`` identifies it, ``actions`` are in the order of the branches."""

    player: int
    name: str
    actions: tuple[str, ...]
    children: tuple[Node, ...]


Node = Terminal | Chance | Decision
"""A part of a game tree."""


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """A game ready to be solved. The children of a node have consecutive numbers."""

    player: npt.NDArray[np.int8]
    """(nodes,) the player to act, 0 or 1, or `PUBLIC` or `TERMINAL`."""
    first: npt.NDArray[np.int32]
    """(nodes,) number of the first child; the last child is number first + count - 1."""
    count: npt.NDArray[np.int32]
    """(nodes,) number of children."""
    row: npt.NDArray[np.int32]
    """(nodes,) for a decision, the row of its first action in its player's tables."""
    matrix: npt.NDArray[np.int32]
    """(nodes,) for a terminal, its payoff matrix."""
    scale: npt.NDArray[np.float64]
    """(nodes,) for a terminal, the factor on its matrix."""
    payoffs: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]
    """For each player (matrices, opponent's states, own states): probability times own payoff."""
    decisions: tuple[tuple[Decision, ...], tuple[Decision, ...]]
    """Each player's decisions in the order of their rows."""
    rows: tuple[int, int]
    """Rows of each player's tables: the actions of all the player's decisions together."""
    state_names: tuple[str, ...]
    """Names of the private states, the same for both players; empty if they have none."""

    @property
    def states(self) -> tuple[int, int]:
        """Private states of the two players."""
        return self.payoffs[0].shape[2], self.payoffs[1].shape[2]


@checked
def compile_game(
    root: Node, matrices: Sequence[npt.ArrayLike], *, state_names: Sequence[str] = ()
) -> Game:
    """Lay out a tree in arrays.

    Each of ``matrices`` is (states of the first, states of the second), probability times the first
    player's payoff before the terminal's factor. Raises `BadInput` for a terminal without matrix.
    """
    try:
        for_second = np.array(matrices, dtype=np.float64)
    except ValueError:
        raise BadInput("payoffs; allowed: matrices of numbers, equally large") from None
    if for_second.ndim != 3:
        raise BadInput(f"payoffs of shape {for_second.shape}; allowed: one matrix or more")
    player, first, count, row, matrix, scale = ([] for _ in range(6))
    decisions: tuple[list[Decision], list[Decision]] = ([], [])
    rows = [0, 0]
    # Breadth first, because a node stores only its first child and how many there are: its children
    # must be numbered one after the other, which they are when they leave the queue in the order in
    # which they entered it. A kernel that reads the nodes from the last to the first also meets
    # every child before its parent, so values need one pass and no recursion.
    queue: deque[Node] = deque([root])
    seen = 1
    while queue:
        node = queue.popleft()
        children = () if isinstance(node, Terminal) else node.children
        # Also for terminals, whose count of 0 says that the number means nothing.
        first.append(seen)
        count.append(len(children))
        seen += len(children)
        queue.extend(children)
        match node:
            case Terminal(which, factor):
                if not 0 <= which < len(for_second):
                    raise BadInput(f"payoff matrix {which}; allowed: 0 to {len(for_second) - 1}")
                player.append(TERMINAL)
                row.append(-1)
                matrix.append(which)
                scale.append(factor)
                continue
            case Chance():
                player.append(PUBLIC)
                row.append(-1)
            case Decision(who):
                player.append(who)
                row.append(rows[who])
                rows[who] += len(children)
                decisions[who].append(node)
        matrix.append(-1)
        scale.append(0.0)
    return Game(
        player=np.array(player, dtype=np.int8),
        first=np.array(first, dtype=np.int32),
        count=np.array(count, dtype=np.int32),
        row=np.array(row, dtype=np.int32),
        matrix=np.array(matrix, dtype=np.int32),
        scale=np.array(scale, dtype=np.float64),
        # The value of own state s is a sum over the opponent's states, so each player's matrices
        # have the own states last: the innermost loop then runs over contiguous memory.
        payoffs=(np.ascontiguousarray(for_second.transpose(0, 2, 1)), -for_second),
        decisions=(tuple(decisions[0]), tuple(decisions[1])),
        rows=(rows[0], rows[1]),
        state_names=tuple(state_names),
    )


# Strategies of a `Game`, as tables of probabilities.


ActionTable = npt.NDArray[np.float64]
"""(rows, states) numbers of one player: one row for each action of each decision."""
Strategy = tuple[ActionTable, ActionTable]
"""Both players' probabilities of their actions."""


@checked
def uniform(game: Game) -> Strategy:
    """Play every action with the same probability."""
    return normalised(game, zeros(game))


def normalised(game: Game, cumulative_strategy: Strategy) -> Strategy:
    """Divide each decision's rows by their sum; where that is zero, play all actions equally."""
    tables = []
    for player in (0, 1):
        table = cumulative_strategy[player].copy()
        for node in np.flatnonzero(game.player == player):
            rows = slice(game.row[node], game.row[node] + game.count[node])
            total = table[rows].sum(axis=0)
            table[rows] = np.where(
                total > 0, table[rows] / np.where(total > 0, total, 1.0), 1.0 / game.count[node]
            )
        tables.append(table)
    return tables[0], tables[1]


def zeros(game: Game) -> Strategy:
    """Return tables of zeros for both players."""
    first, second = (
        np.zeros((rows, states)) for rows, states in zip(game.rows, game.states, strict=True)
    )
    return first, second


# Values of strategies, best responses to them, and exploitability.


@checked
def values(game: Game, strategy: Strategy, *, player: int) -> ActionTable:
    """Return (states,) the value of each of a player's states times its probability."""
    at_root: ActionTable = _node_values(game, strategy, player, best=False)[0]
    return at_root.copy()


@checked
def best_response_values(game: Game, strategy: Strategy, *, player: int) -> ActionTable:
    """Like `values`, for a player who plays the best response to the other's strategy."""
    at_root: ActionTable = _node_values(game, strategy, player, best=True)[0]
    return at_root.copy()


def _node_values(game: Game, strategy: Strategy, player: int, *, best: bool) -> ActionTable:
    """Compute the counterfactual values (nodes, states) of a player."""
    if player not in (0, 1):
        raise BadInput(f"player {player}; allowed: 0, 1")
    # Kernels do not check bounds: a table of the wrong shape would read memory that is not its own.
    wanted = [table.shape for table in zeros(game)]
    if (given := [table.shape for table in strategy]) != wanted:
        raise BadInput(f"a strategy of shapes {given}; allowed: {wanted}")
    reach, values = node_tables(game)[1 - player], node_tables(game)[player]
    reach_nodes(kernel_arrays(game), 1 - player, strategy[1 - player], reach)
    value_nodes(
        kernel_arrays(game), game.payoffs[player], player, strategy[player], reach, best, values
    )
    return values


@checked
def exploitability(game: Game, strategy: Strategy) -> float:
    """Return the gain of a best response over the strategy, averaged over the seats."""
    # The values of the strategy itself cancel, as the game is zero-sum: what remains of both gains
    # is the sum of the two best responses' values.
    return sum(float(best_response_values(game, strategy, player=p).sum()) for p in (0, 1)) / 2


@checked
def best_response(game: Game, strategy: Strategy, *, player: int) -> ActionTable:
    """Return a pure best response (rows, states); of equally good actions it takes the first."""
    values = _node_values(game, strategy, player, best=True)
    table = np.zeros_like(strategy[player])
    states = np.arange(table.shape[1])
    for node in np.flatnonzero(game.player == player):
        children = game.first[node] + np.arange(game.count[node])
        table[game.row[node] + np.argmax(values[children], axis=0), states] = 1.0
    return table


def kernel_arrays(
    game: Game,
) -> tuple[
    npt.NDArray[np.int8],
    npt.NDArray[np.int32],
    npt.NDArray[np.int32],
    npt.NDArray[np.int32],
    npt.NDArray[np.int32],
    ActionTable,
]:
    """Return the arrays of a game that kernels read."""
    return game.player, game.first, game.count, game.row, game.matrix, game.scale


def node_tables(game: Game) -> Strategy:
    """Return uninitialised tables (nodes, states) of both players."""
    first, second = (np.empty((len(game.player), states)) for states in game.states)
    return first, second


# The iterations.


class CfrVariant(Enum):
    """How earlier regrets and strategies are discounted at iteration t.

    Positive regrets are multiplied by t^a / (t^a + 1), negative regrets by t^b / (t^b + 1) and the
    average strategy by ((t - 1) / t)^c, in the notation of Brown and Sandholm (2019). The values
    are a, b, c and the number of times that the newest regret is added once more when the next
    strategy is chosen, as a prediction of the next regret.
    """

    CFR = (inf, inf, 0.0, 0.0)
    """Zinkevich et al. 2007: the regrets and strategies of all iterations count equally."""
    CFR_PLUS = (inf, -inf, 1.0, 0.0)
    """Tammelin, "Solving large imperfect information games using CFR+" (2014): negative regrets
    are forgotten, iteration t counts t times in the average."""
    LINEAR = (1.0, 1.0, 1.0, 0.0)
    """Brown and Sandholm, "Solving imperfect-information games via discounted regret minimization"
    (2019): iteration t counts t times, in regrets too."""
    DISCOUNTED = (1.5, 0.0, 2.0, 0.0)
    """The same paper's recommendation."""
    PREDICTIVE = (inf, -inf, 2.0, 1.0)
    """Farina, Kroer and Sandholm, "Faster game solving via predictive Blackwell approachability"
    (2021): CFR+ with a prediction, and quadratic averaging."""

    @property
    def title(self) -> str:
        """Name and paper.

        >>> CfrVariant.CFR_PLUS.title
        'CFR+ (Tammelin 2014)'
        """
        return _TITLES[self]


_TITLES = {
    CfrVariant.CFR: "CFR (Zinkevich et al. 2007)",
    CfrVariant.CFR_PLUS: "CFR+ (Tammelin 2014)",
    CfrVariant.LINEAR: "linear CFR (Brown and Sandholm 2019)",
    CfrVariant.DISCOUNTED: "discounted CFR (Brown and Sandholm 2019)",
    CfrVariant.PREDICTIVE: "predictive CFR+ (Farina, Kroer and Sandholm 2021)",
}


@dataclass(slots=True, eq=False)
class Solver:
    """The tables of a game that is being solved. Each call of `run` continues from the last."""

    game: Game
    variant: CfrVariant = CfrVariant.CFR_PLUS
    iterations: int = field(default=0, init=False)
    regrets: Strategy = field(init=False)
    current: Strategy = field(init=False)
    cumulative_strategy: Strategy = field(init=False)

    def __post_init__(self) -> None:
        self.regrets, self.cumulative_strategy = zeros(self.game), zeros(self.game)
        self.current = uniform(self.game)

    def run(self, iterations: int) -> None:
        """Make this many iterations, each of which updates first one player and then the other."""
        iterate(
            kernel_arrays(self.game),
            self.game.payoffs,
            self.regrets,
            self.current,
            self.cumulative_strategy,
            node_tables(self.game),
            node_tables(self.game),
            self.iterations,
            self.iterations + iterations,
            self.variant.value,
        )
        self.iterations += iterations

    def average(self) -> Strategy:
        """Return the average strategy; it converges to an equilibrium, the current one need not."""
        return normalised(self.game, self.cumulative_strategy)


class CurvePoint(NamedTuple):
    """A point of a convergence curve."""

    iterations: int
    exploitability: float


@dataclass(frozen=True, slots=True, eq=False)
class Solution(HasTable):
    """A strategy with its value and exploitability."""

    strategy: Strategy
    value: float
    """Payoff of the first player, a game."""
    exploitability: float
    """Gain of a best response, averaged over the seats; 0 in equilibrium."""
    iterations: int
    took_s: float
    curve: tuple[CurvePoint, ...]
    """Exploitability of the average strategy at each iteration for which it was computed."""

    def to_polars(self) -> pl.DataFrame:
        """Return one row: value, exploitability, iterations and seconds."""
        names = ("value", "exploitability", "iterations", "took_s")
        return table_of([{name: getattr(self, name) for name in names}])


@checked
def solve(
    game: Game,
    *,
    tolerance: float,
    variant: CfrVariant = CfrVariant.PREDICTIVE,
    most: int = MOST_ITERATIONS,
    first_check: int = 64,
    progress: Progress | None = None,
) -> Solution:
    """Iterate until no best response gains more than ``tolerance`` on average over the seats.

    ``tolerance`` is in the unit of the payoffs, and ``most`` limits the iterations. Exploitability
    is computed after ``first_check`` iterations, and then whenever their number has grown by a
    quarter. Raises `BadInput` for a tolerance that is not positive.
    """
    check_goal("tolerance", tolerance)
    start = time.perf_counter()
    solver, batch = Solver(game, variant), first_check
    curve = []
    while True:
        solver.run(min(batch, most - solver.iterations))
        strategy = solver.average()
        gap = exploitability(game, strategy)
        curve.append(CurvePoint(solver.iterations, gap))
        if progress is not None:
            progress(solver.iterations, 0, f"solving, exploitability {gap:.1e}")
        if gap <= tolerance or solver.iterations >= most:
            return Solution(
                strategy=strategy,
                value=float(values(game, strategy, player=0).sum()),
                exploitability=gap,
                iterations=solver.iterations,
                took_s=time.perf_counter() - start,
                curve=tuple(curve),
            )
        # A check costs at least as much as an iteration. Growing intervals keep all checks together
        # a small share of the time, and run at most a quarter beyond the iterations that were
        # needed.
        batch = max(first_check, solver.iterations // 4)
