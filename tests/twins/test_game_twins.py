"""The rules engine against its slow twin, over every rule that a table can have."""

from __future__ import annotations

import numpy as np
import pytest

from helpers.random_hands import random_action, random_cards, random_rules
from railbird.game import (
    Action,
    DealBoard,
    DealHoles,
    Legal,
    Phase,
    Rules,
    act,
    initial,
    legal,
    payoffs,
    replay,
    step,
)
from railbird.game.rules import BOARD_CARDS
from twins.slow_game import SlowHand


def assert_same_options(allowed: Legal, slow: SlowHand) -> None:
    fold, cost, sizes = slow.options()
    low, high = allowed.min_raise_to, allowed.max_raise_to
    assert (allowed.seat, allowed.street) == (slow.actor, slow.street)
    assert (allowed.fold, allowed.to_call) == (fold, cost)
    assert (None if low is None else (low, high)) == sizes


def assert_same_hand(rng: np.random.Generator, rules: Rules) -> None:
    holdings, board = random_cards(rng, rules.seats)
    slow = SlowHand(rules, holdings, board)
    state = step(initial(rules), DealHoles(holdings))
    actions: list[Action] = []
    while state.phase < Phase.SHOWDOWN:
        if state.phase is Phase.DEAL_BOARD:
            due = slice(BOARD_CARDS[state.street], BOARD_CARDS[state.street + 1])
            state = step(state, DealBoard(board[due]))
        else:
            allowed = legal(state)
            assert_same_options(allowed, slow)
            actions.append(random_action(rng, allowed))
            slow.do(actions[-1])
            state = act(state, actions[-1])
    assert slow.actor is None
    assert list(payoffs(state)) == slow.payoffs()
    assert state.raked == slow.raked() == -sum(payoffs(state))
    assert replay(rules, holdings, board[: BOARD_CARDS[state.street]], actions) == state


@pytest.mark.parametrize("seed", range(4))
def test_random_hands(seed: int) -> None:
    rng = np.random.default_rng([seed, 1])
    for _ in range(250):
        assert_same_hand(rng, random_rules(rng, raked=True))


@pytest.mark.slow
def test_many_random_hands() -> None:
    rng = np.random.default_rng(2)
    for _ in range(20_000):
        assert_same_hand(rng, random_rules(rng, most_seats=23, raked=True))
