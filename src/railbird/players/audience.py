"""The players at a table who observe, notified of a hand; any game, dealt by a `HandDealer`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Self

from railbird.game import DealHoles, Event, HandState, Moment, Step, View, seen_by
from railbird.players.protocol import KnowsOpponents, Observer
from railbird.units import Seat


def notify(observer: Observer, view: View, event: Event) -> None:
    """Notify an observer of an event as its seat saw it, and of the view that it led to.

    The deal of the holdings is the beginning of a hand.
    """
    if isinstance(event, DealHoles):
        observer.begin(view)
    else:
        observer.observe(view, event)


class Audience:
    """Observers by seat, notified of a hand step by step in the given order.

    An observer's exception goes to ``failed`` with its seat, and the others are still notified;
    without ``failed`` it is raised.
    """

    __slots__ = ("_failed", "_observers")

    def __init__(
        self,
        observers: Sequence[tuple[Seat, Observer]],
        failed: Callable[[Seat, BaseException], None] | None = None,
    ) -> None:
        self._observers = observers
        self._failed = failed

    @classmethod
    def of(cls, players: Iterable[tuple[Seat, object]]) -> Self:
        """Take the observers among players."""
        return cls([(seat, player) for seat, player in players if isinstance(player, Observer)])

    def meet(self, people: tuple[int, ...]) -> None:
        """Announce the player of each seat in the next hand to observers that recognise players."""
        for _, observer in self._observers:
            if isinstance(observer, KnowsOpponents):
                observer.meet(people)

    def notify(self, steps: Iterable[Step]) -> None:
        """Show an event and the state after it, as each seat sees them."""
        for event, _, state in steps:
            moment, begins = Moment(state), isinstance(event, DealHoles)
            for seat, observer in self._observers:
                try:
                    if begins:  # as `notify`, a call less: this is the arena's loop
                        observer.begin(moment.view(seat))
                    else:
                        observer.observe(moment.view(seat), seen_by(event, seat))
                except (Exception, SystemExit) as problem:
                    if self._failed is None:
                        raise
                    self._failed(seat, problem)

    def end(self, state: HandState) -> None:
        """Announce the end of the hand."""
        moment = Moment(state)
        for seat, observer in self._observers:
            try:
                observer.end(moment.view(seat))
            except (Exception, SystemExit) as problem:
                if self._failed is None:
                    raise
                self._failed(seat, problem)
