"""Heads-up decisions between all-in and fold, valued against the equilibrium.

They need the player's own cards only, and what a decision costs is exact: no sample, no baseline.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from railbird.assessment.own_play.settings import MOST_SOLVED_BB
from railbird.assessment.pushfold.judged_decisions import Choices, choices
from railbird.assessment.pushfold.matchup import Strategy
from railbird.cards import CLASS_OF_HOLDING, Holding
from railbird.game import Action, Betting, Call, Fold, HandState, Raise, Street
from railbird.players.pushfold import charts
from railbird.solve import LEAST_STACK, Seat, pushfold_ev

_STEP = 0.5
"""Big blinds to which stacks are rounded, as `railbird.players.pushfold` does."""


class Solved(NamedTuple):
    """The equilibrium's answer to a decision."""

    best: str
    """``all-in``, ``call`` or ``fold``."""
    frequency: float
    """How often the equilibrium plays the hand rather than folding it."""
    cost: float
    """Big blinds that the decision gave up; 0 where both choices are worth the same."""


def solved(state: HandState, holding: Holding, action: Action) -> Solved | None:
    """Judge a decision by the push/fold equilibrium; None where it has no answer.

    It has one for two players with blinds of one to two, no antes and at most `MOST_SOLVED_BB` big
    blinds: for the first decision before the flop if that is a fold or all-in, and for the answer
    to an all-in.
    """
    rules = state.rules
    seat = state.actor
    if seat is None or rules.betting is not Betting.NO_LIMIT or rules.seats != 2:
        return None
    small, big = sorted(rules.blinds)
    if any(rules.antes) or rules.rake is not None or state.street is not Street.PREFLOP:
        return None
    if rules.stacks is None or 2 * small != big:
        return None
    stack = min(rules.stacks) / big
    if not LEAST_STACK <= stack <= MOST_SOLVED_BB:
        return None
    if state.raises == 0 and rules.blinds[seat] == small:
        place = Seat.SMALL_BLIND
        plays = isinstance(action, Raise) and action.to >= min(rules.stacks)
    elif state.raises == 1 and state.bet >= min(rules.stacks):
        place = Seat.BIG_BLIND
        plays = isinstance(action, Call)
        if rules.blinds[seat] != big:
            return None
    else:
        return None
    if not plays and not isinstance(action, Fold):
        return None
    values = _choices(place, round(stack / _STEP) * _STEP)
    hand = CLASS_OF_HOLDING[holding]
    frequency = min(1.0, max(0.0, float(values.frequency[hand])))
    play = "all-in" if place is Seat.SMALL_BLIND else "call"
    better = values.fold[hand] > values.play[hand]
    if values.fold[hand] == values.play[hand]:
        better = frequency >= 1 / 2
    cost = values.play[hand] if plays else values.fold[hand]
    return Solved(play if better else "fold", frequency, float(cost))


@lru_cache(maxsize=64)
def _choices(seat: Seat, stack: float) -> Choices:
    strategy = Strategy(*charts(stack))
    return choices(seat, strategy, pushfold_ev(*strategy, stack=stack))
