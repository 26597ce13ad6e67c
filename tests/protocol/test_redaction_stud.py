"""Redaction in stud, whose cards come street by street: up cards for all, down cards for one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from railbird.cards import TEXT_OF_CARD, VARIANTS, Variant
from railbird.game import (
    Action,
    Call,
    HandDealer,
    Rules,
    Show,
    ShowCards,
    in_variant,
    legal,
    limit_holdem,
)
from railbird.protocol import PlayerKind, following, told
from railbird.protocol.messages import ActionEntry, HandView, StreetDealt, StreetEntry
from railbird.protocol.redaction import (
    HandMoment,
    HandStart,
    HandStep,
    SeatHolder,
    TurnClock,
    TurnStart,
    hand_view,
    told_apart,
    told_body,
)

STUDS = ("stud", "stud-hilo", "razz")
Happened = list[HandStart | HandStep | TurnStart]


def rules_of(variant: Variant, seats: int) -> Rules:
    return in_variant(limit_holdem(seats, small_bet=20, stack=400), variant)


def row_of(rules: Rules, rng: np.random.Generator) -> np.ndarray:
    deck = rng.permutation(np.arange(52, dtype=np.uint8))
    return deck[: rules.variant.row_length(rules.seats)]


def play(
    rules: Rules, row: np.ndarray, rng: np.random.Generator, actions: Sequence[Action] | None = None
) -> tuple[Happened, list[Action]]:
    """Play a hand, at random or with these actions; return what happened at its table."""
    holders = tuple(SeatHolder(f"p{seat}", PlayerKind.BOT, seat + 1) for seat in range(rules.seats))
    dealer, taken = HandDealer.of_row(rules, row), list[Action]()
    dealt, *steps = dealer.begin()
    moment = HandMoment("t", 1, dealt.after, holders)
    events: Happened = [HandStart(moment)]
    while True:
        for event, before, after in steps:
            moment = moment.next_moment(event, before, after)
            events.append(HandStep(moment, event, before))
        if dealer.asks is None:
            return events, taken
        events.append(TurnStart(moment, TurnClock(f"t.{len(taken)}", 40_000, 0)))
        allowed = legal(dealer.state).actions()
        action = allowed[rng.integers(len(allowed))] if actions is None else actions[len(taken)]
        taken.append(action)
        steps = dealer.act(action)


@pytest.mark.parametrize("variant", STUDS)
@pytest.mark.parametrize("hands", [8, pytest.param(200, marks=pytest.mark.slow)])
def test_every_viewers_view_is_the_fold_of_the_stream(variant: str, hands: int) -> None:
    rng = np.random.default_rng(3)
    with_common = 0
    for number in range(hands):
        rules = rules_of(VARIANTS[variant], 8 if number % 2 else 4)
        row, calls = row_of(rules, rng), [Call()] * 40
        events, _ = play(rules, row, rng, calls if number == 1 else None)
        for viewer in (None, *(f"p{seat}" for seat in range(rules.seats))):
            view: HandView | None = None
            for event in events:
                message = told(event, viewer)
                assert message is not None
                view = following(view, message)
                assert view == hand_view(event.moment, viewer)
                if viewer not in told_apart(event):
                    assert message == told(event, None)
            assert view is not None
            with_common += viewer is None and len(view.board) == 1
    assert with_common


@pytest.mark.parametrize("variant", STUDS)
@pytest.mark.parametrize("hands", [15, pytest.param(200, marks=pytest.mark.slow)])
def test_a_stream_does_not_depend_on_down_cards_of_others(variant: str, hands: int) -> None:
    rng = np.random.default_rng(5)
    compared = 0
    for _ in range(hands):
        rules = rules_of(VARIANTS[variant], 5)
        row = row_of(rules, rng)
        events, actions = play(rules, row, rng)
        until = next(
            (n for n, one in enumerate(events) if _shows(one)),
            len(events) - 1,  # the last one may end the hand, and says nothing else
        )
        for seat in range(rules.seats):
            places = [7 * other + n for other in range(5) if other != seat for n in (0, 1, 6)]
            again = row.copy()
            rest = [card for card in range(52) if card not in {*np.delete(row, places).tolist()}]
            again[places] = rng.permutation(rest)[: len(places)]
            changed, _ = play(rules, again, rng, actions)
            viewer = f"p{seat}"
            streams = [
                [told_body(one, viewer) for one in some[:until]] for some in (events, changed)
            ]
            assert streams[0] == streams[1]
            compared += until
    assert compared > 15 * hands


def _shows(event: HandStart | HandStep | TurnStart) -> bool:
    return isinstance(event, HandStep) and isinstance(event.event, Show | ShowCards)


def test_only_the_owner_is_told_a_card_down() -> None:
    rng = np.random.default_rng(7)
    rules = rules_of(VARIANTS["stud"], 3)
    row = row_of(rules, rng)
    events, _ = play(rules, row, rng, [Call()] * 20)
    streets = [message for event in events if isinstance(message := told(event, "p1"), StreetDealt)]
    assert [message.street for message in streets] == [
        *("fourth street", "fifth street", "sixth street", "seventh street")
    ]
    assert [message.cards for message in streets] == [
        *(None, None, None),
        [TEXT_OF_CARD[int(row[13])]],
    ]
    entry = streets[-1].entry
    assert isinstance(entry, StreetEntry)
    assert (entry.up, entry.down) == ([[], [], []], 1)
    assert all(getattr(told(event, None), "cards", None) is None for event in events[:-3])
    history = events[-1].moment.history
    verbs = [entry.opening for entry in history if isinstance(entry, ActionEntry)]
    assert verbs[0] == "bring-in"
    assert set(verbs[1:]) == {None}
