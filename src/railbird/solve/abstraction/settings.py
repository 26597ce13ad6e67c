"""Limits of card abstractions."""

from __future__ import annotations

from typing import Final

MOST_STATES: Final = 4096
"""States of a perfect-recall abstraction on the river: two matrices of so many squared are kept."""

FLOPS_A_TASK: Final = 9
"""Flops of one task: 1,755 are 195 of these, so that an interruption costs a second or two."""

CHECKPOINT_SECONDS: Final = 20.0
"""Time after which what has been counted is written to disk."""
