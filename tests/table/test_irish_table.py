"""A table of Irish: which cards have to go, what the log says of them, and the odds."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.cards import VARIANTS, parse_cards
from railbird.errors import BadInput
from railbird.game import Betting, Call, Discard, HandDealer, in_variant, pot_limit_holdem
from railbird.game.actions import Action
from railbird.protocol import PlayerKind, messages, told
from railbird.protocol.redaction import (
    HandMoment,
    SeatHolder,
    TurnClock,
    TurnStart,
    first_cards,
    hand_view,
)
from railbird.table.advice import FollowedHand, odds_of
from railbird.table.choices import choices_of, typed_discard
from railbird.table.felt import felt_of
from railbird.table.state import price_words
from railbird.table.words import hand_lines, line_text
from railbird.units import Seat

CARDS = "AhKd7c2s" + "QhQd3c3s" + "QsJc9c4h5d"
FLOP = [Call()] * 4
"""Everybody's checks up to the discards."""


def played(*actions: Action, viewer: str = "bob") -> tuple[messages.HandView, messages.Turn]:
    """A hand of ann, the big blind, and bob; the turn is that of whoever acts next."""
    rules = in_variant(pot_limit_holdem(2, blinds=(1, 2), stack=100), VARIANTS["irish"])
    holders = tuple(SeatHolder(name, PlayerKind.PERSON, 1) for name in ("ann", "bob"))
    dealer = HandDealer.of_row(rules, np.array(parse_cards(CARDS), np.uint8))
    moment = HandMoment("t", 1, dealer.begin()[-1].after, holders)
    for action in actions:
        for event, before, after in dealer.act(action):
            moment = moment.next_moment(event, before, after)
    assert dealer.asks is not None
    turn = told(TurnStart(moment, TurnClock("t", 9, 9)), holders[dealer.asks].name)
    assert isinstance(turn, messages.Turn)
    return hand_view(moment, viewer), turn


def test_two_cards_have_to_be_marked() -> None:
    _, turn = played(*FLOP)
    assert (turn.legal.draw, turn.legal.must_discard) == (2, 2)
    assert price_words(turn.legal) == "throw away 2 cards"
    choices = choices_of(turn)
    assert (choices.draw, choices.must_discard, choices.fold) == (2, 2, False)
    assert typed_discard(choices, "1 2") == ["2s", "7c"]
    for wrong in ("", "1", "1 2 3", "1 1", "Qh Qd"):
        with pytest.raises(BadInput, match="allowed: 2 of 2s 7c Kd Ah"):
            typed_discard(choices, wrong)


def test_only_its_owner_sees_what_went() -> None:
    away = Discard(parse_cards("7c2s"))
    seen, _ = played(*FLOP, away)
    assert [seat.cards for seat in seen.seats] == [None, ["3c", "3s", "Qd", "Qh"]]
    assert [draw.thrown for draw in seen.seats[0].draws or ()] == [None]
    felt = {seat.name: seat for seat in felt_of(seen, to_act=1).seats}
    assert (felt["ann"].last, felt["ann"].hidden, felt["ann"].drawn) == ("Discard 2", 2, "")
    assert line_text([*hand_lines(seen)][-1]) == "ann throws 2 away"
    own, _ = played(*FLOP, away, viewer="ann")
    assert own.seats[0].cards == ["Kd", "Ah"]
    assert first_cards(own.seats[0]) == ["2s", "7c", "Kd", "Ah"]
    assert line_text([*hand_lines(own)][-1]) == "You throw 2 away: 2s 7c"


def test_a_followed_hand_and_its_odds_know_what_went() -> None:
    own, turn = played(*FLOP, Discard(parse_cards("7c2s")), Call(), viewer="ann")
    followed = FollowedHand(Betting.POT_LIMIT, own)
    for _ in followed.news(own):
        pass
    assert followed.view.state.discards[Seat(0)] == parse_cards("2s7c")
    odds = odds_of(own, 0)
    assert odds is not None
    assert odds.hands == "any 2 cards"
    first = odds_of(played(viewer="ann")[0], 0)
    assert first is not None
    assert (first.hands, 0 < first.equity < 1) == ("any 4 cards", True)
    assert turn.hand.street == "turn"
