"""Sizes and defaults of equilibria of heads-up limit.

`railbird.solve.nolimit.settings` has those of heads-up no-limit.
"""

from __future__ import annotations

from typing import Final

SIZES: Final = {"blind": (1, 1, 1, 1), "small": (5, 5, 5, 5)}
"""Percentile buckets by street; ``blind`` does not use its cards."""

GAP_MB: Final = 1.0
"""Gain of a best response in the abstraction at which the solver stops, in thousandths of a small
bet a game."""

MOST_ITERATIONS: Final = 10_000
"""The most iterations of CFR+."""

MOST_DEALS: Final = 100_000_000
"""The most deals of external sampling: a quarter of an hour on one core."""

DEALS_A_STEP: Final = 10_000
"""Deals of external sampling between two checks of the clock."""

CHECKPOINT_SECONDS: Final = 60.0
"""Time between two writes of a solver's tables, which have 150 MB for the size small."""

FIRST_CHECK: Final = 16
CHECK_GROWTH: Final = 1.15
"""The gap is computed after `FIRST_CHECK` iterations, and then whenever the iterations have grown
by this factor. Computing it takes as long as one iteration of CFR+."""

TREMBLE: Final = 0.005
"""Probability spread over all actions to get values where play never goes.

With much less, products over a hand's decisions would vanish in single precision.
"""

BOARDS_A_BATCH: Final = 4
"""Boards of public chance sampling that see the same strategy and keep as many cores busy."""

SAMPLED_BOARDS: Final = 200_000
"""Boards dealt by default: half an hour on two cores for the size medium."""

FIRST_KEPT_BOARDS: Final = 16_384
"""Boards after which the strategy is first kept; it is kept again at every doubling."""

SAMPLED_CHECKPOINT_SECONDS: Final = 300.0
"""Time between two writes of the tables, which have 670 MB for the size medium."""

TRUSTED: Final = 10.0
"""Observations at which a data-biased response fully trusts a decision's frequencies; with fewer,
in proportion (Johanson and Bowling 2009, the rule 0-10 linear)."""

RESPONSE_PART: Final = 0.9
"""The share p of hands in which a response's opponent plays as observed."""

RESPONSE_CURVE: Final = (0.0, 0.5, 0.75, 0.9, 0.95, 1.0)
"""The values of p of a curve of gain against exposure."""

FIRST_LOOK: Final = 16
"""Iterations after which the gap of a response is first computed."""

SUBGAME_GAP: Final = {4: 0.5, 5: 0.05}
"""By cards on the board, the gap in per cent of the pot to which the rest of a hand is solved while
playing: it takes some two seconds on the turn, and some hundredths of one on the river."""
SUBGAME_ITERATIONS: Final = 200
"""The most iterations of such a solution."""
