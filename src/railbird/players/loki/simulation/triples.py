"""Probability triples: a player's probabilities of fold, call and raise (Billings et al. 1999)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from railbird.errors import BadInput
from railbird.players.loki.simulation import _kernels_simulation


@dataclass(frozen=True, slots=True)
class Triple:
    """Probabilities that add up to one."""

    fold: float
    call: float
    bet: float
    """Or raise."""


def triple(rank: float, frequencies: ArrayLike) -> Triple:
    """Return a player's action probabilities with a hand that beats ``rank`` of the others.

    ``frequencies`` (3,) are those of fold, call and raise here with all hands. This inverts the
    opponent model: the best hands raise and the next best call, with boundaries as wide as the
    model's spread.

    >>> triple(0.97, [0.5, 0.3, 0.2])
    Triple(fold=0.0, call=0.0, bet=1.0)
    >>> triple(0.65, [0.5, 0.3, 0.2]).call
    0.875

    Raises `BadInput` for frequencies that are not three shares of one.
    """
    shares = np.array(frequencies, np.float64)
    if shares.shape != (3,) or shares.min() < 0 or not np.isclose(shares.sum(), 1):
        raise BadInput(f"frequencies {shares}; allowed: three that add up to 1")
    return Triple(*map(float, _kernels_simulation.triple(rank, shares)))
