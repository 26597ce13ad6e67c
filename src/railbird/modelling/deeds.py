"""Actions as habits are counted, and what they cost."""

from __future__ import annotations

from typing import NamedTuple

from railbird.game import Act, Call, Fold, HandState, Raise, Street
from railbird.modelling.frequencies import Habit


class Deed(NamedTuple):
    """An action in its context; plain, as everybody at a table makes one of every action."""

    street: Street
    bets: int
    """To call; half a blind is one."""
    habit: Habit


def deed_of(before: HandState, act: Act) -> Deed:
    """Read an action and the state in which it was done."""
    street = before.street
    return Deed(street, -(-before.to_call // before.rules.bet_sizes[street]), _habit(act))


def _habit(act: Act) -> Habit:
    match act.action:
        case Fold():
            return Habit.FOLD
        case Call():
            return Habit.CALL
        case Raise():
            return Habit.RAISE


def pot_odds(state: HandState, habit: Habit) -> float:
    """Share of the pot that an action paid; 1 where nothing is drawn to.

    That is on the river, and before the flop, where hands are ranked otherwise.
    """
    if state.street is Street.RIVER or state.street is Street.PREFLOP:
        return 1.0
    size = state.rules.bet_sizes[state.street]
    paid = state.to_call + (size if habit is Habit.RAISE else 0)
    return round(paid / (state.pot + paid), 2)
