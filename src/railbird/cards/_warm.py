"""Compile this room's kernels by calling each on trivial input."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from railbird.cards.card import DECK
from railbird.cards.hand_strength._kernels_evaluator import strength7
from railbird.cards.hand_strength._tables import HAND_SIZES
from railbird.cards.hand_strength.census import category_counts, strength_counts
from railbird.cards.hand_strength.strength import strength, strengths


def warm_up_steps() -> list[tuple[str, Callable[[], object]]]:
    """Functions to call, by name."""
    return [
        ("strength of a hand", lambda: [strength(DECK[:cards]) for cards in HAND_SIZES]),
        ("strength in kernels", lambda: strength7(*DECK[:7])),
        ("strength of many hands", _arrays),
        ("census of seven cards", lambda: (category_counts(), strength_counts())),
    ]


def _arrays() -> None:
    for size in HAND_SIZES:
        hands = np.arange(size, dtype=np.uint8).reshape(1, size)
        strengths(hands)
        hands.setflags(write=False)  # a different type in Numba
        strengths(hands)
