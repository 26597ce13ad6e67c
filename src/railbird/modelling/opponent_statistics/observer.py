"""Statistics of everybody whom a player has met, kept up to date hand by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from railbird.game import Event, View
from railbird.modelling.opponent_memory import Learned, OpponentMemory
from railbird.modelling.opponent_statistics.opponent import OpponentStatistics
from railbird.modelling.opponent_statistics.public_hand import (
    PlayedAction,
    PublicHand,
    SeenAction,
)
from railbird.modelling.opponent_statistics.record_form import StatisticsForm
from railbird.modelling.settings import MEMORY
from railbird.units import Seat

if TYPE_CHECKING:
    from railbird.storage.memory_place import MemoryPlace


class OpponentObserver:
    """Follows the hands of a table as `railbird.players.KnowsNames` and learns from their ends.

    ``memory`` is the length of rolling arrays. With ``place`` it remembers between sessions those
    who have names.
    """

    def __init__(self, *, memory: int = MEMORY, place: MemoryPlace | None = None) -> None:
        self._memory = memory
        self._kept = None if place is None else OpponentMemory(place, StatisticsForm(memory))
        self._names: tuple[str, ...] = ()
        self._forget()

    def reset(self) -> None:
        """End the session, writing what it taught if there is a memory, and forget everybody."""
        if self._kept is not None:
            self._kept.end(self._learned(self._kept))
        self._forget()

    def commit(self) -> None:
        """End the session and the part of a game that it is of, as `railbird.players.Remembering`.

        Without a memory this is a reset.
        """
        if self._kept is not None:
            self._kept.commit(self._learned(self._kept))
        self._forget()

    def rollback(self) -> None:
        """Forget what was learned since `commit`, or since the reset."""
        if self._kept is not None:
            self._kept.rollback()
        self._forget()

    def close(self) -> None:
        """End the last session, and the memory with it."""
        if self._kept is not None:
            self._kept.close(self._learned(self._kept))
        self._forget()

    def _forget(self) -> None:
        self._met: dict[int, OpponentStatistics] = {}
        self._next: tuple[int, ...] | None = None
        self._sitting: tuple[int, ...] | None = None
        self._own: Seat | None = None
        self._hand = PublicHand()

    def meet(self, people: tuple[int, ...]) -> None:
        """Set the players of the next hand by seat; where it is not called, seats are people."""
        self._next = people

    def introduce(self, names: tuple[str, ...]) -> None:
        """Set players' names by number."""
        self._names = names

    def begin(self, view: View) -> None:
        """Begin a hand."""
        self._sitting = self._next
        self._own = view.seat
        self._hand.begin(view)
        if self._kept is not None:
            self._recall(self._kept, view)

    def observe(self, view: View, event: Event) -> None:
        """Record an event."""
        self._hand.observe(view, event)

    def end(self, view: View) -> None:
        """Learn from a finished hand about all others."""
        hand = self._hand.end(view)
        for seat in map(Seat, range(hand.seats)):
            if seat != self._own:
                self[seat].learn(hand, seat)

    def last_action(self, seat: Seat) -> SeenAction | None:
        """Return a seat's latest action of this hand; None if it has not acted."""
        return self._hand.last_action(seat)

    @property
    def met(self) -> dict[str, OpponentStatistics]:
        """Statistics of everybody who has a name."""
        return {
            self._names[number]: statistics
            for number, statistics in self._met.items()
            if number < len(self._names)
        }

    def __getitem__(self, seat: Seat) -> OpponentStatistics:
        """Return the statistics of the player in a seat, who may be new."""
        number = seat if self._sitting is None else self._sitting[seat]
        if number not in self._met:
            new = OpponentStatistics(memory=self._memory)
            known = self._known(number)
            self._met[number] = new if known is None else new.followed_by(known)
        return self._met[number]

    def _recall(self, kept: OpponentMemory[OpponentStatistics], view: View) -> None:
        rules = view.public.rules
        people = self._sitting or tuple(range(rules.seats))
        own = people[view.seat]
        if own < len(self._names):
            names = [self._names[number] for number in people if number < len(self._names)]
            kept.begin(
                names, observer=self._names[own], game=rules.betting.value, seats=rules.seats
            )

    def _known(self, number: int) -> OpponentStatistics | None:
        """What earlier sessions taught."""
        if self._kept is None or number >= len(self._names):
            return None
        return self._kept.recall(self._names[number])

    def _learned(
        self, kept: OpponentMemory[OpponentStatistics]
    ) -> dict[str, Learned[OpponentStatistics]]:
        learned = {}
        for name, now in self.met.items():
            known = kept.recall(name)
            new = now if known is None else now.since(known)
            bets = new.count(action=PlayedAction.RAISE)
            learned[name] = Learned(new, hands=new.hands, bets=bets, actions=new.count())
        return learned
