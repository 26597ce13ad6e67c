"""How every long job of the arena begins, says where it is, and stops."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from railbird.arena.workers import check_guarded
from railbird.errors import BadInput, Interrupted
from railbird.progress import Progress

_REPORT_SECONDS = 0.2


def check_workers(workers: int) -> None:
    """Raise `BadInput` for a number of workers that cannot be, and end a worker of a worker."""
    check_guarded()
    if workers < 1:
        raise BadInput(f"{workers} workers; allowed: 1 or more")


def reporter(total: int, what: str, progress: Progress | None) -> Callable[[int], None]:
    """Tell ``progress`` how much is done, a few times a second at most."""
    last = 0.0

    def tell(done: int) -> None:
        nonlocal last
        now = time.perf_counter()
        if progress is not None and (now - last > _REPORT_SECONDS or done == total):
            last = now
            progress(done, total, what)

    return tell


def stopped(done: int, total: int, what: str, log: Path | None) -> Interrupted:
    """What Ctrl-C leaves, in words."""
    onward = "without a log nothing is kept"
    if log is not None:
        onward = f"the same command goes on from {log}"
    return Interrupted(f"stopped after {done:,} of {total:,} {what}; {onward}")
