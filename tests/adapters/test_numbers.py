"""Views and choices as arrays."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.random_hands import random_action, random_rules
from railbird.adapters.observation_encoding import (
    ActionNumbers,
    most,
    observation,
    observation_size,
)
from railbird.errors import BadInput
from railbird.game import (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    Act,
    Call,
    Event,
    Fold,
    Phase,
    Raise,
    act,
    due,
    initial,
    legal,
    seeded_deals,
    start,
    step,
    view,
)
from railbird.units import Chips, Seat

CARDS = seeded_deals(np.random.default_rng(3), 2, 1)[0]


@pytest.mark.slow
@given(st.integers(0, 2**32 - 1))
def test_observations_are_bounded_and_hide_what_is_hidden(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rules = random_rules(rng)
    cards = seeded_deals(rng, rules.seats, 1)[0]
    choices = ActionNumbers(rules)
    state = initial(rules)
    event: Event = due(state, cards)
    while True:
        state = step(state, event)
        for seat in range(rules.seats):
            seen = observation(view(state, Seat(seat)))
            assert seen.shape == (observation_size(rules),)
            assert seen.dtype == np.float32
            assert 0 <= seen.min() <= seen.max() <= most(rules)
            assert set(np.flatnonzero(seen[:52])) == set(cards[2 * seat : 2 * seat + 2].tolist())
            assert seen[52:104].sum() == len(state.board)
        if state.phase is Phase.BETTING:
            allowed = legal(state)
            actions = choices.actions(state)
            assert len(actions) == choices.size == len(choices.mask(state))
            chosen = [action for action in actions if action is not None]
            assert all(action in allowed for action in chosen)
            assert len(set(chosen)) == len(chosen)
            assert set(allowed.actions()) <= set(chosen)
            event = Act(allowed.seat, random_action(rng, allowed))
        elif state.phase is Phase.DEAL_BOARD:
            event = due(state, cards)
        else:
            return


def test_no_limit_raises_are_parts_of_the_pot() -> None:
    state = start(HEADS_UP_NO_LIMIT, CARDS)
    choices = ActionNumbers(HEADS_UP_NO_LIMIT, (0.5, 1.0, 2.0))
    sizes = [Raise(Chips(to)) for to in (200, 300, 500, 20_000)]
    # Half of the pot of 200 after calling is a raise to 200, which is the smallest already.
    assert choices.actions(state) == [Fold(), Call(), sizes[0], None, *sizes[1:]]
    assert choices.mask(state).tolist() == [1, 1, 1, 0, 1, 1, 1]
    all_in = act(state, Raise(Chips(20_000)), CARDS)
    assert choices.actions(all_in) == [Fold(), Call(), None, None, None, None, None]


def test_limit_has_three_choices_and_small_bets() -> None:
    choices = ActionNumbers(HEADS_UP_LIMIT)
    state = start(HEADS_UP_LIMIT, CARDS)
    assert choices.actions(state) == [Fold(), Call(), Raise(Chips(20))]
    flop = act(act(state, Call(), CARDS), Call(), CARDS)
    assert choices.mask(flop).tolist() == [0, 1, 1]
    assert (HEADS_UP_LIMIT.chips_per_unit, HEADS_UP_NO_LIMIT.chips_per_unit) == (10, 100)


@pytest.mark.parametrize("pots", [(0.0, 1.0), (1.0, 0.5), (1.0, 1.0)])
def test_fractions_that_cannot_be(pots: tuple[float, ...]) -> None:
    with pytest.raises(BadInput, match="ascending numbers above 0"):
        ActionNumbers(HEADS_UP_NO_LIMIT, pots)
