"""Sets of cards as bits of an int64, the only integer type that the engine's kernels use."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from railbird.cards.hand_strength._tables import CARD_MASK, HOLDING_MASK

CARD_BIT: NDArray[np.int64] = CARD_MASK.astype(np.int64)
"""One bit for each card, (52,)."""

HOLDING_BITS: NDArray[np.int64] = HOLDING_MASK.astype(np.int64)
"""Two bits for each holding, (1326,)."""
