"""Strategies of a `Game`, as tables of probabilities."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird.solve.game_tree import Game

ActionTable = npt.NDArray[np.float64]
"""(rows, states) numbers of one player: a row for each action of each of his decisions."""
Strategy = tuple[ActionTable, ActionTable]
"""Both players' probabilities of their actions."""


@checked
def uniform(game: Game) -> Strategy:
    """Play every action with the same probability."""
    return normalised(game, zeros(game))


def normalised(game: Game, cumulative_strategy: Strategy) -> Strategy:
    """Normalise each decision's rows; where all are zero, play every action alike."""
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
