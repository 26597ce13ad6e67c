"""Ranks against opponents whose holdings have weights, by a slow sum over all of them."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.cards import CLASS_OF_HOLDING, HOLDING_CARDS, HOLDINGS, Card
from railbird.cards.isomorphism._tables_columns import COLUMN
from railbird.errors import BadInput
from railbird.odds.potential.strength_and_potential import hand_strengths
from railbird.odds.tables._builders import rows_of
from railbird.odds.tables._kernels_ranking import rank_boards_by_weight
from railbird.odds.tables.rank_tables import IHR_WHOLE, open_tables
from railbird.odds.tables.weighted_ranks import weighted_arrays


def weights_by_rank(seed: int) -> np.ndarray:
    """Random weights that are equal for equal ranks."""
    low, high = np.sort(HOLDING_CARDS // 4, axis=1).T.astype(int)
    by_ranks = np.random.default_rng(seed).uniform(0.01, 1, 13 * 13)
    weights: np.ndarray = by_ranks[13 * high + low]
    return weights


@pytest.mark.parametrize("cards", [3, 4, 5])
def test_an_entry_is_the_share_of_weight_that_is_beaten(cards: int) -> None:
    boards, starts, patterns = rows_of(cards)
    weights = weights_by_rank(cards)
    street = ["flop", "turn", "river"][cards - 3]
    size = len(getattr(open_tables(), f"{street}_ihr"))
    whole = IHR_WHOLE[cards - 2]
    entries = np.zeros(size, np.uint16)
    for row in np.random.default_rng(9).integers(0, len(boards), 5).tolist():
        rank_boards_by_weight(boards, starts, patterns, row, row + 1, weights, whole, entries)
        board = tuple(Card(int(card)) for card in boards[row])
        shares = hand_strengths(board, weights=weights)
        for holding in np.flatnonzero(~np.isnan(shares)).tolist():
            entry = int(entries[starts[row] + COLUMN[patterns[row], holding]])
            assert entry == pytest.approx(whole * shares[holding], abs=0.5 + 1e-6)


def test_equal_weights_are_the_tables_themselves() -> None:
    arrays = weighted_arrays(np.ones(HOLDINGS))
    for name, array in arrays.items():
        assert np.array_equal(array, getattr(open_tables(), name)), name


def test_weights_by_suit_are_refused() -> None:
    by_class = (1 + CLASS_OF_HOLDING).astype(
        np.float64
    )  # suited and offsuit hands are classes of their own
    with pytest.raises(BadInput, match="differ by suit"):
        weighted_arrays(by_class)
    with pytest.raises(BadInput, match="above 0"):
        weighted_arrays(np.zeros(HOLDINGS))
