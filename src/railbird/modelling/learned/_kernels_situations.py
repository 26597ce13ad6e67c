"""Rows and strength classes from the flop on, in the form that kernels use."""

from __future__ import annotations

from typing import Final

from railbird._jit import inline_kernel

LEVELS: Final = 24
"""Classes of EHS'."""
POTENTIALS: Final = (0.06, 0.12, 0.20)
"""Lower ends of the classes of crude potential but the first, which divide those of EHS'."""
BETS, OPPONENTS, IN = 3, 3, 2
"""Sizes of a row's parts: bets to call, opponents, and whether the player has bet or called."""
PREFLOP_BETS, ROLES, ENTERED, GROUPS = 4, 3, 4, 3
"""The same before the flop: bets to call, what the player has put in, others who are in by choice,
and groups of opponents."""
PREFLOP_ROWS: Final = PREFLOP_BETS * ROLES * ENTERED * GROUPS
PREFLOP_CLASSES: Final = LEVELS
LATER_ROWS: Final = 3 * BETS * OPPONENTS * IN
LATER_CLASSES: Final = LEVELS * (len(POTENTIALS) + 1)

CELLS: Final = 3 * BETS * IN
"""Rows from the flop on, by whatever number of opponents."""
ODDS: Final = (1e-9, 0.08, 0.12, 0.17, 0.23, 0.3)
"""Lower ends of the classes of pot odds but the first, in which a call costs nothing."""
BEHIND: Final = 3
"""Classes of the others who are still to act on a street: none, one, more."""
FACTS: Final = 2 * 2 * (len(ODDS) + 1) * BEHIND
"""Kinds of further facts; see `fact_of`."""


@inline_kernel
def cell_of(row: int) -> int:
    """Return a row's cell in tables of facts."""
    return row // (OPPONENTS * IN) * IN + row % IN


@inline_kernel
def fact_of(raised: int, seat: int, others: int, odds: float, behind: int) -> int:
    """Return the kind of further facts of a decision from the flop on.

    ``raised`` is a mask of those who bet or raised on the street before, ``others`` one of the
    opponents, and ``behind`` the number of these who are still to act.
    """
    kind = (raised >> seat & 1) * 2 + (1 if raised & others != 0 else 0)
    price = 0
    for least in ODDS:
        if odds >= least:
            price += 1
    return (kind * (len(ODDS) + 1) + price) * BEHIND + min(behind, BEHIND - 1)


@inline_kernel
def preflop_row(bets: int, role: int, entered: int, group: int) -> int:
    """Return the row of a situation before the flop; see `situations.situation_of`."""
    row = min(bets, PREFLOP_BETS - 1) * ROLES + role
    return (row * ENTERED + min(entered, ENTERED - 1)) * GROUPS + group


@inline_kernel
def later_row(street: int, bets: int, opponents: int, is_in: bool) -> int:
    """Return the row of a situation; ``street`` is 1 on the flop."""
    row = (street - 1) * BETS + min(bets, BETS - 1)
    row = row * OPPONENTS + min(opponents, OPPONENTS) - 1
    return row * IN + (1 if is_in else 0)


@inline_kernel
def class_by_values(value: float, potential: float) -> int:
    """Return the class of a holding by its EHS' and its crude potential."""
    kind = 0
    for least in POTENTIALS:
        if potential >= least:
            kind += 1
    return min(int(value * LEVELS), LEVELS - 1) * (len(POTENTIALS) + 1) + kind


@inline_kernel
def class_of(strength: float, gain: float) -> int:
    """Return the class of a holding by its strength and the mean gain of strength by a card."""
    return class_by_values(strength + gain, gain / max(1.0 - strength, 1e-9))
