"""Strength at the end: means and deviations, and ratings."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from railbird.cards import (
    CLASS_NAMES,
    STRENGTHS,
    Card,
    cards_of,
    holding_of,
    holdings_of_class,
    parse_cards,
    parse_class,
    parse_holding,
    strength,
    strengths,
)
from railbird.cards.hand_strength.census import strength_counts
from railbird.odds.hand_rank.final_strength import (
    ANY_BOARD,
    final_strength,
    final_strengths,
    rating,
)


@pytest.mark.parametrize("text", ["Kd9s2hTs", "7h7d7c2h", "Kd9s2hTs3c", "5h6h7h8h9h"])
def test_a_board_s_distribution_by_every_holding_and_run_out(text: str) -> None:
    board = parse_cards(text)
    free = [Card(card) for card in range(52) if card not in board]
    rows = [
        (*board, *run_out, *held)
        for held in combinations(free, 2)
        for run_out in combinations([card for card in free if card not in held], 5 - len(board))
    ]
    values = strengths(np.array(rows, np.uint8)).astype(float)
    found = final_strengths(board)
    assert found.mean == pytest.approx(values.mean())
    assert found.deviation == pytest.approx(values.std(), abs=1e-6)


@pytest.mark.parametrize("text", ["Kd9s2h", "Kd9s2hTs", "Kd9s2hTs3c"])
def test_a_holding_s_mean_by_every_run_out(text: str) -> None:
    board, holding = parse_cards(text), parse_holding("As4s")
    known = (*board, *cards_of(holding))
    free = [Card(card) for card in range(52) if card not in known]
    values = [strength((*known, *more)) for more in combinations(free, 5 - len(board))]
    assert final_strength(holding, board) == pytest.approx(np.mean(values))


def test_the_mean_of_a_flop_is_that_of_its_holdings() -> None:
    board = parse_cards("Kd9s2h")
    free = [Card(card) for card in range(52) if card not in board]
    means = [final_strength(holding_of(a, b), board) for a, b in combinations(free, 2)]
    assert final_strengths(board).mean == pytest.approx(np.mean(means))


def test_before_the_flop_all_hands_together_have_the_known_mean() -> None:
    """The census counts all 133,784,560 hands of seven cards by strength."""
    counts, values = strength_counts(), np.arange(STRENGTHS)
    mean = np.average(values, weights=counts)
    assert ANY_BOARD.mean == pytest.approx(mean, abs=1e-8)
    variance = np.average((values - mean) ** 2, weights=counts)
    assert ANY_BOARD.deviation == pytest.approx(np.sqrt(variance), abs=1e-8)
    means = [final_strength(holdings_of_class(parse_class(name))[0]) for name in CLASS_NAMES]
    sizes = [len(holdings_of_class(parse_class(name))) for name in CLASS_NAMES]
    assert np.average(means, weights=sizes) == pytest.approx(ANY_BOARD.mean, abs=1e-3)


def test_ratings() -> None:
    assert rating("AsAh") == pytest.approx((5000.072 - 3366.1164) / 1773.4059, abs=1e-4)
    assert rating("2c3d", "AsKsQsJsTs") == 0
    assert (
        rating("AsAd", "AhAcKd") > 2 > rating("AsKs", "AhKc2d") > 1 > 0 > rating("7c2d", "AhKcQd")
    )
