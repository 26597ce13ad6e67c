"""Building Vexbot's coarse prior for heads-up limit, from an equilibrium against itself."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from railbird.cards import HOLDINGS
from railbird.errors import BadInput
from railbird.game import kind_of
from railbird.histories import HandRecord
from railbird.players.equilibrium import tree_of
from railbird.players.vexbot.contexts import (
    HOLDING_CELLS,
    RANK_CELLS,
    Contexts,
    contexts_of,
    river_cell,
)
from railbird.players.vexbot.kernels import rank_cell
from railbird.players.vexbot.opponent_model import (
    Acted,
    OpponentCounts,
    Prior,
    PriorFrequencies,
    RangeModel,
    range_cells,
    river_ranks,
    shipped_priors,
)
from railbird.solve.limit.betting_tree import FOLD, BettingRound
from railbird.solve.real_game.opponents import BoardStrategy

Floats = npt.NDArray[np.float64]


def count_hands(records: Iterable[HandRecord]) -> tuple[Contexts, Prior]:
    """Count both players' actions and shown cards, as each would see the other, for `write_prior`.

    Raises `BadInput` if there are no hands, or hands of other games than heads-up limit.
    """
    models: tuple[OpponentCounts, RangeModel] | None = None
    for record in records:
        contexts = contexts_of(tree_of(record.rules))
        if models is None:
            priors = shipped_priors(contexts)  # the priors do not affect what is counted
            models = OpponentCounts(contexts, *priors), RangeModel(contexts, *priors)
        _count(*models, record)
    if models is None:
        raise BadInput("no hands to count")
    model, ranges = models
    counts = Prior(model.actions.astype(np.float64), model.ranks, ranges.counts)
    return model.contexts, counts


def _count(model: OpponentCounts, ranges: RangeModel, record: HandRecord) -> None:
    contexts = model.contexts
    decision_place, kind = contexts.tree.root, FOLD
    acted: tuple[Acted, Acted] = [], []
    for action in record.actions:
        kind = kind_of(action)
        decision = contexts.decision(decision_place)
        model.saw_action(decision, kind)
        seat = int(contexts.tree.rounds[decision_place.street].player[decision_place.node])
        acted[seat].append((decision_place.street, decision, kind))
        following = contexts.tree.step(decision_place, kind)
        if following is None:
            break
        decision_place = following
    board = np.array(record.board, dtype=np.uint8)
    cells = range_cells(board)
    for own, holding in zip(acted, record.holes, strict=True):
        if holding is not None:
            ranges.saw_hand(cells, own, np.eye(1, HOLDINGS, holding)[0])
    if kind == FOLD:
        return
    slot = contexts.tree.slot(decision_place, kind)
    for seat, holding in enumerate(record.holes):
        if holding is not None:
            context = contexts.showdown(decision_place, slot, seat)
            model.saw_rank(context, river_cell(board, holding, RANK_CELLS))


# Making the detailed prior that comes with the package: how an equilibrium plays against itself.


Singles = npt.NDArray[np.float32]

_CARDS = 0, 3, 4, 5


def expect(strategy: BoardStrategy, boards: npt.NDArray[np.uint8]) -> PriorFrequencies:
    """Return the expected play of a strategy against itself, averaged over ``boards`` (n, 5).

    On a given board this is exact, except that two holdings may share a card.
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
    return PriorFrequencies(by_cell / len(boards), ranks / len(boards))


def _members(cell_of: npt.NDArray[np.int64], cells: int) -> Singles:
    """Return 1 for the holdings in each cell, otherwise 0, (cells, holdings)."""
    members: Singles = (np.arange(cells)[:, np.newaxis] == cell_of).astype(np.float32)
    return members


def _play(
    betting_round: BettingRound, table: Singles, members: Singles, reach: Singles, counts: Floats
) -> Singles:
    """Add a round's actions to ``counts`` (decisions, cells, 3), and return the reach of its ends.

    ``table`` (holdings, slots, sequences) are probabilities. ``reach`` (2, holdings, sequences) is
    the probability with which each seat reaches the round.
    """
    at = [reach] * betting_round.nodes
    ends = np.empty(
        (*reach.shape[:2], len(betting_round.end_slot), betting_round.sequences), dtype=np.float32
    )
    for node in range(betting_round.nodes):
        seat = int(betting_round.player[node])
        node_counts = counts[node * betting_round.sequences :][: betting_round.sequences]
        others = at[node][1 - seat].sum(axis=0)
        for slot in range(betting_round.first_slot[node], betting_round.first_slot[node + 1]):
            after = at[node].copy()
            after[seat] *= table[:, slot]
            node_counts[:, :, betting_round.kind[slot]] += (members @ (after[seat] * others)).T
            if betting_round.child[slot] >= 0:
                at[betting_round.child[slot]] = after
            elif slot in betting_round.end_slot:
                ends[:, :, np.searchsorted(betting_round.end_slot, slot)] = after
    return ends.reshape(*reach.shape[:2], -1)
