"""Stepping a hand: the log of events is the truth, and a state is its fold.

>>> from functools import reduce
>>> from railbird.cards import parse_cards, parse_holding
>>> from railbird.game.actions import Call, Fold, Raise
>>> from railbird.game.actions import Act
>>> from railbird.game.rules import HEADS_UP_LIMIT
>>> from railbird.units import Chips, Seat
>>> log = [
...     DealHoles((parse_holding("AsKd"), parse_holding("7c7h"))),
...     Act(Seat(1), Raise(Chips(20))),
...     Act(Seat(0), Call()),
...     DealBoard(parse_cards("7s Ts 2d")),
...     Act(Seat(0), Call()),
...     Act(Seat(1), Raise(Chips(10))),
...     Act(Seat(0), Fold()),
... ]
>>> payoffs(reduce(step, log, initial(HEADS_UP_LIMIT)))
(Fraction(-20, 1), Fraction(20, 1))
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from railbird._arguments import checked, explained
from railbird.cards import HOLDEM, Card, CardsLike, Holding, HoldingLike, cards_from, holding_from
from railbird.errors import BadInput, DuplicateCard, IllegalAction, RailbirdError, wrong_value
from railbird.game import kernels as _kernels_betting
from railbird.game import kernels as _kernels_pots
from railbird.game import kernels as at
from railbird.game import tail
from railbird.game.actions import (
    Act,
    Action,
    DealBoard,
    DealHoles,
    DealStreet,
    Event,
    Muck,
    Show,
    ShowCards,
    code_of,
    code_of_any,
)
from railbird.game.rules import BOARD_CARDS, Rules
from railbird.game.state import HandState, Phase, initial, refusal
from railbird.units import Seat


@checked
def step(state: HandState, event: Event) -> HandState:
    """Return the state after one more event.

    Raises `IllegalAction` for an event that the rules do not allow now, `DuplicateCard` for a card
    that has already been dealt.
    """
    match event:
        case Act(seat, action):
            if seat != state.actor:
                raise IllegalAction(f"seat {seat} cannot act: {_waits_for(state)}")
            return act(state, action)
        case DealBoard(cards):
            return _deal_board(state, cards)
        case DealHoles(holdings):
            return _deal_holes(state, holdings)
        case Show() | Muck() | ShowCards():
            return _show_or_muck(state, event)
        case DealStreet():
            _check_tail(state, event)
            return _next(state, *tail.deal_event(state, event), event)
        case _:
            raise wrong_value("event", event, "one of a hand")


def act(state: HandState, action: Action, cards: NDArray[np.uint8] | None = None) -> HandState:
    """Return the state after an action of the seat to act.

    With ``cards``, a row of `railbird.game.deal`, any board cards that are then due are dealt too.

    Raises `IllegalAction` for what the rules do not allow, `BadInput` for an invalid row.
    """
    try:
        vector = state._vector.copy()
        if state._rules.variant is not HOLDEM:
            code = tail.take_action(
                vector, code_of_any(action), None if cards is None else row_of(cards)
            )
        elif cards is None:
            code = _kernels_betting.act_if_allowed(vector, code_of(action))
        else:
            code = _kernels_betting.act_and_deal(vector, code_of(action), row_of(cards))
    except Exception as problem:
        raise explained(problem, act, state, action, cards) from None
    if code:
        raise _act_error(state, action)
    return HandState(state._rules, vector)


def row_of(cards: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a row of cards unchanged. Raises `TypeError` for anything else.

    A kernel would compile another specialisation for other types.
    """
    given: object = cards
    if isinstance(given, np.ndarray) and given.dtype == np.uint8 and given.ndim == 1:
        return cards
    raise TypeError("not a row of cards")


@checked
def start(rules: Rules, cards: NDArray[np.uint8]) -> HandState:
    """Return a hand with its holdings dealt from a row of `railbird.game.deal`.

    Raises `BadInput` for an invalid row.
    """
    vector = initial(rules)._vector.copy()
    begin = _kernels_betting.start_row if rules.variant is HOLDEM else tail.begin_row
    if begin(vector, row_of(cards)):
        raise BadInput(_bad_row(rules))
    return HandState(rules, vector)


@checked
def is_settled(state: HandState) -> bool:
    """Return whether the payoffs are known: the betting is over and unknown cards cannot matter."""
    return state._vector.item(at.SETTLED) == 1


@checked
def payoffs(state: HandState) -> tuple[Fraction, ...]:
    """Return the chips won or lost by seat; exact even if the rules split odd chips.

    Raises `BadInput` while the hand is undecided.
    """
    parts = payoff_parts(state)
    if parts is None:
        raise BadInput(f"the hand is undecided: {state!r}")
    denominator = state._vector.item(at.DENOMINATOR)
    return tuple(_fraction(amount, denominator) for amount in parts)


@checked
def payoff_parts(state: HandState) -> list[int] | None:
    """Return payoffs by seat as numerators over `Rules.denominator`; None while unknown."""
    return state._by_seat(at.PAYOFF) if is_settled(state) else None


@checked
def replay(
    rules: Rules,
    holdings: Sequence[HoldingLike | None],
    board: CardsLike,
    actions: Sequence[Action],
) -> HandState:
    """Return the state after all of a record's actions, dealing the board as it falls due.

    In a showdown a seat whose cards are None is assumed to have mucked. The hand may be unfinished.

    Raises `IllegalAction` naming the action's index and the legal actions, `DuplicateCard`, and
    `BadInput` for a board with fewer or more cards than the betting reached.
    """
    seats, board = rules.seats, cards_from(board)
    if rules.variant is not HOLDEM:
        raise BadInput(f"holdings in {rules.variant.name}; allowed: replay_cards")
    held = [None if holding is None else holding_from(holding) for holding in holdings]
    if len(holdings) != seats or len(board) not in BOARD_CARDS:
        raise BadInput(
            f"{len(holdings)} holdings and {len(board)} board cards;"
            f" allowed: {seats} holdings and {BOARD_CARDS} cards"
        )
    dealt = [-1 if holding is None else holding for holding in held]
    script = np.array([*dealt, *board, *map(code_of, actions)], np.int64)
    vector = initial(rules)._vector.copy()
    code = _kernels_betting.replay_row(vector, script, len(board))
    if code:
        raise _replay_error(rules, held, board, actions, code)
    return HandState(rules, vector)


@checked
def showdown(state: HandState) -> tuple[Show | ShowCards | Muck, ...]:
    """Return the rest of the showdown, with everyone mucking who may.

    The last aggressor shows first, or if there is none the first seat left of the button; then,
    clockwise, a hand is shown unless a shown hand beats it in every pot.
    """
    events: list[Show | ShowCards | Muck] = []
    while state.phase is Phase.SHOWDOWN and (seat := state.shower) is not None:
        event = Muck(seat) if may_muck(state, seat) else _shown(state, seat)
        events.append(event)
        state = step(state, event)
    return tuple(events)


def _shown(state: HandState, seat: Seat) -> Show | ShowCards:
    """Return the showing of a seat's cards. Raises `BadInput` if they are not known."""
    if state._rules.variant is not HOLDEM:
        cards = state.cards[seat]
        if len(cards) == state.cards_each:
            return ShowCards(seat, cards)
    elif (holding := state.holdings[seat]) is not None:
        return Show(seat, holding)
    raise BadInput(f"seat {seat} has to show, but its cards are not known")


def may_muck(state: HandState, seat: Seat) -> bool:
    """Return whether shown hands beat a seat's known cards in every pot that it could win.

    Such a seat need not show. After it has shown, the answer says whether it had to.
    """
    return bool(_kernels_pots.may_muck_shown(state._vector, seat))


@lru_cache(maxsize=1 << 12)
def _fraction(amount: int, denominator: int) -> Fraction:
    """Return the quotient, cached: payoffs repeat, and constructing a `Fraction` takes 1 µs."""
    return Fraction(amount, denominator)


def _check_tail(state: HandState, event: DealStreet | ShowCards) -> None:
    """Raise `BadInput` for an event of another game than hold'em in hold'em."""
    if state._rules.variant is HOLDEM:
        raise BadInput(f"{event} in hold'em; allowed: DealHoles, DealBoard and Show")


def _check_no_tail(state: HandState, event: DealHoles | DealBoard | Show) -> None:
    """Raise `BadInput` for an event of hold'em in another game."""
    if state._rules.variant is not HOLDEM:
        raise BadInput(f"{event} in {state._rules.variant.name}; allowed: DealStreet and ShowCards")


def _deal_holes(state: HandState, holdings: Sequence[Holding | None]) -> HandState:
    _check_no_tail(state, DealHoles(tuple(holdings)))
    if len(holdings) != state._rules.seats:
        raise BadInput(f"{len(holdings)} holdings for {state._rules.seats} seats")
    vector = state._vector.copy()
    held = np.array([-1 if holding is None else holding for holding in holdings], np.int64)
    code = _kernels_betting.deal_holes(vector, held)
    return _next(state, vector, code, DealHoles(tuple(holdings)))


def _deal_board(state: HandState, cards: tuple[Card, ...]) -> HandState:
    _check_no_tail(state, DealBoard(cards))
    vector = state._vector.copy()
    if len(cards) == 1:
        code = _kernels_betting.deal_board(vector, cards[0], -1, -1)
    elif len(cards) == 3:
        code = _kernels_betting.deal_board(vector, *cards)
    else:
        code = at.WRONG_BOARD
    return _next(state, vector, code, DealBoard(cards))


def _show_or_muck(state: HandState, event: Show | ShowCards | Muck) -> HandState:
    if not 0 <= event.seat < state._rules.seats:
        raise BadInput(f"{event}: allowed are seats 0 to {state._rules.seats - 1}")
    vector = state._vector.copy()
    if isinstance(event, ShowCards):
        _check_tail(state, event)
        vector, code = tail.show_event(state, event)
    elif isinstance(event, Show):
        _check_no_tail(state, event)
        code = _kernels_pots.show_holding(vector, event.seat, event.holding)
    else:
        code = _kernels_pots.muck(vector, event.seat)
    return _next(state, vector, code, event)


def _next(state: HandState, vector: NDArray[np.int64], code: int, event: Event) -> HandState:
    if code:
        raise _error(state, code, event)
    return HandState(state._rules, vector)


def _act_error(state: HandState, action: Action) -> RailbirdError:
    refused = refusal(state, action)
    if refused is not None:
        return IllegalAction(str(refused))
    return BadInput(_bad_row(state._rules))


def _bad_row(rules: Rules) -> str:
    length = rules.variant.row_length(rules.seats)
    return f"a row of cards for {rules.seats} seats is {length} different cards"


def _error(state: HandState, code: int, event: Event) -> RailbirdError:
    """Return the error for an event that the kernels refused."""
    waits = _waits_for(state)
    match code:
        case at.CARD_TWICE:
            return DuplicateCard(f"{event}: a card that has already been dealt")
        case at.NO_SUCH_CARD:
            return BadInput(f"{event}: no such card")
        case at.OTHER_CARDS:
            return IllegalAction(f"{event}: the seat has other cards")
        case at.NOT_BEATEN:
            return IllegalAction(f"{event}: no shown hand beats the seat's in every pot")
        case at.WRONG_BOARD:
            return BadInput(f"{event}: the flop has three cards, the turn and the river have one")
        case _:
            return IllegalAction(f"{event} is not due: {waits}")


def _waits_for(state: HandState) -> str:
    match state.phase:
        case Phase.DEAL_HOLES:
            return "the hole cards are to be dealt"
        case Phase.BETTING:
            return f"seat {state.actor} is to act"
        case Phase.DRAW:
            return f"seat {state.actor} is to exchange cards"
        case Phase.DEAL_BOARD:
            return f"the {state.rules.variant.street_names[state.street + 1]} is to be dealt"
        case Phase.SHOWDOWN:
            return f"seat {state.shower} is to show or to muck"
        case Phase.OVER:
            return "the hand is over"


def _replay_error(
    rules: Rules,
    holdings: Sequence[Holding | None],
    board: Sequence[Card],
    actions: Sequence[Action],
    code: int,
) -> RailbirdError:
    """Return why a record did not replay; ``code`` is 16 times the actions done plus the reason."""
    done, reason = divmod(code, 16)
    if reason == at.CARD_TWICE:
        return DuplicateCard("a card twice among the holdings and the board")
    if reason == at.NO_SUCH_CARD:
        return BadInput("a holding or a board card that does not exist")
    state = step(initial(rules), DealHoles(tuple(holdings)))
    for action in actions[:done]:
        state = act(_with_board(state, board), action)
    state = _with_board(state, board)
    if reason == at.WRONG_BOARD:
        return BadInput(f"a board of {len(board)} cards, but {_waits_for(state)}")
    return IllegalAction(f"action {done}: {refusal(state, actions[done])}")


def _with_board(state: HandState, board: Sequence[Card]) -> HandState:
    """Deal board cards as long as any are due and available."""
    while state.phase is Phase.DEAL_BOARD and len(board) > BOARD_CARDS[state.street]:
        due = slice(BOARD_CARDS[state.street], BOARD_CARDS[state.street + 1])
        state = _deal_board(state, tuple(board[due]))
    return state
