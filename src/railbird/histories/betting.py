"""The course of a hand's betting, walked through the rules engine.

Texts say what a player did relative to what went before ("raises $10", "calls", a slash between
streets), so that reading some of them and writing all of them needs the engine beside the text.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from railbird.cards import Card
from railbird.errors import IllegalAction
from railbird.game import (
    Action,
    DealBoard,
    DealHoles,
    HandState,
    Phase,
    Raise,
    Rules,
    Street,
    act,
    initial,
    step,
)
from railbird.histories.record import BadHand, SkipReason
from railbird.units import Chips, Seat

_ANY_CARDS: Final = {
    Street.FLOP: DealBoard((Card(0), Card(1), Card(2))),
    Street.TURN: DealBoard((Card(3),)),
    Street.RIVER: DealBoard((Card(4),)),
}
"""A walk's board: betting does not look at cards, and no hole cards are out that could clash."""

_COURSES_KEPT: Final = 1 << 14
_TABLES_KEPT: Final = 64


class BettingAction(NamedTuple):
    """One action and what it answers."""

    street: Street
    seat: Seat
    action: Action
    to_call: Chips
    """What a call costs; 0 if it is a check."""
    bet: Chips
    """What a seat must have put in on this street to stay; 0 if a raise is a bet."""
    before: Chips
    """What the seat put in on earlier streets."""


class BettingSequence(NamedTuple):
    """The whole betting of a hand."""

    moves: tuple[BettingAction, ...]
    street: Street
    """The last one that was dealt, with or without betting."""


class BettingReplay:
    """A hand's betting while it is read, action by action."""

    __slots__ = ("_before", "_moves", "state")

    def __init__(self, rules: Rules) -> None:
        self.state: HandState = _dealt(rules)
        self._before = (Chips(0),) * rules.seats
        self._moves: list[BettingAction] = []

    @property
    def actions(self) -> tuple[Action, ...]:
        """What was done so far."""
        return tuple([move.action for move in self._moves])

    @property
    def course(self) -> BettingSequence:
        """What was done so far, and where it led."""
        return BettingSequence(tuple(self._moves), self.state.street)

    @property
    def before(self) -> Chips:
        """What the seat to act put in on earlier streets; 0 if no seat is to act."""
        actor = self.state.actor
        return Chips(0) if actor is None else self._before[actor]

    @property
    def board_is_due(self) -> bool:
        """Whether a street has ended and the next is not dealt."""
        return self.state.phase is Phase.DEAL_BOARD

    @property
    def betting_is_open(self) -> bool:
        """Whether a seat is to act."""
        return self.state.phase is Phase.BETTING

    def move(self, action: Action) -> BettingAction:
        """Return an action of the seat to act with what it answers, legal or not."""
        state, seat = self.state, self.state.actor
        assert seat is not None
        return BettingAction(
            state.street, seat, action, state.to_call, state.bet, self._before[seat]
        )

    def act(self, action: Action) -> None:
        """Let the seat to act do this. Raises `BadHand` if it may not."""
        try:
            after = act(self.state, action)
        except IllegalAction as error:
            done = len(self._moves)
            raise BadHand(SkipReason.ILLEGAL_ACTION, f"action {done}: {error}") from None
        self._moves.append(self.move(action))
        self.state = after

    def fixed_raise(self) -> Raise:
        """Return the raise of a limit game; where none is allowed, one that is refused."""
        state = self.state
        return Raise(state.min_raise_to or Chips(state.bet + state.rules.bet_sizes[state.street]))

    def deal(self) -> None:
        """Go to the next street. Raises `BadHand` if it is not due."""
        if not self.board_is_due:
            raise BadHand(
                SkipReason.WRONG_BOARD, f"cards after action {len(self._moves)} are not due"
            )
        self._before = self.state.spent
        self.state = step(self.state, _ANY_CARDS[Street(self.state.street + 1)])


@lru_cache(maxsize=_TABLES_KEPT)
def _dealt(rules: Rules) -> HandState:
    return step(initial(rules), DealHoles((None,) * rules.seats))


@lru_cache(maxsize=_COURSES_KEPT)
def course_of(rules: Rules, actions: tuple[Action, ...]) -> BettingSequence:
    """Return the course of a hand's actions. Raises `BadHand` if the rules do not allow them."""
    walk = BettingReplay(rules)
    for action in actions:
        while walk.board_is_due:
            walk.deal()
        walk.act(action)
    while walk.board_is_due:
        walk.deal()
    return walk.course
