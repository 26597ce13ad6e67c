"""Ranges that the actions of a hand leave to every seat, our own included.

Before the flop a range is weights of the 169 classes, afterwards of the 1,326 holdings. Nothing is
remembered from hand to hand: everybody is taken to play by rules like our own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from railbird.cards import CLASS_OF_HOLDING, HOLDINGS
from railbird.game import Act, Action, Call, Fold, HandState, Raise, Street
from railbird.players.explanation import Stage, action_words, street_words
from railbird.players.pushfold import charts, effective_stack
from railbird.players.tight.holding_equities import ranking
from railbird.players.tight.settings import BETS, FAVOURITE, RAISES, SHORT
from railbird.players.tight.starting_hands import (
    ALL,
    Weights,
    best,
    equities_against,
    kept,
    opening,
)
from railbird.units import Seat

_EACH = np.ones(HOLDINGS)


@dataclass(frozen=True, slots=True)
class SeenAction:
    """An action, and the hand before and after it."""

    act: Act
    before: HandState
    after: HandState


class HandRanges:
    """The ranges of all seats in one hand, brought up to date by `learn`."""

    def __init__(self, seats: int) -> None:
        self.raiser: Seat | None = None
        """The last to raise before the flop."""
        self._classes: list[Weights] = [ALL] * seats
        self._holdings: dict[Seat, Weights] = {}
        self._stages: list[tuple[Seat, Stage]] = []

    def classes(self, seat: Seat) -> Weights:
        """Return a seat's range before the flop, (169,)."""
        return self._classes[seat]

    def holdings(self, seat: Seat) -> Weights:
        """Return a seat's range, (1326,)."""
        if seat in self._holdings:
            return self._holdings[seat]
        weights: Weights = self._classes[seat][CLASS_OF_HOLDING]
        return weights

    def stages(self, seat: Seat) -> tuple[Stage, ...]:
        """Return how a seat's range came about, beginning at the deal."""
        dealt = Stage(what="at the deal", weights=_EACH)
        return (dealt, *(stage for of, stage in self._stages if of == seat))

    def learn(self, seen: SeenAction) -> None:
        """Narrow a range by an action; a fold and a check tell nothing."""
        seat, action, before = seen.act.seat, seen.act.action, seen.before
        if isinstance(action, Fold) or (isinstance(action, Call) and before.to_call == 0):
            return
        if before.street is Street.PREFLOP:
            self._classes[seat] = _left(self._before_flop(seat, action, seen), self._classes[seat])
            if isinstance(action, Raise):
                self.raiser = seat
        else:
            had = self.holdings(seat)
            self._holdings[seat] = _left(_after_flop(had, action, seen), had)
        what = f"{action_words(action, before)}, {street_words(before)}"
        self._stages.append((seat, Stage(what=what, weights=self.holdings(seat))))

    def _before_flop(self, seat: Seat, action: Action, seen: SeenAction) -> Weights:
        before, _after, had = seen.before, seen.after, self._classes[seat]
        chart = _chart(seen)
        if chart is not None:
            return chart
        if isinstance(action, Call):
            return best(had, defended(before.pot, before.to_call))
        if self.raiser is None:
            callers = [other for other in before.acted if other in before.in_hand]
            return opening(len(yet_to_act(before, seat)) + len(callers)) * had
        ahead = equities_against(self._classes[self.raiser]) >= FAVOURITE
        return ahead * had


def yet_to_act(state: HandState, seat: Seat) -> list[Seat]:
    """Return the others who have not acted on this street."""
    return [other for other in state.in_hand if other not in state.acted and other != seat]


def defended(pot: float, bet: float) -> float:
    """Return the share of a range that calls a bet into a pot that includes it.

    It is the minimum defence frequency: if fewer called, betting any two cards would pay.

    >>> defended(150, 50)
    0.6666666666666666
    """
    return max(pot - bet, 0.0) / pot if pot > 0 else 1.0


def _after_flop(had: Weights, action: Action, seen: SeenAction) -> Weights:
    """Keep the best of a range, and of a bettor's rest as many bluffs as the pot odds allow."""
    before, after = seen.before, seen.after
    ranked = ranking(before.board)
    if isinstance(action, Call):
        return kept(had, ranked, _EACH, defended(before.pot, before.to_call))
    value = kept(had, ranked, _EACH, RAISES if before.raises else BETS)
    put_in = after.pot - before.pot
    cost = put_in - before.to_call
    bluffs = cost / (after.pot + cost)
    rest = had - value
    share = bluffs / (1 - bluffs) * value.sum() / max(rest.sum(), 1e-300)
    range_: Weights = value + rest * min(share, 1.0)
    return range_


def _chart(seen: SeenAction) -> Weights | None:
    """Return the equilibrium's range for all-in short and heads-up; None elsewhere."""
    before, after, seat = seen.before, seen.after, seen.act.seat
    stacks = after.stacks
    stack = effective_stack(before.rules)
    if before.rules.seats > 2 or stacks is None or stack > SHORT or stacks[seat] > 0:
        return None
    push, call = charts(stack, ante_in_blinds(before))
    return call if isinstance(seen.act.action, Call) else push


def ante_in_blinds(state: HandState) -> float:
    """Return the largest ante in big blinds, rounded as the charts are."""
    antes = state.rules.antes
    return round(max(antes) / max(state.rules.blinds), 1) if antes else 0.0


def _left(weights: Weights, had: Weights) -> Weights:
    """Return a range, or what it was where the action fits no hand of it."""
    return weights if weights.sum() > 0 else had
