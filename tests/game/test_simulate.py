from __future__ import annotations

import numpy as np
import pytest

from helpers.simulated_hands import SimplePolicy, simulate
from railbird.errors import BadInput
from railbird.game import HEADS_UP_LIMIT, seeded_deals

CALL, RAISE = SimplePolicy.ALWAYS_CALL, SimplePolicy.ALWAYS_RAISE


def test_always_raise_against_always_call() -> None:
    """Every hand is for 24 small bets; exact variance 47.006967 sb^2, from the preflop matrix."""
    rng = np.random.default_rng(11)
    deals = seeded_deals(rng, 2, 400_000)
    small_bets = simulate(HEADS_UP_LIMIT, (CALL, RAISE), deals, rng)[:, 0] / 20
    assert abs(small_bets.mean()) < 4 * 6.856 / len(deals) ** 0.5
    # Of x = -7, 0, 7 the square has standard deviation sqrt(47.007 * (49 - 47.007)).
    assert abs((small_bets**2).mean() - 47.006967) < 4 * 9.68 / len(deals) ** 0.5
    assert set(np.abs(small_bets)) == {0, 7}


def test_always_fold_loses_its_blinds() -> None:
    deals = seeded_deals(np.random.default_rng(1), 2, 10)
    policies = (RAISE, SimplePolicy.ALWAYS_FOLD)
    results = simulate(HEADS_UP_LIMIT, policies, deals, np.random.default_rng(1))
    assert (results == [10, -10]).all()


def test_refusals() -> None:
    rng = np.random.default_rng(1)
    deals = seeded_deals(rng, 2, 3)
    with pytest.raises(BadInput, match="3 policies"):
        simulate(HEADS_UP_LIMIT, (CALL,) * 3, deals, rng)
    with pytest.raises(BadInput, match="for 2 seats"):
        simulate(HEADS_UP_LIMIT, (CALL, CALL), seeded_deals(rng, 3, 3), rng)
    deals[1, 8] = deals[1, 0]
    with pytest.raises(BadInput, match="deal 1 repeats a card"):
        simulate(HEADS_UP_LIMIT, (CALL, CALL), deals, rng)
    with pytest.raises(BadInput, match="deals of int64"):
        simulate(HEADS_UP_LIMIT, (CALL, CALL), deals.astype(np.int64), rng)
    deals[1, 8] = 52
    with pytest.raises(BadInput, match="card 52 in a deal"):
        simulate(HEADS_UP_LIMIT, (CALL, CALL), deals, rng)
