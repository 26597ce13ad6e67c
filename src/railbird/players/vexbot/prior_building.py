"""Making the coarse prior that comes with the package: of a log of an equilibrium with itself."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from railbird.cards import HOLDINGS
from railbird.errors import BadInput
from railbird.histories import HandRecord
from railbird.players.limit_betting import KINDS, tree_of
from railbird.players.vexbot.contexts import Contexts, contexts_of
from railbird.players.vexbot.opponent_model import OpponentModel
from railbird.players.vexbot.own_hand import river_cell
from railbird.players.vexbot.prior import Prior, shipped_priors
from railbird.players.vexbot.range_model import Acted, RangeModel, range_cells
from railbird.players.vexbot.settings import RANK_CELLS
from railbird.solve.limit.betting_tree import FOLD


def count_hands(records: Iterable[HandRecord]) -> tuple[Contexts, Prior]:
    """Count what both players do and show, as if one had watched the other, for `write_prior`.

    Raises `BadInput` for hands of other games than heads-up limit, and if there are none.
    """
    models: tuple[OpponentModel, RangeModel] | None = None
    for record in records:
        contexts = contexts_of(tree_of(record.rules))
        if models is None:
            priors = shipped_priors(contexts)  # of no matter for what is counted
            models = OpponentModel(contexts, *priors), RangeModel(contexts, *priors)
        _count(*models, record)
    if models is None:
        raise BadInput("no hands to count")
    model, ranges = models
    counts = Prior(model.actions.astype(np.float64), model.ranks, ranges.counts)
    return model.contexts, counts


def _count(model: OpponentModel, ranges: RangeModel, record: HandRecord) -> None:
    contexts = model.contexts
    place, kind = contexts.tree.root, FOLD
    acted: tuple[Acted, Acted] = [], []
    for action in record.actions:
        kind = KINDS[type(action)]
        decision = contexts.decision(place)
        model.saw_action(decision, kind)
        seat = int(contexts.tree.rounds[place.street].player[place.node])
        acted[seat].append((place.street, decision, kind))
        following = contexts.tree.step(place, kind)
        if following is None:
            break
        place = following
    board = np.array(record.board, dtype=np.uint8)
    cells = range_cells(board)
    for own, holding in zip(acted, record.holes, strict=True):
        if holding is not None:
            ranges.saw_hand(cells, own, np.eye(1, HOLDINGS, holding)[0])
    if kind == FOLD:
        return
    slot = contexts.tree.slot(place, kind)
    for seat, holding in enumerate(record.holes):
        if holding is not None:
            context = contexts.showdown(place, slot, seat)
            model.saw_rank(context, river_cell(board, holding, RANK_CELLS))
