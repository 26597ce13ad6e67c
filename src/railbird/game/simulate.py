"""Many hands between one-line policies, as fast as the engine can step them.

>>> from railbird.game import HEADS_UP_LIMIT, seeded_deals
>>> rng = np.random.default_rng(1)
>>> deals = seeded_deals(rng, seats=2, deals=1_000)
>>> policies = (SimplePolicy.ALWAYS_CALL, SimplePolicy.ALWAYS_RAISE)
>>> results = simulate(HEADS_UP_LIMIT, policies, deals, rng)
>>> (results / HEADS_UP_LIMIT.denominator).sum(axis=1).max()
np.float64(0.0)
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from railbird.errors import BadInput
from railbird.game import walk_kernels as kernels
from railbird.game.deal import Deals
from railbird.game.rules import Rules
from railbird.game.state import initial


class SimplePolicy(IntEnum):
    """A policy that ignores the cards."""

    ALWAYS_CALL = kernels.ALWAYS_CALL
    ALWAYS_RAISE = kernels.ALWAYS_RAISE
    """The smallest bet or raise; a call if none is allowed."""
    ALWAYS_FOLD = kernels.ALWAYS_FOLD
    """A check if that is free, else a fold."""
    RANDOM = kernels.RANDOM
    """Fold, call and raise with equal probability, if allowed; raise sizes are uniform."""


def simulate(
    rules: Rules, policies: Sequence[SimplePolicy], deals: Deals, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Play every deal; return payoffs (deals, seats) as numerators over ``rules.denominator``.

    One number is drawn from ``rng``; a random policy's play in a hand depends only on that number
    and on the hand's index. Raises `BadInput` for deals or policies for another number of seats,
    and for a row that is not a deal.
    """
    if len(policies) != rules.seats or deals.ndim != 2 or deals.shape[1] != 2 * rules.seats + 5:
        raise BadInput(
            f"{len(policies)} policies and deals of shape {deals.shape} for {rules.seats} seats"
        )
    if deals.dtype != np.uint8:
        raise BadInput(f"deals of {deals.dtype}; allowed: uint8")
    if deals.size and deals.max() >= 52:
        raise BadInput(f"card {deals.max()} in a deal; allowed: 0 to 51")
    key = rng.integers(1 << 64, dtype=np.uint64)
    results = np.empty((len(deals), rules.seats), np.int64)
    chosen = np.array(policies, np.int64)
    scratch = np.zeros(1, kernels.SCRATCH)
    done = kernels.play_many(scratch, initial(rules)._vector, chosen, deals, key, results)
    if done < len(deals):
        raise BadInput(f"deal {done} repeats a card")
    return results
