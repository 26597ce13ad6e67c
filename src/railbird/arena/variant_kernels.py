"""The step-by-step loop of matches of any game but hold'em; `kernels` has that of hold'em."""

from __future__ import annotations

import numpy as np

from railbird._jit import inline_kernel, kernel
from railbird.arena.kernels import OVER, REFUSED
from railbird.game import kernels as at
from railbird.game.kernels import copy
from railbird.game.tail_kernels import act_and_weigh, deal_from, hide_cards, start_cards

# A frame is as in `kernels`. The row of cards is passed on instead of being copied into it: it is
# bytes, and dealing from another type would be compiled once more.


@inline_kernel
def show_cards_to_actor(frame: np.ndarray, row: int) -> int:
    """Fill a row with what the actor sees; return its seat, or `OVER`."""
    actor = OVER
    if frame[0, at.ACTOR] >= 0:
        actor = frame[0, at.ACTOR]
        copy(frame[0], frame[row], frame.shape[1])
        hide_cards(frame[row], actor)
    return actor


@kernel
def start_variant(frame: np.ndarray, empty: np.ndarray, cards: np.ndarray) -> int:
    """Deal a row of cards, show it in row 1; return the seat to act first, or `OVER`."""
    copy(empty, frame[0], len(empty))
    start_cards(frame[0], cards)
    actor: int = show_cards_to_actor(frame, 1)
    return actor


@kernel
def advance_variant(cards: np.ndarray, frame: np.ndarray, row: int, action: int) -> int:
    """Apply an action and show the next actor the hand in a row; return its seat, or `OVER`.

    An illegal action changes nothing and returns `REFUSED`.
    """
    if act_and_weigh(frame[0], action) != 0:
        return REFUSED
    deal_from(frame[0], cards)
    actor: int = show_cards_to_actor(frame, row)
    return actor
