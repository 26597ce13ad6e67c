"""The course of a hand's betting, walked through the rules engine.

Texts say what a player did relative to what went before ("raises $10", "calls", a slash between
streets), so reading and writing both need the engine beside the text. What they learn depends on
the betting alone, and betting repeats; courses are therefore kept apart from cards and remembered.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from railbird.cards import HOLDING_CARDS, Card, Holding, format_card, strength
from railbird.errors import IllegalAction
from railbird.game import (
    BOARD_CARDS,
    Action,
    DealBoard,
    DealHoles,
    HandState,
    Phase,
    Rules,
    Street,
    act,
    initial,
    is_settled,
    payoffs,
    replay,
    step,
)
from railbird.histories.amounts import ROUNDING, format_amounts
from railbird.histories.record import BadHand, SkipReason
from railbird.units import Chips, Seat

Holes = tuple[Holding | None, ...]
Board = tuple[Card, ...]
Payoffs = tuple[Fraction, ...]

_ANY_CARDS: Final = {
    Street.FLOP: DealBoard((Card(0), Card(1), Card(2))),
    Street.TURN: DealBoard((Card(3),)),
    Street.RIVER: DealBoard((Card(4),)),
}
"""A walk's board: betting does not look at cards, and no hole cards are out that could clash."""

_CARDS_OF: Final = [tuple(map(Card, pair)) for pair in HOLDING_CARDS.tolist()]
_COURSES_KEPT: Final = 1 << 14


class Move(NamedTuple):
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


@dataclass(frozen=True, slots=True)
class Course:
    """The whole betting of a finished hand."""

    rules: Rules
    moves: tuple[Move, ...]
    actions: tuple[Action, ...]
    street: Street
    """The last one that was dealt."""
    contenders: tuple[Seat, ...]
    """Who came to the showdown; empty if all but one folded."""
    spent: tuple[Chips, ...]
    """Everything put in, by seat; an uncalled bet too."""
    _paid: dict[tuple[int, ...], Payoffs | None] = field(
        default_factory=dict, compare=False, repr=False
    )

    @property
    def board_cards(self) -> int:
        """How many board cards the hand has seen."""
        return BOARD_CARDS[self.street]

    def payoffs(self, holes: Holes, board: Board) -> Payoffs | None:
        """What the hand pays by seat; None if cards that are not known decide it.

        The cards decide only through who beats whom, so that one replay is enough for each order
        in which the contenders can come.
        """
        order = _order(self.contenders, holes, board)
        if order not in self._paid:
            state = replay(self.rules, holes, board, self.actions)
            self._paid[order] = payoffs(state) if is_settled(state) else None
        return self._paid[order]

    def may_pay(self, amounts: Payoffs) -> bool:
        """Whether these payoffs are possible, whatever the cards of the contenders are."""
        seats = range(self.rules.seats)
        return sum(amounts) == 0 and all(
            amounts[seat] >= -self.spent[seat]
            if seat in self.contenders
            else amounts[seat] == -self.spent[seat]
            for seat in seats
        )


class Walk:
    """A hand's betting while it is read, action by action."""

    __slots__ = ("_before", "_moves", "state")

    def __init__(self, rules: Rules) -> None:
        self.state: HandState = step(initial(rules), DealHoles((None,) * rules.seats))
        self._before = (Chips(0),) * rules.seats
        self._moves: list[Move] = []

    @property
    def before(self) -> Chips:
        """What the seat to act put in on earlier streets; 0 if no seat is to act."""
        actor = self.state.actor
        return Chips(0) if actor is None else self._before[actor]

    @property
    def board_is_due(self) -> bool:
        """Whether a street has ended and the next is not dealt."""
        return self.state.phase is Phase.DEAL_BOARD

    def act(self, action: Action) -> None:
        """Let the seat to act do this. Raises `BadHand` if it may not."""
        state = self.state
        try:
            self.state = act(state, action)
        except IllegalAction as error:
            raise BadHand(
                SkipReason.ILLEGAL_ACTION, f"action {len(self._moves) + 1}: {error}"
            ) from None
        seat = state.actor
        assert seat is not None  # or the action had been refused
        self._moves.append(
            Move(state.street, seat, action, state.to_call, state.bet, self._before[seat])
        )

    def deal(self) -> None:
        """Go to the next street, which must be due."""
        self._before = self.state.spent
        self.state = step(self.state, _ANY_CARDS[Street(self.state.street + 1)])

    def finish(self) -> Course:
        """Return the course of the finished hand. Raises `BadHand` if it is not finished."""
        state = self.state
        if state.phase not in (Phase.SHOWDOWN, Phase.OVER):
            waiting = "cards are due" if state.actor is None else f"seat {state.actor} is to act"
            raise BadHand(SkipReason.UNFINISHED, f"{waiting} ({state.street.name.lower()})")
        moves = tuple(self._moves)
        return Course(
            rules=state.rules,
            moves=moves,
            actions=tuple(move.action for move in moves),
            street=state.street,
            contenders=state.in_hand if state.phase is Phase.SHOWDOWN else (),
            spent=state.spent,
        )


@lru_cache(maxsize=_COURSES_KEPT)
def course_of(rules: Rules, actions: tuple[Action, ...]) -> Course:
    """Return the course of a hand's actions. Raises `BadHand` if the rules do not allow it."""
    walk = Walk(rules)
    for action in actions:
        while walk.board_is_due:
            walk.deal()
        walk.act(action)
    while walk.board_is_due:
        walk.deal()
    return walk.finish()


def settle(course: Course, holes: Holes, board: Board, logged: Payoffs | None) -> Payoffs:
    """Return what the hand pays, exactly, after comparing it with what the log says.

    A log rounds parts of a chip to six decimals. Where cards that are not known decide, the log
    is believed if what it says is possible. Raises `BadHand`.
    """
    _check_cards(course, holes, board)
    computed = course.payoffs(holes, board)
    if computed is not None and (logged is None or logged == computed):
        return computed
    if logged is None:
        raise BadHand(SkipReason.UNREADABLE, "cards that are not known decide the pot")
    if any(holes[seat] is None for seat in course.contenders):
        if course.may_pay(logged):
            return logged
    elif computed is not None:
        pairs = zip(logged, computed, strict=True)
        if all(abs(said - exact) <= ROUNDING for said, exact in pairs):
            return computed
    expected = "" if computed is None else f", the rules pay {format_amounts(computed)}"
    raise BadHand(SkipReason.WRONG_PAYOFF, f"the log pays {format_amounts(logged)}{expected}")


def _check_cards(course: Course, holes: Holes, board: Board) -> None:
    if len(board) != course.board_cards:
        raise BadHand(
            SkipReason.WRONG_BOARD,
            f"{len(board)} cards, but the betting reached the {course.street.name.lower()}",
        )
    cards = [*board]
    for hole in holes:
        if hole is not None:
            cards += _CARDS_OF[hole]
    if len(set(cards)) < len(cards):
        twice = next(card for card in cards if cards.count(card) > 1)
        raise BadHand(SkipReason.DUPLICATE_CARD, f"{format_card(twice)} comes twice")


def _order(contenders: tuple[Seat, ...], holes: Holes, board: Board) -> tuple[int, ...]:
    """Return the contenders' places, 0 the weakest; -1 for cards that are not known."""
    strengths = [
        -1 if (hole := holes[seat]) is None else strength((*_CARDS_OF[hole], *board))
        for seat in contenders
    ]
    ladder = sorted({-1, *strengths})
    return tuple([ladder.index(each) - 1 for each in strengths])
