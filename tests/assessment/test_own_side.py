"""Luck from one side's cards: mean zero over what the player has not seen, and its exact bias."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from helpers.random_records import random_table_hand
from railbird.assessment.divat.any_game import LIMIT, NO_LIMIT
from railbird.assessment.frozen_coefficients import frozen_for
from railbird.assessment.own_side import own_bias_of, own_luck_of, why_not_offered
from railbird.cards import CLASS_OF_HOLDING, Holding, cards_of
from railbird.game import Betting, no_limit_holdem
from railbird.histories.columns import UNKNOWN, HandBatch, batch_of
from railbird_papers.any_holdem.tables import PolicyPlayer, play_policies


@pytest.fixture(scope="module")
def hands() -> HandBatch:
    rng = np.random.default_rng(11)
    batch = batch_of([random_table_hand(rng, all_cards=True) for _ in range(400)])
    return batch.rows(batch.dealt == 5)


def on_boards(batch: HandBatch, row: int, place: int, cards: np.ndarray) -> HandBatch:
    """One hand, on boards that differ in one card or in the flop."""
    tiled = batch.rows([row] * len(cards))
    board = np.array(tiled.board)
    board[:, place : place + (cards.shape[1] if cards.ndim > 1 else 1)] = cards.reshape(
        len(cards), -1
    )
    return replace(tiled, board=board)


def unseen(batch: HandBatch, row: int, seats: list[int], board: int) -> np.ndarray:
    out = {int(card) for seat in seats for card in cards_of(Holding(int(batch.holding[row, seat])))}
    out |= {int(card) for card in batch.board[row, :board]}
    return np.array([card for card in range(52) if card not in out], dtype=np.uint8)


@pytest.mark.slow(but=["3"])
@pytest.mark.parametrize("street", [2, 3])
def test_mean_zero_over_the_cards_that_the_player_has_not_seen(
    hands: HandBatch, street: int
) -> None:
    checked = 0
    for row in range(12):
        for seat in range(int(hands.seats[row])):
            cards = unseen(hands, row, [seat], street + 1)
            batch = on_boards(hands, row, street + 1, cards)
            moments = np.zeros((len(batch), 4, batch.player.shape[1], 2))
            luck = own_luck_of(batch, NO_LIMIT, moments)[:, street, seat]
            assert luck.mean() == pytest.approx(0, abs=1e-9 * max(1, np.abs(luck).max()))
            for power in (2, 3):
                expected = pytest.approx((luck**power).mean(), rel=1e-6, abs=1e-6)
                assert moments[0, street, seat, power - 2] == expected
            checked += bool(np.abs(luck).max() > 0)
    assert checked > 10


@pytest.mark.slow
def test_mean_zero_over_all_flops(hands: HandBatch) -> None:
    cards = unseen(hands, 0, [0], 0)
    flops = np.array(
        [(a, b, c) for i, a in enumerate(cards) for j, b in enumerate(cards[:i]) for c in cards[:j]]
    )
    assert len(flops) == 19600
    batch = on_boards(hands, 0, 0, flops)
    moments = np.zeros((len(batch), 4, batch.player.shape[1], 2))
    luck = own_luck_of(batch, LIMIT, moments)[:, 1, 0]
    assert np.abs(luck).max() > 0
    assert moments[0, 1, 0] == pytest.approx([(luck**2).mean(), (luck**3).mean()], rel=1e-6)
    assert luck.mean() == pytest.approx(0, abs=1e-9 * np.abs(luck).max())


def test_mean_zero_over_all_holdings(hands: HandBatch) -> None:
    tiled = hands.rows([0] * 1326)
    holding = np.array(tiled.holding)
    holding[:, 0], holding[:, 1:] = np.arange(1326), UNKNOWN
    luck = own_luck_of(replace(tiled, holding=holding), NO_LIMIT)[:, 0]
    assert np.abs(luck[:, 0]).max() > 0
    assert luck[:, 0].mean() == pytest.approx(0, abs=1e-9)
    assert not luck[:, 1:].any()


@pytest.mark.slow(only=["1"])
@pytest.mark.parametrize("street", [1, 2, 3])
def test_the_bias_is_the_mean_over_the_cards_that_are_left(hands: HandBatch, street: int) -> None:
    row = int(np.argmax(hands.seats * (hands.seats <= 6)))
    seats = list(range(int(hands.seats[row])))
    board = 0 if street == 1 else street + 1
    cards = unseen(hands, row, seats, board)
    if street == 1:
        cards = np.array(
            [
                (a, b, c)
                for i, a in enumerate(cards)
                for j, b in enumerate(cards[:i])
                for c in cards[:j]
            ]
        )
    luck = own_luck_of(on_boards(hands, row, board, cards), NO_LIMIT)[:, street]
    bias = own_bias_of(hands.rows([row]), NO_LIMIT)[0, street]
    assert np.abs(luck).max() > 0
    assert luck.mean(axis=0) == pytest.approx(bias, abs=1e-9 * np.abs(luck).max())


def test_no_luck_after_a_fold_and_none_without_cards(hands: HandBatch) -> None:
    luck = own_luck_of(hands, NO_LIMIT)
    folds = hands.action < 0
    for action in np.flatnonzero(folds)[:50]:
        hand, seat = hands.hand_of[action], hands.answers.seat[action]
        street = hands.answers.street[action]
        assert not luck[hand, street + 1 :, seat].any()
    hidden = np.array(hands.holding)
    hidden[:, 0] = UNKNOWN
    half = own_luck_of(replace(hands, holding=hidden), NO_LIMIT)
    assert not half[:, :, 0].any()
    assert np.array_equal(half[:, :, 1:], luck[:, :, 1:])


def test_suits_do_not_matter_before_the_flop() -> None:
    rng = np.random.default_rng(2)
    hand = batch_of([random_table_hand(rng, all_cards=True)])
    tiled = hand.rows([0] * 1326)
    holding = np.array(tiled.holding)
    holding[:, 0] = np.arange(1326)
    luck = own_luck_of(replace(tiled, holding=holding), NO_LIMIT)[:, 0, 0]
    for hand_class in range(169):
        assert len(set(luck[hand_class == CLASS_OF_HOLDING].tolist())) == 1


@pytest.mark.slow
@pytest.mark.parametrize("seats", [7, 8, 10])
def test_the_bias_at_large_tables_is_that_of_smaller_ones(seats: int) -> None:
    rules = no_limit_holdem(seats, blinds=(50, 100), stack=10_000)
    players = [
        PolicyPlayer(name=f"P{place}", policy=NO_LIMIT, deviation=0.1 * (place % 2))
        for place in range(seats)
    ]
    batch = play_policies(rules, players, 2_000, seed=3)
    weights = frozen_for(Betting.NO_LIMIT, seats).own_all_in
    bias = np.einsum("hes,e->hs", own_bias_of(batch, NO_LIMIT) / 100, weights).mean(axis=1)
    assert abs(bias.mean()) < 0.006 + 3 * bias.std() / np.sqrt(len(bias))
    assert why_not_offered(rules) is None
