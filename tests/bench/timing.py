"""How the benchmarks take times."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter


def least(job: Callable[[], object], *, times: int) -> float:
    """Shortest of some runs, in seconds: compiling and other work on the machine only add to it."""
    seconds = []
    for _ in range(times):
        begun = perf_counter()
        job()
        seconds.append(perf_counter() - begun)
    return min(seconds)
