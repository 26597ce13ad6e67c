"""The course of a hand's betting, replayed by the rules engine.

Texts describe an action relative to earlier ones ("raises $10", "calls", a slash between streets).
So the engine is needed to read some formats, and to write all of them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from railbird.cards import Card
from railbird.errors import IllegalAction
from railbird.game import (
    Action,
    ActionName,
    DealBoard,
    DealHoles,
    HandState,
    Phase,
    Raise,
    Rules,
    Street,
    act,
    initial,
    name_of,
    step,
)
from railbird.histories.record import BadHand, SkipReason
from railbird.units import Chips, Seat

_ANY_CARDS: Final = {
    Street.FLOP: DealBoard((Card(0), Card(1), Card(2))),
    Street.TURN: DealBoard((Card(3),)),
    Street.RIVER: DealBoard((Card(4),)),
}
"""Board of a replay: betting does not depend on cards, and no hole cards could clash with it."""

_COURSES_KEPT: Final = 1 << 14
_TABLES_KEPT: Final = 64


class BettingAction(NamedTuple):
    """One action and the situation it answers."""

    street: Street
    seat: Seat
    action: Action
    to_call: Chips
    """Cost of a call; 0 if it is a check."""
    bet: Chips
    """Total to match on this street; 0 if a raise is a bet."""
    before: Chips
    """Chips the seat put in on earlier streets."""

    @property
    def name(self) -> ActionName:
        """What players call the action."""
        return name_of(self.action, to_call=self.to_call, bet=self.bet)


class BettingSequence(NamedTuple):
    """The whole betting of a hand."""

    moves: tuple[BettingAction, ...]
    street: Street
    """The last street dealt, with or without betting."""


class BettingReplay:
    """Replay of a hand's betting while it is read, action by action."""

    __slots__ = ("_before", "_moves", "state")

    def __init__(self, rules: Rules) -> None:
        self.state: HandState = _dealt(rules)
        self._before = (Chips(0),) * rules.seats
        self._moves: list[BettingAction] = []

    @property
    def actions(self) -> tuple[Action, ...]:
        """Actions so far."""
        return tuple([move.action for move in self._moves])

    @property
    def course(self) -> BettingSequence:
        """Actions so far, and where they led."""
        return BettingSequence(tuple(self._moves), self.state.street)

    @property
    def before(self) -> Chips:
        """Chips the seat to act put in on earlier streets; 0 if no seat is to act."""
        actor = self.state.actor
        return Chips(0) if actor is None else self._before[actor]

    @property
    def board_is_due(self) -> bool:
        """True if a street has ended and the next is not dealt."""
        return self.state.phase is Phase.DEAL_BOARD

    @property
    def betting_is_open(self) -> bool:
        """True if a seat is to act."""
        return self.state.phase is Phase.BETTING

    def move(self, action: Action) -> BettingAction:
        """Return an action of the seat to act with the situation it answers, legal or not."""
        state, seat = self.state, self.state.actor
        assert seat is not None
        return BettingAction(
            state.street, seat, action, state.to_call, state.bet, self._before[seat]
        )

    def act(self, action: Action) -> None:
        """Apply an action of the seat to act. Raises `BadHand` if it is illegal."""
        try:
            after = act(self.state, action)
        except IllegalAction as error:
            done = len(self._moves)
            raise BadHand(SkipReason.ILLEGAL_ACTION, f"action {done}: {error}") from None
        self._moves.append(self.move(action))
        self.state = after

    def fixed_raise(self) -> Raise:
        """Return the raise of a limit game; an illegal one where none is allowed."""
        state = self.state
        return Raise(state.min_raise_to or Chips(state.bet + state.rules.bet_sizes[state.street]))

    def deal(self) -> None:
        """Deal the next street. Raises `BadHand` if it is not due."""
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
