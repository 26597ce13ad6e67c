"""Sizes and defaults of blueprints for heads-up no-limit.

`railbird.solve.limit.settings` has those of heads-up limit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class BlueprintSize:
    """What a blueprint distinguishes, and for how long it is solved."""

    menu: str
    """The bet sizes, as `railbird.solve.spot.PreflopSpot` reads them. All-in is always among them,
    since no other bet can stand for it."""
    states: tuple[int, ...]
    """Buckets by street."""
    deals: int
    """Deals of external sampling for each stack."""


SMALL_BLIND: Final = 50
BIG_BLIND: Final = 100
"""The blinds in the chips of a blueprint."""

STACKS: Final = (10, 20, 50, 100, 200)
"""Stacks in big blinds; for a stack between two of them, both strategies are mixed."""

SIZES: Final[dict[str, BlueprintSize]] = {
    "small": BlueprintSize(
        "opens = 2x, 3x, a; reraises = 3x, a; force_all_in = 0.4; flop_bets = 50%, 120%, a;"
        " flop_raises = 100%, a; turn_bets = 60%, 150%, a; turn_raises = a;"
        " river_bets = 60%, 150%, a; river_raises = a",
        (169, 500, 500, 500),
        10_000_000,
    ),
    "medium": BlueprintSize(
        "opens = 2x, 3x, a; reraises = 2.5x, 4x, a; force_all_in = 0.25;"
        " flop_bets = 33%, 75%, 150%, a; flop_raises = 75%, 150%, a;"
        " turn_bets = 50%, 100%, 200%, a; turn_raises = 100%, a;"
        " river_bets = 33%, 75%, 150%, a; river_raises = 100%, a",
        (169, 2_000, 2_000, 1_000),
        400_000_000,
    ),
}

DEALS_A_STEP: Final = 10_000
"""Deals of each stack between two checks of the clock."""

VALUE_DEALS_A_STEP: Final = 10_000
"""Deals for the turn's values between two checks of the clock."""

CHECKPOINT_SECONDS: Final = 120.0
"""Time between two writes of the tables."""

LEAST_REGRET: Final = 1_000.0
"""Big blinds a deal: an action whose regret is further below zero is followed rarely."""

REST_GAP: Final = {4: 2.0, 5: 0.3}
"""By cards on the board, the gap in per cent of the pot to which the rest of a hand is solved."""

REST_ITERATIONS: Final = {4: 60, 5: 400}
"""The most iterations of such a solution."""

TURN_SIZES: Final = (
    (8.0, {"turn_bets": "50%, 100%, a", "turn_raises": "100%, a"}),
    (float("inf"), {"turn_bets": "100%, a", "turn_raises": "100%, a"}),
)
"""The sizes with which a turn is solved, up to so many pots behind.

The blueprint's own took 4.5 s of processor time with all holdings in both ranges and 16 pots
behind, these .3 to .7 s, and the gap was smaller. Bets really made come into the tree as they are.
"""

LATER_SIZES: Final = {"river_bets": "75%", "river_raises": "a"}
"""The sizes on the river while the turn is solved. The river is solved again when it comes, with
the blueprint's sizes, so that these only value it."""

LEAST_REACH: Final = 1e-3
"""The least weight of a holding in both ranges, where the likeliest holding has 1."""
