"""Position of each action in its hand."""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.baseline._kernels import CALL, FOLD, RAISE


@kernel
def place_actions(
    start: np.ndarray,
    action: np.ndarray,
    hand_of: np.ndarray,
    street: np.ndarray,
    player: np.ndarray,
    bets: np.ndarray,
    facing: np.ndarray,
) -> None:
    """Locate each action of finished hands: its hand, street, player and what it faced.

    ``start`` (n + 1,) and ``action`` (actions,) as in `_kernels_divat.Hands`.
    By action: ``hand_of`` int64; ``street`` and ``player`` uint8 (0 acts first after the flop);
    ``bets`` uint8 that were in, the blind included, at most 255; ``facing`` bool, whether the
    player had to pay to go on.
    """
    for hand in range(start.size - 1):
        round_, first, level = 0, start[hand], 1
        actor, to_call = 1, True
        for p in range(start[hand], start[hand + 1]):
            hand_of[p] = hand
            street[p] = round_
            player[p] = actor
            bets[p] = min(level, 255)
            facing[p] = to_call
            actor = 1 - actor
            if action[p] == RAISE:
                level += 1
                to_call = True
            elif action[p] == CALL and p > first:
                round_, first, level = round_ + 1, p + 1, 0
                actor, to_call = 0, False
            elif action[p] != FOLD:
                to_call = False
