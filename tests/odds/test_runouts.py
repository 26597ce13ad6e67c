"""Strength and potential of all holdings at once, beside those of one at a time."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from railbird.cards import HOLDING_CARDS, HOLDINGS, Holding, parse_cards
from railbird.errors import BadInput
from railbird.odds import hand_strength, hand_strengths, potential
from railbird.odds.potential._kernels_ahead_behind import count_standings


@pytest.mark.parametrize("board", ["3h4cJh", "9d6c2dAs", "TsJsQsKsAs", "2c2d2h2s3c"])
def test_strengths_are_those_of_each_holding(board: str) -> None:
    cards = parse_cards(board)
    rng = np.random.default_rng(5)
    weights = rng.random(HOLDINGS) * (rng.random(HOLDINGS) < 0.5)
    found = hand_strengths(cards, weights=weights)
    blocked = np.isin(HOLDING_CARDS, cards).any(axis=1)
    np.testing.assert_array_equal(np.isnan(found), blocked)
    for holding in rng.choice(np.flatnonzero(~blocked), size=60, replace=False):
        one = hand_strength(Holding(int(holding)), cards, weights=weights)
        assert found[holding] == pytest.approx(one, abs=1e-12)


def test_potential_over_runouts_is_that_of_the_enumeration() -> None:
    rng = np.random.default_rng(6)
    for _ in range(4):
        deck = rng.permutation(52)
        board = deck[:3].astype(np.uint8)
        holding = next(
            h for h in rng.permutation(HOLDINGS) if not np.isin(HOLDING_CARDS[h], board).any()
        )
        weights = rng.random(HOLDINGS)
        slow = np.zeros((3, 3))
        count_standings(int(holding), board, weights, 2, comb(47, 2), slow)
        fast = potential(
            Holding(int(holding)),
            tuple(map(int, board)),  # type: ignore[arg-type]
            to_come=2,
            weights=weights,
        )
        np.testing.assert_allclose(fast.table, slow, rtol=1e-10)


def test_no_strength_before_the_flop() -> None:
    with pytest.raises(BadInput, match="boards of 3 to 5"):
        hand_strengths(())
