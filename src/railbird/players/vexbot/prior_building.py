"""Making the prior that comes with the package: of a log of an equilibrium against itself."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from railbird.errors import BadInput
from railbird.histories import HandRecord
from railbird.players.limit_betting import KINDS, tree_of
from railbird.players.vexbot.contexts import contexts_of
from railbird.players.vexbot.opponent_model import OpponentModel, Prior
from railbird.players.vexbot.own_hand import river_cell
from railbird.players.vexbot.settings import RANK_CELLS
from railbird.solve.limit.betting_tree import FOLD


def count_hands(records: Iterable[HandRecord]) -> OpponentModel:
    """Count what both players do and show, as if one had watched the other.

    Raises `BadInput` for hands of other games than heads-up limit, and if there are none.
    """
    model: OpponentModel | None = None
    for record in records:
        contexts = contexts_of(tree_of(record.rules))
        if model is None:
            none = Prior(np.empty((0, 3)), np.empty((0, RANK_CELLS)))
            model = OpponentModel(contexts, none)
        _count(model, record)
    if model is None:
        raise BadInput("no hands to count")
    return model


def _count(model: OpponentModel, record: HandRecord) -> None:
    contexts = model.contexts
    place, kind = contexts.tree.root, FOLD
    for action in record.actions:
        kind = KINDS[type(action)]
        model.saw_action(contexts.decision(place), kind)
        following = contexts.tree.step(place, kind)
        if following is None:
            break
        place = following
    if kind == FOLD:
        return
    slot, board = contexts.tree.slot(place, kind), np.array(record.board, dtype=np.uint8)
    for seat, holding in enumerate(record.holes):
        if holding is not None:
            context = contexts.showdown(place, slot, seat)
            model.saw_rank(context, river_cell(board, holding, RANK_CELLS))
