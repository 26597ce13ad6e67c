"""Compiling Vexbot ahead of its first hand."""

from __future__ import annotations

import numpy as np

from railbird.game import HEADS_UP_LIMIT
from railbird.players.limit_betting import tree_of
from railbird.players.vexbot.contexts import contexts_of
from railbird.players.vexbot.opponent_model import OpponentModel, shipped_prior
from railbird.players.vexbot.own_hand import chances_ahead
from railbird.players.vexbot.search import searches


def make_ready() -> None:
    """Call every kernel that it plays with, once."""
    contexts = contexts_of(tree_of(HEADS_UP_LIMIT))
    search, _ = searches(OpponentModel(contexts, shipped_prior(contexts)), 0.0)
    board = np.arange(5, dtype=np.uint8)
    for street, cards in enumerate((0, 3, 4, 5)):
        ahead = chances_ahead(board[:cards], holding=1_000)
        search.slots(contexts.tree.root._replace(street=street), ahead)
