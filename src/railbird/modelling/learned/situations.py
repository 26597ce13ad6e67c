"""Situations and strength classes by which learned probabilities of actions are tabulated.

A situation is everything public on which a table's row depends, a strength class everything about
the holding. Both are integers, so that kernels can index by them.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.cards import CLASS_OF_HOLDING, HOLDINGS, Card
from railbird.game import HandState, Street
from railbird.modelling.board_ranking import board_values
from railbird.modelling.income_rates import income_rates
from railbird.modelling.learned._kernels_situations import (
    BEHIND,
    BETS,
    ENTERED,
    GROUPS,
    IN,
    LEVELS,
    ODDS,
    OPPONENTS,
    POTENTIALS,
    PREFLOP_BETS,
    ROLES,
)
from railbird.units import Seat

Classes = NDArray[np.int64]
"""(1326,) strength class of each holding."""


class Situation(NamedTuple):
    """What a row of a table depends on."""

    street: Street
    row: int
    """Row of the table before the flop, or of the one after it."""
    group: int
    """Group of opponents by which hands are ranked before the flop: 1, 2 to 3, 4 or more."""
    fact: int
    """Further facts from the flop on, a column of `ActionModel.facts`."""


@lru_cache(maxsize=1 << 10)
def situation_of(state: HandState, raised: int = 0) -> Situation:
    """Return the situation of the player to act.

    ``raised`` is a mask of the seats that bet or raised on the street before.

    Before the flop: bets to call (0 to 3 or more), whether the player is in by choice, has posted a
    blind or neither, the others who are in by choice (0 to 3 or more), and the group of opponents.
    Later: street, bets to call (0, 1, 2 or more), opponents (1, 2, 3 or more), and whether the
    player has called or bet on this street; and as further facts whether the player, and whether
    somebody else who is still in, bet or raised on the street before, the pot odds of a call (none,
    or by `ODDS`) and the others who are still to act on this street (0, 1, 2 or more).
    """
    rules, street, seat = state.rules, state.street, state.actor
    assert seat is not None
    put_in, in_hand = state.street_bets, state.in_hand
    bets = -(-state.to_call // rules.bet_sizes[street])
    opponents = len(in_hand) - 1
    group = 0 if opponents <= 1 else 1 if opponents <= 3 else 2
    if street is not Street.PREFLOP:
        row = _later_row(street, bets, opponents, put_in[seat] > 0)
        return Situation(street, row, group, _fact_of(state, raised, seat))
    blinds = rules.blinds
    role = 2 if put_in[seat] > blinds[seat] else 1 if blinds[seat] > 0 else 0
    entered = sum(put_in[other] > blinds[other] for other in in_hand if other != seat)
    row = (min(bets, PREFLOP_BETS - 1) * ROLES + role) * ENTERED + min(entered, ENTERED - 1)
    return Situation(street, row * GROUPS + group, group, 0)


def _fact_of(state: HandState, raised: int, seat: Seat) -> int:
    """Return the kind of further facts, as `_kernels_situations` does."""
    others = [other for other in state.in_hand if other != seat]
    kind = 2 * (raised >> seat & 1) + any(raised >> other & 1 for other in others)
    price = bisect_right(ODDS, state.to_call / (state.pot + state.to_call))
    behind = len(state.pending) - 1
    return (kind * (len(ODDS) + 1) + price) * BEHIND + min(behind, BEHIND - 1)


def _later_row(street: int, bets: int, opponents: int, is_in: bool) -> int:
    """Return the row of a situation from the flop on, as `_kernels_situations` does."""
    row = (street - 1) * BETS + min(bets, BETS - 1)
    row = row * OPPONENTS + min(opponents, OPPONENTS) - 1
    return row * IN + is_in


@cache
def preflop_classes(group: int) -> Classes:
    """Return the strength classes before the flop, by the rank of the income rate."""
    rates = income_rates((1, 3, 6)[group])[CLASS_OF_HOLDING]
    ascending = np.sort(rates)
    below = np.searchsorted(ascending, rates, "left") + np.searchsorted(ascending, rates, "right")
    return _frozen(np.minimum(below * LEVELS // (2 * HOLDINGS), LEVELS - 1))


@lru_cache(maxsize=1 << 12)
def later_classes(board: tuple[Card, ...]) -> Classes:
    """Return the strength classes on a board in ascending order."""
    values = board_values(board)
    levels = np.minimum((values.ehs * LEVELS).astype(np.int64), LEVELS - 1)
    potentials = np.searchsorted(POTENTIALS, values.potential, "right")
    return _frozen(levels * (len(POTENTIALS) + 1) + potentials)


def classes_of(situation: Situation, board: tuple[Card, ...]) -> Classes:
    """Return the strength classes in a situation; the board is in ascending order."""
    if situation.street is Street.PREFLOP:
        return preflop_classes(situation.group)
    return later_classes(board)


def _frozen(classes: Classes) -> Classes:
    classes.flags.writeable = False
    return classes
