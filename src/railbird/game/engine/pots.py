"""The main pot and the side pots of a hand."""

from __future__ import annotations

from typing import NamedTuple

from railbird._arguments import checked
from railbird.game.engine import _kernels_pots
from railbird.game.engine.state import HandState
from railbird.units import Chips, Seat


class Pot(NamedTuple):
    """The main pot or a side pot."""

    amount: Chips
    seats: tuple[Seat, ...]
    """Seats that can win it; a single seat gets back an uncalled bet."""


@checked
def pots(state: HandState) -> tuple[Pot, ...]:
    """Return the pots if the betting ended now, the main pot first.

    Every seat that is all-in for less than others have put in ends a pot.

    >>> from railbird.game import DealHoles, initial, no_limit_holdem, step
    >>> rules = no_limit_holdem(3, blinds=(50, 100), stack=(1000, 60, 1000))
    >>> pots(step(initial(rules), DealHoles((None,) * 3)))
    (Pot(amount=100, seats=(0, 1)), Pot(amount=10, seats=(1,)))
    """
    vector = state._vector
    levels = {seat: _kernels_pots.level_of(vector, seat) for seat in state.in_hand}
    steps = sorted(set(levels.values()))
    shared = 0
    result: list[Pot] = []
    for level in steps:
        up_to = state.pot if level == steps[-1] else _kernels_pots.chips_below(vector, level)
        if up_to > shared:
            seats = tuple([seat for seat, reach in levels.items() if reach >= level])
            result.append(Pot(Chips(up_to - shared), seats))
        shared = up_to
    return tuple(result)
