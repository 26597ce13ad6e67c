"""Compile this room's kernels by calling each on trivial input."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from railbird.cards.card import DECK
from railbird.cards.hand_strength import category_counts, strength, strength_counts, strengths
from railbird.cards.kernels import strength7
from railbird.cards.tables import HAND_SIZES


def warm_up_steps() -> list[tuple[str, Callable[[], object]]]:
    """Return names and functions to call, each of which compiles some of the room's kernels."""
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
