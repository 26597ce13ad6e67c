"""Replay of a recorded hand as a seat saw it, for players that did not play it."""

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
    """An event of a hand, and the state after it."""

    event: Event
    before: HandState
    after: HandState


def steps(record: HandRecord) -> Iterator[Step]:
    """Yield the steps of a hand, including cards and the showdown."""
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
    """Notify an observer of a hand as the arena does; yield each view and step afterwards.

    ``people`` gives the player in each seat, as in `railbird.players.KnowsOpponents`. Suspending
    the iteration suspends the hand, so that the player can be asked for a decision.
    """
    seen = view(initial(record.rules), seat)
    for played in steps(record):
        seen = view(played.after, seat)
        if isinstance(played.event, DealHoles):
            if people is not None and isinstance(observer, KnowsOpponents):
                observer.meet(people)
            observer.begin(seen)
        else:
            observer.observe(seen, seen_by(played.event, seat))
        yield seen, played
    observer.end(seen)
