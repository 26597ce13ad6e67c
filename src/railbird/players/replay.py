"""Replay of a recorded hand as a seat saw it, for players that did not play it."""

from __future__ import annotations

from collections.abc import Iterator

from railbird.game import DealHoles, HandDealer, Step, View, initial, seen_by, view
from railbird.histories import HandRecord
from railbird.players.protocol import KnowsOpponents, Observer
from railbird.units import Seat

__all__ = ["Step", "steps", "tell"]


def steps(record: HandRecord) -> Iterator[Step]:
    """Yield the steps of a hand, including cards and the showdown."""
    dealer = HandDealer(record.rules, record.holes, record.board)
    yield from dealer.begin()
    for action in record.actions:
        yield from dealer.act(action)


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
