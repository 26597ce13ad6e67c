"""What a page shows of a table: the truth, but no faster than a person can follow."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from railbird.serve.table.settings import MOST_BEHIND, MOST_SHOWN_LATE
from railbird.serve.table.state import TableState, pause_after


class Screen:
    """A table's states in the order in which they are shown, each for a while.

    ``truth`` is what the viewer has been told; ``shown`` is behind by some seconds at most, and by
    less when it is the viewer's turn. ``changed`` is called whenever ``shown`` has changed.
    """

    def __init__(self, state: TableState, changed: Callable[[], None], *, pace: float) -> None:
        self.truth = self.shown = state
        self.pace = pace
        self._changed = changed
        self._waiting: deque[TableState] = deque()
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_behind(self) -> bool:
        """Whether something has happened that is not shown yet."""
        return bool(self._waiting)

    def update(self, state: TableState) -> None:
        """Take a new state, to be shown in its turn."""
        self.truth = state
        self._waiting.append(state)
        if self._timer is None:
            self._next()
        elif state.turn is not None:
            self._arm(self._pause(self.shown))  # hurry

    def flush(self) -> None:
        """Show the truth at once."""
        self.stop()
        self._waiting.clear()
        self.shown = self.truth
        self._changed()

    def hurry(self) -> None:
        """Show everything at once from now on, to somebody who leaves."""
        self.pace = 0.0
        self.flush()

    def stop(self) -> None:
        """Show nothing more by itself."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _next(self) -> None:
        self._timer = None
        while self._waiting:
            self.shown = self._waiting.popleft()
            pause = self._pause(self.shown)
            if pause > 0:
                self._arm(pause)
                break
        self._changed()

    def _arm(self, pause: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(pause * self._haste(), self._next)

    def _pause(self, state: TableState) -> float:
        return self.pace * pause_after(state)

    def _haste(self) -> float:
        """Return a factor of all pauses, so that the page is not too far behind."""
        behind = sum(self._pause(state) for state in (self.shown, *self._waiting))
        most = MOST_BEHIND if self.truth.turn is not None else MOST_SHOWN_LATE
        return min(1.0, most / behind) if behind else 1.0
