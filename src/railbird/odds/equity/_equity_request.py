"""Input and output common to all methods of computing an equity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

NO_DEAL = "no deal gives every player a holding: they need the same cards"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Players' ranges and the board, validated."""

    weights: tuple[npt.NDArray[np.float64], ...]
    """By player (1326,); zero for holdings that share a card with the board or the dead cards."""
    board: npt.NDArray[np.uint8]
    dead: np.uint64
    """Mask of the dead cards."""
    completions: int
    """Completed boards per deal."""

    @property
    def unweighted(self) -> bool:
        """True if every weight is 0 or 1, so that all counts are integers."""
        return all(np.all((weights == 0) | (weights == 1)) for weights in self.weights)

    @property
    def sizes(self) -> list[int]:
        """Number of holdings of each player."""
        return [int(np.count_nonzero(weights)) for weights in self.weights]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Outcomes by player, int64 or float64 (players,)."""

    wins: npt.NDArray[Any]
    ties: npt.NDArray[Any]
    shares: npt.NDArray[Any]
    """Parts of pots, `SHARES` to a pot."""
    squares: npt.NDArray[Any]
    """Sum of the squared shares; only for samples."""
    trials: int | float
