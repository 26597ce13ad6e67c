"""Waiting for what another process does, but not for ever."""

from __future__ import annotations

import time
from collections.abc import Callable

MOST_SECONDS = 60.0
"""Much more than anything takes that a test waits for, on a busy machine too."""


def wait_for(what: Callable[[], bool], *, seconds: float = MOST_SECONDS) -> None:
    """Look again and again until something is so."""
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline, f"waited for {seconds:g} s"
        time.sleep(0.01)
