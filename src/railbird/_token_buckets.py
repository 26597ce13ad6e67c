"""Rates: token buckets by address, account or anything else that has a name."""

from __future__ import annotations

import time
from collections.abc import Callable


class TokenBuckets:
    """A bucket for each key, which holds a burst at first and refills at a steady rate.

    A bucket is the moment at which it is going to be full (the generic cell rate algorithm of ATM's
    traffic management, I.371); one that is full is forgotten. No more than ``most`` are kept.
    Beyond that those used longest ago are forgotten, so that newcomers are served; or, where
    ``keeps_all``, newcomers are refused, so that nobody who invents keys frees one that is empty.
    """

    def __init__(
        self,
        *,
        per_second: float,
        burst: float,
        most: int = 10_000,
        keeps_all: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.per_second = per_second
        self.burst = float(burst)
        self.most = most
        self.keeps_all = keeps_all
        self.clock = clock
        self._full_at: dict[str, float] = {}
        """Those used longest ago come first. None outlives the refilling of an empty bucket."""

    def __len__(self) -> int:
        """Return the number of keys that are remembered."""
        return len(self._full_at)

    def left(self, key: str) -> float:
        """Return how much a key may take now."""
        lacking = (self._full_at.get(key, 0.0) - self.clock()) * self.per_second
        return self.burst - max(0.0, lacking)

    def take(self, key: str, price: float = 1.0) -> bool:
        """Take a price from a key's bucket; return False, and take nothing, if there is less."""
        self._forget_full()
        is_new = key not in self._full_at
        if is_new and self.keeps_all and len(self._full_at) >= self.most:
            return False
        left = self.left(key)
        admitted = left + 1e-9 >= price
        self._set(key, left - price if admitted else left)
        if len(self._full_at) > self.most:
            del self._full_at[next(iter(self._full_at))]
        return admitted

    def give_back(self, key: str, price: float = 1.0) -> None:
        """Put back the tokens that were taken."""
        self._set(key, self.left(key) + price)

    def _set(self, key: str, left: float) -> None:
        self._full_at.pop(key, None)
        if left < self.burst:
            self._full_at[key] = self.clock() + (self.burst - left) / self.per_second

    def _forget_full(self) -> None:
        now = self.clock()
        while self._full_at and self._full_at[next(iter(self._full_at))] <= now:
            del self._full_at[next(iter(self._full_at))]
