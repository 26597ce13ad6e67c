"""Background tasks of a server: restarted where they fail, counted, and never silently lost.

Nobody awaits a background task, so an exception in it would reach nobody: the task would end, and
everything else would go on as if its work were still being done. So every background task is
started here, which a test requires, in one of two forms:

- `Supervisor.keep` is for a task that runs as long as the server. It is started again with growing
  pauses, however it ends: by an exception, by itself, or by the cancellation of something that it
  waited for. It calls ``well()`` whenever it has done its work once; until then the fault lasts. A
  task that has something to do every few seconds, whatever happens, has a beat: if it has not
  called ``well()`` for `BEAT_SECONDS`, it hangs, which is a fault too.
- `Supervisor.run` is for a task that ends by itself. An exception is reported, and nothing is
  started again.

A fault is logged, counted (`failures`) and in `problems` at once, from which ``/health`` and the
metrics are made. It stays there for some seconds at least, so that monitors that ask now and then
notice it.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Hashable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from railbird.errors import RailbirdError
from railbird.hosting.settings import (
    BEAT_SECONDS,
    FAULT_SECONDS,
    RESTART_SECONDS,
    SHORT_SECONDS,
)

_LOG = logging.getLogger(__name__)

Well = Callable[[], None]
"""What a task that is kept calls whenever it has done its work once."""


class PublicFault(RailbirdError):
    """A fault in words for everybody: without paths, addresses and secrets."""


@dataclass(slots=True)
class _Problem:
    name: str
    words: str
    until: float
    """Time until which it is reported at least."""
    is_over: bool = False


class _Beat:
    """Time of a task's last sign of life; a silence of `BEAT_SECONDS` is reported once."""

    def __init__(self, now: Callable[[], float], tell: Callable[[], None]) -> None:
        self._now = now
        self._tell = tell
        self._timer: asyncio.TimerHandle | None = None
        self.last = 0.0

    def came(self) -> None:
        self.stop()
        self.last = self._now()
        self._timer = asyncio.get_running_loop().call_later(BEAT_SECONDS, self._tell)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()


class Supervisor:
    """Starts, restarts and ends the background tasks of one event loop.

    ``pauses`` are the first and the longest pause in seconds before a task is started again.
    """

    def __init__(
        self,
        *,
        pauses: tuple[float, float] = RESTART_SECONDS,
        least_s: float = FAULT_SECONDS,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.failures: Counter[str] = Counter()
        """Faults since the start, by the names of tasks."""
        self._pauses = pauses
        self._least_s = least_s
        self._now = now
        self._tasks: dict[asyncio.Task[None], str] = {}
        self._problems: dict[Hashable, _Problem] = {}
        self._beats: dict[asyncio.Task[None], _Beat] = {}
        self._noting = threading.Lock()
        self._short_since: dict[str, float] = {}
        """Time of the last report on a want of descriptors, by the names of tasks."""

    @property
    def running(self) -> Counter[str]:
        """Tasks by name, those included that wait to be started again."""
        return Counter(self._tasks.values())

    def problems(self) -> dict[str, str]:
        """Return the faults of now or a moment ago, by the names of tasks."""
        now = self._now()
        # Faults that are over stay for some seconds, so that a monitor that asks now and then sees
        # them.
        for key, problem in list(self._problems.items()):
            if problem.is_over and problem.until <= now:
                del self._problems[key]
        words_of: dict[str, list[str]] = {}
        for problem in list(self._problems.values()):
            words = words_of.setdefault(problem.name, [])
            if problem.words not in words:
                words.append(problem.words)
        return {name: "; ".join(words) for name, words in sorted(words_of.items())}

    def silences(self) -> dict[str, float]:
        """Return the seconds since tasks that have a beat were last well, by their names."""
        now = self._now()
        seconds: dict[str, float] = {}
        for task, beat in self._beats.items():
            name = self._tasks[task]
            seconds[name] = max(seconds.get(name, 0.0), now - beat.last)
        return seconds

    def keep(
        self,
        name: str,
        work: Callable[[Well], Coroutine[Any, Any, None]],
        *,
        has_beat: bool = False,
    ) -> asyncio.Task[None]:
        """Start what goes on until the task is cancelled; several may have one name.

        ``work`` is called for each start, with what it calls once it has done its work, and then
        every `BEAT_SECONDS` at least where it ``has_beat``.
        """
        task = self._start(name, self._kept(name, work))
        if has_beat:
            silent = PublicFault(f"it has not been heard of for {BEAT_SECONDS:g} s")
            tell = partial(self._note, task, name, silent, is_over=False)
            self._beats[task] = _Beat(self._now, tell)
        return task

    def run(self, name: str, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start what ends by itself; waiting for the task raises nothing."""
        task = self._start(name, self._once(name, work))
        task.add_done_callback(lambda _: work.close())  # it may be cancelled before it begins
        return task

    def failed(self, name: str, problem: BaseException) -> None:
        """Tell a fault that ends no task: that of a thread, or of one of many things to do.

        It may be called in any thread.
        """
        self._note(name, name, problem, is_over=True)

    def unhandled(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Count a fault in a callback of an event loop, as its exception handler.

        It is logged, but is none of the problems: clients can cause some of these. Want of
        descriptors is one.
        """
        self.failures["event loop"] += 1
        problem = context.get("exception")
        if _is_short(problem):
            assert problem is not None
            self.failed("connections", problem)
        else:
            loop.default_exception_handler(context)

    async def stop(self, *, but: str = "") -> None:
        """Cancel all tasks, and wait for them.

        Not the one that calls this, nor those of the name ``but``, which have work to keep first.
        """
        tasks = [
            task
            for task, name in self._tasks.items()
            if task is not asyncio.current_task() and name != but
        ]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _start(self, name: str, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks[task] = name
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        del self._tasks[task]
        if (beat := self._beats.pop(task, None)) is not None:
            beat.stop()
        if (problem := self._problems.get(task)) is not None:
            problem.is_over = True

    async def _once(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except (Exception, asyncio.CancelledError) as problem:
            if _is_cancelled(problem):
                raise
            self.failed(name, problem)

    async def _kept(self, name: str, work: Callable[[Well], Coroutine[Any, Any, None]]) -> None:
        key = asyncio.current_task()
        assert key is not None
        beat = self._beats.get(key)
        first, longest = self._pauses
        pause, was_well = first, False

        def well() -> None:
            nonlocal was_well
            was_well = True
            if (problem := self._problems.get(key)) is not None:
                problem.is_over = True
            if beat is not None:
                beat.came()

        while True:
            began, was_well = self._now(), False
            fault: BaseException
            if beat is not None:
                beat.came()
            try:
                await work(well)
                fault = PublicFault("it has ended by itself")
            except (Exception, asyncio.CancelledError) as problem:
                if _is_cancelled(problem):
                    raise
                fault = problem
            # A task that worked for longer than the longest pause has recovered; one that fails at
            # once after each start waits longer and longer.
            if was_well and self._now() - began > longest:
                pause = first
            self._note(key, name, fault, is_over=False)
            await asyncio.sleep(pause)
            pause = min(2 * pause, longest)

    def _note(self, key: Hashable, name: str, fault: BaseException, *, is_over: bool) -> None:
        """Note a fault and log it; want of descriptors once a minute, however often it is met."""
        with self._noting:
            self.failures[name] += 1
            words, before = fault_words(fault), self._problems.get(key)
            is_known = before is not None and before.words == words
            self._problems[key] = _Problem(name, words, self._now() + self._least_s, is_over)
            is_short, now = _is_short(fault), self._now()
            if is_short and now - self._short_since.get(name, -math.inf) < SHORT_SECONDS:
                return
            if is_short:
                self._short_since[name] = now
        has_trace = not is_known and not is_short and not isinstance(fault, RailbirdError)
        said = words if is_short else str(fault) or words
        _LOG.error("%s: %s", name, said, exc_info=fault if has_trace else None)


def _is_short(fault: object) -> bool:
    """Whether a fault is want of descriptors, of this process or of the system."""
    return isinstance(fault, OSError) and fault.errno in (errno.EMFILE, errno.ENFILE)


def fault_words(fault: BaseException) -> str:
    """Return a fault in words for everybody, who may not read paths and addresses.

    >>> fault_words(KeyError("secret"))
    'a fault of the server (KeyError); its log says more'
    >>> fault_words(OSError(28, "No space left on device", "/var/lib/railbird/six.1.journal"))
    'No space left on device'
    """
    if isinstance(fault, PublicFault):
        return str(fault)
    if _is_short(fault):
        return "all descriptors of the process are used up"
    cause = fault if isinstance(fault, OSError) else fault.__cause__
    if isinstance(cause, OSError) and cause.strerror:
        return cause.strerror
    return f"a fault of the server ({type(fault).__name__}); its log says more"


def _is_cancelled(problem: BaseException) -> bool:
    """Whether the task was cancelled itself, and not only something that it waited for."""
    # `CancelledError` also comes from something that the task waited for. Only a task that was
    # asked to end itself counts as cancelled.
    task = asyncio.current_task()
    is_of_task = task is not None and task.cancelling() > 0
    return is_of_task and isinstance(problem, asyncio.CancelledError)


async def until_set(event: asyncio.Event, well: Well) -> None:
    """Wait for an event in a task that is kept, which says meanwhile that it is well."""
    while not event.is_set():
        well()
        with suppress(TimeoutError):
            async with asyncio.timeout(BEAT_SECONDS / 3):
                await event.wait()


async def until_first(*work: Coroutine[Any, Any, None]) -> None:
    """Do several things at once until the first of them ends; the others are cancelled.

    Raises what any of them raised. It is awaited, so it is no background task.
    """
    tasks = [asyncio.get_running_loop().create_task(coroutine) for coroutine in work]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    for problem in ended:
        if isinstance(problem, Exception):
            raise problem
