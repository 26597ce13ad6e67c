"""Limits of card abstractions."""

from __future__ import annotations

from typing import Final

MOST_STATES: Final = 4096
"""States of a perfect-recall abstraction on the river: two matrices of so many squared are kept."""

FLOPS_A_TASK: Final = 9
"""Flops of one task: 1,755 are 195 of these, so that an interruption costs a second or two."""

CHECKPOINT_SECONDS: Final = 20.0
"""Time after which what has been counted is written to disk."""

MOST_BUCKETS: Final = 1 << 16
"""Buckets of a street of an imperfect-recall abstraction: tables have two bytes for each."""

RANK_STEPS: Final = 32
"""Final ranks at which the distributions of the flop and the turn are taken."""

SAMPLED_ROWS: Final = 100_000
"""Deals among which the first centres of clusters are chosen."""

CLUSTER_PASSES: Final = 10
"""Passes over all rows that improve the centres."""

BUCKET_SIZES: Final[dict[str, tuple[int, ...]]] = {
    "medium": (169, 9_000, 5_000, 5_000),
    "large": (169, 30_000, 20_000, 20_000),
}
"""Buckets by street of imperfect-recall abstractions. Johanson, Burch, Valenzano and Bowling (2013)
compare such of 9,000; those of the flop cost next to nothing."""
