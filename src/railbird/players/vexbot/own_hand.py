"""The own hand as a cell of its strength, and how it may go on.

On the flop and the turn a cell is a part of all deals by the mean square of the final hand rank,
on the river of the hand rank itself. The actual cards tell the next street exactly; further on the
cell alone decides, by transitions that have been counted over random deals and come with the
package.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
import numpy.typing as npt

from railbird._files import atomic_write
from railbird.cards import CLASS_OF_HOLDING, CLASSES, HOLDING_CARDS
from railbird.cards.isomorphism.boards import board_index
from railbird.cards.isomorphism.rank_classes import COLUMN
from railbird.players.vexbot._kernels_vexbot import (
    rank_cell,
    rivers_ahead,
    strengths_of_deals,
    turns_ahead,
)
from railbird.players.vexbot.settings import OWN_CELLS, STRENGTH_CELLS
from railbird.solve.abstraction.percentile import open_values

Floats = npt.NDArray[np.float64]
Board = npt.NDArray[np.uint8]

_FILE = "own_hand.npz"
_FLOP, _TURN = 3, 4


@dataclass(frozen=True, slots=True, eq=False)
class Transitions:
    """How often cells follow each other."""

    flop_edges: npt.NDArray[np.int64]
    """(cells - 1,) ascending: a flop's entry is in the cell of as many edges as it reaches."""
    turn_edges: npt.NDArray[np.int64]
    """(cells - 1,)."""
    flop: Floats
    """(169, cells) by hand class: chances of the flop's cells."""
    turn: Floats
    """(cells, cells) by the flop's cell: chances of the turn's."""
    river: Floats
    """(cells, own cells) by the turn's cell: chances of the river's."""

    def write(self, path: Path) -> None:
        """Write them as the package has them."""
        with atomic_write(path) as part, part.open("wb") as file:
            np.savez_compressed(
                file,
                flop_edges=self.flop_edges,
                turn_edges=self.turn_edges,
                flop=self.flop.astype(np.float32),
                turn=self.turn.astype(np.float32),
                river=self.river.astype(np.float32),
            )


@cache
def transitions() -> Transitions:
    """Read what comes with the package."""
    source = files("railbird.players.vexbot") / "data" / _FILE
    with source.open("rb") as file, np.load(file, allow_pickle=False) as kept:
        chances = {name: kept[name].astype(np.float64) for name in ("flop", "turn", "river")}
        for table in chances.values():
            table /= table.sum(axis=1, keepdims=True)  # they were rounded
        return Transitions(kept["flop_edges"], kept["turn_edges"], **chances)


def count_transitions(rng: np.random.Generator, deals: int) -> Transitions:
    """Count the transitions of random deals."""
    order = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (deals, 1)), axis=1)[:, :7]
    low, high = np.minimum(order[:, 0], order[:, 1]), np.maximum(order[:, 0], order[:, 1])
    number = np.empty((52, 52), dtype=np.int64)
    number[HOLDING_CARDS[:, 0], HOLDING_CARDS[:, 1]] = np.arange(len(HOLDING_CARDS))
    holdings, values = number[low, high], open_values()
    found = np.empty((deals, 3), dtype=np.int64)
    strengths_of_deals(
        np.ascontiguousarray(order[:, 2:]),
        holdings,
        values.flop_start,
        values.flop_pattern,
        values.flop_hr7_squares,
        values.turn_start,
        values.turn_pattern,
        values.turn_hr7_squares,
        values.river_start,
        values.river_pattern,
        values.river_ihr,
        found,
    )
    parts = np.arange(1, STRENGTH_CELLS) / STRENGTH_CELLS
    flop_edges, turn_edges = (np.quantile(found[:, k], parts).astype(np.int64) for k in (0, 1))
    cells = [
        CLASS_OF_HOLDING[holdings],
        np.searchsorted(flop_edges, found[:, 0], side="right"),
        np.searchsorted(turn_edges, found[:, 1], side="right"),
        np.array([rank_cell(rank, OWN_CELLS) for rank in found[:, 2].tolist()]),
    ]
    sizes = CLASSES, STRENGTH_CELLS, STRENGTH_CELLS, OWN_CELLS
    tables = []
    for street in range(3):
        table = np.zeros((sizes[street], sizes[street + 1]))
        np.add.at(table, (cells[street], cells[street + 1]), 1.0)
        tables.append(table / np.maximum(table.sum(axis=1, keepdims=True), 1))
    return Transitions(flop_edges, turn_edges, *tables)


def chances_ahead(board: Board, holding: int) -> Floats:
    """Return the chances of the next street's cells; on the river the own cell itself, as 1."""
    if len(board) < _FLOP:
        preflop: Floats = transitions().flop[CLASS_OF_HOLDING[holding]]
        return preflop
    values = open_values()
    if len(board) == _FLOP:
        shares = np.empty(STRENGTH_CELLS)
        turns_ahead(
            board,
            holding,
            values.turn_start,
            values.turn_pattern,
            values.turn_hr7_squares,
            transitions().turn_edges,
            shares,
        )
        return shares
    shares = np.zeros(OWN_CELLS)
    if len(board) == _TURN:
        tables = values.river_start, values.river_pattern, values.river_ihr
        rivers_ahead(board, holding, *tables, shares)
    else:
        shares[river_cell(board, holding, OWN_CELLS)] = 1.0
    return shares


def river_cell(board: Board, holding: int, cells: int) -> int:
    """Return the cell of a holding's rank on the river."""
    values, index = open_values(), board_index(board.tolist())
    place = values.river_start[index] + COLUMN[values.river_pattern[index], holding]
    return int(rank_cell(int(values.river_ihr[place]), cells))
