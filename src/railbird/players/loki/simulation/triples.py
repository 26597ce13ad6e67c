"""Probability triples: a player's probabilities of fold, call and raise (Billings et al. 1999)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from railbird.errors import BadInput
from railbird.game import Street
from railbird.modelling.action_frequencies import BETS, ActionKind, Frequencies, Shares
from railbird.modelling.learned._kernels_situations import IN, LEVELS, OPPONENTS, POTENTIALS
from railbird.modelling.learned.action_model import Table
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


def actions_by(habits: Frequencies) -> Table:
    """Return the triples of every situation and strength class from the flop on, by frequencies.

    (rows, classes, 3), as `ActionModel.later` has them for each type. Potential and the number of
    opponents do not matter, and the rank is the middle of the class.
    """
    contexts = [(street, bets) for street in list(Street)[1:] for bets in range(BETS)]
    return np.concatenate([_rows_of(habits.of(*context)) for context in contexts])


@lru_cache(maxsize=1 << 10)
def _rows_of(shares: Shares) -> Table:
    """Return the rows with the same street and bets to call, (rows, classes, 3)."""
    given = np.array(shares)
    levels = [_kernels_simulation.triple((level + 0.5) / LEVELS, given) for level in range(LEVELS)]
    by_class = np.repeat(levels, len(POTENTIALS) + 1, axis=0)
    return np.broadcast_to(by_class, (OPPONENTS * IN, len(by_class), len(ActionKind)))
