"""The 1,326 holdings and their 169 classes as arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def _cards() -> NDArray[np.uint8]:
    high, low = np.tril_indices(52, -1)
    return np.stack([low, high], axis=1).astype(np.uint8)


def _index(cards: NDArray[np.uint8]) -> NDArray[np.int16]:
    index = np.full((52, 52), -1, dtype=np.int16)
    low, high = cards.T
    index[low, high] = index[high, low] = np.arange(len(cards))
    return index


def _classes(cards: NDArray[np.uint8]) -> NDArray[np.uint8]:
    weak, strong = (12 - cards // 4).T  # the chart counts down from the ace
    suited = cards[:, 0] % 4 == cards[:, 1] % 4
    row, column = np.where(suited, (strong, weak), (weak, strong))
    return np.asarray(13 * row + column, dtype=np.uint8)


HOLDING_CARDS = _cards()
"""(1326, 2) the lower and the higher card of each holding."""

HOLDING_INDEX = _index(HOLDING_CARDS)
"""(52, 52) the holding of two cards in either order, -1 on the diagonal."""

CLASS_OF_HOLDING = _classes(HOLDING_CARDS)
"""(1326,) the class of each holding, 0..168."""

for _array in (HOLDING_CARDS, HOLDING_INDEX, CLASS_OF_HOLDING):
    _array.setflags(write=False)
