"""Probability triples: how likely a player is to fold, call and raise (Billings et al. 1999)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from railbird.errors import BadInput
from railbird.players.loki.simulation import _kernels_simulation


@dataclass(frozen=True, slots=True)
class Triple:
    """Chances that add up to one."""

    fold: float
    call: float
    bet: float
    """Or raise."""


def triple(rank: float, frequencies: ArrayLike) -> Triple:
    """What a player does with a hand that beats ``rank`` of the others.

    ``frequencies`` (3,) are how often he folds, calls and raises here with any hand. It is the
    opponent model read the other way: the best hands raise and the next best call, with borders as
    wide as the spread by which an action is taken to tell hands apart.

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
