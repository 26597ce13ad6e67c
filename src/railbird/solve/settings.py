"""Defaults and limits of the solvers of any game of two players.

`limit.settings` and `nolimit.settings` have those of strategies for hold'em.
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
"""The largest gap that can be asked for, by unit: a player who always folds already does better.

Folding at once loses the pot; folding every hand of limit hold'em loses 750 thousandths of a small
bet; in a small game it loses an ante, in push/fold at most a big blind or all prizes of a table.
"""

_LEAST_GOAL: Final = {PERCENT: 1e-9, MB: 1e-9, "": 1e-12}
"""The smallest gap that can be asked for, by unit: rounding hides smaller ones."""

SNAPSHOTS: Final = (1_000, 4_000, 10_000, 100_000)
"""Iterations of the sampled solver after which the source shows its charts."""

MOST_SEATS: Final = 9
"""The most seats in push/fold at a table."""

MOST_AT_TABLE: Final = 10_000.0
"""Largest stack at a table in big blinds. Chips that nobody can call matter only for prizes."""

MOST_IN: Final = 3
"""The most players all-in in one hand; after that everybody folds."""

TABLE_ITERATIONS: Final = 10_000
TABLE_TOLERANCE: Final = 2e-6
"""Largest gain of a best response at which the solver of a table stops, as a share of all prizes or
chips: two ten-thousandths of a big blind with 90 big blinds on the table."""

FUTURE_TOLERANCE: Final = 2e-5
"""The same for a hand to come. Values are then within a few times this of those solved further, and
take half the time."""

MOST_FUTURE_HANDS: Final = 5_000
"""The most hands to come that are solved: minutes with three or four seats, half an hour with more.
"""

POSTFLOP_BOARDS: Final = 1_000
"""Boards on which a strategy plays after the flop: a minute on one core."""

MOST_BOARDS: Final = 1_000_000

BOARD_GROUPS: Final = 25
"""Groups of boards, whose differences give the standard error of a game's value."""


def check_goal(name: str, value: float, unit: str = "") -> None:
    """Raise `BadInput` for a gap that every strategy reaches, or one that rounding hides.

    A spot's gap of 0 is allowed: it asks for all iterations.
    """
    zero, least, most = unit == PERCENT, _LEAST_GOAL[unit], _MOST_GOAL[unit]
    if not (least <= value <= most or (zero and value == 0)):
        said = f"{name} {value} {unit}".strip()
        or_zero = "0, for all iterations, or " * zero
        raise BadInput(f"{said}; allowed: {or_zero}{least:g} to {most:,.0f}")


SPOT_ITERATIONS: Final = 120
"""Iterations to a gap of 0.3 % on most spots: rivers take 50, turns and flops 80 to 210."""

_SPOT_POWER: Final = 0.54
_LEAST_SPOT_GAP: Final = 0.01


def spot_iterations(gap_percent: float) -> float:
    """Return about how many iterations most spots take to a gap in per cent of the pot.

    Three flops took 2.8 times as long to 0.3 % as to 2 % (``docs/spots.md``, many boards).

    >>> [round(spot_iterations(gap)) for gap in (0.1, 0.3, 1.0)]
    [217, 120, 63]
    """
    return SPOT_ITERATIONS * float((0.3 / max(gap_percent, _LEAST_SPOT_GAP)) ** _SPOT_POWER)


SPOT_SECONDS_PER_NUMBER: Final = 5e-9
"""Processor time of an iteration for each number of a spot's tree; 3.6e-9 with AVX-512."""
