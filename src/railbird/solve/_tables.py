"""All holdings of any hold'em game in an order in which neighbours share no card."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from railbird.cards.tables import HOLDING_INDEX

_DECK = 52


def _in_rounds() -> NDArray[np.uint16]:
    """Pair all cards in each of 51 rounds, as the circle method does for a tournament."""
    others = _DECK - 1
    holdings = []
    for round_number in range(others):
        holdings.append(HOLDING_INDEX[others, round_number])
        for k in range(1, _DECK // 2):
            holdings.append(HOLDING_INDEX[(round_number + k) % others, (round_number - k) % others])
    return np.array(holdings, dtype=np.uint16)


IN_ROUNDS = _in_rounds()
"""(1326,) all holdings; every 26 in a row have all cards, so that sums by card seldom wait for each
other."""

IN_ROUNDS.setflags(write=False)
