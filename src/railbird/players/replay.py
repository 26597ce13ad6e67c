"""What a seat saw of a recorded hand, so that a player can be told of hands it did not play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from railbird.game import (
    BOARD_CARDS,
    Act,
    DealBoard,
    DealHoles,
    Event,
    HandState,
    Phase,
    View,
    initial,
    seen_by,
    showdown,
    step,
    view,
)
from railbird.histories import HandRecord
from railbird.players.protocol import KnowsOpponents, Observer
from railbird.units import Seat


@dataclass(frozen=True, slots=True)
class Step:
    """One event of a hand, and what it led to."""

    event: Event
    before: HandState
    after: HandState


def steps(record: HandRecord) -> Iterator[Step]:
    """Go through a hand, cards and showdown included."""
    state, actions = initial(record.rules), iter(record.actions)
    while True:
        match state.phase:
            case Phase.DEAL_HOLES:
                events: tuple[Event, ...] = (DealHoles(record.holes),)
            case Phase.DEAL_BOARD:
                first, last = BOARD_CARDS[state.street], BOARD_CARDS[state.street + 1]
                events = (DealBoard(record.board[first:last]),)
            case Phase.BETTING if state.actor is not None:
                events = (Act(state.actor, next(actions)),)
            case Phase.SHOWDOWN:
                events = showdown(state)
            case _:
                return
        for event in events:
            after = step(state, event)
            yield Step(event, state, after)
            state = after


def tell(
    observer: Observer,
    record: HandRecord,
    seat: Seat,
    people: tuple[int, ...] | None = None,
) -> Iterator[tuple[View, Step]]:
    """Tell an observer of a hand as the arena does; give each view and step after it was told.

    ``people`` says who sits where, as in `railbird.players.KnowsOpponents`.

    Stop asking for more and the hand stays where it is, which is how a player is asked for a
    decision in the middle of it.
    """
    seen = view(initial(record.rules), seat)
    for each in steps(record):
        seen = view(each.after, seat)
        if isinstance(each.event, DealHoles):
            if people is not None and isinstance(observer, KnowsOpponents):
                observer.meet(people)
            observer.begin(seen)
        else:
            observer.observe(seen, seen_by(each.event, seat))
        yield seen, each
    observer.end(seen)
