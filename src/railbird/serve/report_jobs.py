"""Reports in preparation and finished reports, all in memory, for a while."""

from __future__ import annotations

import asyncio
import logging
import secrets
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, Final

from railbird.errors import NothingUsable
from railbird.hosting.supervisor import Supervisor
from railbird.serve.jobs import Job, Jobs, Process, ProcessGone

# Settings of the reports in the browser.


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportSettings:
    """What the operator chooses."""

    most_bytes: int = 4 << 20
    """Bytes of an upload."""
    memory: int = 3 << 29
    """Bytes of data that a worker process may take: 1.5 GiB."""
    cpu_s: int = 240
    """Seconds of a core for one report."""
    nice: int = 5
    """How much workers let everything else go first."""
    wall_s: float = 600.0
    """Seconds after which a report is given up, however little of a core it got."""
    workers: int = 1
    """Reports that are made at a time; others wait."""
    most_waiting: int = 20
    """Reports that may wait."""
    most_of_address: int = 5
    """Of these, how many may be of one address, so that nobody fills the queue alone."""
    kept_s: float = 3600.0
    """Seconds for which a finished report can be looked at."""
    most_kept: int = 64 << 20
    """Bytes of all reports that are kept; the oldest are forgotten beyond that."""


WORKER: Final = "railbird.report.play_worker"
_PAUSE_S: Final = 0.1
_LOG = logging.getLogger(__name__)


class ReportStage(Enum):
    """How far the making of a report has come."""

    WAITING = "waiting"
    WORKING = "working"
    WHOSE = "whose"
    """It waits, since the log does not say whose play it is."""
    DONE = "done"
    FAILED = "failed"


@dataclass(slots=True, eq=False)
class ReportJob(Job):
    """A report that somebody asked for, who alone can look at it."""

    source: bytes = field(repr=False)
    """The log; given up once the report is there."""
    player: str | None = None
    known: Mapping[str, str] = field(default_factory=dict)
    """The specs of players whose strategies are known, by name."""
    assess: Mapping[str, Any] | None = None
    """Arguments of `railbird.report.play_data.assessed`, for an assessment instead of a report."""
    only_results: bool = False
    """Whether only the result of each hand is wanted."""
    night: bool = False
    """Whether the page of a night among friends is wanted instead of a report."""
    stage: ReportStage = ReportStage.WAITING
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
        return self.stage in (ReportStage.WAITING, ReportStage.WORKING)


class ReportJobs(Jobs[ReportJob]):
    """The reports of a server: those that wait, are made, or can be looked at."""

    name = "reports"

    def __init__(
        self,
        settings: ReportSettings,
        *,
        clock: Callable[[], float] = time.monotonic,
        supervisor: Supervisor | None = None,
    ) -> None:
        super().__init__(settings, supervisor)
        self.settings = settings
        self._clock = clock

    def add(
        self,
        owner: str,
        title: str,
        source: bytes,
        player: str | None = None,
        *,
        address: str = "",
        known: Mapping[str, str] | None = None,
        only_results: bool = False,
        night: bool = False,
    ) -> ReportJob:
        """Begin a report; what the same visitor has in the making is given up.

        Raises `Full`.
        """
        self.forget_old()
        for job in [*self._jobs.values()]:
            if job.owner == owner and (job.is_moving or job.stage is ReportStage.WHOSE):
                self.forget(job)
        name = secrets.token_urlsafe(12)
        job = ReportJob(
            name,
            owner,
            title,
            source,
            player,
            known or {},
            only_results=only_results,
            night=night,
            address=address,
        )
        self.take(job)
        return job

    async def assessed(
        self,
        source: bytes,
        options: Mapping[str, Any],
        *,
        address: str,
        is_gone: Callable[[], Awaitable[bool]],
    ) -> dict[str, Any]:
        """Return an assessment that a program waits for; it is given up when that is gone.

        ``options`` are the arguments of `railbird.report.play_data.assessed`. Raises `Full`, and
        `NothingUsable` for what cannot be assessed, with the reason.
        """
        self.forget_old()
        name = secrets.token_urlsafe(12)
        job = ReportJob(name, name, "", source, assess=options, address=address)
        self.take(job)
        try:
            while job.is_moving:
                await asyncio.sleep(_PAUSE_S)
                if await is_gone():
                    raise NothingUsable("nobody waits for the answer")
        finally:
            self.forget(job)
        if job.stage is not ReportStage.DONE:
            raise NothingUsable(job.problem)
        return job.report

    def of(self, owner: str | None, job_id: str) -> ReportJob | None:
        """Return a report to the visitor who asked for it."""
        self.forget_old()
        job = self._jobs.get(job_id)
        return job if job is not None and owner is not None and job.owner == owner else None

    def choose(self, job: ReportJob, player: str) -> None:
        """Say whose play it is."""
        if job.stage is ReportStage.WHOSE and player in job.names:
            job.player, job.stage, job.until = player, ReportStage.WAITING, 0.0
            self.start(job)

    async def _make(self, job: ReportJob) -> None:
        job.stage = ReportStage.WORKING
        try:
            async with asyncio.timeout(self.settings.wall_s):
                _settle(job, *await self._work(job))
        except TimeoutError:
            _fail(job, _TOO_LONG)
        except ProcessGone as gone:
            if gone.is_out_of_time:
                _fail(job, _TOO_LONG)
            else:  # compiled code that gets no memory cannot always say so
                _LOG.error("report %s: %s", job.id, gone)
                _fail(job, "the log could not be worked through; upload fewer hands")
        except Exception:
            _fail(job, "something went wrong on our side; it has been logged")
            raise
        finally:
            # In the same step as the last word, before anybody can answer it.
            job.until = self._clock() + self.settings.kept_s
            if job.stage is not ReportStage.WHOSE:
                job.source = b""

    async def _work(self, job: ReportJob) -> tuple[dict[str, Any], int]:
        """Return a worker's last word, and its bytes. Raises `ProcessGone`."""
        with tempfile.TemporaryDirectory(prefix="railbird-report-") as name:
            path = Path(name) / "log"
            await asyncio.to_thread(path.write_bytes, job.source)
            asked = {
                "path": str(path),
                "player": job.player,
                "known": dict(job.known),
                "assess": job.assess,
                "only_results": job.only_results,
                "night": job.night,
                "memory": self.settings.memory,
                "cpu_s": self.settings.cpu_s,
                "nice": self.settings.nice,
            }
            async with await Process.start(WORKER, asked, folder=Path(name)) as worker:
                while "progress" in (heard := await worker.hear()):
                    job.progress = progress_words(*heard["progress"])
                return heard, worker.last_size

    def forget_old(self) -> None:
        """Forget reports that have been kept for their time, and the oldest beyond the bytes."""
        now = self._clock()
        for job in [*self._jobs.values()]:
            if job.until and job.until < now:
                self.forget(job)
        while sum(job.size for job in self._jobs.values()) > self.settings.most_kept:
            self.forget(next(job for job in self._jobs.values() if job.size))


def progress_words(done: int, total: int, what: str) -> str:
    """Return what a worker says of its progress, in words."""
    share = f" {100 * done // total} %" if total else f" {done:,}" if done else ""
    return f"{what}{share}"


def _settle(job: ReportJob, answer: dict[str, Any], size: int) -> None:
    match answer:
        case {"report": report}:
            job.report, job.size, job.stage = report, size, ReportStage.DONE
        case {"whose": names}:
            job.names, job.size, job.stage = names, len(job.source), ReportStage.WHOSE
        case _:
            _fail(job, answer["problem"])


_TOO_LONG: Final = "this takes too long; upload fewer hands"


def _fail(job: ReportJob, problem: str) -> None:
    job.problem, job.stage = problem, ReportStage.FAILED
