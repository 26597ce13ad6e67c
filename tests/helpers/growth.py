"""How work grows with its size, which no machine and no neighbour on it changes."""

from __future__ import annotations

import time
from collections.abc import Callable

TIMES = 8
"""How many times as large the larger size is. A system gives large pieces of memory in another way
than small ones, which alone can make twice as much take three times as long; between linear work
(8) and quadratic work (64) there is room for that."""

MOST_GROWTH = 22.0
"""Half way, by ratio, between linear and quadratic."""


def growth(work: Callable[[int], object], size: int, *, tries: int = 3) -> float:
    """Return how many times as much processor time ``TIMES * size`` takes as ``size``.

    Of both sizes the least of some tries in turns, so that what else the machine does changes
    little. Compare it with `MOST_GROWTH`.
    """
    least = {size: float("inf"), TIMES * size: float("inf")}
    for _ in range(tries):
        for each in least:
            start = time.process_time()
            work(each)
            least[each] = min(least[each], time.process_time() - start)
    return least[TIMES * size] / max(least[size], 1e-9)
