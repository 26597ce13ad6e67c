"""Results on their way to the database, which may be away for a while."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable

from railbird.hosting.interfaces import Outcome, Results, Unavailable
from railbird.hosting.settings import RESULT_RETRY_SECONDS

_LOG = logging.getLogger(__name__)


class Outbox:
    """Offers outcomes one after the other until each is kept.

    Nothing is lost while the database is away, nor when the process ends: the journals have it,
    and results are offered again at the next start. `Results.record` keeps each only once.
    """

    def __init__(self, results: Results, *, retry: float = RESULT_RETRY_SECONDS) -> None:
        self._results = results
        self._retry = retry
        self._waiting: deque[tuple[Outcome, Callable[[], object]]] = deque()
        self._has_some = asyncio.Event()
        self._is_empty = asyncio.Event()
        self._is_empty.set()

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, outcome: Outcome, kept: Callable[[], object]) -> None:
        """Add an outcome; ``kept`` is called once it is kept."""
        self._waiting.append((outcome, kept))
        self._is_empty.clear()
        self._has_some.set()

    async def run(self) -> None:
        """Offer outcomes, for ever."""
        while True:
            await self._has_some.wait()
            while self._waiting:
                outcome, kept = self._waiting[0]
                try:
                    await self._results.record(outcome)
                except Unavailable as problem:
                    _LOG.warning("%d results wait: %s", len(self._waiting), problem)
                    await asyncio.sleep(self._retry)
                    continue
                except Exception:
                    _LOG.exception("a result cannot be kept; its journal has it")
                else:
                    kept()
                self._waiting.popleft()
            self._has_some.clear()
            self._is_empty.set()

    async def flushed(self) -> None:
        """Wait until nothing waits."""
        await self._is_empty.wait()
