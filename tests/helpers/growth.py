"""How work grows with its size, which no machine and no neighbour on it changes."""

from __future__ import annotations

import time
from collections.abc import Callable


def growth(work: Callable[[int], object], size: int, *, tries: int = 5) -> float:
    """Return how many times as much processor time ``2 * size`` takes as ``size``.

    About 2 where work is linear, 4 where it is quadratic: of both sizes the least of some tries in
    turns, so that what else the machine does changes little.
    """
    least = {size: float("inf"), 2 * size: float("inf")}
    for _ in range(tries):
        for each in least:
            start = time.process_time()
            work(each)
            least[each] = min(least[each], time.process_time() - start)
    return least[2 * size] / max(least[size], 1e-9)
