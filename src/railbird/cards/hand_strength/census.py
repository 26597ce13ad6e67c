"""Counts over all 133,784,560 hands of seven cards."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from railbird.cards.hand_strength import _kernels_census as kernels
from railbird.cards.hand_strength.strength import STRENGTHS, Category


def category_counts() -> dict[Category, int]:
    """Return the number of seven-card hands in each category (about 0.15 s).

    >>> category_counts()[Category.STRAIGHT_FLUSH]
    41584
    """
    counts = np.zeros(len(Category), dtype=np.int64)
    kernels.count_plain_categories(counts)
    kernels.recount_flushes(counts)
    return dict(zip(Category, counts.tolist(), strict=True))


def strength_counts() -> NDArray[np.int64]:
    """Return the number of seven-card hands with each strength, (7462,) (about 0.3 s).

    Only 4,824 strengths occur: seven cards always make more than, say, seven-five high.
    """
    counts = np.zeros(STRENGTHS, dtype=np.uint32)
    kernels.count_strengths(counts)
    return counts.astype(np.int64)
