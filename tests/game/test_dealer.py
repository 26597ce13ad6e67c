"""The dealer without I/O, against the events of a hand one by one."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from helpers.random_hands import random_rules
from railbird.cards import parse_cards, parse_holding
from railbird.errors import BadInput, IllegalAction
from railbird.game import (
    Call,
    Fold,
    HandDealer,
    Phase,
    act,
    legal,
    no_limit_holdem,
    seeded_deals,
    showdown,
    start,
    step,
)


def test_the_dealer_leads_to_the_same_hand_as_the_compiled_engine() -> None:
    rng = np.random.default_rng(4)
    for _ in range(200):
        rules = random_rules(rng)
        cards = seeded_deals(rng, rules.seats, 1)[0]
        dealer, state = HandDealer.of_row(rules, cards), start(rules, cards)
        steps = dealer.begin()
        while dealer.asks is not None:
            choices = legal(dealer.state).actions()
            action = choices[rng.integers(len(choices))]
            state = act(state, action, cards)
            steps += dealer.act(action)
        for event in showdown(state):
            state = step(state, event)
        assert dealer.state == state
        assert state.phase is Phase.OVER
        assert all(a.after == b.before for a, b in itertools.pairwise(steps))


def test_a_refused_action_changes_nothing() -> None:
    cards = seeded_deals(np.random.default_rng(1), 2, 1)[0]
    dealer = HandDealer.of_row(no_limit_holdem(2, blinds=(1, 2), stack=100), cards)
    with pytest.raises(BadInput, match="nobody is to act"):
        dealer.act(Call())
    dealer.begin()
    dealer.act(Call())
    before = dealer.state
    with pytest.raises(IllegalAction, match="checking is free"):
        dealer.act(Fold())
    assert dealer.state == before


def test_posts_that_put_everybody_all_in_are_dealt_out_at_once() -> None:
    rules = no_limit_holdem(2, blinds=(5, 10), stack=4)
    holdings = (parse_holding("AsAd"), parse_holding("KsKd"))
    dealer = HandDealer(rules, holdings, parse_cards("2c 3c 7h 8h Jd"))
    kinds = [type(s.event).__name__ for s in dealer.begin()]
    assert kinds == ["DealHoles", "DealBoard", "DealBoard", "DealBoard", "Show", "Muck"]
    assert dealer.asks is None
