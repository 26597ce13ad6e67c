"""Where seats lie on a page."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from helpers.random_records import random_hand
from railbird import arena
from railbird.cards import TEXT_OF_CARD, VARIANTS, cards_of, parse_cards
from railbird.game import Act, Call, Raise, in_variant, no_limit_holdem, pot_limit_holdem
from railbird.histories import HandRecord, read_hand
from railbird.players.advice import steps
from railbird.serve.pages import (
    MOST_PLACED,
    PLACES,
    Replay,
    Sight,
    replay_of,
    seat_area,
    shown_names,
    step_before_act,
)
from railbird.table.felt import Felt, FeltSeat
from railbird.table.words import line_text
from railbird.units import Chips


def test_every_number_of_chairs_has_its_places() -> None:
    for chairs in range(1, MOST_PLACED + 1):
        assert len(set(PLACES[chairs])) == chairs
        assert PLACES[chairs][0] == "me"


def test_more_seats_than_there_are_places_have_none() -> None:
    def placed(taken: int, around: int) -> list[str]:
        seats = tuple(
            FeltSeat(name=f"p{n}", chair=n, seat=n, stack=1, distance=n) for n in range(taken)
        )
        table = Felt(seats=seats, chairs=around, around=around)
        return [seat_area(seat, table) for seat in seats]

    assert placed(2, 6) == ["me", "ll"]  # by chair
    assert placed(2, 23) == ["me", "tc"]  # one after the other
    assert placed(11, 23) == [""] * 11


# Replays: every step of a hand, and no card before it may be seen.


RULES = no_limit_holdem(2, blinds=(1, 2), stack=200)


def hands() -> list[HandRecord]:
    rng = np.random.default_rng(3)
    return [random_hand(rng, rules=RULES, number=n) for n in range(10)]


def every_step(record: HandRecord, viewer: str | None, sight: Sight) -> list[Replay]:
    last = replay_of(record, viewer=viewer, sight=sight).last
    return [replay_of(record, viewer=viewer, step=k, sight=sight) for k in range(last + 1)]


def texts(record: HandRecord, seat: int) -> set[str]:
    hole = record.holes[seat]
    return set() if hole is None else {TEXT_OF_CARD[card] for card in cards_of(hole)}


@pytest.mark.slow(but=["Ann"])
@pytest.mark.parametrize("viewer", ["Ann", None])
def test_cards_of_others_are_not_seen_before_they_are_shown(viewer: str | None) -> None:
    shown_some = False
    for record in hands():
        other = texts(record, 1)
        for shown in every_step(record, viewer, Sight.OWN):
            seen = {card for seat in shown.felt.seats for card in seat.cards}
            told = {
                card for line in shown.lines if line.step <= shown.step for card in line.line.cards
            }
            was_shown = "Bob shows" in " ".join(
                line.line.text for line in shown.lines if line.step <= shown.step
            )
            shown_some |= was_shown
            assert bool(other & (seen | told)) == was_shown
            assert (texts(record, 0) <= seen) or viewer is None or was_shown
    assert shown_some


def test_open_sight_shows_what_the_record_has_and_no_more() -> None:
    record = hands()[0]
    for shown in every_step(record, "Ann", Sight.OPEN):
        assert [set(seat.cards) for seat in shown.felt.seats] == [
            texts(record, 0),
            texts(record, 1),
        ]
    folded = next(hand for hand in hands() if len(hand.board) < 5)
    hidden = replace(folded, holes=(folded.holes[0], None))
    for shown in every_step(hidden, "Ann", Sight.OPEN):
        assert not shown.felt.seats[1].cards


def test_steps_follow_the_hand_to_its_payout() -> None:
    for record in hands():
        events = list(steps(record))
        every = every_step(record, "Ann", Sight.OWN)
        assert len(every) == len(events) + 1
        for shown, event in zip(every, events, strict=False):
            assert shown.felt.total == event.after.pot
            assert not shown.felt.is_over
        last = every[-1]
        assert last.felt.is_over
        assert [seat.won for seat in last.felt.seats] == [int(won) for won in record.payoffs]
        assert max(line.step for line in last.lines) == last.last
        assert last.lines == every[0].lines
        assert replay_of(record, step=10_000, sight=Sight.OWN).step == last.last


def test_a_decision_is_found_before_it_is_taken() -> None:
    record = max(hands(), key=lambda hand: len(hand.actions))
    acts = [place for place, one in enumerate(steps(record)) if isinstance(one.event, Act)]
    assert [step_before_act(record, act) for act in range(len(acts))] == [
        place - 1 for place in acts
    ]
    assert step_before_act(record, len(acts)) is None
    assert step_before_act(record, None) is None
    shown = replay_of(record, step=step_before_act(record, 1), sight=Sight.OWN)
    event = list(steps(record))[acts[1]].event
    assert isinstance(event, Act)
    assert shown.to_act == record.players[event.seat]


def test_names_that_look_alike_stay_apart() -> None:
    assert shown_names(["a", "a\u200b", "b", "a "]) == ("a", "a�", "b", "a (2)")
    record = replace(hands()[0], players=("x ", "x"))
    shown = replay_of(record, viewer="x", sight=Sight.OWN)
    assert [(seat.name, seat.is_me) for seat in shown.felt.seats] == [("x (2)", True), ("x", False)]


def test_games_without_stacks_and_split_chips_are_replayed() -> None:
    record = read_hand("Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC # 1:Ann|Bob")
    assert record.rules.stacks is None
    shown = replay_of(record, viewer="Bob", sight=Sight.OWN)
    assert [seat.won for seat in shown.felt.seats] == [-110, 110]
    halves = replace(record, payoffs=(Fraction(1, 2), Fraction(-1, 2)))
    assert [seat.won for seat in replay_of(halves, sight=Sight.OWN).felt.seats] == [0, -1]


@pytest.mark.parametrize("variant", ["omaha-hilo", "double-board-omaha", "courchevel"])
def test_a_hand_of_another_game_is_replayed_with_hidden_cards_and_open_ones(variant: str) -> None:
    rules = pot_limit_holdem(3, blinds=(1, 2), stack=60)
    rules = in_variant(rules, VARIANTS[variant])
    match = arena.Match(players=("always-call", "random", "b=random"), rules=rules, deals=4)
    for record in arena.hands(match):
        viewer = record.players[0]
        hidden = replace(record, cards=(record.cards[0], (), ()))
        last = replay_of(record, viewer=viewer, sight=Sight.OPEN).last
        for step in range(last + 1):
            told = replay_of(record, viewer=viewer, step=step, sight=Sight.OPEN)
            assert {len(seat.cards) for seat in told.felt.seats} == {rules.variant.hand_size}
        own = replay_of(hidden, viewer=viewer, step=0, sight=Sight.OWN)
        assert [len(seat.cards) for seat in own.felt.seats if seat.is_me] == [
            rules.variant.hand_size
        ]
        assert all(not seat.cards for seat in own.felt.seats if not seat.is_me)
        ended = replay_of(record, viewer=viewer, sight=Sight.OPEN)
        boards = [ended.felt.board, ended.felt.second_board]
        assert [len(board) for board in boards] == [len(record.board)] * rules.variant.boards + [
            0
        ] * (2 - rules.variant.boards)


def test_both_runs_of_another_game_are_replayed() -> None:
    """Bob's kings win the first board's high hand alone; Ann's low hand, and the second board."""
    rules = in_variant(pot_limit_holdem(2, blinds=(1, 2), stack=6), VARIANTS["omaha-hilo"])
    record = HandRecord(
        rules=rules,
        players=("ann", "bob"),
        holes=(None, None),
        board=parse_cards("2c7d8hKdQs"),
        more_boards=(parse_cards("2c7d8h9sJc"),),
        actions=(Raise(Chips(6)), Call()),
        payoffs=(Fraction(3), Fraction(-3)),
        cards=(parse_cards("Ah3h8c8d"), parse_cards("As4sKhKc")),
    )
    ended = replay_of(record, sight=Sight.OPEN)
    assert ended.felt.second_board == ("2c", "7d", "8h", "9s", "Jc")
    shares = ("Board 1, high: bob", "Board 1, low: ann", "Board 2, high: ann", "Board 2, low: ann")
    assert ended.felt.won_shares == shares
    assert {line_text(line.line) for line in ended.lines} >= {*shares, "ann wins 3"}
    assert [seat.made for seat in ended.felt.seats] == [
        "three of a kind, eights; low, 8-7-3-2-A | three of a kind, eights; low, 8-7-3-2-A",
        "three of a kind, kings; low, 8-7-4-2-A | pair, kings; low, 8-7-4-2-A",
    ]
    mucked = replace(record, cards=(record.cards[0], ()))
    assert replay_of(mucked, sight=Sight.OPEN).felt.won_shares == ()
