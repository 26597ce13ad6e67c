"""Views of a hand by one seat or a spectator."""

from __future__ import annotations

from railbird._arguments import explained
from railbird.cards import HOLDEM, Card, Holding
from railbird.errors import BadInput
from railbird.game import kernels
from railbird.game.rules import Rules
from railbird.game.state import HandState, Legal, legal
from railbird.units import Seat


class View:
    """A hand as one seat sees it; immutable, equal by content. Use `view` to create one.

    ``state`` contains no other seat's cards unless they were shown, so nothing derived from it can
    leak them. It equals the fold of the events as the seat saw them (`seen_by`).
    """

    __slots__ = ("_seat", "_state")

    def __init__(self, seat: Seat, state: HandState) -> None:
        self._seat = seat
        self._state = state

    @property
    def seat(self) -> Seat:
        """The seat whose view this is."""
        return self._seat

    @property
    def state(self) -> HandState:
        """The hand, without what the seat has not seen."""
        return self._state

    @property
    def public(self) -> HandState:
        """The hand with no cards except the board and those that were shown.

        The views of one `Moment` share it.
        """
        return public(self.state)

    @property
    def rules(self) -> Rules:
        """The rules of the hand."""
        return self.state.rules

    @property
    def holding(self) -> Holding:
        """The seat's own cards. Raises `BadInput` before they are dealt."""
        holding = self.state.holdings[self.seat]
        if holding is None:
            raise BadInput(f"seat {self.seat} has no cards yet")
        return holding

    @property
    def cards(self) -> tuple[Card, ...]:
        """The seat's own cards so far, in any game; ascending."""
        return self.state.cards[self.seat]

    @property
    def legal(self) -> Legal:
        """Return the seat's legal actions. Raises `BadInput` if it is not its turn."""
        legal_now = legal(self.state)
        if legal_now.seat != self.seat:
            raise BadInput(f"seat {legal_now.seat} is to act, not seat {self.seat}")
        return legal_now

    def holding_instead(self, holding: int) -> View:
        """Return what the seat would see with other cards; they are not checked."""
        vector = self.state.vector.copy()
        vector[kernels.HEADER + kernels.STRIDE * self._seat + kernels.HOLDING] = holding
        return View(self._seat, HandState(self.rules, vector))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and (self.seat, self.state) == (other.seat, other.state)

    def __hash__(self) -> int:
        return hash((self.seat, self.state))

    def __repr__(self) -> str:
        return f"View(seat={self.seat}, state={self.state!r})"


class Moment:
    """A hand at one moment, for all its viewers; views are computed only when used."""

    __slots__ = ("_public", "_state")

    def __init__(self, state: HandState) -> None:
        self._state = state
        self._public: HandState | None = None

    @property
    def state(self) -> HandState:
        """The hand with everybody's cards."""
        return self._state

    @property
    def public(self) -> HandState:
        """The hand as a spectator sees it."""
        if self._public is None:
            self._public = public(self._state)
        return self._public

    def view(self, seat: Seat) -> View:
        """Return the hand as a seat sees it."""
        return _Watched(seat, self)


class _Watched(View):
    """A moment from one seat, which computes its state only when used."""

    __slots__ = ("_made", "_moment")

    def __init__(self, seat: Seat, moment: Moment) -> None:
        self._seat = seat
        self._moment = moment
        self._made: HandState | None = None

    @property
    def state(self) -> HandState:
        """The hand, without what the seat has not seen."""
        if self._made is None:
            self._made = _hidden(self._moment.state, self._seat)
        return self._made

    @property
    def public(self) -> HandState:
        """The hand with no cards except the board and those that were shown."""
        return self._moment.public

    def __reduce__(self) -> tuple[type[View], tuple[Seat, HandState]]:
        """Drop the moment, which contains everybody's cards."""
        return View, (self.seat, self.state)


def view(state: HandState, seat: Seat) -> View:
    """Return a seat's view: its own cards and public information. Raises `BadInput`."""
    try:
        if 0 <= seat < state.rules.seats:
            return View(seat, _hidden(state, seat))
    except Exception as problem:
        raise explained(problem, view, state, seat) from None
    raise BadInput(f"no seat {seat}; allowed: 0 to {state.rules.seats - 1}")


def public(state: HandState) -> HandState:
    """Return what a spectator sees: no cards except the board and those that were shown."""
    try:
        return _hidden(state, -1)
    except Exception as problem:
        raise explained(problem, public, state) from None


def _hidden(state: HandState, seat: int) -> HandState:
    vector = state._vector.copy()
    if state._rules.variant is HOLDEM:
        kernels.hide(vector, seat)
    else:
        from railbird.game import tail_kernels

        tail_kernels.hide_cards(vector, seat)
    return HandState(state.rules, vector)
