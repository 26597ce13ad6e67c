"""Turns and rivers after a flop, folded by the suit permutations that change nothing so far.

A perfect-recall state depends on the order of dealing, so boards are not sets here: there are
2,554,656 canonical ones, and the weights of those after a flop add up to 49 * 48.
"""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.cards.isomorphism._kernels_isomorphism import CARD_UNDER


@kernel
def stabiliser(cards: np.ndarray, before: np.ndarray) -> np.ndarray:
    """Return which of the permutations ``before`` (24,) bool map a set of cards to itself."""
    on = np.zeros(52, dtype=np.bool_)
    for card in cards:
        on[card] = True
    kept = before.copy()
    for p in range(24):
        for card in cards:
            if not on[CARD_UNDER[p, card]]:
                kept[p] = False
    return kept


@kernel
def weights_of_next(used: np.ndarray, permutations: np.ndarray, weight: np.ndarray) -> None:
    """Fill ``weight`` (52,): how many cards each canonical next card stands for, 0 for the others.

    ``used`` are the cards dealt, ``permutations`` (24,) bool those that change nothing so far.
    """
    weight[:] = 0
    for card in range(52):
        dealt = False
        for other in used:
            dealt = dealt or other == card
        if dealt:
            continue
        first = card
        for p in range(24):
            if permutations[p]:
                first = min(first, CARD_UNDER[p, card])
        weight[first] += 1
