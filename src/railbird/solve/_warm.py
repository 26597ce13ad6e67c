"""Compile the kernels of this room by calls that do next to nothing."""

from __future__ import annotations

from collections.abc import Callable

from railbird.solve.kuhn import kuhn
from railbird.solve.solver import solve


def warm_up_steps() -> list[tuple[str, Callable[[], object]]]:
    """Name and call for each group of kernels."""
    return [("regrets and best response", lambda: solve(kuhn(), tolerance=1.0))]
