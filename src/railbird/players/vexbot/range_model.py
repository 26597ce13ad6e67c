"""What the opponent does with its holdings, and so which it may have.

On each street its holdings are cells of strength, and each action counts for the cells that it may
have come from: those of the hand that it showed, or of all that its actions, and a hand that it
mucked, leave likely. So a hand that was folded is not lost: it is one of those that fold there.

What is not seen must not confirm itself: somebody who raises with everything would long be taken
for one who has strong hands. So all cells together act as often as was counted without them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import numpy as np
import numpy.typing as npt

from railbird.cards import CLASS_OF_HOLDING, CLASSES, HOLDING_CARDS, HOLDINGS
from railbird.cards.isomorphism.boards import board_index
from railbird.cards.isomorphism.rank_classes import COLUMN
from railbird.players.vexbot._kernels_ranges import (
    calibrate_round,
    count_actions,
    fill_cells,
    weigh,
)
from railbird.players.vexbot._kernels_vexbot import RIVER_WHOLE, estimate_rows
from railbird.players.vexbot.contexts import Contexts
from railbird.players.vexbot.own_hand import transitions
from railbird.players.vexbot.prior import Prior
from railbird.players.vexbot.settings import (
    CALIBRATIONS,
    CELL_STRENGTH,
    HOLDING_CELLS,
    STRENGTH_CELLS,
    STRENGTHS,
)
from railbird.solve.abstraction.percentile import open_values
from railbird.solve.limit.matrix_cfr import round_arrays

Floats = npt.NDArray[np.float64]
Cells = npt.NDArray[np.int64]
Acted = list[tuple[int, int, int]]
"""Actions of the opponent: street, decision context, kind."""

_KINDS = 3
_STREETS = 4
_STRENGTHS = np.array(STRENGTHS)
_DETAILED = np.array([CELL_STRENGTH])
_RIVER_EDGES = -(-RIVER_WHOLE * np.arange(1, HOLDING_CELLS) // HOLDING_CELLS)


@dataclass(slots=True, eq=False)
class RangeModel:
    """Counts of actions by cell of the holding; starts with none."""

    contexts: Contexts
    prior: Prior
    detail: Prior
    """As of `OpponentModel`."""
    kept: float = 0.0
    """As of `OpponentModel`."""
    counts: Floats = field(init=False)
    """(groups of all levels, cells, 3)."""
    chances: Floats = field(init=False)
    """(decisions, cells, 3) what is expected; `estimate` brings it up to date."""

    def __post_init__(self) -> None:
        rows = len(self.contexts.decision_rows.parent)
        self.counts = np.zeros((rows, HOLDING_CELLS, _KINDS))
        self.estimate()

    def estimate(self, direct: Floats | None = None, *, detailed: bool = True) -> None:
        """Expect what the counts tell, by the detailed prior or the coarse one.

        ``direct`` (decisions, 3) is how often the opponent does what with all its holdings.
        """
        rows = self.contexts.decision_rows
        cells = np.arange(HOLDING_CELLS)
        parent = (rows.parent[:, np.newaxis] * HOLDING_CELLS + cells).ravel()
        parent[parent < 0] = -1
        found = np.empty((len(parent), _KINDS))
        estimate_rows(
            self.counts.reshape(-1, _KINDS),
            parent.astype(np.int32),
            rows.start * np.int32(HOLDING_CELLS),
            (self.detail if detailed else self.prior).by_cell.reshape(-1, _KINDS),
            detailed,
            self.kept,
            _DETAILED if detailed else _STRENGTHS,
            found,
        )
        self.chances = found.reshape(-1, HOLDING_CELLS, _KINDS)[: rows.start[1]]
        if direct is None:
            return
        tree = self.contexts.tree
        reach = np.broadcast_to(preflop_shares(), (2, 1, HOLDING_CELLS))
        for street, part in enumerate(tree.rounds):
            if street:
                reach = reach @ cell_moves()[street - 1]
            ends = np.empty((2, part.ends, HOLDING_CELLS))
            calibrate_round(
                round_arrays(part),
                direct,
                self.contexts.first[street],
                np.ascontiguousarray(reach),
                CALIBRATIONS,
                self.chances,
                ends,
            )
            reach = ends

    def weights(self, cells: Cells, acted: Acted, own: int) -> Floats:
        """Return the range that actions leave, without what the board and ``own`` block."""
        live: Floats = (cells[-1] >= 0).astype(np.float64)
        live[_holdings_with()[HOLDING_CARDS[own]]] = 0
        weights: Floats = live.copy()
        weigh(self.chances, cells, _array(acted), weights)
        return weights if weights.max() > 0 else live

    def saw_hand(self, cells: Cells, acted: Acted, weights: Floats) -> None:
        """Count a hand's actions for the holdings that it may have been."""
        count_actions(weights, cells, _array(acted), self.contexts.decisions, self.counts)


def _array(acted: Acted) -> Cells:
    return np.array(acted, dtype=np.int64).reshape(-1, 3)


@cache
def preflop_cells() -> Cells:
    """Return (1326,) the cells before the flop, equal parts by the mean cell on the flop."""
    mean = transitions().flop @ np.arange(STRENGTH_CELLS)
    order = np.argsort(mean, kind="stable")
    sizes = np.bincount(CLASS_OF_HOLDING)[order]
    by_class = np.empty(CLASSES, dtype=np.int64)
    by_class[order] = (np.cumsum(sizes) - sizes) * HOLDING_CELLS // HOLDINGS
    cells: Cells = by_class[CLASS_OF_HOLDING]
    return cells


@cache
def preflop_shares() -> Floats:
    """Return (cells,) the parts of all holdings that the cells before the flop are."""
    shares: Floats = np.bincount(preflop_cells(), minlength=HOLDING_CELLS) / HOLDINGS
    return shares


@cache
def cell_moves() -> tuple[Floats, ...]:
    """Return by street the chances of the next street's cells, (cells, cells)."""
    tables, cells = transitions(), preflop_cells()
    flop = np.zeros((HOLDING_CELLS, STRENGTH_CELLS))
    np.add.at(flop, cells, tables.flop[CLASS_OF_HOLDING])
    flop /= np.bincount(cells, minlength=HOLDING_CELLS)[:, np.newaxis]
    river = tables.river.reshape(STRENGTH_CELLS, HOLDING_CELLS, -1).sum(axis=2)
    return flop, tables.turn, river


def range_cells(board: npt.NDArray[np.uint8], before: Cells | None = None) -> Cells:
    """Return (streets, 1326) the cells on all streets of a board; -1 for holdings that it blocks.

    ``before`` are those of the first cards of the board.
    """
    cells = np.zeros((max(len(board) - 1, 1), HOLDINGS), dtype=np.int64)
    known = preflop_cells()[np.newaxis] if before is None else before
    done = len(known)
    cells[:done] = known
    cells[:, _holdings_with()[board]] = -1
    values, tables = open_values(), transitions()
    for street, starts, patterns, entries, edges in (
        (1, values.flop_start, values.flop_pattern, values.flop_hr7_squares, tables.flop_edges),
        (2, values.turn_start, values.turn_pattern, values.turn_hr7_squares, tables.turn_edges),
        (3, values.river_start, values.river_pattern, values.river_ihr, _RIVER_EDGES),
    ):
        if done <= street < len(cells):
            index = board_index(board[: street + 2].tolist())
            fill_cells(entries, int(starts[index]), COLUMN[patterns[index]], edges, cells[street])
    return cells


@cache
def _holdings_with() -> Cells:
    """Return (52, 51) the holdings that each card is in."""
    found = [np.flatnonzero(np.any(card == HOLDING_CARDS, axis=1)) for card in range(52)]
    return np.array(found)


def river_ranks(board: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint16]:
    """Return (1326,) hand ranks on a board of five cards; of no matter for blocked holdings."""
    values, index = open_values(), board_index(board.tolist())
    ranks: npt.NDArray[np.uint16] = values.river_ihr[
        values.river_start[index] + COLUMN[values.river_pattern[index]]
    ]
    return ranks
