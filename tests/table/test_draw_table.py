"""A table of a draw game: its buttons, its log, its seats, its odds and the manual's bot."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from railbird.cards import VARIANTS, Card, parse_cards
from railbird.errors import BadInput
from railbird.game import Action, Betting, Call, Discard, HandDealer, in_variant, limit_holdem
from railbird.protocol import PlayerKind, messages, told
from railbird.protocol.redaction import (
    HandMoment,
    SeatHolder,
    TurnClock,
    TurnStart,
    hand_view,
)
from railbird.table.advice import FollowedHand, hint, odds_of, odds_words
from railbird.table.choices import Plan, choices_of, may_plan, planned, typed_discard
from railbird.table.felt import facts, felt_of
from railbird.table.state import TableState, after, price_words
from railbird.table.words import hand_lines, line_text

FORM = messages.GameFormat(
    name="three",
    betting="limit",
    variant="27-triple",
    seats=3,
    table_seats=3,
    stack=500,
    blinds="10/20",
    limit_ms=40_000,
    bank_ms=0,
)
NAMES = ("ann", "bob", "cid")
FIRST = "2c3d7hKsKd" + "2d3h4s5c8h" + "9c9d9hTsTd"
"""Of ann, bob and cid; the deck goes on with AsAcAhAd, QcQdQh."""
REST = "AsAcAhAdQcQdQh"
CALL, PAT = Call(), Discard(())


def row() -> np.ndarray:
    known = [*map(int, parse_cards(FIRST + REST))]
    rest = [card for card in range(52) if card not in known]
    return np.array([*known, *rest], np.uint8)


def cards(text: str) -> Discard:
    return Discard(parse_cards(text))


def played(*actions: Action) -> HandMoment:
    rules = in_variant(limit_holdem(3, small_bet=10, stack=500), VARIANTS["27-triple"])
    holders = tuple(SeatHolder(name, PlayerKind.PERSON, n) for n, name in enumerate(NAMES, 1))
    dealer = HandDealer.of_row(rules, row())
    moment = HandMoment("t", 1, dealer.begin()[-1].after, holders)
    for action in actions:
        for event, before, state in dealer.act(action):
            moment = moment.next_moment(event, before, state)
    return moment


def turn_after(*actions: Action) -> messages.Turn:
    moment = played(*actions)
    turn = told(TurnStart(moment, TurnClock("t", 9, 9)), NAMES[moment.state.actor or 0])
    assert isinstance(turn, messages.Turn)
    return turn


TO_DRAW = (CALL, CALL, CALL)
"""The button calls, as does the small blind; the big blind checks."""


def test_the_cards_to_throw_away_are_chosen_by_place_or_name() -> None:
    choices = choices_of(turn_after(*TO_DRAW))
    assert (choices.draw, choices.cards) == (5, ("2c", "3d", "7h", "Kd", "Ks"))
    assert (choices.fold, choices.raises, choices.price, choices.presets) == (False, "", 0, ())
    assert typed_discard(choices, "4 5") == ["Kd", "Ks"]
    assert typed_discard(choices, "ks,kd") == ["Ks", "Kd"]
    assert typed_discard(choices, "") == []
    for text in ("6", "0", "1 1", "As", "2c 2c", "x", "1a"):
        with pytest.raises(BadInput, match="cannot be thrown away; allowed: up to 5 of 2c"):
            typed_discard(choices, text)
    assert price_words(turn_after(*TO_DRAW).legal) == "throw away up to 5 cards"


def test_the_log_says_what_one_s_own_cards_were_and_of_others_how_many() -> None:
    moment = played(
        *TO_DRAW, cards("KsKd"), PAT, cards("TsTd9h"), CALL, CALL, CALL, cards("As"), PAT, PAT
    )
    lines = [line_text(line) for line in hand_lines(hand_view(moment, "ann"))]
    assert lines[3:] == [
        "Your cards 2c 3d 7h Kd Ks",
        "cid calls 10",
        "You call 5",
        "bob checks",
        "You draw 2 for Kd Ks",
        "bob stands pat",
        "cid draws 3",
        "First draw: You As Ac",
        "You check",
        "bob checks",
        "cid checks",
        "You draw 1 for As",
        "bob stands pat",
        "cid stands pat",
        "Second draw: You Qd",
    ]
    others = [line_text(line) for line in hand_lines(hand_view(moment, None))]
    assert "ann draws 2" in others
    assert "First draw" in others
    assert not any("Ks" in line or "As" in line for line in others)


def test_a_seat_shows_how_many_it_drew_and_lacks_cards_while_it_waits() -> None:
    moment = played(*TO_DRAW, cards("KsKd"), cards("8h"))
    felt = felt_of(hand_view(moment, "ann"))
    seats = {seat.name: seat for seat in felt.seats}
    assert seats["ann"].cards == ("2c", "3d", "7h")
    assert [seats[name].hidden for name in ("bob", "cid")] == [4, 5]
    assert [seats[name].last for name in NAMES] == ["Draw 2", "Draw 1", "Call"]
    assert seats["bob"].drawn == seats["bob"].last_draw == "drew 1"
    dealt = played(*TO_DRAW, cards("KsKd"), cards("8h"), PAT)
    seats = {seat.name: seat for seat in felt_of(hand_view(dealt, "ann")).seats}
    assert [len(seats["ann"].cards), seats["bob"].hidden, seats["cid"].last] == [5, 5, ""]
    assert (seats["bob"].draws, seats["cid"].last_draw) == ((1,), "pat")
    assert "bob 490 drew 1" in facts(felt_of(hand_view(dealt, "ann")))["stacks"]


def test_all_cards_of_a_hand_may_be_thrown_away() -> None:
    moment = played(*TO_DRAW, cards("2c3d7hKsKd"))
    assert hand_view(moment, "ann").seats[0].cards is None
    assert hand_view(moment, "bob").seats[0].draws == [messages.DrawView(count=5)]


def test_an_action_in_advance_never_stands_pat() -> None:
    info = messages.TableInfo(table="t", kind="ring", format=FORM, players=[], hand=1, paused=False)
    moment = played(CALL)
    state = TableState(info=info, name="bob", hand=hand_view(moment, "bob"))
    plan = planned(Plan.CHECK_OR_FOLD, state)
    assert plan is not None
    turn = turn_after(*TO_DRAW, PAT)
    at_draw = after(state, turn, 0.0)
    assert plan.verb(at_draw) is None
    waits = replace(at_draw, turn=None, hand=turn.hand)
    assert not may_plan(waits)


def test_the_odds_count_what_everybody_drew() -> None:
    pat_hand = turn_after(*TO_DRAW, cards("KsKd"), PAT, cards("TsTd9h"), CALL).hand
    odds = odds_of(pat_hand, 0)
    assert odds is not None
    assert odds.win is None
    assert odds.opponents == 2
    assert 0.4 < odds.equity < 0.95  # 8-5-4-3-2 against two that draw
    assert 0 < odds.stderr < 0.005
    assert "2 opponents" in next(odds_words(odds))
    waiting = played(*TO_DRAW, cards("KsKd"))
    assert odds_of(hand_view(waiting, "ann"), 0) is None


@pytest.mark.slow
def test_a_hint_says_what_to_throw_away() -> None:
    line, *_ = hint(turn_after(*TO_DRAW), FORM)
    assert line == "Draw 2 for KdKs."


def test_the_manual_s_bot_throws_away_what_repeats_a_rank_or_a_suit() -> None:
    text = (Path(__file__).parents[2] / "docs" / "bots.md").read_text("utf-8")
    sources = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    page: dict[str, Any] = {}
    exec(compile(next(one for one in sources if "badugi_action" in one), "bots.md", "exec"), page)
    rules = in_variant(limit_holdem(2, small_bet=10, stack=500), VARIANTS["badugi"])
    deck = [*map(int, parse_cards("Ac2d3hKd4c4d5s6h"))]
    rest = [card for card in range(52) if card not in deck]
    dealer = HandDealer.of_row(rules, np.array([*deck, *rest], np.uint8))
    holders = tuple(SeatHolder(name, PlayerKind.BOT, n) for n, name in enumerate("ab", 1))
    moment = HandMoment("t", 1, dealer.begin()[-1].after, holders)
    answers = []
    for action in (CALL, CALL, cards("Kd"), cards("4d")):
        turn = told(TurnStart(moment, TurnClock("t", 9, 9)), "ab"[moment.state.actor or 0])
        assert isinstance(turn, messages.Turn)
        answers.append(page["badugi_action"](turn))
        for event, before, state in dealer.act(action):
            moment = moment.next_moment(event, before, state)
    verbs = [(verb.value, thrown) for verb, _, thrown in answers]
    assert verbs[:2] == [("call", None), ("call", None)]
    assert [sorted(thrown or ()) for _, thrown in verbs[2:]] == [["Kd"], ["4d"]]


def test_a_hand_is_followed_although_all_its_cards_were_thrown_away() -> None:
    moment = played(*TO_DRAW, cards("2c3d7hKsKd"), PAT, PAT, CALL, CALL)
    view = hand_view(moment, "ann")
    followed = FollowedHand(Betting.LIMIT, view)
    *_, (last, _) = followed.news(view)
    assert last.cards == tuple(sorted(map(Card, parse_cards("AsAcAhAdQc"))))
    assert last.state.discards[0] == tuple(sorted(parse_cards("2c3d7hKsKd")))
