"""The observers among the players at a table, who are shown each hand; any game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Self

from railbird.game import DealHoles, Event, HandState, Moment, Step, View, seen_by
from railbird.players.protocol import KnowsOpponents, Observer
from railbird.units import Seat


def notify(observer: Observer, view: View, event: Event) -> None:
    """Show an observer an event as its seat saw it, and the view that it led to.

    For an observer, the deal of the holdings begins the hand.
    """
    if isinstance(event, DealHoles):
        observer.begin(view)
    else:
        observer.observe(view, event)


class Audience:
    """Observers by seat, who are shown a hand step by step, in the given order.

    If an observer raises, ``failed`` gets its seat and the exception, and the others are still
    shown the event. Without ``failed`` the exception is raised.
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
        """Make an audience of those players who observe."""
        return cls([(seat, player) for seat, player in players if isinstance(player, Observer)])

    def meet(self, people: tuple[int, ...]) -> None:
        """Tell observers that recognise players who sits in each seat in the next hand."""
        for _, observer in self._observers:
            if isinstance(observer, KnowsOpponents):
                observer.meet(people)

    def notify(self, steps: Iterable[Step]) -> None:
        """Show an event and the state after it, as each seat sees them."""
        for event, _, state in steps:
            moment, begins = Moment(state), isinstance(event, DealHoles)
            for seat, observer in self._observers:
                try:
                    if begins:  # `notify` written out: this is the arena's inner loop
                        observer.begin(moment.view(seat))
                    else:
                        observer.observe(moment.view(seat), seen_by(event, seat))
                except (Exception, SystemExit) as problem:
                    if self._failed is None:
                        raise
                    self._failed(seat, problem)

    def end(self, state: HandState) -> None:
        """Tell the observers that the hand is over."""
        moment = Moment(state)
        for seat, observer in self._observers:
            try:
                observer.end(moment.view(seat))
            except (Exception, SystemExit) as problem:
                if self._failed is None:
                    raise
                self._failed(seat, problem)
