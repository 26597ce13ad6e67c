"""Defaults and limits of the solvers of any game of two players.

`limit.settings` and `nolimit.settings` have those of hold'em's strategies.
"""

from __future__ import annotations

from typing import Final

from railbird.errors import BadInput

MOST_ITERATIONS: Final = 1_000_000
"""Iterations after which a solver stops, unless the caller says otherwise."""

LEAST_STACK: Final = 1.0
MOST_STACK: Final = 100.0
"""Largest stack of push/fold in big blinds."""

PERCENT: Final = "% of the pot"
MB: Final = "mb/g"
_MOST_GOAL: Final = {PERCENT: 100.0, MB: 1_000.0, "": 1.0}
"""Gaps by their unit that tell nothing from there on: whoever folds at once loses the pot, whoever
folds every hand of limit hold'em 750 thousandths of a big blind, and less than an ante of a small
game, a big blind of push/fold or all prizes of a table."""

_LEAST_GOAL: Final = {PERCENT: 1e-9, MB: 1e-9, "": 1e-12}
"""Gaps that solvers reach: rounding hides smaller ones, to which a solver would go on in vain."""

SNAPSHOTS: Final = (1_000, 4_000, 10_000, 100_000)
"""Iterations of the sampled solver after which the source shows its charts."""

MOST_SEATS: Final = 9
"""Most seats of push/fold at a table."""

MOST_AT_TABLE: Final = 10_000.0
"""Largest stack at a table in big blinds: what others cannot call is only worth prizes."""

MOST_IN: Final = 3
"""Most players all-in at once, behind whom everybody folds."""

TABLE_ITERATIONS: Final = 10_000
TABLE_TOLERANCE: Final = 2e-6
"""Largest gain of a best response at which the solver of a table stops, as a share of all prizes or
chips: with 90 big blinds on the table two ten-thousandths of one."""

FUTURE_TOLERANCE: Final = 2e-5
"""Largest gain of a best response at which a hand to come is solved, as a share of all prizes and
bounties: values are then within a few times that of those solved further, for half the time."""

MOST_FUTURE_HANDS: Final = 5_000
"""Hands to come that are solved at most: minutes with three or four seats, half an hour with more.
"""

POSTFLOP_BOARDS: Final = 1_000
"""Boards on which a strategy plays after the flop, a minute of one core."""

MOST_BOARDS: Final = 1_000_000

BOARD_GROUPS: Final = 25
"""Groups of boards from whose differences comes the standard error of a game's value."""


def check_goal(name: str, value: float, unit: str = "") -> None:
    """Raise `BadInput` for a gap that every strategy has, or that rounding hides.

    But for a spot's gap of 0, by which one asks for all iterations.
    """
    zero, least, most = unit == PERCENT, _LEAST_GOAL[unit], _MOST_GOAL[unit]
    if not (least <= value <= most or (zero and value == 0)):
        said = f"{name} {value} {unit}".strip()
        or_zero = "0, for all iterations, or " * zero
        raise BadInput(f"{said}; allowed: {or_zero}{least:g} to {most:,.0f}")


SPOT_ITERATIONS: Final = 120
"""That a gap of 0.3 % takes on most spots: 50 on rivers, 80 to 210 on turns and flops."""

SPOT_SECONDS_PER_NUMBER: Final = 5e-9
"""Of processor time for an iteration, for each number of a spot's tree; with AVX-512 3.6e-9."""
