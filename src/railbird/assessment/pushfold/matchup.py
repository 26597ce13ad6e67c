"""Two complete strategies of push/fold against each other, valued exactly.

One is judged, the other is that of an opponent; each has frequencies for all 169 classes in both
seats (Chin and Lopez 2023, section 3).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from railbird.solve import (
    PushFoldValues,
    Seat,
    best_response_call,
    best_response_push,
    pushfold_ev,
)

_Frequencies = npt.NDArray[np.float64]


class Strategy(NamedTuple):
    """Frequency of playing each class in each seat."""

    push: _Frequencies
    """(169,) how often the small blind shoves."""
    call: _Frequencies
    """(169,) how often the big blind calls."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Matchup:
    """A strategy against an opponent's, all in big blinds a hand."""

    own: Strategy
    opponent: Strategy
    small_blind: float
    """Winnings of the strategy as the small blind against the opponent's calls."""
    big_blind: float
    """Winnings of the strategy as the big blind against the opponent's shoves."""
    best: Strategy
    """The best response to the opponent; a hand that earns as much either way folds."""
    best_small_blind: float
    """Winnings of the best response as the small blind."""
    best_big_blind: float
    against_call: PushFoldValues
    """The strategy's shoves and the opponent's calls, valued against each other."""
    against_push: PushFoldValues
    """The opponent's shoves and the strategy's calls."""

    @property
    def mean(self) -> float:
        """Winnings of the strategy, averaged over the seats."""
        return (self.small_blind + self.big_blind) / 2

    @property
    def gain(self) -> float:
        """Additional winnings of the best response, averaged over the seats."""
        return (self.best_small_blind + self.best_big_blind) / 2 - self.mean

    def opposite_is_better(self, seat: Seat) -> npt.NDArray[np.bool_]:
        """(169,) where playing 1 - f instead of f would earn the strategy more."""
        if seat is Seat.SMALL_BLIND:
            values = self.against_call
            return _opposite(self.own.push, values.push_ev - values.fold_ev_sb)
        values = self.against_push
        return _opposite(self.own.call, values.call_ev - values.fold_ev_bb)

    def hand_values(self, seat: Seat) -> _Frequencies:
        """(169,) what the strategy wins with each class, walks of the big blind included."""
        if seat is Seat.SMALL_BLIND:
            return _small_blind(self.own.push, self.against_call)
        return _big_blind(self.own.call, self.against_push)

    def opponent_values(self, seat: Seat) -> _Frequencies:
        """(169,) what the opponent wins with each class in a seat of his."""
        if seat is Seat.SMALL_BLIND:
            return _small_blind(self.opponent.push, self.against_push)
        return _big_blind(self.opponent.call, self.against_call)


def match_up(own: Strategy, opponent: Strategy, *, stack: float, ante: float = 0.0) -> Matchup:
    """Play a strategy against an opponent's. Raises `BadInput` as `pushfold_ev` does."""
    stakes = {"stack": stack, "ante": ante}
    against_call = pushfold_ev(own.push, opponent.call, **stakes)
    against_push = pushfold_ev(opponent.push, own.call, **stakes)
    best = Strategy(
        best_response_push(opponent.call, **stakes), best_response_call(opponent.push, **stakes)
    )
    return Matchup(
        own=own,
        opponent=opponent,
        small_blind=against_call.sb_value,
        big_blind=against_push.bb_value,
        best=best,
        best_small_blind=pushfold_ev(best.push, opponent.call, **stakes).sb_value,
        best_big_blind=pushfold_ev(opponent.push, best.call, **stakes).bb_value,
        against_call=against_call,
        against_push=against_push,
    )


def _opposite(frequency: _Frequencies, advantage: _Frequencies) -> npt.NDArray[np.bool_]:
    better: npt.NDArray[np.bool_] = (1 - 2 * frequency) * advantage > 0
    return better


def _small_blind(push: _Frequencies, values: PushFoldValues) -> _Frequencies:
    """(169,) value of the small blind's classes."""
    return push * values.push_ev + (1 - push) * values.fold_ev_sb


def _big_blind(call: _Frequencies, values: PushFoldValues) -> _Frequencies:
    """(169,) value of the big blind's classes: walks, folds and calls."""
    facing = call * values.call_ev + (1 - call) * values.fold_ev_bb
    walk: _Frequencies = (1 - values.facing) * -values.fold_ev_sb + values.facing * facing
    return walk
