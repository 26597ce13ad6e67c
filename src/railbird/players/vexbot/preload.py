"""Compiling Vexbot ahead of its first hand."""

from __future__ import annotations

import numpy as np

from railbird.game import HEADS_UP_LIMIT
from railbird.players.limit_betting import tree_of
from railbird.players.vexbot.contexts import contexts_of
from railbird.players.vexbot.opponent_model import OpponentModel
from railbird.players.vexbot.prior import shipped_priors
from railbird.players.vexbot.range_model import RangeModel, range_cells
from railbird.players.vexbot.search import search_street, searches


def make_ready() -> None:
    """Call every kernel that it plays with, once."""
    contexts = contexts_of(tree_of(HEADS_UP_LIMIT))
    priors, holding = shipped_priors(contexts), 1_000
    search, _ = searches(OpponentModel(contexts, *priors), 0.0)
    ranges, model = RangeModel(contexts, *priors), OpponentModel(contexts, *priors)
    ranges.estimate(model.action_chances())
    board = np.arange(5, dtype=np.uint8)
    cells = range_cells(board)
    for street, cards in enumerate((0, 3, 4, 5)):
        place = contexts.tree.root._replace(street=street)
        search_street(search, place, board[:cards], holding, ranges, cells, [])
    ranges.saw_hand(cells, [], ranges.weights(cells, [], holding))
