"""Ctrl-C and SIGTERM: a job shuts down once, however often it is asked to."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from types import FrameType

_SAME_SECONDS = 2.0
"""Ctrl-C pressed again this soon is ignored: the job is shutting down already."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def ending_in_order() -> Iterator[None]:
    """Let SIGTERM do what Ctrl-C does, and let neither disturb the shutdown.

    What comes later than the block ends the process, without a traceback. Signals that the parent
    process has had ignored stay so, as for jobs in the background.
    """
    raised = -inf

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal raised
        if time.monotonic() - raised > _SAME_SECONDS:
            raised = time.monotonic()
            # Not to be loaded for this; and it may be just being loaded.
            compiler = sys.modules.get("railbird._jit")
            later = getattr(compiler, "interrupt_later", None)
            if later is None or not later():
                raise KeyboardInterrupt

    heeded = [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    for number in heeded:
        signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number in heeded:
            signal.signal(number, signal.SIG_DFL)
