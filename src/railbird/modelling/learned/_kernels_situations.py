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


@inline_kernel
def later_row(street: int, bets: int, opponents: int, is_in: bool) -> int:
    """Return the row of a situation; ``street`` is 1 on the flop."""
    row = (street - 1) * BETS + min(bets, BETS - 1)
    row = row * OPPONENTS + min(opponents, OPPONENTS) - 1
    return row * IN + (1 if is_in else 0)


@inline_kernel
def class_of(strength: float, gain: float) -> int:
    """Return the class of a holding by its strength and the mean gain of strength by a card."""
    potential = gain / max(1.0 - strength, 1e-9)
    level = min(int((strength + gain) * LEVELS), LEVELS - 1)
    kind = 0
    for least in POTENTIALS:
        if potential >= least:
            kind += 1
    return level * (len(POTENTIALS) + 1) + kind
