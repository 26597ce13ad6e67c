"""Public information of one hand: actions with their cost, and shown cards.

A shown hand is *needed* if its player had to show it: its turn had come in the showdown, and no
hand shown before beat it in every pot. All other cards are shown by choice, such as a beaten hand
in the showdown or cards turned over after the hand. A player who chooses what to reveal may do it
to mislead, so nothing is learned from such cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from railbird.cards import Card, Holding
from railbird.game import (
    Act,
    Action,
    Call,
    Event,
    Fold,
    HandState,
    Phase,
    Raise,
    Show,
    Street,
    View,
)
from railbird.game.actions import betting_action
from railbird.game.play import may_muck
from railbird.units import Chips, Seat


class PlayedAction(IntEnum):
    """A kind of action, by what it does."""

    FOLD = 0
    CHECK = 1
    CALL = 2
    RAISE = 3
    """A bet or a raise."""


@dataclass(frozen=True, slots=True)
class SeenAction:
    """An action and the situation in which it was taken."""

    seat: Seat
    street: Street
    action: PlayedAction
    paid: Chips
    """Chips that the action put in."""
    raises: int
    """Bets and raises on the street before the action; blinds do not count."""
    opponents: int
    """Number of others who had not folded."""
    late: bool
    """Whether nobody had called or bet yet and the seat was among the last to act: before the flop
    the cutoff, the button or the small blind, and later the very last."""


@dataclass(frozen=True, slots=True)
class RevealedHand:
    """A hand whose cards were shown."""

    seat: Seat
    holding: Holding
    needed: bool


@dataclass(frozen=True, slots=True, eq=False)
class ObservedHand:
    """A finished hand as a spectator saw it."""

    seats: int
    on_blind: tuple[bool, ...]
    """Whether each seat posted a blind."""
    big_blind: Chips
    board: tuple[Card, ...]
    actions: tuple[SeenAction, ...]
    shown: tuple[RevealedHand, ...]
    in_showdown: tuple[Seat, ...]
    """Seats whose cards were compared; empty if all but one folded."""

    def actions_of(self, seat: Seat) -> tuple[SeenAction, ...]:
        """Return the actions of one seat, in order."""
        return tuple([seen for seen in self.actions if seen.seat == seat])


class PublicHand:
    """Collects the events of one hand, and works out what they say only when asked."""

    def __init__(self) -> None:
        self._before: View | None = None
        self._acts: list[tuple[View, Act]] = []
        self._shows: list[tuple[View, View, Show]] = []

    def begin(self, view: View) -> None:
        """Begin a hand."""
        self._before = view
        self._acts = []
        self._shows = []

    def observe(self, view: View, event: Event) -> None:
        """Add an event."""
        previous, self._before = self._before, view
        if previous is None:
            return
        match event:
            case Act():
                self._acts.append((previous, event))
            case Show():
                self._shows.append((previous, view, event))
            case _:
                pass

    def last_action(self, seat: Seat) -> SeenAction | None:
        """Return a seat's latest action other than a fold; None if it has not acted."""
        for before, act in reversed(self._acts):
            if act.seat == seat:
                return _seen(before.public, act)
        return None

    def end(self, view: View) -> ObservedHand:
        """Return the finished hand; all observers at a table get the same object."""
        global _latest
        state = view.public
        known, hand = _latest
        # Every observer of a hand ends with the same state object, so one compares its identity,
        # which is cheap, and the hand is worked out once for all of them.
        if known is not state or hand is None:
            hand = self._observed(state)
            _latest = (state, hand)
        return hand

    def _observed(self, state: HandState) -> ObservedHand:
        rules = state.rules
        return ObservedHand(
            seats=rules.seats,
            on_blind=tuple([blind > 0 for blind in rules.blinds]),
            big_blind=rules.big_blind,
            board=state.board,
            actions=tuple([_seen(before.public, act) for before, act in self._acts]),
            shown=tuple(
                [_shown(before.public, after.public, show) for before, after, show in self._shows]
            ),
            in_showdown=state.in_hand if len(state.in_hand) > 1 else (),
        )


_latest: tuple[HandState | None, ObservedHand | None] = (None, None)
"""The last hand and the state in which it ended. All viewers of a hand share that state.

The pair is read and replaced as one object, so threads cannot mix two hands.
"""


def played_action(action: Action, to_call: Chips) -> PlayedAction:
    """Classify an action."""
    match betting_action(action):
        case Fold():
            return PlayedAction.FOLD
        case Call():
            return PlayedAction.CALL if to_call else PlayedAction.CHECK
        case Raise():
            return PlayedAction.RAISE


def _seen(state: HandState, act: Act) -> SeenAction:
    action, seat, street = act.action, act.seat, state.street
    to_call = state.to_call
    if isinstance(action, Raise):
        paid = Chips(action.to - state.street_bets[seat])
    else:
        paid = to_call if isinstance(action, Call) else Chips(0)
    return SeenAction(
        seat=seat,
        street=street,
        action=played_action(action, to_call),
        paid=paid,
        raises=state.raises,
        opponents=len(state.in_hand) - 1,
        late=_is_late(state, seat, street),
    )


def _is_late(state: HandState, seat: Seat, street: Street) -> bool:
    if state.raises:
        return False
    if street is not Street.PREFLOP:
        return state.pending == (seat,)
    seats, blinds = state.rules.seats, state.rules.blinds
    if blinds[seat] == max(blinds):
        return False
    ahead = [opponent for opponent in state.in_hand if opponent in state.acted]
    return not ahead and (blinds[seat] > 0 or seat >= seats - 2)


def _shown(before: HandState, after: HandState, show: Show) -> RevealedHand:
    # Judged by the state just after the show: the hand's own strength is known by then, and hands
    # that are shown later cannot have been a reason to muck it.
    needed = before.phase is Phase.SHOWDOWN and not may_muck(after, show.seat)
    return RevealedHand(show.seat, show.holding, needed)
