"""What people do in push/fold, and what it costs them.

A population plays each of the 169 hand classes as often as its people did. It is judged against a
strategy by the exact matrix, so chance comes in only by who was asked how often: the intervals are
by bootstrap over the decisions (Chin and Lopez 2023, section 3).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from railbird.assessment.pushfold.decisions import Population, share_of
from railbird.cards import CLASSES
from railbird.errors import BadInput
from railbird.estimates.estimate import Estimate
from railbird.solve import (
    PushFoldValues,
    Seat,
    best_response_call,
    best_response_push,
    pushfold_ev,
)

RESAMPLES = 1_000
_Frequencies = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PopulationReport:
    """A strategy against a population, all in big blinds a hand."""

    stack: float
    ante: float
    population: Population
    push: _Frequencies
    """(169,) of the strategy."""
    call: _Frequencies
    sb: Estimate
    """What the strategy wins as the small blind against the population's calls."""
    bb: Estimate
    """What it wins as the big blind against the population's shoves."""
    mean: Estimate
    best_sb: float
    """What a best response to the population wins as the small blind."""
    best_bb: float
    best_push: _Frequencies
    """(169,) the shoves that exploit the population's calls most."""
    best_call: _Frequencies
    against_call: PushFoldValues
    """The strategy's shoves and the population's calls, judged against each other."""
    against_push: PushFoldValues
    """The population's shoves and the strategy's calls."""

    @property
    def gain(self) -> float:
        """What the best response wins beyond the strategy, the mean over the seats."""
        return (self.best_sb + self.best_bb) / 2 - self.mean.value

    @property
    def seats(self) -> tuple[tuple[str, Estimate, float], ...]:
        """Each seat and the mean of both: its name, the strategy's win, and a best response's."""
        return (
            ("small blind", self.sb, self.best_sb),
            ("big blind", self.bb, self.best_bb),
            ("mean", self.mean, (self.best_sb + self.best_bb) / 2),
        )

    def opposite_is_better(self, seat: Seat) -> npt.NDArray[np.bool_]:
        """(169,) where playing 1 - f instead of f would earn the strategy more."""
        if seat is Seat.SMALL_BLIND:
            return _opposite(self.push, self.against_call.push_ev - self.against_call.fold_ev_sb)
        return _opposite(self.call, self.against_push.call_ev - self.against_push.fold_ev_bb)

    def hand_values(self, seat: Seat) -> _Frequencies:
        """(169,) what the strategy wins with each class; walks of the big blind included."""
        if seat is Seat.SMALL_BLIND:
            values = self.against_call
            return self.push * values.push_ev + (1 - self.push) * values.fold_ev_sb
        return _big_blind(self.call, self.against_push)

    def people_values(self, seat: Seat) -> _Frequencies:
        """(169,) what the people win with each class against the strategy."""
        if seat is Seat.SMALL_BLIND:
            push = self.population.push
            values = self.against_push
            return push * values.push_ev + (1 - push) * values.fold_ev_sb
        return _big_blind(self.population.call, self.against_call)


def judge_population(
    population: Population,
    push: npt.ArrayLike,
    call: npt.ArrayLike,
    *,
    stack: float,
    ante: float = 0.0,
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
) -> PopulationReport:
    """Play a strategy (169,) and (169,) against a population.

    Raises `BadInput` for a population without decisions in a seat, and as `pushfold_ev` does.
    """
    if not (population.sb_hands.sum() and population.bb_hands.sum()):
        raise BadInput("no decisions in one of the seats; both are needed")
    own_push, own_call = np.asarray(push, dtype=float), np.asarray(call, dtype=float)
    stakes = {"stack": stack, "ante": ante}
    attacking = pushfold_ev(own_push, population.call, **stakes)
    defending = pushfold_ev(population.push, own_call, **stakes)
    best_push = best_response_push(population.call, **stakes)
    best_call = best_response_call(population.push, **stakes)
    sb_draws = _draws(
        population.calls,
        population.bb_hands,
        lambda theirs: pushfold_ev(own_push, theirs, **stakes).sb_value,
        rng,
        resamples,
    )
    bb_draws = _draws(
        population.shoves,
        population.sb_hands,
        lambda theirs: pushfold_ev(theirs, own_call, **stakes).bb_value,
        rng,
        resamples,
    )
    return PopulationReport(
        stack=stack,
        ante=ante,
        population=population,
        push=own_push,
        call=own_call,
        sb=Estimate(
            attacking.sb_value, float(sb_draws.std()), int(population.bb_hands.sum()), "bb"
        ),
        bb=Estimate(
            defending.bb_value, float(bb_draws.std()), int(population.sb_hands.sum()), "bb"
        ),
        mean=Estimate(
            (attacking.sb_value + defending.bb_value) / 2,
            float(((sb_draws + bb_draws) / 2).std()),
            population.decisions,
            "bb",
        ),
        best_sb=pushfold_ev(best_push, population.call, **stakes).sb_value,
        best_bb=pushfold_ev(population.push, best_call, **stakes).bb_value,
        best_push=best_push,
        best_call=best_call,
        against_call=attacking,
        against_push=defending,
    )


def _draws(
    played: npt.NDArray[np.int64],
    hands: npt.NDArray[np.int64],
    judge: Callable[[_Frequencies], float],
    rng: np.random.Generator,
    resamples: int,
) -> _Frequencies:
    """(resamples,) what the strategy wins, ``judge``, from people whose decisions are drawn anew.

    It is linear in their frequencies, so each draw costs a product.
    """
    base = judge(np.zeros(CLASSES))
    slopes = np.array([judge(row) for row in np.eye(CLASSES)]) - base
    # Decisions drawn with replacement: so many of each class, so many of these aggressive.
    cells = np.concatenate([played, hands - played])
    drawn = rng.multinomial(int(cells.sum()), cells / cells.sum(), size=resamples)
    frequencies = share_of(drawn[:, :CLASSES], drawn[:, :CLASSES] + drawn[:, CLASSES:])
    # A class that a draw leaves out keeps the frequency of all the decisions.
    absent = drawn[:, :CLASSES] + drawn[:, CLASSES:] == 0
    frequencies = np.where(absent, share_of(played, hands), frequencies)
    values: _Frequencies = base + frequencies @ slopes
    return values


def _opposite(frequency: _Frequencies, advantage: _Frequencies) -> npt.NDArray[np.bool_]:
    better: npt.NDArray[np.bool_] = (1 - 2 * frequency) * advantage > 0
    return better


def _big_blind(call: _Frequencies, values: PushFoldValues) -> _Frequencies:
    """(169,) value of the big blind's classes: walks, folds and calls."""
    facing = call * values.call_ev + (1 - call) * values.fold_ev_bb
    walk: _Frequencies = (1 - values.facing) * -values.fold_ev_sb + values.facing * facing
    return walk
