"""The fold of messages into a page's table, its pace, and what a person may choose."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from railbird.protocol import PlayerKind
from railbird.protocol.messages.client import Verb
from railbird.protocol.messages.game import (
    Acted,
    ActionEntry,
    BoardDealt,
    BoardEntry,
    CardsRevealed,
    Explained,
    GameFormat,
    HandBegins,
    HandOver,
    HandView,
    KnockedOut,
    Left,
    LegalActions,
    MuckEntry,
    PlayerInfo,
    PotView,
    Presence,
    PresenceChanged,
    SeatView,
    Snapshot,
    TableInfo,
    ToAct,
    Turn,
)
from railbird.serve.table.choices import (
    Advance,
    Ahead,
    ahead_of,
    choices_of,
    may_choose_ahead,
    resolved,
    still_stands,
)
from railbird.serve.table.screen import Screen
from railbird.serve.table.state import TableState, after, first_state, turn_words

pytestmark = pytest.mark.anyio
NAMES = ("ann", "house:tight", "bob")


def _info(kind: Any = "tournament") -> TableInfo:
    players = [
        PlayerInfo(name=name, kind=PlayerKind.PERSON, chair=n, stack=1000, presence=Presence.HERE)
        for n, name in enumerate(NAMES, 1)
    ]
    form = GameFormat(
        name="six",
        betting="no-limit",
        seats=3,
        table_seats=6,
        stack=1000,
        blinds="10/20",
        limit_ms=40_000,
        bank_ms=60_000,
    )
    return TableInfo(
        table="six.1-1", kind=kind, tournament="six.1", format=form, players=players, hand=0
    )


def _hand(bets: Sequence[int] = (10, 20, 0), **changes: Any) -> HandView:
    seats = [
        SeatView(
            name=name,
            kind=PlayerKind.PERSON,
            chair=n + 1,
            presence=Presence.HERE,
            stack=1000 - bet,
            bet=bet,
            spent=bet,
            cards=["As", "Kd"] if n == 0 else None,
        )
        for n, (name, bet) in enumerate(zip(NAMES, bets, strict=True))
    ]
    values: dict[str, Any] = {
        "hand": 1,
        "blinds": [10, 20, 0],
        "antes": [0, 0, 0],
        "button": 2,
        "you": 0,
        "street": "preflop",
        "board": [],
        "pot": sum(bets),
        "seats": seats,
        "history": [],
        **changes,
    }
    return HandView(**values)


def _turn(hand: HandView, to_call: int, least: int | None = 40, most: int | None = 1000) -> Turn:
    return Turn(
        table="six.1-1",
        turn="six.1-1.1.1",
        hand=hand,
        pots=[PotView(amount=hand.pot, seats=[0, 1, 2])],
        legal=LegalActions(fold=to_call > 0, to_call=to_call, min_to=least, max_to=most),
        ms=40_000,
        bank_ms=60_000,
    )


def _state(**changes: Any) -> TableState:
    return replace(TableState(info=_info(), name="ann"), **changes)


def test_a_hand_is_followed_from_its_deal_to_its_end() -> None:
    state = first_state(Snapshot(table=_info()), "ann", 0.0)
    state = after(state, HandBegins(table="six.1-1", hand=_hand()), 1.0)
    state = after(state, ToAct(table="six.1-1", hand=1, seat=2, ms=40_000, bank_ms=9_000), 2.0)
    assert state.to_act == 2
    raised = ActionEntry(seat=2, verb="raise", to=60, paid=60)
    acted = Acted(table="six.1-1", hand=1, entry=raised, stack=940, pot=90)
    state = after(state, acted, 3.0)
    assert state.to_act is None
    assert state.fresh[0].text == "bob raises to 60"
    state = after(state, _turn(_hand((10, 20, 60)), 50), 4.0)
    assert turn_words(state, 14.0) == "Your turn: 50 to call, 90 seconds"
    folded = ActionEntry(seat=0, verb="fold", paid=0)
    late = Acted(table="six.1-1", hand=1, entry=folded, stack=990, pot=90, by="clock")
    state = after(state, late, 5.0)
    assert state.turn is None
    assert (state.fresh[0].text, state.fresh[0].after) == ("ann folds", "the clock ran out")
    over = HandOver(
        table="six.1-1", hand=1, pots=[], won=[-10, -20, 30], stacks=[990, 980, 1030], rake=0
    )
    state = after(state, over, 6.0)
    assert [player.stack for player in state.info.players] == [990, 980, 1030]
    assert [line.text for _, line in state.lines][-2:] == ["ann folds", "bob wins 30"]
    numbers = [number for number, _ in state.lines]
    assert numbers == sorted(set(numbers))


def test_news_of_another_hand_changes_nothing() -> None:
    state = after(_state(), HandBegins(table="six.1-1", hand=_hand()), 0.0)
    flop = BoardEntry(cards=["2c", "3c", "4c"])
    other = BoardDealt(table="six.1-1", hand=7, entry=flop, street="flop", pots=[])
    assert after(state, other, 1.0).hand == state.hand


def test_others_come_and_go_and_the_viewers_own_end_is_known() -> None:
    state = after(_state(), HandBegins(table="six.1-1", hand=_hand()), 0.0)
    away = PresenceChanged(table="six.1-1", name="bob", presence=Presence.AWAY)
    state = after(state, away, 1.0)
    assert state.hand is not None
    assert state.hand.seats[2].presence is Presence.AWAY
    for presence, words, why in (
        (Presence.FROZEN, "bob is frozen", "frozen"),
        (Presence.LEAVING, "bob is leaving", "leaving"),
    ):
        gone = after(state, away.model_copy(update={"presence": presence}), 1.0)
        assert gone.fresh[0].text == words
        fold = ActionEntry(seat=2, verb="fold", paid=0)
        acted = Acted(table="six.1-1", hand=1, entry=fold, stack=990, pot=30, by="absence")
        assert after(gone, acted, 2.0).fresh[0].after == why
    out = KnockedOut(table="six.1-1", tournament="six.1", name="bob", place=3, prize="0")
    state = after(state, out, 2.0)
    assert [player.name for player in state.info.players] == ["ann", "house:tight"]
    assert state.knocked_out is None
    state = after(state, out.model_copy(update={"name": "ann", "place": 2}), 3.0)
    assert state.knocked_out is not None
    assert not state.is_over
    assert after(state, Left(table="six.1-1", reason="knocked_out"), 4.0).is_over
    assert not after(state, Left(table="six.1-1", reason="moved"), 4.0).is_over


def test_buttons_say_what_they_cost() -> None:
    choices = choices_of(_turn(_hand((10, 20, 60)), 50, least=100))
    assert (choices.call, choices.raises, choices.is_free) == ("Call 50", "Raise to", False)
    assert [(one.label, one.to) for one in choices.presets] == [
        ("½ pot", 130),
        ("¾ pot", 165),
        ("Pot", 200),
        ("All-in", 1000),
    ]
    free = choices_of(_turn(_hand((0, 0, 0)), 0, least=20))
    assert (free.call, free.raises, free.is_free) == ("Check", "Bet", True)
    fixed = choices_of(_turn(_hand((10, 20, 0)), 10, least=40, most=40))
    assert fixed.presets == ()
    assert fixed.min_to == 40
    none = choices_of(_turn(_hand((10, 20, 0)), 990, least=None, most=None))
    assert (none.call, none.raises) == ("All-in 990", "")


@pytest.mark.parametrize(
    ("what", "chosen_at", "price", "verb"),
    [
        (Advance.CHECK_FOLD, 0, 0, Verb.CHECK),
        (Advance.CHECK_FOLD, 0, 20, None),
        (Advance.CHECK_FOLD, 20, 20, Verb.FOLD),
        (Advance.CHECK_FOLD, 20, 60, None),
        (Advance.CALL, 20, 20, Verb.CALL),
        (Advance.CALL, 20, 60, None),
        (Advance.CALL, 0, 0, Verb.CALL),
        (Advance.CALL, 0, 20, None),
    ],
)
def test_any_raise_cancels_what_was_chosen_ahead(
    what: Advance, chosen_at: int, price: int, verb: Verb | None
) -> None:
    turn = _turn(_hand((0, price, 0)), price)
    assert resolved(Ahead(what, 1, "preflop", chosen_at), turn) is verb
    assert resolved(Ahead(what, 2, "preflop", chosen_at), turn) is None
    assert resolved(Ahead(what, 1, "flop", chosen_at), turn) is None
    assert still_stands(Ahead(what, 1, "preflop", chosen_at), turn.hand) is (price <= chosen_at)


def test_only_who_waits_for_a_turn_chooses_ahead() -> None:
    waits = after(_state(), HandBegins(table="six.1-1", hand=_hand()), 0.0)
    waits = after(waits, ToAct(table="six.1-1", hand=1, seat=2, ms=1, bank_ms=1), 0.0)
    assert ahead_of(waits, Advance.CALL) == Ahead(Advance.CALL, 1, "preflop", 10)
    assert waits.hand is not None
    folded = waits.hand.seats[0].model_copy(update={"folded": True})
    out = waits.hand.model_copy(update={"seats": [folded, *waits.hand.seats[1:]]})
    assert not may_choose_ahead(replace(waits, hand=out))
    assert not may_choose_ahead(after(waits, _turn(_hand(), 10), 0.0))
    assert not may_choose_ahead(replace(waits, hand=None))
    # Between an action and the next turn the buttons stay; once nobody can bet any more they go.
    assert may_choose_ahead(replace(waits, clock=None))
    matched = [seat.model_copy(update={"stack": 0, "bet": 10}) for seat in waits.hand.seats[1:]]
    all_in = waits.hand.model_copy(update={"seats": [waits.hand.seats[0], *matched]})
    assert not may_choose_ahead(replace(waits, hand=all_in))
    shown = waits.hand.model_copy(update={"history": [MuckEntry(seat=1)]})
    assert not may_choose_ahead(replace(waits, hand=shown))


async def test_a_page_is_behind_only_as_long_as_people_need() -> None:
    shown: list[str] = []
    state = after(_state(), HandBegins(table="six.1-1", hand=_hand()), 0.0)
    screen = Screen(state, lambda: shown.append(screen.shown.news), pace=0.2)
    for entry in (
        ActionEntry(seat=2, verb="call", paid=20),
        ActionEntry(seat=1, verb="check", paid=0),
    ):
        acted = Acted(table="six.1-1", hand=1, entry=entry, stack=980, pot=50)
        screen.update(after(screen.truth, acted, 0.0))
    assert screen.is_behind
    assert shown == ["acted"]
    async with asyncio.timeout(60):
        while screen.is_behind:
            await asyncio.sleep(0.01)
    assert shown == ["acted", "acted"]
    screen.update(after(screen.truth, _turn(_hand((10, 20, 20)), 10), 0.0))
    async with asyncio.timeout(60):
        while screen.shown.turn is None:
            await asyncio.sleep(0.01)
    screen.stop()


async def test_reasons_come_with_the_cards_of_a_practice_hand() -> None:
    practice = replace(_state(), info=_info("practice"))
    state = after(practice, HandBegins(table="six.1-1", hand=_hand()), 0.0)
    screen = Screen(state, lambda: None, pace=0.01)
    over = HandOver(
        table="six.1-1", hand=1, pots=[], won=[0, 0, 0], stacks=[1000, 1000, 1000], rake=0
    )
    cards = [["As", "Kd"], ["2c", "2d"], ["7h", "8h"]]
    why = Explained(table="six.1-1", hand=1, seat=1, action=0, text="It is the favourite.")
    revealed = CardsRevealed(table="six.1-1", hand=1, cards=cards)
    for message in (over, revealed, why, why):
        screen.update(after(screen.truth, message, 0.0))
    assert not screen.is_behind
    assert screen.shown.revealed[1] == ("2c", "2d")
    assert len(screen.shown.reasons) == 2
    assert screen.shown.fresh[0].text == "tight: It is the favourite."
    screen.update(after(screen.truth, HandBegins(table="six.1-1", hand=_hand(hand=2)), 0.0))
    assert screen.shown.revealed == ()
    screen.stop()
