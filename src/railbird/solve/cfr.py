"""Counterfactual regret minimisation for any `Game`, and how far a strategy is from equilibrium.

The iterations follow Zinkevich et al. (2007); the schemes are those of Brown and Sandholm (2019,
discounted CFR), of which CFR+ (Tammelin 2014) is one, and predictive CFR+ (Farina et al. 2021).
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from enum import Enum
from math import inf

import numpy as np
import numpy.typing as npt

from railbird.errors import BadInput
from railbird.progress import Progress
from railbird.solve._kernels_cfr import iterate, reach_nodes, value_nodes
from railbird.solve.game_tree import Game

ActionTable = npt.NDArray[np.float64]
"""(rows, states) numbers of one player: a row for each action of each of his decisions."""
Strategy = tuple[ActionTable, ActionTable]
"""Both players' chances of their actions."""


class CfrVariant(Enum):
    """How old regrets and old strategies fade: powers of t on gains, on losses, on the average.

    The last number counts the newest regret twice when the next strategy is chosen.
    """

    CFR = (inf, inf, 0.0, 0.0)
    CFR_PLUS = (inf, -inf, 1.0, 0.0)
    LINEAR = (1.0, 1.0, 1.0, 0.0)
    DISCOUNTED = (1.5, 0.0, 2.0, 0.0)
    PREDICTIVE = (inf, -inf, 2.0, 1.0)


@dataclass(slots=True, eq=False)
class Solver:
    """The tables of a game that is being solved; `run` goes on where it stopped."""

    game: Game
    scheme: CfrVariant = CfrVariant.CFR_PLUS
    iterations: int = field(default=0, init=False)
    regrets: Strategy = field(init=False)
    current: Strategy = field(init=False)
    cumulative_strategy: Strategy = field(init=False)

    def __post_init__(self) -> None:
        self.regrets, self.cumulative_strategy = _zeros(self.game), _zeros(self.game)
        self.current = uniform(self.game)

    def run(self, iterations: int) -> None:
        """Add so many iterations, each of which updates one player after the other."""
        iterate(
            _tree(self.game),
            self.game.payoffs,
            self.regrets,
            self.current,
            self.cumulative_strategy,
            _work(self.game),
            _work(self.game),
            self.iterations,
            self.iterations + iterations,
            self.scheme.value,
        )
        self.iterations += iterations

    def average(self) -> Strategy:
        """The strategy that converges to an equilibrium."""
        return normalised(self.game, self.cumulative_strategy)


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """A strategy with what it is worth."""

    strategy: Strategy
    value: float
    """What the first player wins a game."""
    exploitability: float
    """What a best response gains, the mean over both seats; 0 in equilibrium."""
    iterations: int
    took_s: float


def solve(
    game: Game,
    *,
    tolerance: float,
    scheme: CfrVariant = CfrVariant.PREDICTIVE,
    most: int = 1_000_000,
    progress: Progress | None = None,
) -> Solution:
    """Iterate until no best response gains more than ``tolerance`` on average over the seats.

    ``tolerance`` is in the unit of the payoffs; ``most`` iterations are made.
    Raises `BadInput` for a tolerance that is not positive.
    """
    if not tolerance > 0:
        raise BadInput(f"tolerance {tolerance:g}; allowed: more than 0")
    start = time.perf_counter()
    solver, batch = Solver(game, scheme), 64
    while True:
        solver.run(min(batch, most - solver.iterations))
        strategy = solver.average()
        gap = exploitability(game, strategy)
        if progress is not None:
            progress(solver.iterations, 0, f"solving, exploitability {gap:.1e}")
        if gap <= tolerance or solver.iterations >= most:
            return Solution(
                strategy=strategy,
                value=float(values(game, strategy, player=0).sum()),
                exploitability=gap,
                iterations=solver.iterations,
                took_s=time.perf_counter() - start,
            )
        batch = max(64, solver.iterations // 4)


def values(game: Game, strategy: Strategy, *, player: int) -> ActionTable:
    """What each of a player's states is worth at the root, times its chance: (states,)."""
    at_root: ActionTable = _node_values(game, strategy, player, best=False)[0]
    return at_root.copy()


def best_response_values(game: Game, strategy: Strategy, *, player: int) -> ActionTable:
    """The same for a player who plays the best response to the other's strategy."""
    at_root: ActionTable = _node_values(game, strategy, player, best=True)[0]
    return at_root.copy()


def _node_values(game: Game, strategy: Strategy, player: int, *, best: bool) -> ActionTable:
    """Counterfactual values (nodes, states) of a player."""
    reach, found = _work(game)[1 - player], _work(game)[player]
    reach_nodes(_tree(game), 1 - player, strategy[1 - player], reach)
    value_nodes(_tree(game), game.payoffs[player], player, strategy[player], reach, best, found)
    return found


def exploitability(game: Game, strategy: Strategy) -> float:
    """What a best response gains over the strategy, the mean over both seats."""
    return sum(float(best_response_values(game, strategy, player=p).sum()) for p in (0, 1)) / 2


def best_response(game: Game, strategy: Strategy, *, player: int) -> ActionTable:
    """A best response (rows, states) of ones and zeros; the first action where several are best."""
    found = _node_values(game, strategy, player, best=True)
    table = np.zeros_like(strategy[player])
    states = np.arange(table.shape[1])
    for node in np.flatnonzero(game.player == player):
        children = game.first[node] + np.arange(game.count[node])
        table[game.row[node] + np.argmax(found[children], axis=0), states] = 1.0
    return table


def uniform(game: Game) -> Strategy:
    """Every action as often as the others."""
    return normalised(game, _zeros(game))


def normalised(game: Game, cumulative_strategy: Strategy) -> Strategy:
    """Scale each decision's rows to one; to equal shares where all are nought."""
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


def _tree(
    game: Game,
) -> tuple[
    npt.NDArray[np.int8],
    npt.NDArray[np.int32],
    npt.NDArray[np.int32],
    npt.NDArray[np.int32],
    npt.NDArray[np.int32],
    ActionTable,
]:
    return game.player, game.first, game.count, game.row, game.matrix, game.scale


def _zeros(game: Game) -> Strategy:
    first, second = (
        np.zeros((rows, states)) for rows, states in zip(game.rows, game.states, strict=True)
    )
    return first, second


def _work(game: Game) -> Strategy:
    first, second = (np.empty((len(game.player), states)) for states in game.states)
    return first, second
