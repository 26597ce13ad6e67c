"""Compiled work on all cores, interruptible: a range in slices, or a stream of items."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from railbird.progress import Progress

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


BLAS_THREADS = "OPENBLAS_NUM_THREADS"
"""A variable of the environment: how many threads NumPy and SciPy take for a product of matrices.

They read it when they are loaded. More than one gains nothing for matrices as small as ours, and
where other processes have work to do, one thread turns in a circle until the other gets its turn:
a match in two workers of a player who fits a model by least squares took half as long again.
"""

_PROGRESS_SECONDS = 0.2
_limit: ContextVar[int | None] = ContextVar("thread limit", default=None)


def thread_count() -> int:
    """Count the threads that a long job uses.

    Those of `threads_limited`, else ``NUMBA_NUM_THREADS``, else the cores this process may use.
    """
    if (limit := _limit.get()) is not None:
        return limit
    wanted = os.environ.get("NUMBA_NUM_THREADS", "")
    if wanted.isdigit() and int(wanted) > 0:
        return int(wanted)
    return core_count()


def core_count() -> int:
    """Count the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def threads_limited(count: int | None) -> Iterator[None]:
    """Set the number of threads of long jobs in a ``with`` statement; None does not change it."""
    if count is None:
        yield
        return
    token = _limit.set(count)
    try:
        yield
    finally:
        _limit.reset(token)


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
            reported_at = time.monotonic()
            for finished in as_completed(slices):
                finished.result()
                done += slices[finished]
                now = time.monotonic()
                if progress is not None and (
                    done == total or now - reported_at > _PROGRESS_SECONDS
                ):
                    progress(done, total, what)
                    reported_at = now
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
        return [future.result() for future in slices]


def map_threads(
    work: Callable[[_Item], _Result], items: Iterable[_Item], *, threads: int
) -> Iterator[_Result]:
    """Map items in threads, a few ahead of what has been taken; the results in order.

    An interruption or an error cancels those that have not begun.
    """
    pending: deque[Future[_Result]] = deque()
    with ThreadPoolExecutor(max_workers=threads) as pool:
        try:
            for item in items:
                pending.append(pool.submit(work, item))
                while len(pending) > threads or (pending and pending[0].done()):
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
