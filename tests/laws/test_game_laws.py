"""What holds for every hand at every table."""

from __future__ import annotations

from functools import reduce
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.random_hands import random_log, random_rules
from helpers.simulated_hands import SimplePolicy, simulate
from railbird.cards import DECK, Card, cards_of, holding_of
from railbird.errors import IllegalAction
from railbird.game import (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    Act,
    DealBoard,
    DealHoles,
    Event,
    HandState,
    Phase,
    Raise,
    Rules,
    act,
    due,
    initial,
    legal,
    payoffs,
    pots,
    public,
    refusal,
    replay,
    seeded_deals,
    seen_by,
    showdown,
    start,
    step,
    view,
)
from railbird.units import Chips, Seat
from twins.slow_policies import play_slowly

SEEDS = st.integers(0, 2**32 - 1)
unhurried = settings(deadline=None, max_examples=60)
"""A first example may have to compile the kernels."""


def hand_of(seed: int) -> tuple[Rules, list[Event]]:
    rng = np.random.default_rng(seed)
    rules = random_rules(rng, raked=True)
    return rules, random_log(rng, rules)


def states_of(rules: Rules, log: list[Event]) -> list[HandState]:
    """The state before every event, and the last one."""
    return list(accumulate(log, step, initial=initial(rules)))


@unhurried
@given(SEEDS)
def test_chips_are_neither_made_nor_lost(seed: int) -> None:
    rules, log = hand_of(seed)
    assert rules.stacks is not None
    for state in states_of(rules, log):
        stacks = state.stacks
        assert stacks is not None
        assert sum(state.spent) == state.pot == sum(pot.amount for pot in pots(state))
        assert tuple(map(sum, zip(stacks, state.spent, strict=True))) == rules.stacks
    won = payoffs(state)
    assert sum(won) == -state.raked <= 0
    assert all(amount >= -spent for amount, spent in zip(won, state.spent, strict=True))


@unhurried
@given(SEEDS)
def test_a_step_leaves_the_state_before_it_alone(seed: int) -> None:
    rules, log = hand_of(seed)
    states = states_of(rules, log)
    assert states == states_of(rules, log)
    assert len(set(states)) == len(states)


@unhurried
@given(SEEDS)
def test_a_view_is_what_the_seat_has_seen(seed: int) -> None:
    """The fold of the events that a seat sees is its view of the fold."""
    rules, log = hand_of(seed)
    states = states_of(rules, log)
    for seat in map(Seat, range(rules.seats)):
        seen = states_of(rules, [seen_by(event, seat) for event in log])
        assert seen == [view(state, seat).state for state in states]
    seen = states_of(rules, [seen_by(event, None) for event in log])
    assert seen == [public(state) for state in states]


@unhurried
@given(SEEDS)
def test_a_view_does_not_depend_on_cards_that_were_not_seen(seed: int) -> None:
    rules, log = hand_of(seed)
    rng = np.random.default_rng(seed)
    seat = Seat(int(rng.integers(rules.seats)))
    (dealt, *rest) = [event for event in log if isinstance(event, DealHoles | DealBoard | Act)]
    assert isinstance(dealt, DealHoles)
    own = dealt.holdings[seat]
    assert own is not None
    board = [card for event in rest if isinstance(event, DealBoard) for card in event.cards]
    deck = sorted(set(DECK) - {*board, *cards_of(own)})
    cards = rng.permutation(deck)[: 2 * rules.seats].reshape(-1, 2).tolist()
    others = [holding_of(Card(a), Card(b)) for a, b in cards]
    others[seat] = own
    states = states_of(rules, [dealt, *rest])
    changed = states_of(rules, [DealHoles(tuple(others)), *rest])
    assert [view(s, seat) for s in states] == [view(s, seat) for s in changed]


@unhurried
@given(SEEDS, st.integers(-5, 10**13))
def test_refused_is_what_cannot_be_done(seed: int, to: int) -> None:
    rules, log = hand_of(seed)
    for state, event in zip(states_of(rules, log), log, strict=False):
        if isinstance(event, Act):
            assert refusal(state, event.action) is None
        tried = Raise(Chips(to % (2 * state.pot + 9) if to > 0 else to))
        refused = refusal(state, tried)
        may = state.actor is not None and tried in legal(state)
        assert (refused is None) == may
        if refused is not None:
            with pytest.raises(IllegalAction) as raised:
                act(state, tried)
            assert str(raised.value) == str(refused)


@unhurried
@given(SEEDS)
def test_a_replay_is_the_fold_of_the_log(seed: int) -> None:
    rules, log = hand_of(seed)
    betting = [event for event in log if isinstance(event, DealHoles | DealBoard | Act)]
    holdings = log[0].holdings if isinstance(log[0], DealHoles) else ()
    board = [card for event in log if isinstance(event, DealBoard) for card in event.cards]
    actions = [event.action for event in log if isinstance(event, Act)]
    assert replay(rules, holdings, board, actions) == reduce(step, betting, initial(rules))


@unhurried
@given(SEEDS)
def test_showing_and_mucking_change_no_payoff(seed: int) -> None:
    rules, log = hand_of(seed)
    for state in states_of(rules, log):
        if state.phase >= Phase.SHOWDOWN:
            end = reduce(step, showdown(state), state)
            assert end.phase is Phase.OVER
            assert payoffs(end) == payoffs(state)


@unhurried
@given(SEEDS)
def test_dealing_from_a_row_is_dealing_by_events(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rules = random_rules(rng, raked=True)
    row = seeded_deals(rng, rules.seats, 1)[0]
    state = initial(rules)
    by_row = start(rules, row)
    while state.phase < Phase.SHOWDOWN:
        if state.actor is None:
            state = step(state, due(state, row))
        else:
            assert by_row == state
            action = list(legal(state).actions())[int(rng.integers(2)) - 1]
            state, by_row = act(state, action), act(by_row, action, row)
    assert by_row == state


@pytest.mark.parametrize("rules", [HEADS_UP_LIMIT, HEADS_UP_NO_LIMIT], ids=["limit", "no-limit"])
@pytest.mark.parametrize("first", SimplePolicy)
@pytest.mark.parametrize("second", SimplePolicy)
def test_the_compiled_loop_plays_as_python_does(
    rules: Rules, first: SimplePolicy, second: SimplePolicy
) -> None:
    deals = seeded_deals(np.random.default_rng(5), 2, 40)
    policies = (first, second)
    compiled = simulate(rules, policies, deals, np.random.default_rng(6))
    assert compiled.tolist() == play_slowly(rules, policies, deals, np.random.default_rng(6))


@unhurried
@given(SEEDS)
def test_the_compiled_loop_plays_as_python_does_at_any_table(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rules = random_rules(rng, most_seats=23, raked=True)
    policies = [
        SimplePolicy(int(policy)) for policy in rng.integers(len(SimplePolicy), size=rules.seats)
    ]
    deals = seeded_deals(rng, rules.seats, 5)
    compiled = simulate(rules, policies, deals, np.random.default_rng(seed))
    assert compiled.tolist() == play_slowly(rules, policies, deals, np.random.default_rng(seed))
