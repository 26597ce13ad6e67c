"""The order of all holdings on a board, by the hand-rank tables."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from railbird.cards import Card
from railbird.odds import Tables, open_tables
from railbird.odds.settings import CACHED_BOARDS
from railbird.odds.spectra.bettable import board_quantiles

Floats = npt.NDArray[np.float64]


def quantiles_on(board: Sequence[Card]) -> Floats:
    """Return the share of better holdings, (1326,), 0 for the best; NaN for clashes with the board.

    The first call opens the tables, and builds them if they are missing.
    """
    return _quantiles(tuple(sorted(board)))


@lru_cache(maxsize=CACHED_BOARDS)
def _quantiles(board: tuple[Card, ...]) -> Floats:
    return board_quantiles(board, tables=_tables() if board else None)


@lru_cache(maxsize=1)
def _tables() -> Tables:
    return open_tables()
