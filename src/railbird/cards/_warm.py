"""Compile this room's kernels by calling each on trivial input."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from railbird.cards.card import DECK
from railbird.cards.hand_strength import category_counts, strength, strength_counts, strengths
from railbird.cards.kernels import strength7
from railbird.cards.rankings import share_strengths
from railbird.cards.rankings_kernels import best_with_three
from railbird.cards.tables import HAND_SIZES
from railbird.cards.variants import HandRanking, PotShare


def warm_up_steps() -> list[tuple[str, Callable[[], object]]]:
    """Return names and functions to call, each of which compiles some of the room's kernels."""
    return [
        ("strength of a hand", lambda: [strength(DECK[:cards]) for cards in HAND_SIZES]),
        ("strength in kernels", lambda: strength7(*DECK[:7])),
        ("strength of many hands", _arrays),
        ("census of seven cards", lambda: (category_counts(), strength_counts())),
        ("strength in other variants", _shares),
    ]


def _arrays() -> None:
    for size in HAND_SIZES:
        hands = np.arange(size, dtype=np.uint8).reshape(1, size)
        strengths(hands)
        hands.setflags(write=False)  # a different type in Numba
        strengths(hands)


def _shares() -> None:
    hands = np.arange(5, dtype=np.uint8).reshape(1, 5)
    share_strengths(PotShare(HandRanking.HIGH, use=2), hands, hands + np.uint8(5))
    best_with_three(hands[0], 0, np.empty(22_100, dtype=np.uint16))
