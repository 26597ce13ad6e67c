"""Legal actions of the seat to act, and reasons in words for refusing others."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from operator import index
from typing import Any

from railbird._arguments import explained
from railbird.errors import BadInput
from railbird.game.actions import Action, Call, Fold, Raise
from railbird.game.engine import _kernels_betting
from railbird.game.engine import _kernels_layout as at
from railbird.game.engine.state import HandState, Phase
from railbird.game.rules import Street
from railbird.units import Chips, Seat

_STREETS = tuple(Street)
_DASH = "\N{EN DASH}"


@dataclass(slots=True, unsafe_hash=True)
class Legal:
    """The legal actions of the seat to act; calling (or checking) is always one.

    Not frozen, since that triples the cost of construction; every call of `legal` makes a new one.
    """

    seat: Seat
    street: Street
    to_call: Chips
    """Cost of a call; 0 for a check."""
    min_raise_to: Chips | None
    """The smallest bet or raise, as the street's total; None if none is allowed."""
    max_raise_to: Chips | None
    fold: bool

    def __contains__(self, action: Action) -> bool:
        match action:
            case Fold():
                return self.fold
            case Call():
                return True
            case Raise(to):
                low, high = self.min_raise_to, self.max_raise_to
                return low is not None and high is not None and low <= to <= high

    def actions(self) -> tuple[Action, ...]:
        """Return the allowed ones of: fold, call, the smallest raise, the largest raise."""
        sizes = {size for size in (self.min_raise_to, self.max_raise_to) if size is not None}
        fold = (Fold(),) if self.fold else ()
        return (*fold, Call(), *map(Raise, sorted(sizes)))


class Reason(IntEnum):
    """Reason for refusing an action."""

    NOBODY_TO_ACT = at.NOBODY_TO_ACT
    NOTHING_TO_FOLD_TO = at.NOTHING_TO_FOLD_TO
    CAPPED = at.CAPPED
    COVERED = at.COVERED
    NOBODY_TO_CALL = at.NOBODY_TO_CALL
    NOT_REOPENED = at.NOT_REOPENED
    TOO_SMALL = at.TOO_SMALL
    TOO_LARGE = at.TOO_LARGE


@dataclass(frozen=True, slots=True)
class Refusal:
    """Refusal of an action by the rules; ``str`` gives one line."""

    reason: Reason
    message: str

    def __str__(self) -> str:
        return self.message


def legal(state: HandState) -> Legal:
    """Return the legal actions of the seat to act. Raises `BadInput` if no seat is to act.

    >>> from railbird.game import HEADS_UP_LIMIT, DealHoles, initial, step
    >>> state = step(initial(HEADS_UP_LIMIT), DealHoles((None, None)))
    >>> legal(state).actions()
    (Fold(), Call(), Raise(to=20))
    """
    try:
        header: list[Any] = state._vector[: at.LEGAL].tolist()
    except Exception as problem:
        raise explained(problem, legal, state) from None
    if header[at.PHASE] != at.BETTING_ROUND:
        raise BadInput(_nobody_to_act(state))
    to_call = header[at.TO_CALL]
    raises = header[at.NO_RAISE] == 0
    return Legal(
        header[at.ACTOR],
        _STREETS[header[at.STREET]],
        to_call,
        header[at.LOW_TO] if raises else None,
        header[at.HIGH_TO] if raises else None,
        to_call > 0 or header[at.OPEN_FOLDS] == 1,
    )


def refusal(state: HandState, action: Action) -> Refusal | None:
    """Return why the seat to act may not do this; None if it may.

    >>> from railbird.game import HEADS_UP_NO_LIMIT, DealHoles, initial, step
    >>> state = step(initial(HEADS_UP_NO_LIMIT), DealHoles((None, None)))
    >>> print(refusal(state, Raise(150)))
    seat 1 cannot raise to 150: legal 200–20000 (preflop)
    """
    try:
        code = _kernels_betting.why_not(state._vector, code_of(action))
    except Exception as problem:
        raise explained(problem, refusal, state, action) from None
    if code == 0:
        return None
    reason = Reason(code)
    if reason is Reason.NOBODY_TO_ACT:
        return Refusal(reason, _nobody_to_act(state))
    what = f"raise to {action.to}" if isinstance(action, Raise) else "fold"
    where = state.street.name.lower()
    return Refusal(reason, f"seat {state.actor} cannot {what}: {_why(state, reason)} ({where})")


def code_of(action: Action) -> int:
    """Return an action's code in the kernels. Raises `TypeError` for other objects."""
    if isinstance(action, Call):
        return at.CALL
    if isinstance(action, Raise):
        to = index(action.to)
        return min(to, at.BEYOND) if to > 0 else at.BELOW
    if isinstance(action, Fold):
        return at.FOLD
    raise TypeError(f"{action!r} is not an action")


def _nobody_to_act(state: HandState) -> str:
    match state.phase:
        case Phase.DEAL_HOLES:
            return "nobody is to act: the cards are not dealt"
        case Phase.DEAL_BOARD:
            street = Street(state.street + 1).name.lower()
            return f"nobody is to act: the {street} is not dealt"
        case _:
            return "nobody is to act: the betting is over"


def _why(state: HandState, reason: Reason) -> str:
    match reason:
        case Reason.NOTHING_TO_FOLD_TO:
            return "checking is free"
        case Reason.CAPPED:
            return f"no more than {state.raises} bets and raises are allowed"
        case Reason.COVERED:
            return f"it has {state._vector.item(at.TO_CALL)} chips left and {state.bet} to match"
        case Reason.NOBODY_TO_CALL:
            return "nobody is left to call"
        case Reason.NOT_REOPENED:
            return "a short all-in does not reopen the betting"
        case _:
            low, high = state.min_raise_to, state.max_raise_to
            return f"legal {low}" if low == high else f"legal {low}{_DASH}{high}"
