"""Messages of both sides, one by one; `tests/laws/test_acpc_laws.py` has whole random hands."""

from __future__ import annotations

import pytest

from railbird.acpc import (
    MatchState,
    action_text,
    is_comment,
    is_version,
    parse_answer,
    parse_state,
    read_action,
)
from railbird.cards import format_cards, parse_holding
from railbird.errors import BadInput, IllegalAction
from railbird.game import (
    HEADS_UP_LIMIT,
    Act,
    Call,
    DealBoard,
    DealHoles,
    Fold,
    HandState,
    Raise,
    initial,
    no_limit_holdem,
    step,
)
from railbird.units import Chips, Seat

HOLES = DealHoles((parse_holding("TdAs"), parse_holding("2c8c")))


def dealt(*, limit: bool) -> HandState:
    rules = HEADS_UP_LIMIT
    if not limit:
        rules = no_limit_holdem(2, blinds=(50, 100), stack=20_000)
    return step(initial(rules), HOLES)


@pytest.mark.parametrize(
    ("line", "seat", "hand", "betting", "known", "board"),
    [
        ("MATCHSTATE:0:0::TdAs|", 0, 0, "", [True, False], ""),
        ("MATCHSTATE:1:30:rrc/rc/:|TdAs/2c8c3h/9c", 1, 30, "rrc/rc/", [False, True], "2c8c3h9c"),
        (
            "MATCHSTATE:0:0:rc/rrc/rc/cr:TdAs|8hTc/2c8c3h/9c/Kh",
            *(0, 0, "rc/rrc/rc/cr", [True, True], "2c8c3h9cKh"),
        ),
        (
            "MATCHSTATE:2:55:r19686:||AhTs",
            *(2, 55, "r19686", [False, False, True], ""),
        ),
    ],
)
def test_a_dealer_s_message(
    line: str, seat: int, hand: int, betting: str, known: list[bool], board: str
) -> None:
    message = parse_state(line)
    assert (message.seat, message.hand, message.betting) == (seat, hand, betting)
    assert [hole is not None for hole in message.holes] == known
    assert format_cards(message.board) == board
    assert str(message) == line


def test_holes_keep_the_order_in_which_they_were_dealt() -> None:
    one, other = (parse_state(f"MATCHSTATE:0:0::{hole}|") for hole in ("TdAs", "AsTd"))
    assert one != other
    assert isinstance(one, MatchState)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "MATCHSTATE:0:0::TdAs| ",
        "MATCHSTATE:-1:0::TdAs|",
        "MATCHSTATE:0:12345678901::TdAs|",
        "MATCHSTATE:0:0:x:TdAs|",
        "MATCHSTATE:0:0::TdA|",
        "MATCHSTATE:0:0::TdAs|/2c8c",
        "MATCHSTATE:0:0::TdAs|/2c8c3h/9c/Kh/Kd",
        "STATE:0::TdAs|",
    ],
)
def test_what_is_no_message_of_a_dealer(line: str) -> None:
    with pytest.raises(BadInput, match="not a message of an ACPC dealer"):
        parse_state(line)


def test_a_long_line_is_repeated_in_part() -> None:
    with pytest.raises(BadInput) as refused:
        parse_state("x" * 5_000)
    assert len(str(refused.value)) < 150


@pytest.mark.parametrize(
    ("line", "is_one"),
    [
        ("VERSION:2.0.0", True),
        ("VERSION:2.0.17  ", True),
        ("VERSION:2.1.0", False),
        ("2.0.0", False),
    ],
)
def test_greetings(line: str, is_one: bool) -> None:
    assert is_version(line) == is_one


def test_comments_of_both_kinds() -> None:
    assert [is_comment(line) for line in ("# x", ";x", " # x", "")] == [True, True, False, False]


def test_an_answer_repeats_the_message_and_adds_an_action() -> None:
    answer = parse_answer("MATCHSTATE:0:0:cr:TdAs|:r250  ")
    assert answer is not None
    assert (answer.state, answer.action) == ("MATCHSTATE:0:0:cr:TdAs|", "r250")
    assert parse_answer("MATCHSTATE:0:0") is None
    assert parse_answer("c") is None


@pytest.mark.parametrize("action", [Fold(), Call(), Raise(Chips(20))])
def test_limit_actions_have_no_sums(action: Fold | Call | Raise) -> None:
    state = dealt(limit=True)
    text = action_text(state, action)
    assert text == {"Fold": "f", "Call": "c", "Raise": "r"}[type(action).__name__]
    assert read_action(state, text) == action


def test_a_raise_is_the_sum_of_the_whole_hand_in_no_limit() -> None:
    state = dealt(limit=False)
    for action in (Raise(Chips(300)), Call()):
        assert state.actor is not None
        assert read_action(state, action_text(state, action)) == action
        state = step(state, Act(state.actor, action))
    flop = step(state, DealBoard(parse_state("MATCHSTATE:0:0::TdAs|/3c4c5c").board))
    bet = Raise(Chips(400))
    assert action_text(flop, bet) == "r700"  # 300 before the flop
    assert read_action(flop, "r700") == bet


@pytest.mark.parametrize(("text", "limit"), [("x", True), ("", True), ("r", False), ("rr", False)])
def test_what_is_no_action(text: str, limit: bool) -> None:
    with pytest.raises(IllegalAction, match="is not an action; allowed: f, c or r"):
        read_action(dealt(limit=limit), text)


def test_seats_are_numbers_of_the_protocol() -> None:
    assert parse_state("MATCHSTATE:1:0::|TdAs").seat == Seat(1)
