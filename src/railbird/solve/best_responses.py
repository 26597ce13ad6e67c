"""Values of strategies, best responses to them, and exploitability."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird.errors import BadInput
from railbird.solve._kernels_cfr import reach_nodes, value_nodes
from railbird.solve.game_tree import Game
from railbird.solve.strategy import ActionTable, Strategy, zeros


@checked
def values(game: Game, strategy: Strategy, *, player: int) -> ActionTable:
    """Value of each of a player's states at the root times its probability, (states,)."""
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
    # The kernels do not look where their arrays end.
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
    """Gain of a best response over the strategy, averaged over the seats."""
    return sum(float(best_response_values(game, strategy, player=p).sum()) for p in (0, 1)) / 2


@checked
def best_response(game: Game, strategy: Strategy, *, player: int) -> ActionTable:
    """Find a best response (rows, states) of ones and zeros; of equally good actions, the first."""
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
