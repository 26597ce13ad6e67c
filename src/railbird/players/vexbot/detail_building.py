"""Making the detailed prior that comes with the package: what an equilibrium does to itself."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from railbird.players.vexbot._kernels_vexbot import rank_cell
from railbird.players.vexbot.contexts import contexts_of
from railbird.players.vexbot.prior import Expected, Floats
from railbird.players.vexbot.range_model import range_cells, river_ranks
from railbird.players.vexbot.settings import HOLDING_CELLS, RANK_CELLS
from railbird.solve.limit.betting_tree import BettingRound
from railbird.solve.real_game.opponents import BoardStrategy

Singles = npt.NDArray[np.float32]

_CARDS = 0, 3, 4, 5


def expect(strategy: BoardStrategy, boards: npt.NDArray[np.uint8]) -> Expected:
    """Expect what a strategy does against itself on ``boards`` (n, 5), the mean of all.

    On a board it is exact, but that two holdings may share a card.
    """
    tree = strategy.tree
    contexts = contexts_of(tree)
    by_cell = np.zeros((contexts.decisions.shape[1], HOLDING_CELLS, 3))
    ranks = np.zeros((contexts.showdowns.shape[1], RANK_CELLS))
    for board in boards:
        cells, before = range_cells(board), None
        live = np.flatnonzero(cells[-1] >= 0)
        reach = np.full((2, len(live), 1), 1 / len(live), dtype=np.float32)
        for street, part in enumerate(tree.rounds):
            before = strategy.on(np.ascontiguousarray(board[: _CARDS[street]]), before)
            table = before.table[before.rows[live]].reshape(len(live), part.slots, -1)
            here = by_cell[contexts.first[street] :][: part.decisions]
            reach = _play(part, table, _members(cells[street, live], HOLDING_CELLS), reach, here)
        shown = [rank_cell(int(rank), RANK_CELLS) for rank in river_ranks(board)[live]]
        members, ends = _members(np.array(shown), RANK_CELLS), tree.rounds[-1].ends
        for seat in (0, 1):
            together = reach[seat] * reach[1 - seat].sum(axis=0)
            ranks[seat * ends :][:ends] += (members @ together).T
    return Expected(by_cell / len(boards), ranks / len(boards))


def _members(cell_of: npt.NDArray[np.int64], cells: int) -> Singles:
    """Return (cells, holdings) 1 for the holdings of a cell."""
    members: Singles = (np.arange(cells)[:, np.newaxis] == cell_of).astype(np.float32)
    return members


def _play(
    part: BettingRound, table: Singles, members: Singles, reach: Singles, counts: Floats
) -> Singles:
    """Add a round's actions to ``counts`` (decisions, cells, 3); return how its ends are reached.

    ``table`` (holdings, slots, sequences) are probabilities, ``reach`` (2, holdings, sequences) is
    how each seat comes to the round.
    """
    at = [reach] * part.nodes
    ends = np.empty((*reach.shape[:2], len(part.end_slot), part.sequences), dtype=np.float32)
    for node in range(part.nodes):
        seat, here = int(part.player[node]), counts[node * part.sequences :][: part.sequences]
        others = at[node][1 - seat].sum(axis=0)
        for slot in range(part.first_slot[node], part.first_slot[node + 1]):
            after = at[node].copy()
            after[seat] *= table[:, slot]
            here[:, :, part.kind[slot]] += (members @ (after[seat] * others)).T
            if part.child[slot] >= 0:
                at[part.child[slot]] = after
            elif slot in part.end_slot:
                ends[:, :, np.searchsorted(part.end_slot, slot)] = after
    return ends.reshape(*reach.shape[:2], -1)
