"""What a person's screen knows, from nothing but what was told."""

from __future__ import annotations

import pytest

from helpers.scripted_table import ScriptedTable
from railbird.cards import Suits
from railbird.client.play.planned_action import Plan
from railbird.client.play.sizes import Size, checked_amount, raise_to
from railbird.client.play.source import LinkNews, LinkState
from railbird.client.play.table_model import TableModel
from railbird.client.play.table_words import table_words
from railbird.errors import BadInput
from railbird.hosting.formats import Clocks
from railbird.protocol import PlayerKind
from railbird.protocol.messages.client import Verb
from railbird.protocol.messages.game import (
    BoardDealt,
    BoardEntry,
    KnockedOut,
    Place,
    Presence,
    PresenceChanged,
    Result,
)


def begun(table: ScriptedTable) -> TableModel:
    """A model that hears a table at once."""
    model = TableModel()
    model.me = table.me
    table.start(model.hears)
    table.begin()
    return model


def lines(model: TableModel) -> list[str]:
    return [line.text for line in model.log]


def test_a_hand_from_the_deal_to_the_end() -> None:
    table = ScriptedTable(["ann", "bob", "cid"])
    model = begun(table)
    table.until_mine()
    assert model.turn is not None
    assert model.seats[0].name == "ann"
    assert model.seats[0].is_to_act
    assert len(model.my_cards) == 2
    assert sum(seat.cards is not None for seat in model.seats) == 1
    table.acts(Verb.CALL)
    while len(model.board) < 3:
        table.acts()
    assert all(not seat.doing for seat in model.seats)
    assert model.my_hand
    table.until_mine()
    bet = 100
    table.acts(Verb.BET, bet)
    assert model.seats[0].doing == "bet 100"
    assert "you bet 100" in lines(model)
    while not model.hands:
        table.acts(Verb.FOLD)
    assert any(line.startswith("you win") for line in lines(model))


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
    while not model.can_plan:
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
    while not model.can_plan:
        table.acts(Verb.CALL)
    model.make_plan(Plan.CHECK_OR_FOLD)
    plan = model.plan
    while model.turn is None:
        table.acts(Verb.CALL)
    assert model.plan == plan
    assert plan is not None
    verb = plan.verb(model.turn.legal)
    assert verb is (Verb.FOLD if model.turn.legal.to_call else Verb.CHECK)
    dearer = model.turn.legal.model_copy(update={"to_call": plan.price + 1})
    assert plan.verb(dearer) is None


def test_the_same_plan_again_is_no_plan() -> None:
    table = ScriptedTable(["ann", "bob", "cid", "dan"])
    model = begun(table)
    while not model.can_plan:
        table.acts(Verb.CALL)
    model.make_plan(Plan.CALL)
    model.make_plan(Plan.CALL)
    assert model.plan is None


def test_pots_are_apart_only_where_somebody_is_all_in() -> None:
    table = ScriptedTable(["ann", "bob", "cid"])
    model = begun(table)
    table.acts(Verb.RAISE, 60)
    assert len(model.pot_lines) == 1
    assert model.pot_lines[0].startswith("pot ")


def test_a_message_that_does_not_fit_asks_for_a_snapshot() -> None:
    table = ScriptedTable(["ann", "bob"])
    model = begun(table)
    entry = BoardEntry(cards=["As", "Ks", "Qs"])
    model.hears(BoardDealt(table="test", hand=99, entry=entry, street="flop", pots=[]))
    assert model.needs_snapshot
    assert model.board == ()


def test_the_end_of_a_tournament_in_words() -> None:
    model = TableModel()
    model.me = "ann"
    places = [
        Place(name=name, kind=PlayerKind.PERSON, place=place, prize="0")
        for place, name in enumerate(("ann", "bob", "cid"), 1)
    ]
    for place in (places[2], places[1]):
        out = KnockedOut(table="t", tournament="t", name=place.name, place=place.place, prize="0")
        model.hears(out)
    model.hears(Result(tournament="t", rated=False, places=places, commitment="", seed=""))
    assert lines(model) == [
        "cid is knocked out: place 3",
        "bob is knocked out: place 2",
        "you win the tournament",
    ]
    assert model.place is None
    model.me = "bob"
    model.hears(KnockedOut(table="t", tournament="t", name="bob", place=2, prize="18"))
    assert lines(model)[-1] == "you are knocked out: place 2, prize 18"


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
    words = table_words(model)
    assert words[0].startswith("your cards ")
    assert any(line.startswith("ann (you)") for line in words)
    assert "board: no cards yet" in words
    assert not any(sign in "".join(words) for sign in "♠♥♦♣")


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
    assert fresh.seats == followed.seats
    assert (fresh.price, fresh.my_cards) == (followed.price, followed.my_cards)
    assert not fresh.is_watching
    watching = TableModel()
    watching.me = "eve"
    seen = told(table.play.table_moment(1), None)
    assert seen is not None
    watching.hears(seen)
    assert watching.is_watching
    assert all(seat.cards is None for seat in watching.seats)


def test_sizes_are_parts_of_the_pot_after_the_call() -> None:
    table = ScriptedTable(["ann", "bob", "cid"])
    model = begun(table)
    while model.turn is None or model.turn.legal.to_call == 0:
        if table.actor == 0:
            table.acts(Verb.CALL)
        else:
            table.acts(Verb.RAISE, 60) if not model.price > 20 else table.acts(Verb.CALL)
    turn = model.turn
    mine = turn.hand.seats[turn.hand.you or 0].bet
    pot = raise_to(turn, Size.POT)
    assert pot == mine + 2 * turn.legal.to_call + turn.hand.pot
    assert raise_to(turn, Size.ALL_IN) == turn.legal.max_to
    half = raise_to(turn, Size.HALF)
    assert half is not None
    assert turn.legal.min_to is not None
    assert turn.legal.min_to <= half < pot


@pytest.mark.parametrize("text", ["", "abc", "١٢٣", "-40", "1e3", "9" * 40, "39", "2001"])
def test_amounts_that_the_rules_refuse(text: str) -> None:
    table = ScriptedTable(["ann", "bob"])
    model = begun(table)
    table.until_mine()
    assert model.turn is not None
    with pytest.raises(BadInput, match="allowed: 40 to 2,000"):
        checked_amount(model.turn, text)


def test_amounts_with_separators() -> None:
    table = ScriptedTable(["ann", "bob"])
    model = begun(table)
    table.until_mine()
    assert model.turn is not None
    assert checked_amount(model.turn, "1,000") == checked_amount(model.turn, "1 000") == 1000
