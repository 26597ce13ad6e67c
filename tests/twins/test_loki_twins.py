"""Strength and potential on a board, compared with the same by enumeration of every next card."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from railbird.cards import HOLDING_CARDS, Card, parse_cards
from railbird.modelling import board_values
from railbird.players.loki import _kernels_weighted_potential as kernels
from railbird.players.loki.strength import board_strengths

BOARDS = ["3h4cJs", "3h4cJh", "3h4hJh", "9s9dJs", "3h4cJs9d", "3h4hJs9d", "2h4hJh9d", "3h5h7hAh"]
"""With every number of cards of a suit, and with pairs."""


def _board(text: str) -> tuple[Card, ...]:
    return tuple(sorted(parse_cards(text)))


def _next(board: tuple[Card, ...]) -> list[Card]:
    return [Card(card) for card in range(52) if card not in board]


@pytest.mark.parametrize("text", BOARDS)
def test_potential_adds_up_what_ranking_all_holdings_after_each_card_does(text: str) -> None:
    board, rng = _board(text), np.random.default_rng(len(text))
    now = board_strengths(board)
    later = {card: board_strengths(tuple(sorted((*board, card)))).level for card in _next(board)}
    for holding in rng.choice(np.flatnonzero(now.level >= 0), 30).tolist():
        weights = rng.random(1326) ** 3
        table = np.zeros((3, 3))
        kernels.tally_next(holding, np.array(board, np.uint8), now.level, now.later, weights, table)
        np.testing.assert_array_equal(table, _tallied(holding, now.level, later, weights))


def _tallied(
    holding: int,
    level: NDArray[np.int32],
    later: dict[Card, NDArray[np.int32]],
    weights: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Rank all holdings after each card, and add up the rounded weights."""
    mine = HOLDING_CARDS[holding]
    others = (level >= 0) & ~np.isin(HOLDING_CARDS, mine).any(axis=1)
    most = weights[others].max()
    parts = np.where(others, (weights / most * kernels.PARTS + 0.5).astype(np.int64), 0)
    now = np.where(level < level[holding], 0, np.where(level == level[holding], 1, 2))
    sums = np.zeros((3, 3), np.int64)
    for card, then in later.items():
        if card not in mine:
            standing = np.where(then < then[holding], 0, np.where(then == then[holding], 1, 2))
            np.add.at(sums, (now, standing), np.where(then >= 0, parts, 0))
    tallied: NDArray[np.float64] = sums * (most / kernels.PARTS)
    return tallied


@pytest.mark.parametrize("text", BOARDS)
def test_gains_are_the_mean_increases_of_strength_by_the_next_card(text: str) -> None:
    board = _board(text)
    values = board_values(board)
    gain = np.zeros(1326)
    for card in _next(board):
        later = board_values(tuple(sorted((*board, card)))).strength
        can_come = np.all(np.not_equal(HOLDING_CARDS, card), axis=1)
        gain += np.where(can_come, np.maximum(later - values.strength, 0), 0)
    possible = ~np.isin(HOLDING_CARDS, board).any(axis=1)
    np.testing.assert_allclose(values.gain, gain * possible / (50 - len(board)), atol=1e-12)


@pytest.mark.parametrize("text", BOARDS)
def test_boards_of_other_suits_share_their_gains(text: str) -> None:
    board = _board(text)
    other = tuple(sorted(Card(card // 4 * 4 + (card + 1) % 4) for card in board))
    moved = HOLDING_CARDS // 4 * 4 + (HOLDING_CARDS + 1) % 4
    low, high = moved.min(axis=1).astype(int), moved.max(axis=1).astype(int)
    places = high * (high - 1) // 2 + low
    np.testing.assert_array_equal(board_values(board).gain, board_values(other).gain[places])
