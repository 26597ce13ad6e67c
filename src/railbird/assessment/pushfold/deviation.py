"""Losses of a complete push/fold strategy: against the equilibrium, and in the worst case."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from railbird.assessment.pushfold.judged_decisions import choices
from railbird.assessment.pushfold.matchup import Strategy
from railbird.solve import (
    PushFoldSolution,
    Seat,
    best_response_call,
    best_response_push,
    pushfold_ev,
    share,
)

_Floats = npt.NDArray[np.float64]
_EQUAL = 5e-3
"""Frequencies closer than this are the same; the equilibrium's are known to three digits."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeatDeviation:
    """A range of one seat beside the equilibrium's, in big blinds a hand."""

    seat: Seat
    frequency: _Floats
    """(169,) how often each class is played."""
    equilibrium: _Floats
    """(169,) how often the equilibrium plays it."""
    value: float
    """Earnings of the range against the equilibrium in the other seat."""
    given_up: float
    """Loss compared with the equilibrium's earnings."""
    worst: float
    """Loss compared with the equilibrium against a best response to the range."""
    lost: _Floats
    """(169,) what each class contributes to ``given_up``."""

    @property
    def share(self) -> float:
        """Share of the 1,326 holdings that are played."""
        return share(self.frequency)

    @property
    def differs(self) -> npt.NDArray[np.intp]:
        """Classes played otherwise than in equilibrium, the most costly first."""
        different = np.flatnonzero(np.abs(self.frequency - self.equilibrium) > _EQUAL)
        order: npt.NDArray[np.intp] = different[np.argsort(-self.lost[different], kind="stable")]
        return order


def deviations(own: Strategy, equilibrium: PushFoldSolution) -> tuple[SeatDeviation, SeatDeviation]:
    """Compare both seats' ranges with the equilibrium for the same stakes, small blind first.

    Raises `BadInput` for frequencies outside 0 to 1.
    """
    stakes = {"stack": equilibrium.game.stack, "ante": equilibrium.game.ante}
    solved = Strategy(equilibrium.push, equilibrium.call)
    values = pushfold_ev(solved.push, solved.call, **stakes)
    answers = {
        Seat.SMALL_BLIND: pushfold_ev(own.push, best_response_call(own.push, **stakes), **stakes),
        Seat.BIG_BLIND: pushfold_ev(best_response_push(own.call, **stakes), own.call, **stakes),
    }
    by_seat = []
    for seat in Seat:
        small = seat is Seat.SMALL_BLIND
        frequency = own.push if small else own.call
        given = choices(seat, solved, values)
        lost = given.asked * (frequency * given.play + (1 - frequency) * given.fold)
        par = values.sb_value if small else values.bb_value
        worst = answers[seat].sb_value if small else answers[seat].bb_value
        by_seat.append(
            SeatDeviation(
                seat=seat,
                frequency=frequency,
                equilibrium=given.frequency,
                value=par - float(lost.sum()),
                given_up=float(lost.sum()),
                worst=par - worst,
                lost=lost,
            )
        )
    return by_seat[0], by_seat[1]
