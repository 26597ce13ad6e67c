"""Redaction: no viewer's stream depends on what the viewer may not see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from helpers.random_hands import random_rules
from railbird.cards import Card, Holding, cards_of, holding_of
from railbird.game import (
    Act,
    Call,
    DealHoles,
    Fold,
    HandState,
    Muck,
    Phase,
    Rules,
    Show,
    due,
    initial,
    is_settled,
    legal,
    payoffs,
    seeded_deals,
    step,
)
from railbird.game.actions import Event
from railbird.game.play import may_muck
from railbird.game.rules import BOARD_CARDS
from railbird.protocol import PlayerKind, following, told
from railbird.protocol.messages import HandView, Turn
from railbird.protocol.redaction import (
    HandEnd,
    HandMoment,
    HandStart,
    HandStep,
    SeatHolder,
    TableEvent,
    TurnClock,
    TurnStart,
    Viewer,
    entry_of,
    hand_view,
    told_apart,
    told_body,
)
from railbird.units import Chips

Row = NDArray[np.uint8]
Decide = Callable[[HandState], Act]

HANDS = 100
FOLDED_HANDS = 40
MANY_HANDS = 10_000


def played(
    rules: Rules, row: Row, rng: np.random.Generator
) -> tuple[list[TableEvent], list[Event]]:
    """Play a random hand; return everything that happened at its table, and its events."""
    return play(rules, row, lambda state: _random_action(state, rng))


def _random_action(state: HandState, rng: np.random.Generator) -> Act:
    actor = state.actor
    assert actor is not None
    choices = legal(state).actions()
    weights = [1 if isinstance(choice, Fold) else 4 for choice in choices]
    chosen = rng.choice(len(choices), p=np.array(weights) / sum(weights))
    return Act(actor, choices[chosen])


def calls(state: HandState) -> Act:
    assert state.actor is not None
    return Act(state.actor, Call())


def play(rules: Rules, row: Row, decide: Decide) -> tuple[list[TableEvent], list[Event]]:
    """Play a hand; return everything that happened at its table, and its events."""
    holders = tuple(SeatHolder(f"p{seat}", PlayerKind.BOT, seat + 1) for seat in range(rules.seats))
    before = initial(rules)
    state = step(before, due(before, row))
    moment = HandMoment("t", 1, state, holders)
    events: list[TableEvent] = [HandStart(moment)]
    plain: list[Event] = []
    turns = 0
    while state.phase is not Phase.OVER:
        event: Event
        match state.phase:
            case Phase.BETTING:
                turns += 1
                events.append(TurnStart(moment, TurnClock(f"t.{turns}", 40_000, 0)))
                event = decide(state)
            case Phase.DEAL_BOARD:
                event = due(state, row)
            case _:
                shower = state.shower
                assert shower is not None
                holding = state.holdings[shower]
                assert holding is not None
                event = Muck(shower) if may_muck(state, shower) else Show(shower, holding)
        after = step(state, event)
        entry = entry_of(event, state, after)
        assert entry is not None
        moment = replace(moment, state=after, history=(*moment.history, entry))
        events.append(HandStep(moment, event, state))
        plain.append(event)
        state = after
    assert is_settled(state)
    stacks = rules.stacks
    assert stacks is not None
    ends = tuple(Chips(int(had + won)) for had, won in zip(stacks, payoffs(state), strict=True))
    return [*events, HandEnd(moment, ends)], plain


def stream(events: list[TableEvent], viewer: Viewer) -> list[bytes]:
    bodies = [told_body(event, viewer) for event in events]
    return [each for each in bodies if each is not None]


def whole(rng: np.random.Generator) -> Rules:
    """Rules with whole payoffs, as tables have them."""
    while True:
        rules = random_rules(rng)
        if rules.denominator == 1:
            return rules


def test_every_viewers_view_is_the_fold_of_the_stream() -> None:
    rng = np.random.default_rng(11)
    for _ in range(FOLDED_HANDS):
        rules = whole(rng)
        events, _ = played(rules, seeded_deals(rng, rules.seats, 1)[0], rng)
        for viewer in (None, *(f"p{seat}" for seat in range(rules.seats))):
            view: HandView | None = None
            for event in events:
                message = told(event, viewer)
                if message is not None:
                    if isinstance(message, Turn):
                        assert view == message.hand  # a turn tells nothing new
                    view = following(view, message)
                if not isinstance(event, HandEnd):
                    assert isinstance(event, HandStart | HandStep | TurnStart)
                    assert view == hand_view(event.moment, viewer)


def unseen_cards_swapped(
    rules: Rules,
    row: Row,
    events: list[TableEvent],
    seen: set[int],
    rng: np.random.Generator,
) -> Row:
    """Permute what a viewer has not seen, who sees the cards of some seats besides those shown."""
    last = events[-1]
    assert isinstance(last, HandEnd)
    state = last.moment.state
    known = set(state.shown) | seen
    dealt = BOARD_CARDS[state.street] if state.board else 0
    hidden = [2 * s + i for s in range(rules.seats) if s not in known for i in (0, 1)]
    hidden += range(2 * rules.seats + dealt, len(row))
    fixed = {int(card) for place, card in enumerate(row) if place not in set(hidden)}
    rest = rng.permutation([card for card in range(52) if card not in fixed])
    other = row.copy()
    other[hidden] = rest[: len(hidden)]
    return other


def acting_as(plain: list[Event]) -> Decide:
    """Return the decisions of a hand once more."""
    actions = iter([event for event in plain if isinstance(event, Act)])
    return lambda _: next(actions)


def replayed(rules: Rules, row: Row, plain: list[Event]) -> HandState | None:
    """Play the same public actions on other cards; None if the showdown would then differ.

    Most deals differ there, and are not worth telling anybody of.
    """
    state = initial(rules)
    state = step(state, due(state, row))
    for known in plain:
        event = known
        if state.phase is Phase.DEAL_BOARD:
            event = due(state, row)
        elif state.phase is not Phase.BETTING:
            shower = state.shower
            assert shower is not None
            holding = state.holdings[shower]
            assert holding is not None
            event = Muck(shower) if may_muck(state, shower) else Show(shower, holding)
        if type(event) is not type(known):
            return None
        if getattr(event, "seat", None) != getattr(known, "seat", None):
            return None
        state = step(state, event)
    return state


def otherwise(
    rules: Rules,
    row: Row,
    events: list[TableEvent],
    plain: list[Event],
    seen: set[int],
    rng: np.random.Generator,
) -> tuple[Row, list[TableEvent]] | None:
    """Find a deal with the same public hand that differs in what a viewer has not seen.

    None where twenty tries find none: a mucked hand would win, and the pots' winners are public.
    """
    last = events[-1]
    assert isinstance(last, HandEnd)
    for _attempt in range(20):
        other = unseen_cards_swapped(rules, row, events, seen, rng)
        end = replayed(rules, other, plain)
        if end is not None and payoffs(end) == payoffs(last.moment.state):
            return other, play(rules, other, acting_as(plain))[0]
    return None


def check_non_interference(hands: int, seed: int) -> int:
    """Compare streams of hands that differ in unseen cards only; return the comparisons."""
    rng = np.random.default_rng(seed)
    compared = 0
    for _ in range(hands):
        rules = whole(rng)
        row = seeded_deals(rng, rules.seats, 1)[0]
        events, plain = played(rules, row, rng)
        for seat in (None, *range(rules.seats)):
            seen = set() if seat is None else {seat}
            found = otherwise(rules, row, events, plain, seen, rng)
            if found is not None:
                other, again = found
                viewer = None if seat is None else f"p{seat}"
                assert stream(events, viewer) == stream(again, viewer)
                compared += not np.array_equal(row, other)
    return compared


@pytest.mark.slow
def test_a_stream_does_not_depend_on_unseen_cards() -> None:
    assert check_non_interference(HANDS, seed=5) > 3 * HANDS


@pytest.mark.slow
def test_a_stream_does_not_depend_on_unseen_cards_in_many_hands() -> None:
    assert check_non_interference(MANY_HANDS, seed=6) > 3 * MANY_HANDS


def test_the_comparison_finds_a_leak() -> None:
    rules = whole(np.random.default_rng(1))
    row = seeded_deals(np.random.default_rng(2), rules.seats, 1)[0]
    events, _ = play(rules, row, calls)
    other = row.copy()
    other[[0, 2]] = other[[2, 0]]
    leaky, _ = play(rules, other, calls)
    assert stream(events[:1], "p0") != stream(leaky[:1], "p0")


def test_whoever_is_not_told_apart_is_told_what_spectators_are() -> None:
    rng = np.random.default_rng(17)
    for _ in range(20):
        rules = whole(rng)
        events, _ = played(rules, seeded_deals(rng, rules.seats, 1)[0], rng)
        for event in events:
            apart = told_apart(event)
            assert set(apart) <= {f"p{seat}" for seat in range(rules.seats)}
            for seat in range(rules.seats):
                if f"p{seat}" not in apart:
                    assert told(event, f"p{seat}") == told(event, None)


def test_nobody_is_told_anothers_turn() -> None:
    rules = whole(np.random.default_rng(3))
    row = seeded_deals(np.random.default_rng(4), rules.seats, 1)[0]
    events, _ = play(rules, row, calls)
    turn = next(event for event in events if isinstance(event, TurnStart))
    actor = turn.moment.state.actor
    for seat in range(rules.seats):
        message = told(turn, f"p{seat}")
        assert message is not None
        assert message.type == ("turn" if seat == actor else "to_act")
    spectator = told(turn, None)
    assert spectator is not None
    assert spectator.type == "to_act"


def test_a_view_hides_every_card_that_was_not_shown() -> None:
    rules = whole(np.random.default_rng(8))
    state = step(initial(rules), DealHoles(tuple(_dealt(rules.seats))))
    holders = tuple(SeatHolder(f"p{s}", PlayerKind.PERSON, s) for s in range(rules.seats))
    moment = HandMoment("t", 1, state, holders)
    for seat in range(rules.seats):
        view = hand_view(moment, f"p{seat}")
        shown = [place for place, s in enumerate(view.seats) if s.cards is not None]
        assert shown == [seat] == [view.you]
    assert all(s.cards is None for s in hand_view(moment, None).seats)
    assert all(s.cards is None for s in hand_view(moment, "a stranger").seats)


def _dealt(seats: int) -> list[Holding]:
    holdings = [holding_of(Card(2 * seat), Card(2 * seat + 1)) for seat in range(seats)]
    assert len({card for holding in holdings for card in cards_of(holding)}) == 2 * seats
    return holdings
