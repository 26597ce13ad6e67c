"""What a person's screen knows, from nothing but what was told."""

from __future__ import annotations

import dataclasses
from functools import partial

from msgspec.structs import replace

from helpers.told_table import ScriptedTable, info_of
from railbird.cards import Suits
from railbird.client.table_model import LinkNews, LinkState, TableModel
from railbird.client.terminal.felt import pot_lines
from railbird.hosting.formats import Clocks
from railbird.protocol import PlayerKind
from railbird.protocol.messages import (
    BoardDealt,
    BoardEntry,
    KnockedOut,
    Place,
    Presence,
    PresenceChanged,
    Result,
    Seated,
    Verb,
)
from railbird.table.choices import Plan, may_plan
from railbird.table.felt import Felt, facts
from railbird.table.words import cards_text


def begun(table: ScriptedTable) -> TableModel:
    """A model that hears a table at once."""
    model = TableModel()
    model.me = table.me
    table.start(model.hears)
    table.begin()
    return model


def lines(model: TableModel) -> list[str]:
    return [line.text for line in model.log]


def felt(model: TableModel) -> Felt:
    assert model.state is not None
    return model.state.felt()


def board(model: TableModel) -> list[str]:
    return [] if model.hand is None else model.hand.board


def own_cards(model: TableModel) -> tuple[str, ...]:
    return () if model.state is None else model.state.own_cards


def can_plan(model: TableModel) -> bool:
    return model.state is not None and may_plan(model.state)


def test_a_hand_from_the_deal_to_the_end() -> None:
    table = ScriptedTable(["ann", "bob", "cid"])
    model = begun(table)
    table.until_mine()
    assert model.turn is not None
    assert felt(model).seats[0].name == "ann"
    assert felt(model).seats[0].to_act
    assert len(own_cards(model)) == 2
    assert sum(bool(seat.cards) for seat in felt(model).seats) == 1
    table.acts(Verb.CALL)
    while len(board(model)) < 3:
        table.acts()
    assert all(not seat.last for seat in felt(model).seats)
    assert felt(model).seats[0].made
    table.until_mine()
    bet = 100
    table.acts(Verb.BET, bet)
    assert (felt(model).seats[0].last, felt(model).seats[0].bet) == ("Bet", 100)
    assert "You bet 100" in lines(model)
    while not model.hands:
        table.acts(Verb.FOLD)
    assert any(line.startswith("You win") for line in lines(model))


def test_a_price_is_what_the_turn_will_say() -> None:
    for seed in range(8):
        table = ScriptedTable(["ann", "bob", "cid", "dan"], stack=70, seed=seed)
        model = begun(table)
        for _ in range(30):
            if table.actor is None:
                break
            if model.turn is not None:
                table.acts(Verb.CALL)
                continue
            before, number = model.price, model.hands
            table.acts(Verb.CALL if seed % 2 else Verb.ALL_IN)
            if model.turn is not None and model.hands == number and seed % 2:
                assert model.turn.legal.to_call in (before, 0) or before == 0


def test_a_plan_is_given_up_when_the_price_changes() -> None:
    table = ScriptedTable(["ann", "bob", "cid", "dan"])
    model = begun(table)
    while not can_plan(model):
        table.acts(Verb.CALL)
    model.make_plan(Plan.CALL)
    plan = model.plan
    assert plan is not None
    assert plan.price == model.price
    table.acts(Verb.RAISE, 120)
    assert model.plan is None
    assert any("is given up" in line for line in lines(model))


def test_a_plan_holds_as_long_as_nothing_changes() -> None:
    table = ScriptedTable(["ann", "bob", "cid", "dan"])
    model = begun(table)
    while not can_plan(model):
        table.acts(Verb.CALL)
    model.make_plan(Plan.CHECK_OR_FOLD)
    plan = model.plan
    while model.turn is None:
        table.acts(Verb.CALL)
    assert model.plan == plan
    assert plan is not None
    assert model.state is not None
    verb = plan.verb(model.state)
    assert verb is (Verb.FOLD if model.turn.legal.to_call else Verb.CHECK)
    dearer = replace(model.turn.legal, to_call=plan.price + 1)
    turn = replace(model.turn, legal=dearer)
    assert plan.verb(dataclasses.replace(model.state, turn=turn)) is None


def test_the_same_plan_again_is_no_plan() -> None:
    table = ScriptedTable(["ann", "bob", "cid", "dan"])
    model = begun(table)
    while not can_plan(model):
        table.acts(Verb.CALL)
    model.make_plan(Plan.CALL)
    model.make_plan(Plan.CALL)
    assert model.plan is None


def test_pots_are_apart_only_where_somebody_is_all_in() -> None:
    table = ScriptedTable(["ann", "bob", "cid"])
    model = begun(table)
    table.acts(Verb.RAISE, 60)
    assert len(pot_lines(felt(model))) == 1
    assert pot_lines(felt(model))[0].startswith("pot ")


def test_a_message_that_does_not_fit_asks_for_a_snapshot() -> None:
    table = ScriptedTable(["ann", "bob"])
    model = begun(table)
    entry = BoardEntry(cards=["As", "Ks", "Qs"])
    model.hears(BoardDealt(table="test", hand=99, entry=entry, street="flop", pots=[]))
    assert model.state is not None
    assert model.state.needs_snapshot
    assert board(model) == []


def test_the_end_of_a_tournament_in_words() -> None:
    model = TableModel()
    model.me = "ann"
    model.hears(Seated(table=info_of()))
    places = [
        Place(name=name, kind=PlayerKind.PERSON, place=place, prize="0")
        for place, name in enumerate(("ann", "bob", "cid"), 1)
    ]
    for place in (places[2], places[1]):
        out = KnockedOut(
            table="t", tournament="six.1", name=place.name, place=place.place, prize="0"
        )
        model.hears(out)
    model.hears(Result(tournament="six.1", rated=False, places=places, commitment="", seed=""))
    assert lines(model)[1:] == [
        "cid is out, place 3",
        "bob is out, place 2",
        "You win the tournament",
    ]
    assert model.state is not None
    assert (model.state.knocked_out, model.state.place) == (None, 1)
    model.leave_table()
    model.me = "bob"
    model.hears(Seated(table=info_of()))
    model.hears(KnockedOut(table="t", tournament="six.1", name="bob", place=2, prize="18"))
    assert lines(model)[-1] == "You are out, place 2, prize 18"
    assert model.state.place == 2


def test_news_of_another_table_change_nothing() -> None:
    table = ScriptedTable(["ann", "bob"])
    model = begun(table)
    before = list(model.log)
    model.hears(PresenceChanged(table="other", name="bob", presence=Presence.AWAY))
    assert list(model.log) == before


def test_a_lost_connection_takes_the_turn_away() -> None:
    table = ScriptedTable(["ann", "bob"])
    model = begun(table)
    table.until_mine()
    model.hears(LinkNews(LinkState.CONNECTING, "cut; connecting again"))
    assert model.turn is None
    assert model.hand is not None
    model.hears(LinkNews(LinkState.CONNECTING, "cut; connecting again"))
    assert lines(model).count("cut; connecting again") == 1


def test_the_clock_runs_down_and_then_the_bank() -> None:
    now = [0.0]
    model = TableModel(now=lambda: now[0])
    model.me = "ann"
    clocks = Clocks(limit=10, bank=30, refill=None, lag=0)
    table = ScriptedTable(["ann", "bob"], clocks=clocks)
    table.start(model.hears)
    table.begin()
    table.until_mine()
    assert model.seconds_left() == (10, 30)
    now[0] = 4.0
    assert model.seconds_left() == (6, 30)
    now[0] = 15.0
    assert model.seconds_left() == (0, 25)


def test_everything_in_words() -> None:
    table = ScriptedTable(["ann", "bob", "cid"])
    model = begun(table)
    model.suits = Suits.LETTERS
    table.until_mine()
    words = facts(felt(model), partial(cards_text, suits=Suits.LETTERS))
    assert words["cards"].startswith("You hold ")
    assert "you 2,000" in words["stacks"]
    assert words["board"] == "No board yet"
    assert not any(sign in "".join(words.values()) for sign in "♠♥♦♣")
    assert " of " in facts(felt(model))["cards"]


def test_a_snapshot_is_all_that_is_needed() -> None:
    table = ScriptedTable(["ann", "bob", "cid"])
    followed = begun(table)
    table.until_mine()
    from railbird.protocol import told

    snapshot = told(table.play.table_moment(1), "ann")
    assert snapshot is not None
    fresh = TableModel()
    fresh.me = "ann"
    fresh.hears(snapshot)
    assert felt(fresh) == felt(followed)
    assert (fresh.price, own_cards(fresh)) == (followed.price, own_cards(followed))
    assert not fresh.is_watching
    watching = TableModel()
    watching.me = "eve"
    seen = told(table.play.table_moment(1), None)
    assert seen is not None
    watching.hears(seen)
    assert watching.is_watching
    assert not any(seat.cards for seat in felt(watching).seats)
