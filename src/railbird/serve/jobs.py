"""Work that visitors ask for: a bounded queue, and the processes that do it.

A report or a solution takes longer than a page may wait, and may take more memory than the server
has. So each is made in a separate process. The process first sets itself limits, and it answers in
lines of JSON. It is ended with its children when its work is done, when its time is over, when
nobody wants its work any more, and with the server.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Generic, Protocol, Self, TypeVar

from railbird._threads import BLAS_THREADS
from railbird.hosting.supervisor import Supervisor

_LONGEST_LINE: Final = 1 << 26
"""Bytes of a line that a process writes."""


class ProcessGone(Exception):
    """A process has ended without an answer, or took too long."""

    def __init__(self, problem: str, code: int | None = None) -> None:
        super().__init__(problem)
        self.code = code
        """Its exit status, if it has ended by itself."""

    @property
    def is_out_of_time(self) -> bool:
        """Whether the system ended it for the processor time that it took."""
        return self.code in (-signal.SIGXCPU, -signal.SIGKILL)


class Full(Exception):
    """No more is taken for now: too much waits, of everybody or of one address."""


class Process:
    """A process that talks in lines of JSON; it ends with the block that it is used in."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.last_size = 0
        """Bytes of the last line that was heard."""

    @classmethod
    async def start(
        cls, module: str, first: Mapping[str, Any], *, folder: Path | None = None
    ) -> Process:
        """Run a module in a folder, by default this one, and send it a first line."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", module),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=_LONGEST_LINE,
            cwd=folder,
            env=_environment(),
            start_new_session=True,
        )
        started = cls(process)
        try:
            await started.tell(first)
        except BaseException:
            await started.end()
            raise
        return started

    async def tell(self, line: Mapping[str, Any]) -> None:
        """Send a line; one that has ended does not mind."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(line).encode() + b"\n")
        with contextlib.suppress(ConnectionError):
            await self._process.stdin.drain()

    async def hear(self) -> dict[str, Any]:
        """Return the next line. Raises `ProcessGone`."""
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line:
            code = await self._process.wait()
            raise ProcessGone(f"the process ended with {code}", code)
        self.last_size = len(line)
        heard: dict[str, Any] = await asyncio.to_thread(json.loads, line)
        return heard

    @property
    def pid(self) -> int:
        """Number of the process, and of its group."""
        return self._process.pid

    async def end(self) -> None:
        """End it and its children, and wait for it."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        await self._process.wait()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.end()


def _environment() -> dict[str, str]:
    one_thread = ("NUMBA_NUM_THREADS", BLAS_THREADS, "POLARS_MAX_THREADS")
    path = os.pathsep.join(filter(None, sys.path))
    return {**os.environ, "PYTHONPATH": path, **dict.fromkeys(one_thread, "1")}


class Limits(Protocol):
    """How much a queue takes."""

    @property
    def workers(self) -> int:
        """Jobs that are worked on at a time; others wait."""

    @property
    def most_waiting(self) -> int:
        """Jobs that may wait."""

    @property
    def most_of_address(self) -> int:
        """Of these, how many may be of one address, so that nobody fills the queue alone."""


@dataclass(slots=True, eq=False)
class Job(ABC):
    """Something that somebody asked for."""

    id: str
    owner: str
    """Token of the visitor."""
    title: str
    """What the job is about, such as the name of a file."""
    address: str = field(default="", kw_only=True)
    """Address that the request came from."""

    @property
    @abstractmethod
    def is_moving(self) -> bool:
        """Whether something is still to come."""


AnyJob = TypeVar("AnyJob", bound=Job)


class Jobs(ABC, Generic[AnyJob]):
    """The jobs of a server: those that wait, are worked on, or can be looked at."""

    name = "jobs"
    """What the supervisor calls them."""

    def __init__(self, limits: Limits, supervisor: Supervisor | None) -> None:
        self._limits = limits
        self._supervisor = supervisor or Supervisor()
        self._jobs: OrderedDict[str, AnyJob] = OrderedDict()
        self._slots = asyncio.Semaphore(limits.workers)
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def take(self, job: AnyJob) -> None:
        """Begin a job. Raises `Full`."""
        moving = [job.address for job in self._jobs.values() if job.is_moving]
        if len(moving) >= self._limits.most_waiting + self._limits.workers:
            raise Full
        if moving.count(job.address) >= self._limits.most_of_address:
            raise Full
        self._jobs[job.id] = job
        self.start(job)

    def start(self, job: AnyJob) -> None:
        """Begin a job that has been taken."""
        task = self._supervisor.run(self.name, self._in_turn(job))
        self._tasks[job.id] = task
        task.add_done_callback(lambda _: self._tasks.pop(job.id, None))

    async def _in_turn(self, job: AnyJob) -> None:
        async with self._slots_of(job):
            await self._make(job)
        self.forget_old()

    def _slots_of(self, job: AnyJob) -> asyncio.Semaphore:
        """Return what a job waits for; the jobs of one of these begin in the order of taking."""
        return self._slots

    @abstractmethod
    async def _make(self, job: AnyJob) -> None:
        """Do the work."""

    @abstractmethod
    def forget_old(self) -> None:
        """Forget what has been kept long enough."""

    def all_of(self, owner: str | None) -> list[AnyJob]:
        """Return a visitor's jobs, the latest first."""
        self.forget_old()
        return [job for job in reversed(self._jobs.values()) if job.owner == owner]

    def forget(self, job: AnyJob) -> None:
        """Give a job up, and its process."""
        self._jobs.pop(job.id, None)
        task = self._tasks.pop(job.id, None)
        if task is not None:
            task.cancel()

    async def close(self) -> None:
        """End all processes."""
        tasks = list(self._tasks.values())
        for job in list(self._jobs.values()):
            self.forget(job)
        await asyncio.gather(*tasks, return_exceptions=True)
