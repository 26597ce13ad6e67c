"""Compile this room's kernels by calling each on trivial input."""

from __future__ import annotations

from collections.abc import Callable

from railbird.baseline.kernels import class_of_rank, flop_ehr, play_on, preflop_rank, turn_ehr
from railbird.baseline.policy import cutoffs
from railbird.baseline.settings import STANDARD


def warm_up_steps() -> list[tuple[str, Callable[[], object]]]:
    """List what compiles the room's kernels, as (name, function)."""
    return [("baseline", _baseline)]


def _baseline() -> None:
    numbers = cutoffs(STANDARD)
    for rank in (preflop_rank, flop_ehr, turn_ehr):
        class_of_rank(rank(0, 0, 0), 0, 1, numbers.make, numbers.fold)
    play_on(0, 0, 0, 0, False, False)
