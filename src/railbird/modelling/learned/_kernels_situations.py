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
