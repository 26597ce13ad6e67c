"""Holdings by the ranks of their cards and by suit, as the kernels of strength read them."""

from __future__ import annotations

import numpy as np

from railbird.cards._tables_holding import HOLDING_CARDS
from railbird.cards.hand_strength._tables import HOLDING_KEY

_LOW, _HIGH = np.sort(HOLDING_CARDS // 4, axis=1).T
PAIR_OF = (_HIGH * (_HIGH + 1) // 2 + _LOW).astype(np.int16)
"""(1326,) the pair of ranks of a holding, 0..90."""

PAIR_KEY = HOLDING_KEY[np.unique(PAIR_OF, return_index=True)[1]]
"""(91,) key of one holding of each pair of ranks: its strength without a flush is that of all."""

_RANKS = np.arange(13)
_LOWER, _UPPER = np.minimum(_RANKS[:, None], _RANKS), np.maximum(_RANKS[:, None], _RANKS)
PAIR_OF_RANKS = (_UPPER * (_UPPER + 1) // 2 + _LOWER).astype(np.int16)
"""(13, 13) the pair of two ranks."""

_FIRST, _SECOND = (HOLDING_CARDS % 4).T
SUITED = np.array(
    [np.flatnonzero(np.equal(_FIRST, s) & np.equal(_SECOND, s)) for s in range(4)], np.int16
)
"""(4, 78) holdings of two cards of a suit."""

WITH_SUIT = np.array(
    [np.flatnonzero(np.equal(_FIRST, s) | np.equal(_SECOND, s)) for s in range(4)], np.int16
)
"""(4, 585) holdings of one or two cards of a suit."""

ALL = np.arange(len(HOLDING_CARDS), dtype=np.int16)
"""(1326,) all holdings."""
