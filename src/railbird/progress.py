"""Progress of long jobs."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

Progress = Callable[[int, int, str], None]
"""Called with the amount done, the total (0 if unknown), and what is counted."""

_SAYS_SECONDS = 5.0


def said(log: logging.Logger, name: str) -> Progress:
    """Return a progress that logs now and then how far a named job is."""
    last = time.monotonic()

    def say(done: int, total: int, what: str) -> None:
        nonlocal last
        if time.monotonic() - last > _SAYS_SECONDS:
            last = time.monotonic()
            of = f" of {total}" if total else ""
            log.warning("%s: %s, %d%s", name, what, done, of)

    return say
