"""Rates: token buckets by address, account or anything else that has a name."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable


class TokenBuckets:
    """A bucket for each key, which holds a burst at first and refills at a steady rate.

    The keys that were used longest ago are forgotten beyond ``most``: they are full again by then
    unless more keys than that are in use.
    """

    def __init__(
        self,
        *,
        per_second: float,
        burst: float,
        most: int = 10_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.per_second = per_second
        self.burst = float(burst)
        self.most = most
        self.clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        """Return the number of keys that are remembered."""
        return len(self._buckets)

    def left(self, key: str) -> float:
        """Return how much a key may take now."""
        left, since = self._buckets.get(key, (self.burst, self.clock()))
        return min(self.burst, left + (self.clock() - since) * self.per_second)

    def take(self, key: str, price: float = 1.0) -> bool:
        """Take a price from a key's bucket; return False, and take nothing, if there is less."""
        left = self.left(key)
        admitted = left >= price
        self._buckets.pop(key, None)
        self._buckets[key] = (left - price if admitted else left, self.clock())
        if len(self._buckets) > self.most:
            self._buckets.popitem(last=False)
        return admitted
