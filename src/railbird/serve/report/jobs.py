"""Reports in the making and those that can be looked at, all in memory, for a while."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import secrets
import signal
import sys
import tempfile
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, Final, NamedTuple

from railbird.serve.report.settings import ReportSettings

_LOG = logging.getLogger(__name__)
_LONGEST_LINE: Final = 1 << 26
"""Bytes of the line that a worker writes its report in."""
_COMMAND: Final = (sys.executable, "-P", "-m", "railbird.report.one_player.worker")


class Stage(Enum):
    """How far a report is."""

    WAITING = "waiting"
    WORKING = "working"
    WHOSE = "whose"
    """The log does not say whose play it is."""
    DONE = "done"
    FAILED = "failed"


@dataclass(slots=True, eq=False)
class Job:
    """A report that somebody asked for."""

    id: str
    owner: str
    """Token of the visitor, who alone can look at it."""
    title: str
    """What it is of, such as the name of a file."""
    source: bytes = field(repr=False)
    """The log; given up once the report is there."""
    player: str | None = None
    address: str = ""
    """Where it came from."""
    known: Mapping[str, str] = field(default_factory=dict)
    """The specs of players whose strategies are known, by name."""
    stage: Stage = Stage.WAITING
    progress: str = ""
    problem: str = ""
    names: list[str] = field(default_factory=list)
    report: dict[str, Any] = field(default_factory=dict, repr=False)
    size: int = 0
    until: float = 0.0
    """When it is forgotten, by the monotonic clock; 0 while it is made."""

    @property
    def is_moving(self) -> bool:
        """Whether something is still to come."""
        return self.stage in (Stage.WAITING, Stage.WORKING)


class _LastWord(NamedTuple):
    """What a worker said before it ended."""

    told: dict[str, Any]
    size: int
    """Bytes of it."""
    code: int
    """Its exit status."""


class Full(Exception):
    """Too many reports are waiting."""


class Jobs:
    """All reports of a server."""

    def __init__(
        self, settings: ReportSettings, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.settings = settings
        self._clock = clock
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._slots = asyncio.Semaphore(settings.workers)
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def add(
        self,
        owner: str,
        title: str,
        source: bytes,
        player: str | None = None,
        *,
        address: str = "",
        known: Mapping[str, str] | None = None,
    ) -> Job:
        """Begin a report; what the same visitor has in the making is given up.

        Raises `Full`.
        """
        self._forget_old()
        for job in [*self._jobs.values()]:
            if job.owner == owner and (job.is_moving or job.stage is Stage.WHOSE):
                self.forget(job)
        moving = [job.address for job in self._jobs.values() if job.is_moving]
        if len(moving) >= self.settings.most_waiting:
            raise Full
        if moving.count(address) >= self.settings.most_of_address:
            raise Full
        job = Job(secrets.token_urlsafe(12), owner, title, source, player, address, known or {})
        self._jobs[job.id] = job
        self._start(job)
        return job

    def of(self, owner: str | None, job_id: str) -> Job | None:
        """Return a report to the visitor who asked for it."""
        self._forget_old()
        job = self._jobs.get(job_id)
        return job if job is not None and owner is not None and job.owner == owner else None

    def all_of(self, owner: str | None) -> list[Job]:
        """Return a visitor's reports, the latest first."""
        self._forget_old()
        return [job for job in reversed(self._jobs.values()) if job.owner == owner]

    def choose(self, job: Job, player: str) -> None:
        """Say whose play it is."""
        if job.stage is Stage.WHOSE and player in job.names:
            job.player, job.stage, job.until = player, Stage.WAITING, 0.0
            self._start(job)

    def forget(self, job: Job) -> None:
        """Give a report up, and its worker."""
        self._jobs.pop(job.id, None)
        task = self._tasks.pop(job.id, None)
        if task is not None:
            task.cancel()

    async def close(self) -> None:
        """End all workers."""
        tasks = list(self._tasks.values())
        for job in list(self._jobs.values()):
            self.forget(job)
        await asyncio.gather(*tasks, return_exceptions=True)

    def _start(self, job: Job) -> None:
        task = asyncio.create_task(self._make(job))
        self._tasks[job.id] = task
        task.add_done_callback(lambda _: self._tasks.pop(job.id, None))

    async def _make(self, job: Job) -> None:
        async with self._slots:
            job.stage = Stage.WORKING
            try:
                async with asyncio.timeout(self.settings.wall_s):
                    said = await self._work(job)
                _settle(job, said)
            except TimeoutError:
                _fail(job, "this takes too long; upload fewer hands")
            except Exception:
                _LOG.exception("report %s", job.id)
                _fail(job, "something went wrong on our side; it has been logged")
            # In the same step as the last word, before anybody can answer it.
            job.until = self._clock() + self.settings.kept_s
            if job.stage is not Stage.WHOSE:
                job.source = b""
        self._forget_old()

    async def _work(self, job: Job) -> _LastWord:
        """Let a worker make a report."""
        with tempfile.TemporaryDirectory(prefix="railbird-report-") as folder:
            path = Path(folder) / "log"
            await asyncio.to_thread(path.write_bytes, job.source)
            worker = await asyncio.create_subprocess_exec(
                *_COMMAND,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=_LONGEST_LINE,
                cwd=folder,
                env=_environment(),
                start_new_session=True,
            )
            try:
                assert worker.stdin is not None
                assert worker.stdout is not None
                asked = {
                    "path": str(path),
                    "player": job.player,
                    "known": dict(job.known),
                    "memory": self.settings.memory,
                    "cpu_s": self.settings.cpu_s,
                    "nice": self.settings.nice,
                }
                worker.stdin.write(json.dumps(asked).encode() + b"\n")
                with contextlib.suppress(ConnectionError):
                    await worker.stdin.drain()
                told: dict[str, Any] = {}
                size = 0
                while line := await worker.stdout.readline():
                    told, size = await asyncio.to_thread(json.loads, line), len(line)
                    if "progress" in told:
                        job.progress = _progress_words(*told["progress"])
                return _LastWord(told, size, await worker.wait())
            finally:
                with contextlib.suppress(ProcessLookupError):
                    worker.kill()
                await worker.wait()

    def _forget_old(self) -> None:
        now = self._clock()
        for job in [*self._jobs.values()]:
            if job.until and job.until < now:
                self.forget(job)
        while sum(job.size for job in self._jobs.values()) > self.settings.most_kept:
            self.forget(next(job for job in self._jobs.values() if job.size))


def _progress_words(done: int, total: int, what: str) -> str:
    share = f" {100 * done // total} %" if total else f" {done:,}" if done else ""
    return f"{what}{share}"


def _settle(job: Job, said: _LastWord) -> None:
    match said.told:
        case {"report": report}:
            job.report, job.size, job.stage = report, said.size, Stage.DONE
        case {"whose": names}:
            job.names, job.size, job.stage = names, len(job.source), Stage.WHOSE
        case {"problem": problem}:
            _fail(job, problem)
        case _ if said.code in (-signal.SIGXCPU, -signal.SIGKILL):
            _fail(job, "this takes too long; upload fewer hands")
        case _:
            # Compiled code that gets no memory cannot always say so.
            _LOG.error("the worker of report %s ended with %d", job.id, said.code)
            _fail(job, "the log could not be worked through; upload fewer hands")


def _fail(job: Job, problem: str) -> None:
    job.problem, job.stage = problem, Stage.FAILED


def _environment() -> dict[str, str]:
    path = os.pathsep.join(filter(None, sys.path))
    return {**os.environ, "PYTHONPATH": path, "POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1"}
