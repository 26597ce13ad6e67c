"""The price of a call, buttons and sizes, and what becomes of an action chosen ahead."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from msgspec import structs

from helpers.random_records import seen, turns
from helpers.told_table import hand_of, state_of
from helpers.told_table import turn_of as turn_with
from railbird.client.table_model import TableModel
from railbird.errors import BadInput
from railbird.game import Fold, Raise, no_limit_holdem, seeded_deals
from railbird.game.deal import HandDealer
from railbird.protocol import Identity
from railbird.protocol.messages import HandBegins, LegalActions, MuckEntry, ToAct, Turn, Verb
from railbird.serve.person import Person, Screen, TableSettings
from railbird.serve.table_routes import own_parts
from railbird.table.choices import (
    Plan,
    PreAction,
    Size,
    choices_of,
    may_plan,
    planned,
    price_for,
    raise_to,
    stepped_amount,
    typed_amount,
)
from railbird.table.state import TableState, after


@pytest.mark.parametrize("seed", range(60))
def test_the_price_of_a_call_is_the_engines_at_every_turn(seed: int) -> None:
    waited: dict[int, int] = {}
    for state, before in turns(np.random.default_rng(seed)):
        hand, actor = seen(state), state.actor
        assert actor is not None
        assert price_for(hand, actor) == state.to_call
        if before is None or isinstance(before.action, Raise):
            waited.clear()
        assert state.to_call <= waited.get(actor, state.to_call), "dearer without a raise"
        waited = {seat: price_for(hand, seat) for seat in state.in_hand}


def test_buttons_say_what_they_cost() -> None:
    choices = choices_of(turn_with(hand_of((10, 20, 60)), 50, least=100))
    assert (choices.call, choices.raises, choices.is_free) == ("Call 50", "Raise to", False)
    assert [(one.label, one.to) for one in choices.presets] == [
        ("½ pot", 130),
        ("¾ pot", 165),
        ("Pot", 200),
        ("All-in", 1000),
    ]
    free = choices_of(turn_with(hand_of((0, 0, 0)), 0, least=20))
    assert (free.call, free.raises, free.is_free) == ("Check", "Bet", True)
    fixed = choices_of(turn_with(hand_of((10, 20, 0)), 10, least=40, most=40))
    assert fixed.presets == ()
    assert fixed.min_to == 40
    none = choices_of(turn_with(hand_of((10, 20, 0)), 990, least=None, most=None))
    assert (none.call, none.raises) == ("All-in 990", "")


@pytest.mark.parametrize(
    ("what", "chosen_at", "price", "verb"),
    [
        (Plan.CHECK_OR_FOLD, 0, 0, Verb.CHECK),
        (Plan.CHECK_OR_FOLD, 0, 20, None),
        (Plan.CHECK_OR_FOLD, 20, 20, Verb.FOLD),
        (Plan.CHECK_OR_FOLD, 20, 60, None),
        (Plan.CALL, 20, 20, Verb.CALL),
        (Plan.CALL, 20, 60, None),
        (Plan.CALL, 20, 15, Verb.CALL),
        (Plan.CALL, 0, 0, Verb.CHECK),
        (Plan.CALL, 0, 20, None),
    ],
)
def test_any_raise_cancels_what_was_chosen_ahead(
    what: Plan, chosen_at: int, price: int, verb: Verb | None
) -> None:
    turn = after(state_of(), turn_with(hand_of((0, price, 0), street="flop"), price), 0.0)
    assert PreAction(what, 1, "flop", chosen_at).verb(turn) is verb
    assert PreAction(what, 2, "flop", chosen_at).verb(turn) is None
    assert PreAction(what, 1, "turn", chosen_at).verb(turn) is None
    holds = PreAction(what, 1, "flop", chosen_at).given_up(turn) is None
    assert holds is (price <= chosen_at)


def test_only_who_waits_for_a_turn_chooses_ahead() -> None:
    waits = after(state_of(), HandBegins(table="six.1-1", hand=hand_of()), 0.0)
    waits = after(waits, ToAct(table="six.1-1", hand=1, seat=2, ms=1, bank_ms=1), 0.0)
    assert planned(Plan.CALL, waits) == PreAction(Plan.CALL, 1, "preflop", 10)
    assert waits.hand is not None
    folded = structs.replace(waits.hand.seats[0], folded=True)
    out = structs.replace(waits.hand, seats=[folded, *waits.hand.seats[1:]])
    assert not may_plan(replace(waits, hand=out))
    assert not may_plan(after(waits, turn_with(hand_of(), 10), 0.0))
    assert not may_plan(replace(waits, hand=None))
    # Between an action and the next turn the buttons stay; once nobody can bet any more they go.
    assert may_plan(replace(waits, clock=None))
    matched = [structs.replace(seat, stack=0, bet=10) for seat in waits.hand.seats[1:]]
    all_in = structs.replace(waits.hand, seats=[waits.hand.seats[0], *matched])
    assert not may_plan(replace(waits, hand=all_in))
    shown = structs.replace(waits.hand, history=[MuckEntry(seat=1)])
    assert not may_plan(replace(waits, hand=shown))


def test_sizes_are_parts_of_the_pot_after_the_call() -> None:
    turn = turn_with(hand_of((10, 20, 60)), 50, least=100)
    pot = raise_to(turn, Size.POT)
    assert pot == 10 + 2 * 50 + 90
    assert raise_to(turn, Size.MOST) == turn.legal.max_to
    half = raise_to(turn, Size.HALF)
    assert half is not None
    assert turn.legal.min_to is not None
    assert turn.legal.min_to <= half < pot
    assert raise_to(turn_with(hand_of((10, 20, 60)), 50, least=150), Size.HALF) == 150
    assert raise_to(turn_with(hand_of((10, 20, 60)), 50, least=None, most=None), Size.POT) is None


def test_sizes_without_fractions_for_terminals_that_lack_them() -> None:
    turn = turn_with(hand_of((10, 20, 60)), 50, least=100)
    labels = [one.label for one in choices_of(turn, ascii_only=True).presets]
    assert labels == ["1/2 pot", "3/4 pot", "Pot", "All-in"]


@pytest.mark.parametrize("text", ["", "abc", "١٢٣", "-40", "1e3", "9" * 40, "39", "2001"])
def test_amounts_that_the_rules_refuse(text: str) -> None:
    choices = choices_of(turn_with(hand_of(), 10, most=2000))
    with pytest.raises(BadInput, match="allowed: 40 to 2,000"):
        typed_amount(choices, text)


@pytest.mark.parametrize("text", ["", " \t"])
def test_that_nothing_is_typed_is_said(text: str) -> None:
    with pytest.raises(BadInput, match="no amount is typed; allowed: 40 to 2,000"):
        typed_amount(choices_of(turn_with(hand_of(), 10, most=2000)), text)


def test_amounts_where_one_or_none_is_allowed() -> None:
    one = choices_of(turn_with(hand_of(), 10, most=40))
    assert one.is_fixed
    with pytest.raises(BadInput, match=r"allowed: 40$"):
        typed_amount(one, "41")
    with pytest.raises(BadInput, match="no raise is allowed"):
        typed_amount(choices_of(turn_with(hand_of(), 10, least=None, most=None)), "40")


def test_amounts_with_separators() -> None:
    choices = choices_of(turn_with(hand_of(), 10, most=2000))
    assert typed_amount(choices, "1,000") == typed_amount(choices, "1 000") == 1000


@pytest.mark.parametrize(
    ("text", "chips"),
    [
        *(("2.5bb", 50), ("2.5 BB", 50), ("100%", 160), ("60%", 116), ("3x", 150)),
        *(("40.05bb", 801), (" Pot ", 160), ("max", 1000), ("all-in", 1000)),
    ],
)
def test_amounts_in_blinds_in_parts_of_the_pot_and_in_multiples(text: str, chips: int) -> None:
    # Blinds of 10 and 20, a bet of 40 to call: a pot of 70 that a call of 40 makes 110.
    choices = choices_of(turn_with(hand_of((10, 20, 40)), 40, least=50))
    assert (choices.big_blind, choices.to_match, choices.called_pot) == (20, 50, 110)
    assert typed_amount(choices, text) == chips


@pytest.mark.parametrize("text", ["1bb", "9999bb", "1e3bb", "bb", "-3bb", "2.5", "1.%", "٣bb"])
def test_sizes_that_the_rules_refuse(text: str) -> None:
    choices = choices_of(turn_with(hand_of((10, 20, 40)), 40, least=80))
    with pytest.raises(BadInput, match="allowed: 80 to"):
        typed_amount(choices, text)


def test_amounts_are_stepped_by_big_blinds_within_what_is_allowed() -> None:
    choices = choices_of(turn_with(hand_of(), 10, most=2000))
    assert stepped_amount(choices, "100", 1) == 120
    assert stepped_amount(choices, "1,000", -1) == 980
    assert stepped_amount(choices, "", 1) == 60
    assert stepped_amount(choices, "41", -1) == 40
    assert stepped_amount(choices, "1990", 1) == 2000


def test_the_end_of_a_plan_is_told_only_where_the_price_ended_it() -> None:
    plan = PreAction(Plan.CALL, 1, "preflop", 20)
    waits = after(state_of(), HandBegins(table="six.1-1", hand=hand_of((0, 20, 10))), 0.0)
    assert plan.given_up(waits) is None
    dearer = replace(waits, hand=hand_of((0, 20, 120)))
    assert plan.given_up(dearer) == "Your call 20 in advance is given up: a call costs 120 now"
    assert plan.given_up(replace(waits, hand=hand_of(hand=2))) == ""
    assert plan.given_up(replace(waits, hand=None)) == ""


def short_blind(stacks: list[int]) -> HandDealer:
    """Blinds of 10 and 20 before the flop."""
    rules = no_limit_holdem(len(stacks), blinds=(10, 20), stack=stacks)
    dealer = HandDealer.of_row(
        rules, seeded_deals(np.random.default_rng(1), seats=len(stacks), deals=1)[0]
    )
    dealer.begin()
    return dealer


def turn_of(dealer: HandDealer) -> Turn:
    state = dealer.state
    assert state.actor is not None
    legal = LegalActions(
        fold=True, to_call=state.to_call, min_to=state.min_raise_to, max_to=state.max_raise_to
    )
    return Turn(
        table="t", turn="1", hand=seen(state, state.actor), pots=[], legal=legal, ms=1, bank_ms=0
    )


def told(dealer: HandDealer, seat: int | None) -> TableState:
    """The table as a seat was told of it."""
    state = state_of(name=None if seat is None else f"p{seat}")
    return replace(state, hand=seen(dealer.state, seat))


def asked(dealer: HandDealer) -> TableState:
    """The table as the seat to act was told of it."""
    return after(told(dealer, dealer.state.actor), turn_of(dealer), 0.0)


def test_a_short_blind_lowers_no_price_and_drops_no_action_chosen_ahead() -> None:
    """The big blind has 15 for its 20: the others call 20."""
    dealer = short_blind([500, 15, 500, 500])
    assert dealer.state.actor == 2
    plan = planned(Plan.CALL, told(dealer, 3))
    assert plan is not None
    assert plan.price == 20
    dealer.act(Fold())
    assert plan.given_up(told(dealer, 3)) is None
    assert plan.verb(told(dealer, 3)) is None
    assert plan.verb(asked(dealer)) is Verb.CALL


def test_the_page_and_the_terminal_show_this_price() -> None:
    state = told(short_blind([500, 15, 500, 500]), 3)
    nobody: Any = None  # it asks for connections only where it connects
    person = Person(Identity("p3"), nobody, TableSettings(), address="::1")
    person.seat = Screen(state, lambda: None, pace=0.0)
    bar = own_parts(person, "token")["bar"].html
    assert 'data-bar="ahead" data-price="20"' in bar
    assert ">Call 20<" in re.sub(r"<kbd.*?</kbd>", "", bar)
    model = TableModel()
    model.state = state
    model.make_plan(Plan.CALL)
    assert model.plan is not None
    assert model.price == model.plan.price == 20


def test_a_call_chosen_ahead_may_become_cheaper() -> None:
    """Once only the short blind is left, the small blind calls its 15 by 5 more, not by 10."""
    dealer = short_blind([500, 15, 500])
    plan = planned(Plan.CALL, told(dealer, 0))
    assert plan is not None
    assert plan.price == 10
    dealer.act(Fold())
    assert turn_of(dealer).legal.to_call == 5
    assert plan.given_up(told(dealer, 0)) is None
    assert plan.verb(asked(dealer)) is Verb.CALL


def test_nobody_plans_who_has_folded_or_has_nothing_left() -> None:
    dealer = short_blind([500, 15, 500])
    assert planned(Plan.CALL, told(dealer, 1)) is None
    dealer.act(Fold())
    assert planned(Plan.CALL, told(dealer, 2)) is None
    assert planned(Plan.CALL, told(dealer, None)) is None
    assert planned(Plan.CALL, state_of()) is None
