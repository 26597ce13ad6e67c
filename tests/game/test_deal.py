"""The dealer without I/O, against the events of a hand one by one."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from helpers.random_hands import random_rules
from railbird.cards import parse_cards, parse_holding
from railbird.errors import BadInput, IllegalAction
from railbird.game import (
    HEADS_UP_LIMIT,
    AcpcDealer,
    Call,
    DealBoard,
    DealHoles,
    Fold,
    HandDealer,
    Phase,
    act,
    due,
    legal,
    no_limit_holdem,
    seeded_deals,
    showdown,
    start,
    step,
)
from railbird.game.state import initial


@pytest.mark.parametrize("seats", [2, 6, 23])
def test_the_cards_of_a_deal_are_different(seats: int) -> None:
    deals = np.sort(seeded_deals(np.random.default_rng(1), seats, 500), axis=1)
    assert deals.shape == (500, 2 * seats + 5)
    assert (np.diff(deals.astype(int), axis=1) > 0).all()
    assert deals.max() == 51


def test_every_card_is_as_likely_in_every_place() -> None:
    deals = seeded_deals(np.random.default_rng(2), 2, 52_000)
    counts = np.stack([np.bincount(column, minlength=52) for column in deals.T])
    # 9 places of 51 degrees of freedom; a fair deal fails once in a million.
    assert stats.chi2.sf(((counts - 1_000) ** 2 / 1_000).sum(), 9 * 51) > 1e-6


def test_pairs_come_as_often_as_they_should() -> None:
    deals = seeded_deals(np.random.default_rng(3), 2, 100_000)
    pairs = int((deals[:, 0] // 4 == deals[:, 1] // 4).sum())
    assert stats.binomtest(pairs, len(deals), 3 / 51).pvalue > 1e-6


def test_a_seed_deals_the_same_cards_on_every_machine() -> None:
    deals = seeded_deals(np.random.default_rng(42), 2, 2)
    assert deals.tolist() == [
        [30, 22, 12, 47, 4, 19, 51, 18, 11],
        [27, 5, 43, 47, 7, 48, 4, 26, 12],
    ]


def test_fewer_deals_are_the_first_of_more() -> None:
    few = seeded_deals(np.random.default_rng(4), 3, 10)
    many = seeded_deals(np.random.default_rng(4), 3, 1_000)
    assert (few == many[:10]).all()


def test_the_acpcs_dealer() -> None:
    """Hands 0 and 1 of seed 42, as project_acpc_server 2.0.0 logged them."""
    dealer = AcpcDealer(42)
    first, second = dealer.deals(2, 1)[0], dealer.deals(2, 1)[0]
    assert first.tolist() == list(parse_cards("7d3d 2hAc 5sKs7s 9s 6h"))
    assert second.tolist() == list(parse_cards("9h6s 3d3h 5s3s8h 9d 5c"))
    assert (AcpcDealer(42).deals(2, 2)[1] == second).all()


def test_what_is_due() -> None:
    row = AcpcDealer(42).deals(2, 1)[0]
    first = initial(HEADS_UP_LIMIT)
    assert due(first, row) == DealHoles((parse_holding("7d3d"), parse_holding("2hAc")))
    state = step(first, due(first, row))
    assert state == start(HEADS_UP_LIMIT, row)
    with pytest.raises(BadInput, match="no cards are due"):
        due(state, row)
    state = act(act(state, Call()), Call())
    assert due(state, row) == DealBoard(parse_cards("5sKs7s"))


@pytest.mark.parametrize("wrong", ["short", "twice", "too high"])
def test_a_row_that_is_no_deal(wrong: str) -> None:
    row = AcpcDealer(42).deals(2, 1)[0]
    good = start(HEADS_UP_LIMIT, row)
    match wrong:
        case "short":
            row = row[:8]
        case "twice":
            row[1] = row[0]
        case _:
            row[3] = 52
    with pytest.raises(BadInput, match="9 different cards"):
        start(HEADS_UP_LIMIT, row)
    with pytest.raises(BadInput, match="9 different cards"):
        act(act(good, Call()), Call(), row[:8])
    row[4:] = row[4]
    with pytest.raises(BadInput, match="9 different cards"):
        act(act(good, Call()), Call(), row)


@pytest.mark.parametrize("seats", [1, 24])
def test_seats(seats: int) -> None:
    with pytest.raises(BadInput, match="2 to 23"):
        seeded_deals(np.random.default_rng(0), seats, 1)


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_acpc_seeds(seed: int) -> None:
    with pytest.raises(BadInput, match=f"seed {seed}"):
        AcpcDealer(seed)


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
