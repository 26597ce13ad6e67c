"""The house's share of a pot; `railbird.game.rake` has its terms."""

from __future__ import annotations

import numpy as np

from railbird._jit import inline_kernel
from railbird.game.engine import _kernels_layout as at
from railbird.game.rake import MOST_PARTS


@inline_kernel
def rake_of(hand: np.ndarray, called: int) -> int:
    """Return the rake on ``called`` chips."""
    step = hand[at.RAKE_STEP]
    return int(min(hand[at.RAKE_CAP], called * hand[at.RAKE] // (MOST_PARTS * step) * step))
