"""Losses of people's push/fold decisions, each judged by its hand and stack.

Only decisions that were made are judged: what somebody would do with a class that never came is not
asked. Since classes come as cards are dealt, the mean loss of the decisions made is an unbiased
estimate of the mean loss of all that could have come, however short the list; the interval allows
for losses being rare and dear.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from railbird.assessment.pushfold.decisions import Population
from railbird.assessment.pushfold.matchup import Strategy
from railbird.assessment.settings import INDIFFERENT_BB
from railbird.errors import NothingUsable
from railbird.estimates.skewed_mean import SkewedEstimate, mean_of, skewed
from railbird.solve import COMBINATIONS, PushFoldValues, Seat, pushfold_ev

"""Losses below this come from the solver's tolerance: where it mixes, both choices are worth the
same."""
_UNIT = "bb"
_Floats = npt.NDArray[np.float64]
_Counts = npt.NDArray[np.int64]
_DEALT: _Floats = COMBINATIONS / COMBINATIONS.sum()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgedSeat:
    """The decisions of people in one seat."""

    seat: Seat
    """The people's."""
    played: _Counts
    """(169,) shoves or calls of each class."""
    hands: _Counts
    """(169,) decisions with each class."""
    expected: _Floats
    """(169,) how often the strategy plays each class at the stacks of these decisions; NaN where it
    never came."""
    lost: _Floats
    """(169,) big blinds given up with each class, all its decisions together."""
    mistakes: int
    """Decisions that gave something up."""
    given_up: SkewedEstimate
    """Big blinds given up by a decision."""
    win: SkewedEstimate
    """Winnings of the strategy per hand against them, in the other seat."""

    @property
    def decisions(self) -> int:
        """Number of decisions."""
        return int(self.hands.sum())

    @property
    def frequency(self) -> _Floats:
        """(169,) how often the people play each class; NaN where it never came."""
        return np.where(self.hands > 0, self.played / np.maximum(self.hands, 1), np.nan)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgedDecisions:
    """People's decisions against a strategy."""

    small_blind: JudgedSeat
    """The people's shoves and folds."""
    big_blind: JudgedSeat
    """Their calls and folds."""
    mean: SkewedEstimate
    """Winnings of the strategy per hand against them, averaged over the seats."""

    @property
    def decisions(self) -> int:
        """Number of decisions."""
        return self.small_blind.decisions + self.big_blind.decisions


class Choices(NamedTuple):
    """Losses of both choices of a seat at a stack."""

    fold: _Floats
    """(169,) big blinds that a fold of each class gives up; the better choice gives up nothing."""
    play: _Floats
    """(169,) the same of a shove or a call."""
    asked: _Floats
    """(169,) probability that a class comes and its owner is asked."""
    frequency: _Floats
    """(169,) how often the strategy itself plays each class."""
    least: float
    """Winnings of the strategy per hand against people who lose nothing."""


def judge_decisions(
    by_stack: Mapping[float, Population],
    strategies: Mapping[float, Strategy],
    *,
    ante: float = 0.0,
) -> JudgedDecisions:
    """Judge decisions at each stack against the strategy for that stack.

    Classes must have come as cards are dealt; of a list of hands that somebody picked only the
    counts by class mean anything. Raises `NothingUsable` where there is no decision, and
    `BadInput` as `pushfold_ev` does.
    """
    if not any(population.decisions for population in by_stack.values()):
        raise NothingUsable("no decision that counts")
    values = {
        stack: pushfold_ev(strategy.push, strategy.call, stack=stack, ante=ante)
        for stack, strategy in strategies.items()
        if stack in by_stack
    }
    seats = {
        seat: _judge_seat(
            seat,
            {stack: population.counts(seat) for stack, population in by_stack.items()},
            {stack: choices(seat, strategies[stack], values[stack]) for stack in by_stack},
        )
        for seat in Seat
    }
    return JudgedDecisions(
        small_blind=seats[Seat.SMALL_BLIND],
        big_blind=seats[Seat.BIG_BLIND],
        mean=mean_of(judged.win for judged in seats.values()),
    )


def choices(seat: Seat, strategy: Strategy, values: PushFoldValues) -> Choices:
    """Return what people's choices lose against the strategy in the other seat."""
    if seat is Seat.SMALL_BLIND:
        fold, play, asked = np.full(len(_DEALT), values.fold_ev_sb), values.push_ev, _DEALT
        walks, frequency = 0.0, strategy.push
    else:
        fold, play = np.full(len(_DEALT), values.fold_ev_bb), values.call_ev
        asked, frequency = _DEALT * values.facing, strategy.call
        walks = -values.fold_ev_sb * float(_DEALT @ (1 - values.facing))
    best = np.maximum(fold, play)
    return Choices(
        fold=_forgiven(best - fold),
        play=_forgiven(best - play),
        asked=asked,
        frequency=frequency,
        least=-walks - float(asked @ best),
    )


def _forgiven(loss: _Floats) -> _Floats:
    return np.where(loss > INDIFFERENT_BB, loss, 0.0)


def _judge_seat(
    seat: Seat,
    counts: Mapping[float, tuple[_Counts, _Counts]],
    choices: Mapping[float, Choices],
) -> JudgedSeat:
    played = np.array([counts[stack][0] for stack in counts])
    hands = np.array([counts[stack][1] for stack in counts])
    at = [choices[stack] for stack in counts]
    losses = np.array([[here.fold, here.play] for here in at])
    times = np.stack([hands - played, played], axis=1)
    # A loss comes about as often as its seat is asked: the big blind only after a shove.
    share = np.array([here.asked.sum() for here in at])
    weights = hands.sum(axis=1) / max(hands.sum(), 1)
    wrong = np.array([here.asked @ (here.fold + here.play) for here in at])
    by_decision = skewed(
        losses.ravel(),
        times.ravel(),
        unknown=float(weights @ (wrong / np.maximum(share, np.finfo(float).tiny))),
        unit=_UNIT,
    )
    by_hand = skewed(
        (share[:, None, None] * losses).ravel(),
        times.ravel(),
        unknown=float(weights @ wrong),
        unit=_UNIT,
    )
    total = hands.sum(axis=0)
    expected = np.array([here.frequency for here in at])
    return JudgedSeat(
        seat=seat,
        played=played.sum(axis=0),
        hands=total,
        expected=np.where(total > 0, (hands * expected).sum(axis=0) / np.maximum(total, 1), np.nan),
        lost=(times * losses).sum(axis=(0, 1)),
        mistakes=int(times[losses > 0].sum()),
        given_up=by_decision,
        win=by_hand.scaled(1.0, float(weights @ [here.least for here in at])),
    )
