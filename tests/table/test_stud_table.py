"""A table of stud: its buttons, its log, its seats, and its odds."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from railbird.cards import VARIANTS, parse_cards
from railbird.errors import BadInput
from railbird.game import Call, Fold, HandDealer, Raise, in_variant, limit_holdem
from railbird.game.actions import Action
from railbird.protocol import PlayerKind, messages, told
from railbird.protocol.redaction import HandMoment, SeatHolder, TurnClock, TurnStart, hand_view
from railbird.table.advice import odds_of, odds_words
from railbird.table.choices import choices_of, price_for, stepped_amount, typed_amount
from railbird.table.felt import facts, felt_of
from railbird.table.state import price_words, seen_play
from railbird.table.words import hand_lines, line_text, stakes_words
from railbird.units import Chips

# ann brings it in with the deuce; bob has an open pair of kings from fourth street on.
ANN, BOB, YOU_CARDS = "9c9d2c3c4d5h9s", "AsQdKcKdJh8s2s", "7h7s6d6hTcTd7d"


def played(
    *actions: Action, viewer: str = "cid", game: str = "stud"
) -> tuple[messages.HandView, HandDealer]:
    rules = in_variant(limit_holdem(3, small_bet=10, stack=500), VARIANTS[game])
    row = np.array([*map(int, parse_cards(ANN + BOB + YOU_CARDS))], np.uint8)
    holders = tuple(SeatHolder(name, PlayerKind.PERSON, 1) for name in ("ann", "bob", "cid"))
    dealer = HandDealer.of_row(rules, row)
    moment = HandMoment("t", 1, dealer.begin()[-1].after, holders)
    for action in actions:
        for event, before, after in dealer.act(action):
            moment = moment.next_moment(event, before, after)
    if dealer.asks is not None:
        turn = told(TurnStart(moment, TurnClock("t", 9, 9)), holders[dealer.asks].name)
        assert isinstance(turn, messages.Turn)
        TURNS.append(turn)
    return hand_view(moment, viewer), dealer


TURNS: list[messages.Turn] = []
CALL, FOLD = Call(), Fold()


def turn_after(*actions: Action, game: str = "stud") -> messages.Turn:
    played(*actions, game=game)
    return TURNS.pop()


def test_buttons_say_bring_in_and_complete() -> None:
    first = turn_after()
    choices = choices_of(first)
    assert (choices.call, choices.raises, choices.min_to) == ("Bring in 5", "Complete", 10)
    assert not choices.fold
    assert choices.is_fixed
    assert price_words(first.legal) == "5 to bring in"
    second = choices_of(turn_after(CALL))
    assert (second.call, second.raises, second.min_to) == ("Call 5", "Complete", 10)
    third = choices_of(turn_after(CALL, Raise(Chips(10))))
    assert (third.call, third.raises, third.min_to) == ("Call 10", "Raise to", 20)


def test_an_open_pair_has_a_button_for_each_of_two_bets() -> None:
    turn = turn_after(CALL, CALL, CALL, game="stud-open-pair")
    assert (turn.legal.min_to, turn.legal.max_to, turn.legal.two_sizes) == (10, 20, True)
    choices = choices_of(turn)
    assert [(size.label, size.to, size.key) for size in choices.presets] == [
        ("Small bet", 10, "1"),
        ("Big bet", 20, "2"),
    ]
    assert (typed_amount(choices, "10"), typed_amount(choices, "20")) == (10, 20)
    with pytest.raises(BadInput, match="allowed: 10 or 20"):
        typed_amount(choices, "15")
    assert [stepped_amount(choices, "10", steps) for steps in (1, -1)] == [20, 10]
    assert turn_after(CALL, CALL, CALL).legal.two_sizes is None
    raised = choices_of(turn_after(CALL, CALL, CALL, Raise(Chips(20)), game="stud-open-pair"))
    assert (raised.raises, raised.is_fixed, raised.min_to) == ("Raise to", True, 40)


def test_whoever_waits_is_told_what_a_call_would_cost() -> None:
    hand, _ = played()
    assert [price_for(hand, seat) for seat in range(3)] == [5, 5, 5]
    fourth, _ = played(CALL, CALL, CALL)
    assert fourth.street == "fourth street"
    assert price_for(fourth, 2) == 0


def test_the_log_has_what_everybody_sees_and_one_s_own_last_card() -> None:
    hand, _ = played(CALL, Raise(Chips(10)), CALL, FOLD, *[CALL] * 8)
    assert [line_text(line) for line in hand_lines(hand)] == [
        "Hand 1",
        "Everybody posts the ante of 1",
        "Your cards 7h 7s",
        "Third street: ann 2c, bob Kc, You 6d",
        "ann brings in 5",
        "bob completes to 10",
        "You call 10",
        "ann folds",
        "Fourth street: bob Kd, You 6h",
        "bob checks",
        "You check",
        "Fifth street: bob Jh, You Tc",
        "bob checks",
        "You check",
        "Sixth street: bob 8s, You Td",
        "You check",
        "bob checks",
        "Seventh street 7d: down",
        "You check",
        "bob checks",
        "You show 7h 7s 6d 6h Tc Td 7d: full house, sevens full of tens",
        "bob mucks",
    ]
    assert stakes_words(hand) == "5/10, ante 1"


def test_a_seat_has_its_up_cards_beside_its_down_cards() -> None:
    hand, _ = played(*[CALL] * 3, Raise(Chips(10)), CALL, FOLD, CALL)
    seats = {seat.name: seat for seat in felt_of(hand).seats}
    assert seats["bob"].up == ("Kc", "Kd", "Jh")
    assert (seats["bob"].cards, seats["bob"].hidden) == ((), 2)
    assert (seats["cid"].cards, seats["cid"].up) == (("7h", "7s"), ("6d", "6h", "Tc"))
    assert (seats["ann"].hidden, seats["ann"].up) == (0, ("2c", "3c"))
    assert not any(seat.is_button for seat in seats.values())
    words = facts(felt_of(hand))
    assert words["board"].startswith("bob shows king of clubs, king of diamonds")
    assert "and, up, six of diamonds" in words["cards"]


def test_the_odds_know_the_up_cards_of_all() -> None:
    hand, _ = played(CALL, CALL, CALL)
    odds = odds_of(hand, 0)
    assert odds is not None
    assert odds.opponents == 2
    assert "any other cards" in next(odds_words(odds))
    against_kings, _ = played(*[CALL] * 3, Raise(Chips(10)), CALL, FOLD, CALL)
    better = odds_of(against_kings, 0)
    assert better is not None
    assert better.opponents == 1


def test_bringing_in_is_no_choice() -> None:
    hand, _ = played(CALL, FOLD, FOLD)
    assert seen_play({}, hand)["ann"].joined == 0
    views = [played(*[CALL] * number)[0] for number in range(4)]
    assert all(before.pot < after.pot for before, after in pairwise(views))


def test_the_manual_s_bot_plays_what_it_sees() -> None:
    text = (Path(__file__).parents[2] / "docs" / "bots.md").read_text("utf-8")
    sources = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    source = next(source for source in sources if "def stud_action" in source)
    page: dict[str, Any] = {}
    exec(compile(source, "bots.md", "exec"), page)
    assert page["stud_action"](turn_after()) == (messages.Verb.RAISE, 10)  # nines
    unpaired = turn_after(CALL, FOLD)
    assert page["stud_action"](unpaired)[0] is messages.Verb.RAISE  # sevens
