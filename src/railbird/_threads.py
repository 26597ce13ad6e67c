"""Run a compiled loop over a range in slices: on all cores, with progress, and interruptible."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TypeVar

from railbird.progress import Progress

_Result = TypeVar("_Result")


_PROGRESS_SECONDS = 0.2


def thread_count() -> int:
    """Threads that a long job uses: ``NUMBA_NUM_THREADS``, else the cores this process may use."""
    wanted = os.environ.get("NUMBA_NUM_THREADS", "")
    if wanted.isdigit() and int(wanted) > 0:
        return int(wanted)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_slices(
    work: Callable[[int, int], _Result],
    total: int,
    *,
    size: int,
    what: str,
    progress: Progress | None = None,
) -> list[_Result]:
    """Call ``work(start, stop)`` for slices of 0..total; the results in order.

    ``work`` releases the GIL, so threads suffice and nothing is copied. An interruption or an
    error in one slice cancels those that have not begun.
    """
    if total <= size:
        result = work(0, total)
        if progress is not None:
            progress(total, total, what)
        return [result]
    starts = range(0, total, size)
    with ThreadPoolExecutor(max_workers=thread_count()) as pool:
        slices = {
            pool.submit(work, start, min(start + size, total)): min(size, total - start)
            for start in starts
        }
        try:
            done = 0
            told = time.monotonic()
            for finished in as_completed(slices):
                finished.result()
                done += slices[finished]
                now = time.monotonic()
                if progress is not None and (done == total or now - told > _PROGRESS_SECONDS):
                    progress(done, total, what)
                    told = now
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
        return [future.result() for future in slices]
