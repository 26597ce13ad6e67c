"""Values of holdings on a board: from hand-rank tables, and against a field of opponents."""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.cards.hand_strength._kernels_evaluator import CARD_MASK, HOLDING_MASK
from railbird.odds.tables._kernels_runouts import share_of_all


@kernel
def add_gains(
    strength: np.ndarray,
    whole: int,
    cards: np.ndarray,
    places: np.ndarray,
    ranks: np.ndarray,
    gain: np.ndarray,
) -> None:
    """Add to ``gain`` (1326,) the increases over ``strength`` (1326,) on each next board.

    ``places`` (boards, 1326) are the indices in ``ranks`` of each holding's rank on each board, a
    rank being in units of 1 / ``whole``; ``cards`` (boards,) int64 are the next cards, skipped for
    holdings that contain them.
    """
    for board in range(len(cards)):
        for holding in range(1326):
            if HOLDING_MASK[holding] & CARD_MASK[cards[board]] == 0:
                rank = ranks[places[board, holding]] / whole
                gain[holding] += max(rank - strength[holding], 0.0)


@kernel
def value_by_field(
    level: np.ndarray,
    order: np.ndarray,
    field: np.ndarray,
    potential: np.ndarray,
    values: np.ndarray,
) -> None:
    """Fill ``values`` (1326,) with EHS' against a field, using the board's result of `rank_all`."""
    share_of_all(level, order, field, values)
    for holding in range(1326):
        strength = values[holding] if level[holding] >= 0 else 0.0
        values[holding] = strength + (1.0 - strength) * potential[holding]
