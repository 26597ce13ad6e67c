"""Actions as everybody at the table sees them, and what they cost."""

from __future__ import annotations

from typing import NamedTuple

from railbird.game import Act, Call, Fold, HandState, Raise, Street
from railbird.modelling.frequencies import ActionKind


class ObservedAction(NamedTuple):
    """An action in its context, for all who saw it."""

    before: HandState
    """What a spectator saw before it."""
    act: Act
    street: Street
    bets: int
    """To call; half a blind is one."""
    habit: ActionKind


class _Last:
    deed: ObservedAction | None = None


def deed_of(before: HandState, act: Act) -> ObservedAction:
    """Read an action and the public state in which it was done.

    Everybody at a table hears of it before the next one, and so the last deed is kept.
    """
    last = _Last.deed
    if last is None or last.before is not before or last.act is not act:
        street = before.street
        bets = -(-before.to_call // before.rules.bet_sizes[street])
        last = _Last.deed = ObservedAction(before, act, street, bets, _habit(act))
    return last


def _habit(act: Act) -> ActionKind:
    match act.action:
        case Fold():
            return ActionKind.FOLD
        case Call():
            return ActionKind.CALL
        case Raise():
            return ActionKind.RAISE


def pot_odds(deed: ObservedAction) -> float:
    """Share of the pot that an action paid; 1 where nothing is drawn to.

    That is on the river, and before the flop, where hands are ranked otherwise.
    """
    if deed.street is Street.RIVER or deed.street is Street.PREFLOP:
        return 1.0
    state = deed.before
    size = state.rules.bet_sizes[deed.street]
    paid = state.to_call + (size if deed.habit is ActionKind.RAISE else 0)
    return round(paid / (state.pot + paid), 2)
