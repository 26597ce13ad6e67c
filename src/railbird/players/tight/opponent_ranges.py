"""Ranges that the actions of a hand leave to every seat, our own included.

Before the flop a range is weights of the 169 classes, afterwards of the 1,326 holdings. Everybody
is taken to play by rules like our own, but as often as seen before (`Habits`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from railbird.cards import CLASS_OF_HOLDING, HOLDINGS
from railbird.game import Act, Action, Call, Fold, HandState, Raise, Street
from railbird.players.explanation import Reading, Stage, action_words, street_words
from railbird.players.pushfold import charts, effective_stack
from railbird.players.tight.holding_equities import ranking
from railbird.players.tight.settings import BET, FAVOURITE, PRIOR, SHORT
from railbird.players.tight.starting_hands import (
    ALL,
    Weights,
    best,
    equities_against,
    kept,
    opening,
)
from railbird.solve import COMBINATIONS
from railbird.units import Seat

_EACH = np.ones(HOLDINGS)
_VALUE = 1 / (1 + BET) / 2
_BLUFFS = BET / (1 + 2 * BET)
_BETS_EXPECTED = _VALUE / (1 - _BLUFFS)
"""How often a player of our kind bets after the flop, at our own size of bet."""


@dataclass(slots=True)
class Habit:
    """How often somebody does something, relative to a player of our kind."""

    seen: float = 0.0
    expected: float = 0.0
    """How often a player of our kind would have done it in the same places."""

    @property
    def factor(self) -> float:
        """The mean of a gamma distribution that has `PRIOR` before anything is seen."""
        return (PRIOR + self.seen) / (PRIOR + self.expected)

    def count(self, expected: float, *, happened: bool) -> None:
        """Count an occasion."""
        self.seen += happened
        self.expected += expected


@dataclass(slots=True)
class Habits:
    """What has been seen of one player."""

    raises: Habit = field(default_factory=Habit)
    """Raises before the flop."""
    bets: Habit = field(default_factory=Habit)
    """Bets and raises after it."""
    calls: Habit = field(default_factory=Habit)
    """Calls rather than folds."""


@dataclass(frozen=True, slots=True)
class SeenAction:
    """An action, and the hand before and after it."""

    act: Act
    before: HandState
    after: HandState


@dataclass(frozen=True, slots=True, eq=False)
class _Narrowing:
    """A range after an action; the words are for those who ask why."""

    seat: Seat
    action: Action
    before: HandState
    share: float
    factor: float
    left: Weights
    """(169,) of classes before the flop, (1326,) of holdings after it."""

    @property
    def stage(self) -> Stage:
        """The narrowing in words."""
        return Stage(
            what=f"{action_words(self.action, self.before)}, {street_words(self.before)}",
            weights=self.left if self.left.size == HOLDINGS else self.left[CLASS_OF_HOLDING],
            readings=(
                Reading(name="share kept", value=self.share),
                Reading(name="as often as expected, times", value=self.factor, decimals=2),
            ),
        )


class HandRanges:
    """The ranges of all seats in one hand, brought up to date by `learn`."""

    def __init__(self, habits: Sequence[Habits]) -> None:
        self.raiser: Seat | None = None
        """The last to raise before the flop."""
        self._habits = habits
        self._classes: list[Weights] = [ALL] * len(habits)
        self._holdings: dict[Seat, Weights] = {}
        self._seen: list[_Narrowing] = []
        self._against: dict[Seat, tuple[Weights, Weights]] = {}

    def classes(self, seat: Seat) -> Weights:
        """Return a seat's range before the flop, (169,)."""
        return self._classes[seat]

    def holdings(self, seat: Seat) -> Weights:
        """Return a seat's range, (1326,)."""
        if seat in self._holdings:
            return self._holdings[seat]
        weights: Weights = self._classes[seat][CLASS_OF_HOLDING]
        return weights

    def equities_against(self, seat: Seat) -> Weights:
        """Return the equity of each class (169,) against a seat's range before the flop."""
        range_ = self._classes[seat]
        known = self._against.get(seat)
        if known is None or known[0] is not range_:
            self._against[seat] = known = (range_, equities_against(range_))
        return known[1]

    def calling(self, seat: Seat, pot: float, cost: float) -> float:
        """Return the share of its range with which a seat calls a bet in a pot that includes it."""
        return min(1.0, defended(pot, cost) * self._habits[seat].calls.factor)

    def stages(self, seat: Seat) -> tuple[Stage, ...]:
        """Return how a seat's range came about, beginning at the deal."""
        dealt = Stage(what="at the deal", weights=_EACH)
        return (dealt, *(seen.stage for seen in self._seen if seen.seat == seat))

    def learn(self, seen: SeenAction, *, over: bool = False) -> None:
        """Narrow a range by an action, and count it; a fold and a check narrow nothing.

        ``over`` says that the hand is, so that ranges after the flop are of no more use.
        """
        seat, action, before = seen.act.seat, seen.act.action, seen.before
        habits = self._habits[seat]
        if before.street is Street.PREFLOP:
            expected, raising = self._raises_expected(seat, before), habits.raises
        else:
            expected, raising = _BETS_EXPECTED / (2 if before.raises else 1), habits.bets
        factor = raising.factor if isinstance(action, Raise) else habits.calls.factor
        if before.min_raise_to is not None:
            raising.count(expected, happened=isinstance(action, Raise))
        if isinstance(action, Call) and before.to_call == 0:
            return
        if not isinstance(action, Raise):
            share = self.calling(seat, before.pot, before.to_call)
            habits.calls.count(
                defended(before.pot, before.to_call), happened=isinstance(action, Call)
            )
            if isinstance(action, Fold):
                return
        elif before.street is Street.PREFLOP:
            share = min(1.0, expected * factor)
        else:
            share = min(1.0, _value_share(seen) * factor)
        share = max(share, 1 / HOLDINGS)  # somebody who acts holds something
        if before.street is Street.PREFLOP:
            had = self._classes[seat]
            chart = _chart(seen)
            self._classes[seat] = best(had, share) if chart is None else chart
            if isinstance(action, Raise):
                self.raiser = seat
        elif over:
            return
        else:
            bluffs = _bluffs(seen) if isinstance(action, Raise) else 0.0
            self._holdings[seat] = _after_flop(
                self.holdings(seat), ranking(before.board), share, bluffs
            )
        left = self._holdings.get(seat, self._classes[seat])
        self._seen.append(_Narrowing(seat, action, before, share, factor, left))

    def _raises_expected(self, seat: Seat, before: HandState) -> float:
        """Return the share of its range that a seat would raise before the flop by our rules."""
        had = self._classes[seat]
        if self.raiser is None:
            callers = [other for other in before.acted if other in before.in_hand]
            raised = opening(len(yet_to_act(before, seat)) + len(callers)) * had
        else:
            raised = (self.equities_against(self.raiser) >= FAVOURITE) * had
        # At least a holding: a share of none could not be scaled by what is seen.
        return max(float(raised @ COMBINATIONS / (had @ COMBINATIONS)), 1 / HOLDINGS)


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


def _after_flop(
    had: Weights, ranked: npt.NDArray[np.int64], share: float, bluffs: float
) -> Weights:
    """Keep the best share of a range, and so much of the rest that bluffs are a part of all."""
    value = kept(had, ranked, _EACH, share)
    rest = had - value
    weight = bluffs / (1 - bluffs) * value.sum() / max(rest.sum(), 1e-300)
    range_: Weights = value + rest * min(weight, 1.0)
    return range_


def _cost(seen: SeenAction) -> float:
    """Return what a bet or raise costs those whom it faces."""
    return float(seen.after.pot - seen.before.pot - seen.before.to_call)


def _bluffs(seen: SeenAction) -> float:
    """Return the share of bluffs that makes a call as good as a fold."""
    cost = _cost(seen)
    return cost / (seen.after.pot + cost)


def _value_share(seen: SeenAction) -> float:
    """Return the share of a range that is bet for value: half of those who would call are worse."""
    share = defended(seen.after.pot, _cost(seen)) / 2
    return share / 2 if seen.before.raises else share


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
    """Return the mean ante of the seats in big blinds, rounded as the charts are.

    The charts have antes of everybody; what the big blind posts for all is as much in the pot.
    """
    antes = state.rules.antes
    return round(sum(antes) / len(antes) / max(state.rules.blinds), 1) if antes else 0.0
