"""Statistics of everybody whom a player has met, kept up to date hand by hand."""

from __future__ import annotations

from collections.abc import Callable

from railbird.game import Event, View
from railbird.modelling.opponent_statistics.opponent import OpponentStatistics
from railbird.modelling.opponent_statistics.public_hand import PublicHand, SeenAction
from railbird.modelling.settings import MEMORY
from railbird.units import Seat


class OpponentObserver:
    """Follows the hands of a table as `railbird.players.KnowsNames` and learns from their ends.

    ``recall`` gives the statistics of a name that was met in an earlier session, or None.
    """

    def __init__(
        self,
        *,
        memory: int = MEMORY,
        recall: Callable[[str], OpponentStatistics | None] = lambda _: None,
    ) -> None:
        self._memory = memory
        self._recall = recall
        self._names: tuple[str, ...] = ()
        self.reset()

    def reset(self) -> None:
        """Forget everybody."""
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
        known = self._met.get(number)
        if known is None:
            name = self._names[number] if number < len(self._names) else None
            recalled = None if name is None else self._recall(name)
            known = recalled or OpponentStatistics(memory=self._memory)
            self._met[number] = known
        return known
