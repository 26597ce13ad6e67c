from __future__ import annotations

import pickle

import pytest

from helpers.scripts import played
from railbird.cards import Card, Holding, parse_cards, parse_holding
from railbird.errors import BadInput, DuplicateCard, IllegalAction
from railbird.game import (
    HEADS_UP_LIMIT,
    Act,
    Call,
    DealBoard,
    DealHoles,
    Event,
    HandState,
    Moment,
    Muck,
    Raise,
    Show,
    initial,
    legal,
    public,
    replay,
    seen_by,
    step,
    view,
)
from railbird.units import Chips, Seat

ACES, KINGS = parse_holding("AsAd"), parse_holding("KsKd")
FIRST = initial(HEADS_UP_LIMIT)
DEALT = step(FIRST, DealHoles((ACES, KINGS)))
FLOP_DUE = step(step(DEALT, Act(Seat(1), Call())), Act(Seat(0), Call()))


@pytest.mark.parametrize(
    ("state", "event", "error", "message"),
    [
        (FIRST, Act(Seat(1), Call()), IllegalAction, "the hole cards are to be dealt"),
        (FIRST, DealBoard(parse_cards("2c3c4c")), IllegalAction, "the hole cards are to be dealt"),
        (FIRST, DealHoles((ACES,)), BadInput, "1 holdings for 2 seats"),
        (FIRST, DealHoles((ACES, ACES)), DuplicateCard, "already been dealt"),
        (FIRST, DealHoles((ACES, Holding(1326))), BadInput, "no such card"),
        (FIRST, DealHoles((ACES, Holding(-2))), BadInput, "no such card"),
        (DEALT, DealHoles((ACES, KINGS)), IllegalAction, "not due: seat 1 is to act"),
        (DEALT, Act(Seat(0), Call()), IllegalAction, "seat 0 cannot act: seat 1 is to act"),
        (DEALT, Act(Seat(1), Raise(Chips(30))), IllegalAction, "cannot raise to 30: legal 20"),
        (DEALT, DealBoard(parse_cards("2c3c4c")), IllegalAction, "not due: seat 1 is to act"),
        (DEALT, Show(Seat(1), KINGS), IllegalAction, "not due"),
        (DEALT, Muck(Seat(1)), IllegalAction, "not due"),
        (DEALT, Muck(Seat(2)), BadInput, "allowed are seats 0 to 1"),
        (FLOP_DUE, Act(Seat(0), Call()), IllegalAction, "the flop is to be dealt"),
        (FLOP_DUE, DealBoard(parse_cards("2c")), BadInput, "the flop has three cards"),
        (FLOP_DUE, DealBoard(parse_cards("2c3c")), BadInput, "the flop has three cards"),
        (FLOP_DUE, DealBoard(parse_cards("2c3cAs")), DuplicateCard, "already been dealt"),
        (FLOP_DUE, DealBoard((Card(1), Card(2), Card(1))), DuplicateCard, "already been dealt"),
        (FLOP_DUE, DealBoard((Card(1), Card(2), Card(52))), BadInput, "no such card"),
    ],
)
def test_what_is_not_due(
    state: HandState, event: Event, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        step(state, event)


def test_what_a_seat_sees() -> None:
    deal = DealHoles((ACES, KINGS))
    assert seen_by(deal, Seat(1)) == DealHoles((None, KINGS))
    assert seen_by(deal, None) == DealHoles((None, None))
    assert seen_by(Act(Seat(0), Call()), Seat(1)) == Act(Seat(0), Call())


def test_a_view() -> None:
    own = view(DEALT, Seat(1))
    assert own.holding == KINGS
    assert own.rules == HEADS_UP_LIMIT
    assert own.state.holdings == (None, KINGS)
    assert own.legal == legal(DEALT)
    with pytest.raises(BadInput, match="seat 1 is to act, not seat 0"):
        _ = view(DEALT, Seat(0)).legal
    with pytest.raises(BadInput, match="seat 0 has no cards yet"):
        _ = view(FIRST, Seat(0)).holding
    with pytest.raises(BadInput, match="no seat 2; allowed: 0 to 1"):
        view(DEALT, Seat(2))


def test_what_a_moment_shows() -> None:
    moment = Moment(DEALT)
    for seat in (Seat(0), Seat(1)):
        shown = moment.view(seat)
        assert shown == view(DEALT, seat)
        assert shown.state.holdings[1 - seat] is None
        assert shown.public == view(DEALT, seat).public == public(DEALT)
        assert shown.public is moment.public
        sent = pickle.loads(pickle.dumps(shown))
        assert sent == shown
        assert sent.state.holdings[1 - seat] is None


def test_a_state_says_what_it_is() -> None:
    assert repr(DEALT) == "<hand, preflop: betting, seat 1 to act, pot 15>"
    assert repr(FLOP_DUE) == "<hand, preflop: deal_board, pot 20>"
    assert DEALT.stacks is None
    assert DEALT != FIRST
    assert DEALT != "a hand"


class TestReplay:
    BOARD = parse_cards("2c 7d 9h Js Kc")

    def test_names_the_action(self) -> None:
        with pytest.raises(IllegalAction) as raised:
            replay(HEADS_UP_LIMIT, (ACES, KINGS), self.BOARD, (Call(), Call(), Raise(Chips(20))))
        assert str(raised.value) == "action 2: seat 0 cannot raise to 20: legal 10 (flop)"

    def test_too_many_actions(self) -> None:
        with pytest.raises(IllegalAction, match="action 8: nobody is to act"):
            replay(HEADS_UP_LIMIT, (ACES, KINGS), self.BOARD, (Call(),) * 9)

    def test_a_board_that_does_not_fit(self) -> None:
        with pytest.raises(BadInput, match="a board of 3 cards, but the turn is to be dealt"):
            replay(HEADS_UP_LIMIT, (ACES, KINGS), self.BOARD[:3], (Call(),) * 8)
        with pytest.raises(BadInput, match="a board of 5 cards, but seat 0 is to act"):
            replay(HEADS_UP_LIMIT, (ACES, KINGS), self.BOARD, (Call(),) * 4)
        with pytest.raises(BadInput, match="allowed: 2 holdings"):
            replay(HEADS_UP_LIMIT, (ACES, KINGS), self.BOARD[:2], ())

    def test_cards_twice(self) -> None:
        with pytest.raises(DuplicateCard):
            replay(HEADS_UP_LIMIT, (ACES, ACES), (), ())
        with pytest.raises(DuplicateCard):
            replay(HEADS_UP_LIMIT, (ACES, parse_holding("KcKd")), self.BOARD, (Call(),) * 8)

    def test_may_stop_anywhere(self) -> None:
        assert replay(HEADS_UP_LIMIT, (ACES, KINGS), (), ()) == DEALT
        state = replay(HEADS_UP_LIMIT, (ACES, KINGS), self.BOARD[:4], (Call(),) * 4)
        assert state == played(HEADS_UP_LIMIT, "c c c c", holes="AsAd KsKd")

    def test_unknown_cards_have_mucked(self) -> None:
        state = replay(HEADS_UP_LIMIT, (None, KINGS), self.BOARD, (Call(),) * 8)
        assert state.mucked == (0,)
        assert state.shower == 1
        unknown = replay(HEADS_UP_LIMIT, (None, None), self.BOARD, (Call(),) * 8)
        assert unknown.mucked == ()
