"""Whether code is compiled at this moment, which a first hand waits for."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

_LINGERS_S: Final = 3.0
"""Time after the last kernel for which it counts as going on: the next one may follow."""


class Compiling:
    """Listens to `railbird._jit.watched`, which calls it from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last = float("-inf")

    def begins(self, room: str, kernel: str) -> None:
        """A kernel is compiled."""
        del room, kernel
        self._last = self._clock()

    def ends(self) -> None:
        """It is there."""
        self._last = self._clock()

    @property
    def goes_on(self) -> bool:
        """Whether something is compiled, or was a moment ago."""
        return self._clock() - self._last < _LINGERS_S
