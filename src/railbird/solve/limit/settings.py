"""Sizes and defaults of equilibria of heads-up limit.

`railbird.solve.nolimit.settings` has those of heads-up no-limit.
"""

from __future__ import annotations

from typing import Final

SIZES: Final = {"blind": (1, 1, 1, 1), "small": (5, 5, 5, 5)}
"""Percentile buckets by street; ``blind`` does not look at its cards."""

GAP_MB: Final = 1.0
"""Gain of a best response in the abstraction at which the solver stops, in thousandths of a small
bet a game."""

MOST_ITERATIONS: Final = 10_000
"""Iterations of CFR+ after which it stops."""

MOST_DEALS: Final = 100_000_000
"""Deals of external sampling after which it stops: a quarter of an hour of one core."""

DEALS_A_STEP: Final = 10_000
"""Deals of external sampling between two looks at the clock."""

CHECKPOINT_SECONDS: Final = 60.0
"""Time after which a solver's tables are written, 150 MB for the size small."""

FIRST_CHECK: Final = 16
CHECK_GROWTH: Final = 1.15
"""The gap is computed after `FIRST_CHECK` iterations, and then whenever there are so many times as
many; it takes as long as one iteration of CFR+."""

TREMBLE: Final = 0.005
"""Probability spread over all actions where values are wanted that play does not reach; with much
less, the products of a hand's decisions get lost in single precision."""

BOARDS_A_BATCH: Final = 4
"""Boards of public chance sampling that see the same strategy, so that as many cores are busy."""

SAMPLED_BOARDS: Final = 200_000
"""Boards that are dealt: half an hour of two cores for the size medium."""

FIRST_KEPT_BOARDS: Final = 16_384
"""Boards after which the strategy is kept, and again whenever there are twice as many."""

SAMPLED_CHECKPOINT_SECONDS: Final = 300.0
"""Time after which tables are written, 670 MB for the size medium."""

TRUSTED: Final = 10.0
"""Observations of a decision from which a data-biased response trusts its frequencies fully; below
in proportion (Johanson and Bowling 2009, the rule 0-10 linear)."""

RESPONSE_PART: Final = 0.9
"""The part p of all hands in which a response's opponent plays as was observed."""

RESPONSE_CURVE: Final = (0.0, 0.5, 0.75, 0.9, 0.95, 1.0)
"""The parts of a curve of gain by exposure."""

FIRST_LOOK: Final = 16
"""Iterations after which the gap of a response is computed at first."""

SUBGAME_GAP: Final = {4: 0.5, 5: 0.05}
"""By cards on the board, the gap in per cent of the pot to which the rest of a hand is solved while
playing: some two seconds and some hundredths of one."""
SUBGAME_ITERATIONS: Final = 200
"""After which solving ends at the latest."""
