"""Replay of hands from the betting that a text reports.

Texts differ in the amounts that they give: the cost of a call, the increase or the total of a
raise, the chips put in. A report is a flat list of rows of four numbers: the seat, its action, an
amount, and the total of a raise::

    (seat, FOLD, NOT_STATED, NOT_STATED)
    (seat, CALL, amount, NOT_STATED)      # a check is a call of 0
    (seat, RAISE, by, to)             # one of the two may be NOT_STATED
    (seat, PUT_IN, amount, NOT_STATED)    # a call, bet or raise that puts in so much
    NEXT_STREET                       # cards are dealt to the board

>>> from railbird.cards import parse_cards
>>> from railbird.game.rules import HEADS_UP_LIMIT
>>> report = [1, RAISE, 10, NOT_STATED, 0, CALL, 10, NOT_STATED, *NEXT_STREET]
>>> report += [0, RAISE, 10, 10, 1, FOLD, NOT_STATED, NOT_STATED]
>>> state, actions = replay_reported(HEADS_UP_LIMIT, (None, None), parse_cards("2c3d4h"), report)
>>> actions
(Raise(to=20), Call(), Raise(to=10), Fold())
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from railbird.cards import Card, Holding
from railbird.errors import BadInput, DuplicateCard, IllegalAction
from railbird.game import kernels as at
from railbird.game import reported_kernels as kernels
from railbird.game.actions import Action, Call, Fold, Raise
from railbird.game.rules import BOARD_CARDS, Rules
from railbird.game.state import HandState, initial, refusal
from railbird.units import Chips

FOLD: Final = kernels.FOLD
CALL: Final = kernels.CALL
RAISE: Final = kernels.RAISE
PUT_IN: Final = kernels.PUT_IN
CHECK_IF_OPEN: Final = kernels.CHECK_IF_OPEN
"""Check or call that is ignored where no seat is to act."""
FOLD_IF_ABLE: Final = kernels.FOLD_IF_ABLE
"""Fold that is ignored where the seat is all-in."""
NOT_STATED: Final = kernels.NOT_STATED
DEAL: Final = kernels.DEAL
NEXT_STREET: Final = (NOT_STATED, DEAL, NOT_STATED, NOT_STATED)
"""Row for cards dealt to the board."""

_ROW: Final = kernels.ROW
_FOLD: Final = Fold()
_CALL: Final = Call()
_SIMPLE: Final[dict[int, Action]] = {at.FOLD: _FOLD, at.CALL: _CALL}
_WORDS: Final = {
    FOLD: "folds",
    FOLD_IF_ABLE: "folds",
    CALL: "calls",
    CHECK_IF_OPEN: "checks",
    RAISE: "raises",
    PUT_IN: "puts in",
}
_KEPT: Final = 1 << 14


def replay_reported(
    rules: Rules,
    holdings: Sequence[Holding | None],
    board: Sequence[Card],
    report: Sequence[int],
    names: Sequence[str] = (),
) -> tuple[HandState, tuple[Action, ...]]:
    """Return the state after a reported hand, and its actions, after checking every number.

    As in `railbird.game.replay`, a seat whose cards are None is assumed to have mucked in a
    showdown, and the hand may be unfinished. ``names`` replace the seats in messages.

    Raises `IllegalAction` for actions against the rules and wrong amounts, `DuplicateCard`, and
    `BadInput` for a board with fewer or more cards than the betting reached.
    """
    seats, size = rules.seats, len(board)
    if len(holdings) != seats or size not in BOARD_CARDS:
        raise BadInput(
            f"{len(holdings)} holdings and {size} board cards;"
            f" allowed: {seats} holdings and {BOARD_CARDS} cards"
        )
    held = [-1 if holding is None else holding for holding in holdings]
    try:
        # By way of an array of the standard library, which takes numbers at twice the speed.
        script = np.frombuffer(array("q", [*held, *board, *report]), np.int64)
    except OverflowError:
        raise IllegalAction("an amount beyond all chips") from None
    vector = initial(rules)._vector.copy()
    code = kernels.follow_script(vector, script, size)
    if code:
        place, reason = divmod(code, kernels.REASONS)
        row = report[place - seats - size :][:_ROW]
        done = len(_actions(script[seats + size : place]))
        raise _error(HandState(rules, vector), reason, done, row, names)
    return HandState(rules, vector), tuple(_actions(script[seats + size :]))


def _actions(rows: NDArray[np.int64]) -> list[Action]:
    """Return the actions of replayed rows."""
    codes: list[int] = rows[_ROW - 1 :: _ROW].tolist()
    return [_SIMPLE.get(code) or _raise_to(code) for code in codes if code != kernels.PASSED_OVER]


@lru_cache(_KEPT)
def _raise_to(to: int) -> Action:
    return Raise(Chips(to))


def _error(
    state: HandState, reason: int, done: int, row: Sequence[int], names: Sequence[str]
) -> BadInput:
    """Return why a row was refused, after ``done`` actions."""
    if reason == at.CARD_TWICE:
        return DuplicateCard("a card twice among the holdings and the board")
    if reason == at.NO_SUCH_CARD:
        return BadInput("a holding or a board card that does not exist")
    if reason in (at.WRONG_PHASE, at.WRONG_BOARD):
        return BadInput(f"cards after action {done} are not due")
    seat, kind, amount, to = row
    who = names[seat] if names else f"seat {seat}"
    if reason == at.NOT_THE_TURN:
        return IllegalAction(f"{who} {_WORDS[kind]} out of turn")
    if reason == kernels.OTHER_RAISE:
        return IllegalAction(f"{who} raises by {amount} from {state.bet} to {to}")
    if reason == kernels.OTHER_CALL:
        word = "checks" if amount == 0 else f"{_WORDS[kind]} {amount}"
        return IllegalAction(f"{who} {word} where {state.to_call} is due")
    refused = refusal(state, _action_of(state, row))
    return IllegalAction(f"action {done}: {refused}")


def _action_of(state: HandState, row: Sequence[int]) -> Action:
    """Return the action of a row whose numbers are consistent."""
    seat, kind, amount, to = row
    match kind:
        case kernels.FOLD | kernels.FOLD_IF_ABLE:
            return _FOLD
        case kernels.RAISE:
            return Raise(Chips(state.bet + amount if to == NOT_STATED else to))
        case kernels.PUT_IN if amount > state.to_call:
            return Raise(Chips(state.street_bets[seat] + amount))
        case _:
            return _CALL
