"""Solutions in preparation and finished ones, and the processes that do the work.

Every solution is made by a separate process, one after the other; those that take seconds and
little memory have a queue of their own, beside that of the others. One more process answers
requests about a solution, and another computes the size of a tree; both are started when they are
needed.
All are ended with their children: when they are done, after their time, and with the server.
Where the settings name a folder, solutions stay there, each with a record of its own, and are there
again at the next start; elsewhere they go with the server.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import math
import os
import secrets
import shutil
import tempfile
import time
import weakref
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec

from railbird._files import errors_named, replace_files
from railbird._threads import core_count
from railbird._version import __version__
from railbird.errors import BadInput
from railbird.hosting.supervisor import Supervisor
from railbird.serve.jobs import Full, Job, Jobs, Process, ProcessGone
from railbird.solve.settings import SPOT_SECONDS_PER_NUMBER, spot_iterations

# Settings of the spots in the browser.


@dataclass(frozen=True, slots=True, kw_only=True)
class SpotSettings:
    """What the operator chooses."""

    memory_mb: int = 1024
    """Of the tree of a spot that is solved or read."""
    beside_mb: int = 900
    """Further memory that a process may take: for the library, the betting, and data being read."""
    seconds: float | None = 180.0
    """For the iterations of a spot; then they end with what has been found. None for no end."""
    threads: int | None = 1
    """Of a process that solves; None for as many as there are cores."""
    grace_s: float = 240.0
    """Besides, for compiling and writing; then the process is ended, and nothing is kept."""
    iterations: int = 2_000
    workers: int = 1
    """Spots that are solved at a time; others wait. One more is solved if it is a short one."""
    short_s: float = 20.0
    """For the whole of a short spot, by the estimate: it does not wait for long ones."""
    short_mb: int = 64
    """For the tree of a short spot."""
    most_waiting: int = 12
    """Spots that may wait."""
    most_of_address: int = 3
    """Of these, how many may be of one address, so that nobody fills the queue alone."""
    nice: int = 10
    """How much the processes that solve let everything else go first."""
    answer_s: float = 30.0
    """For an answer about a tree or a solution; then the process is ended."""
    most_hands: int = 1_000
    """That are dealt from a solution for a log."""
    idle_s: float = 600.0
    """After which a process that nobody asks anything is ended."""
    most_asking: int = 20
    """Answers that may be waited for."""
    most_bytes: int = 32 << 20
    """Of a file that is opened."""
    folder: Path | None = None
    """Where solutions stay when the server ends; without one they go with it."""
    kept_s: float = 24 * 3600.0
    """Seconds since a solution was last read after which it is forgotten."""
    most_kept: int = 200
    """Solutions; beyond that whoever has most loses the one that was read longest ago."""
    most_disk: int = 1 << 32
    """Bytes of all solutions; beyond that the same."""

    @classmethod
    def at_home(cls, folder: Path | None = None) -> SpotSettings:
        """Return what a server allows that this machine alone can reach: what the machine has.

        With a folder, solutions stay in it across restarts, and as long as there is room.
        """
        from railbird.solve.spot.solution import free_memory_mb

        free = min(free_memory_mb(), _MOST_HOME_MB) * _HOME_SHARE
        least = cls()
        disk = shutil.disk_usage(tempfile.gettempdir()).free
        if folder is not None:
            holder = next(above for above in (folder, *folder.absolute().parents) if above.exists())
            disk = shutil.disk_usage(holder).free + sum(
                path.stat().st_size for path in folder.glob("*.solution")
            )
        return cls(
            folder=folder,
            kept_s=least.kept_s if folder is None else math.inf,
            memory_mb=max(int(free), least.memory_mb),
            seconds=None,
            threads=None,
            nice=_HOME_NICE,
            answer_s=_PATIENT_S,
            most_bytes=max(disk // 4, least.most_bytes),
            most_disk=max(disk // 2, least.most_disk),
        )


_PATIENT_S: Final = 300.0
"""Time for an answer at home, where the only visitor waits while a large solution is read."""
_HOME_SHARE: Final = 0.75
"""Of the memory that is free at the start, what a tree may take."""
_MOST_HOME_MB: Final = 1 << 20
_HOME_NICE: Final = 3
"""At home the one who waits is who solves: with 10, another program that is busy leaves a solution
a tenth of a core, with 3 a third."""

_WRITING_S: Final = 6.0
"""In which a small solution ends its iteration and is written."""
_WRITTEN_MB_S: Final = 20.0
"""Megabytes of a large one for each further second, on a busy machine."""
_MOST_WRITING_S: Final = 180.0
"""The most that the server's end waits for it."""

_MEASURED_S: Final = 1.0
"""Processor time from which on a spot says something about that: rivers are mostly overhead."""

_FIRST_LOOK: Final = 10
"""Iterations before the gap is looked at first."""
_MOST_POWER: Final = 4.0
"""Of the inverse of the power by which a gap falls; it bounds what is made of the first looks."""
_LONGEST_S: Final = 360_000.0
_LOG = logging.getLogger(__name__)
_WORKER: Final = "railbird.serve.spots_worker"
_SOLUTION: Final = ".solution"
_RECORD: Final = ".json"
_LOG_OF_HANDS: Final = ".phh"
_WITHOUT_RIVER: Final = ".small"
_COMPARED: Final = ".compared"
_PASSING: Final = (_LOG_OF_HANDS, _WITHOUT_RIVER, _COMPARED)
"""Endings of files that are written again when somebody asks for them."""
_RECORDED: Final = (
    *("id", "owner", "title", "address", "spot", "gap", "size", "is_short", "form", "beside"),
    *("iterations", "gap_now", "problem", "facts", "players"),
)
"""Fields of a job that stay with its solution."""
_MOST_NODES: Final = 64
"""Points of solutions that are kept for those who look at them in several ways."""


async def start_process(settings: SpotSettings, *, cpu_s: int = 0, nice: int = 0) -> Process:
    """Start a process of `railbird.serve.spots_worker`, and wait until it can answer."""
    limits = {
        "memory": (2 * settings.memory_mb + settings.beside_mb) << 20,
        "memory_mb": settings.memory_mb,
        "cpu_s": cpu_s,
        "nice": nice,
    }
    process = await Process.start(_WORKER, limits)
    try:
        await process.hear()
    except BaseException:
        await process.end()
        raise
    return process


class Reader:
    """The process that answers about trees and solutions, one after the other."""

    def __init__(self, settings: SpotSettings, supervisor: Supervisor) -> None:
        self.settings = settings
        self._supervisor = supervisor
        self._turn = asyncio.Lock()
        self._asking = 0
        self._process: Process | None = None
        self._idle: asyncio.TimerHandle | None = None

    async def ask(self, do: str, **arguments: Any) -> dict[str, Any]:
        """Return the answer. Raises `BadInput` for a refusal, `ProcessGone` and `Full`."""
        if self._asking >= self.settings.most_asking:
            raise Full
        self._asking += 1
        try:
            async with self._turn:
                answer = await self._answer({"do": do, **arguments})
        finally:
            self._asking -= 1
            if self._idle is not None:
                self._idle.cancel()
            loop = asyncio.get_running_loop()
            self._idle = loop.call_later(self.settings.idle_s, self._end_idle)
        if "problem" in answer:
            raise BadInput(answer["problem"])
        return answer

    async def _answer(self, line: dict[str, Any]) -> dict[str, Any]:
        try:
            if self._process is None:
                async with asyncio.timeout(self.settings.grace_s):
                    self._process = await start_process(self.settings)
            async with asyncio.timeout(self.settings.answer_s):
                await self._process.tell(line)
                return await self._process.hear()
        except BaseException as problem:
            await self.close()  # what it says next would be the answer to something else
            if isinstance(problem, TimeoutError):
                raise ProcessGone("a process of spots took too long") from None
            raise

    def open_file(self, path: str) -> None:
        """Have the process open a solution that is about to be read."""
        self._supervisor.run("spots", self._asked("node", path=path, line=""))

    def close_file(self, path: str) -> None:
        """Have the process give the memory of a file back, if there is a process."""
        if self._process is not None:
            self._supervisor.run("spots", self._asked("close", path=path))

    async def _asked(self, do: str, **arguments: Any) -> None:
        with contextlib.suppress(BadInput, ProcessGone, Full):
            await self.ask(do, **arguments)

    def _end_idle(self) -> None:
        if not self._asking and self._process is not None:
            self._supervisor.run("spots", self._process.end())
            self._process = None

    async def close(self) -> None:
        """End the process."""
        if self._idle is not None:
            self._idle.cancel()
        process, self._process = self._process, None
        if process is not None:
            await process.end()


class Stage(Enum):
    """How far a solution is."""

    WAITING = "waiting"
    SOLVING = "being solved"
    DONE = "solved"
    FAILED = "not solved"


@dataclass(slots=True, eq=False)
class SpotJob(Job):
    """A spot to solve, or a solution that was opened; its owner alone can stop and forget it."""

    spot: str
    path: Path
    gap: float = 0.3
    """At which it ends, in per cent of the pot."""
    size: dict[str, Any] = field(default_factory=dict)
    """What `SpotJobs.size` said of the tree; empty for a file that was opened."""
    is_short: bool = False
    """Whether it waits for short ones alone."""
    form: dict[str, str] = field(default_factory=dict)
    """The fields as they were sent; none for a file that was opened."""
    beside: str = ""
    """Another solution, with which it is compared."""
    stage: Stage = Stage.WAITING
    iterations: int = 0
    gap_now: float = math.inf
    first_gap: float = math.inf
    problem: str = ""
    facts: dict[str, Any] = field(default_factory=dict)
    bytes: int = 0
    read: float = 0.0
    """When it was last read, by the monotonic clock."""
    is_stopping: bool = False
    has_ended: bool = False
    """Whether nothing but writing is still to be done."""
    pace: tuple[float, int] | None = None
    """When the first iteration was heard of, by the monotonic clock, and iterations by then."""
    heard: float = 0.0
    """When it was last heard."""
    process: Process | None = None
    players: int = 2

    @property
    def is_moving(self) -> bool:
        """Whether something is still to come."""
        return self.stage in (Stage.WAITING, Stage.SOLVING)

    def answers(self, later: SpotJob) -> bool:
        """Whether it solves, or has solved, all that a later one asks for."""
        is_usable = self.gap_now <= self.gap if self.stage is Stage.DONE else self.is_moving
        asked, asked_later = (
            (job.owner, job.players, job.spot, job.gap, job.form, job.beside)
            for job in (self, later)
        )
        return is_usable and not self.is_stopping and asked == asked_later

    @property
    def can_go_on(self) -> bool:
        """Whether it was solved here, ended before its gap, and is whole enough to go on."""
        return self.stage is Stage.DONE and self.iterations > 0 and self.facts["resumable"]

    @property
    def file_mb(self) -> float:
        """Megabytes of the solution's file."""
        return self.path.stat().st_size / 2**20

    @property
    def rate(self) -> float | None:
        """Iterations a second; None before two have been heard of."""
        if self.pace is None or self.heard <= self.pace[0] or self.iterations <= self.pace[1]:
            return None
        return (self.iterations - self.pace[1]) / (self.heard - self.pace[0])

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the gap is reached, if it goes on to fall as a power of the iterations.

        Before the gap has been seen to fall, by the iterations that most spots take; before two
        iterations have been heard of, by their usual pace. None if nobody has computed its size.
        """
        rate = self.rate
        if rate is None and self.size.get("seconds"):
            rate = spot_iterations(self.gap) / self.size["seconds"]
        if rate is None:
            return None
        most = max(spot_iterations(self.gap) - self.iterations, 10.0)
        fallen = (
            self.iterations > _FIRST_LOOK and self.gap < self.gap_now < self.first_gap < math.inf
        )
        if fallen:
            power = math.log(self.first_gap / self.gap_now) / math.log(
                self.iterations / _FIRST_LOOK
            )
            most = self.iterations * ((self.gap_now / self.gap) ** min(1 / power, _MOST_POWER) - 1)
        return min(most / rate, _LONGEST_S)

    @property
    def part(self) -> float:
        """How much of the way to the gap is done, 0 to 1."""
        if not self.gap < self.first_gap < math.inf or self.gap <= 0:
            return 0.0
        return min(
            1.0, math.log(self.first_gap / self.gap_now) / math.log(self.first_gap / self.gap)
        )


class SpotJobs(Jobs[SpotJob]):
    """The solutions of a server: those that wait, are made, or can be read."""

    name = "spots"

    def __init__(
        self,
        settings: SpotSettings,
        *,
        clock: Callable[[], float] = time.monotonic,
        supervisor: Supervisor | None = None,
    ) -> None:
        super().__init__(settings, supervisor)
        self.settings = settings
        self.reader = Reader(settings, self._supervisor)
        self.sizer = Reader(settings, self._supervisor)
        """Of its own, for a large tree takes seconds, for which nobody who reads should wait."""
        self.seconds_per_number = SPOT_SECONDS_PER_NUMBER / (settings.threads or core_count())
        """By the clock, of an iteration; learned from the spots that are solved."""
        self._short_slots = asyncio.Semaphore(1)
        self._clock = clock
        self._nodes: OrderedDict[tuple[str, str, str], dict[str, Any]] = OrderedDict()

    @cached_property
    def _folder(self) -> Path:
        """Made for the first solution; only one of the settings outlives the process."""
        if self.settings.folder is not None:
            return private_folder(self.settings.folder)
        folder = Path(tempfile.mkdtemp(prefix="railbird-spots-"))
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        return folder

    # What visitors ask for.

    async def size(
        self, spot: str, *, detail: int | None = None, gap: float = 0.3
    ) -> dict[str, Any]:
        """Return the size of a spot's tree, and the seconds by the clock to a gap, roughly.

        It is the largest tree that fits, or a smaller one after ``detail`` steps; ``trees`` has
        all of them. Raises `BadInput`, `ProcessGone` and `Full`.
        """
        size = await self.sizer.ask("size", spot=spot, detail=detail)
        for tree in (size, *size["trees"]):
            tree["seconds"] = tree["numbers"] * self.seconds_per_number * spot_iterations(gap)
        return size

    async def size_three(self, spot: str) -> dict[str, Any]:
        """Return the size of a spot of three players. Raises what `size` does."""
        return await self.sizer.ask("size_three", spot=spot)

    def add(self, job: SpotJob) -> SpotJob:
        """Begin to solve a spot, and return its job, or the owner's that asks for the same.

        A visitor who goes back and solves again does not queue twice. Raises `Full`.
        """
        for earlier in self.all_of(job.owner):
            if earlier.answers(job):
                return earlier
        self._queue(job)
        return job

    def _queue(self, job: SpotJob) -> None:
        """Put a spot into its queue. Raises `Full`."""
        job.is_short = (
            job.size.get("seconds", math.inf) <= self.settings.short_s
            and job.size["memory_mb"] <= self.settings.short_mb
        )
        self.take(job)

    def _slots_of(self, job: SpotJob) -> asyncio.Semaphore:
        return self._short_slots if job.is_short else self._slots

    def new(self, owner: str, spot: str, title: str, **rest: Any) -> SpotJob:
        """Return a solution that is still to be made, with a new address."""
        name = secrets.token_urlsafe(12)
        return SpotJob(name, owner, title, spot, self._folder / f"{name}{_SOLUTION}", **rest)

    async def lines(self, spot: str, *, name: str) -> str:
        """Return the lines of a spot as `str` writes them, read where it costs the server nothing.

        Raises `BadInput`, `ProcessGone` and `Full`.
        """
        answer = await self.sizer.ask("lines", spot=spot, name=name)
        return str(answer["spot"])

    async def played(
        self, text: str, *, number: int | None, street: str, act: int | None = None
    ) -> dict[str, Any]:
        """Return a hand of a log as a spot. Raises `BadInput`, `ProcessGone` and `Full`."""
        return await self.sizer.ask("played", text=text, number=number, street=street, act=act)

    async def open(self, owner: str, title: str, content: BinaryIO) -> SpotJob:
        """Take a solution from a file. Raises `BadInput`, `ProcessGone` and `Full`."""
        job = self.new(owner, "", title)
        try:
            await asyncio.to_thread(_copy, content, job.path)
            job.facts = await self.reader.ask("open", path=str(job.path))
        except BaseException:
            job.path.unlink(missing_ok=True)
            raise
        job.spot, job.stage, job.gap_now = job.facts["spot"], Stage.DONE, job.facts["gap"]
        job.players = job.facts["players"]
        self._settled(job)
        self._jobs[job.id] = job
        self.forget_old()
        return job

    def of(self, job_id: str) -> SpotJob | None:
        """Return the solution at an address."""
        self.forget_old()
        job = self._jobs.get(job_id)
        if job is not None:
            job.read = self._clock()
            if self.settings.folder is not None:
                with contextlib.suppress(OSError):  # it has no record before it is solved
                    os.utime(job.path.with_suffix(_RECORD))
        return job

    def before(self, job: SpotJob) -> list[SpotJob]:
        """Return those of its queue that are solved or wait before one that waits."""
        moving = [
            queued
            for queued in self._jobs.values()
            if queued.is_moving and queued.is_short is job.is_short
        ]
        return moving[: moving.index(job)] if job in moving else []

    def seconds_before(self, job: SpotJob) -> float | None:
        """Return about how long one that waits still waits; None if that is not known of all."""
        most = self.settings.seconds or math.inf
        seconds = 0.0
        for earlier in self.before(job):
            if earlier.seconds_left is None:
                return None
            seconds += min(earlier.seconds_left, most)
        return seconds / self.settings.workers

    async def read(self, job: SpotJob, do: str, line: str) -> dict[str, Any]:
        """Return what a reader says of a solution. Raises `BadInput`, `ProcessGone` and `Full`."""
        do = do if job.players == 2 else f"{do}_three"
        key = job.id, do, line
        if key not in self._nodes:
            self._keep_answer(key, await self.reader.ask(do, path=str(job.path), line=line))
        self._nodes.move_to_end(key)
        return self._nodes[key]

    def _keep_answer(self, key: tuple[str, str, str], answer: dict[str, Any]) -> None:
        self._nodes[key] = answer
        while len(self._nodes) > _MOST_NODES:
            self._nodes.popitem(last=False)

    async def train(
        self,
        job: SpotJob,
        *,
        line: str,
        drill: str,
        seed: int,
        seat: int | None,
        answers: list[int],
    ) -> dict[str, Any]:
        """Return where a person is who trains at a solution. Raises what `read` does."""
        return await self.reader.ask(
            "train",
            path=str(job.path),
            line=line,
            drill=drill,
            seed=seed,
            seat=seat,
            answers=answers,
        )

    async def compare(
        self, job: SpotJob, other: SpotJob | BinaryIO, *, line: str
    ) -> dict[str, Any]:
        """Compare a solution with another, or with a file. Raises what `read` does."""
        if isinstance(other, SpotJob):
            return await self.reader.ask(
                "compare", path=str(job.path), other=str(other.path), line=line
            )
        path = self._folder / f"{secrets.token_urlsafe(12)}{_COMPARED}"
        try:
            await asyncio.to_thread(_copy, other, path)
            answer = await self.reader.ask(
                "compare", path=str(job.path), other=str(path), line=line
            )
        finally:
            path.unlink(missing_ok=True)
            self.reader.close_file(str(path))
        return answer

    async def hands(self, job: SpotJob) -> Path:
        """Return a PHH file of hands played by a solution. Raises what `read` does."""
        path = job.path.with_suffix(_LOG_OF_HANDS)
        if not path.exists():
            most = self.settings.most_hands
            await self.reader.ask("hands", path=str(job.path), out=str(path), count=most)
            job.bytes += path.stat().st_size
        return path

    async def file(self, job: SpotJob, *, river: bool) -> Path:
        """Return a file of a solution, without its river if that is not asked for and can be.

        Raises what `read` does.
        """
        if river or not job.facts["leaves_river"]:
            return job.path
        path = job.path.with_suffix(_WITHOUT_RIVER)
        if not path.exists():
            await self.reader.ask("export", path=str(job.path), out=str(path))
            job.bytes += path.stat().st_size
        return path

    def go_on(self, job: SpotJob) -> None:
        """Go on with a solution that ended before its gap. Raises `Full`."""
        stage, job.stage = job.stage, Stage.WAITING
        try:
            self._queue(job)
        except Full:
            job.stage = stage
            raise
        job.is_stopping, job.has_ended, job.problem, job.pace, job.heard = (
            False,
            False,
            "",
            None,
            0.0,
        )
        self._forget_answers(job)
        self.reader.close_file(str(job.path))  # what is solved meanwhile needs the memory

    async def stop(self, job: SpotJob) -> None:
        """End a search with what has been found; one that waits is forgotten."""
        if job.stage is Stage.WAITING and job.facts:  # it only does not go on
            self._tasks.pop(job.id).cancel()
            job.stage = Stage.DONE
        elif job.stage is Stage.WAITING:
            self.forget(job)
        elif job.stage is Stage.SOLVING:
            job.is_stopping = True
            if job.process is not None and (job.iterations or job.facts):
                await job.process.tell({"do": "stop"})
            elif job.process is not None:  # compiled code would not hear it before the first round
                await job.process.end()

    def forget(self, job: SpotJob) -> None:
        """Give a solution up, with its process and its files."""
        super().forget(job)
        self._forget_answers(job)
        self.reader.close_file(str(job.path))
        for suffix in (_RECORD, _SOLUTION):
            job.path.with_suffix(suffix).unlink(missing_ok=True)

    def _forget_answers(self, job: SpotJob) -> None:
        """Release the data read from a solution, and files written of it."""
        for key in [key for key in self._nodes if key[0] == job.id]:
            del self._nodes[key]
        for suffix in _PASSING:
            job.path.with_suffix(suffix).unlink(missing_ok=True)

    async def close(self) -> None:
        """End all processes; without a folder of the settings, remove all solutions."""
        if self.settings.folder is not None:
            await self._stop_all()
            for job in [job for job in self._jobs.values() if job.stage is Stage.DONE]:
                del self._jobs[job.id]
        await super().close()
        await self.reader.close()
        await self.sizer.close()
        if "_folder" in vars(self) and self.settings.folder is None:
            await asyncio.to_thread(shutil.rmtree, self._folder, ignore_errors=True)

    # Solutions that stay.

    async def restore(self) -> None:
        """List the solutions of the settings' folder again, and remove what else is left there.

        Those of another version are opened first. Raises `BadInput` if the folder cannot be used.
        """
        if self.settings.folder is None:
            return
        for pattern in (*(f"*{suffix}" for suffix in _PASSING), f".*{_SOLUTION}.*.part"):
            for path in self._folder.glob(pattern):
                path.unlink(missing_ok=True)
        former = []
        for job, version in self._recorded():
            if version == __version__:
                self._jobs[job.id] = job
            else:
                former.append(job)
        self.forget_old()
        if former:
            self._supervisor.run("spots", self._open_again(former))

    def _recorded(self) -> Iterator[tuple[SpotJob, str]]:
        """Yield the solutions of the folder and the versions that wrote them, the oldest first."""
        solutions = [(path.stat().st_mtime, path) for path in self._folder.glob(f"*{_SOLUTION}")]
        for _, path in sorted(solutions):
            record = path.with_suffix(_RECORD)
            try:
                read = record.stat().st_mtime
                fields = json.loads(record.read_bytes())
                values = {key: fields[key] for key in _RECORDED}
                if fields["id"] != path.stem:
                    raise ValueError("another solution's record")
                job = msgspec.convert(values | {"path": path, "stage": Stage.DONE}, SpotJob)
                version = str(fields["version"])
                job.bytes = path.stat().st_size
            except (OSError, ValueError, KeyError, TypeError, RecursionError):
                _LOG.warning("%s has no record that can be read, and is not listed", path)
                continue
            job.read = self._clock() - max(time.time() - read, 0.0)
            yield job, version

    async def _open_again(self, former: list[SpotJob]) -> None:
        """List solutions of another version, as far as this one reads them."""
        for job in former:
            try:
                job.facts = await self.reader.ask("open", path=str(job.path))
            except (BadInput, ProcessGone, Full) as problem:
                _LOG.warning("%s: %s", job.path, problem)
                continue
            job.gap_now = job.facts["gap"]
            self._jobs[job.id] = job
            self._record(job)

    def _record(self, job: SpotJob) -> None:
        """Write beside a solution what its page needs after a restart."""
        fields = {key: getattr(job, key) for key in _RECORDED} | {"version": __version__}
        try:
            replace_files({job.path.with_suffix(_RECORD): json.dumps(fields).encode()})
        except BadInput as problem:
            _LOG.error("%s will not be listed after a restart: %s", job.path, problem)

    def writing_s(self) -> float:
        """Return how long the server's end may wait for what has been found so far, in seconds."""
        if self.settings.folder is None:
            return 0.0
        solving = (job for job in self._jobs.values() if job.stage is Stage.SOLVING)
        megabytes = [float(job.size.get("memory_mb", 0.0)) for job in solving]
        seconds = len(megabytes) * _WRITING_S + sum(megabytes) / _WRITTEN_MB_S
        return min(seconds, _MOST_WRITING_S)

    async def _stop_all(self) -> None:
        """End all searches with what has been found, and give them the time to write it."""
        seconds = self.writing_s()
        for job in [job for job in self._jobs.values() if job.stage is Stage.WAITING]:
            await self.stop(job)
        searched = [job for job in self._jobs.values() if job.stage is Stage.SOLVING]
        for job in searched:
            await self.stop(job)
        writing = [self._tasks[job.id] for job in searched if job.id in self._tasks]
        if writing:
            await asyncio.wait(writing, timeout=seconds)

    # What goes on behind.

    async def _make(self, job: SpotJob) -> None:
        job.stage = Stage.SOLVING
        try:
            async with asyncio.timeout(self._limit_s):
                answer = await self._work(job)
            points = answer.pop("points", {})
            _settle(job, answer)
            for line, point in points.items():
                self._keep_answer((job.id, "node", line), point)
            if points:
                self.reader.open_file(str(job.path))
                if job.form.get("line", "") not in points:  # the form was changed, so it is gone
                    job.form["line"] = ""
        except TimeoutError:
            _fail(job, "this takes too long; use fewer sizes or a later street")
        except ProcessGone as problem:
            if job.is_stopping and not job.facts:
                _fail(job, _STOPPED)
            else:  # compiled code that gets no memory cannot always say so
                _LOG.error("spot %s: %s", job.id, problem)
                _fail(job, "solving ended before its time; use fewer sizes or a later street")
        except Exception:
            _fail(job, "something went wrong on our side; it has been logged")
            raise
        finally:
            job.process = None
            self._settled(job)
        if job.rate and job.facts.get("cpu_s", 0) >= _MEASURED_S:
            cost = 1 / (job.facts["numbers"] * job.rate)
            self.seconds_per_number += (cost - self.seconds_per_number) / 4

    @property
    def _limit_s(self) -> float | None:
        """Seconds after which a process that solves is ended."""
        seconds = self.settings.seconds
        return None if seconds is None else seconds + self.settings.grace_s

    async def _work(self, job: SpotJob) -> dict[str, Any]:
        settings = self.settings
        if job.is_short:
            settings = replace(settings, memory_mb=min(settings.short_mb, settings.memory_mb))
        cpu_s = 0 if self._limit_s is None else int(self._limit_s)
        async with await start_process(settings, cpu_s=cpu_s, nice=settings.nice) as process:
            job.process = process
            if job.is_stopping:
                return {"problem": _STOPPED}
            asked = {
                "spot": job.spot,
                "path": str(job.path),
                "gap": job.gap,
                "iterations": settings.iterations,
                "seconds": settings.seconds,
                "threads": settings.threads,
            }
            if job.players == 2:
                lines = sorted({"", job.form.get("line", "")})
                asked |= {"do": "solve", "store": job.size.get("store", 32), "lines": lines}
            else:
                asked |= {"do": "solve_three"}
            await process.tell(asked)
            while "progress" in (heard := await process.hear()):
                job.iterations, job.gap_now = heard["progress"]
                job.has_ended = "ended" in heard
                job.heard = time.monotonic()
                if job.pace is None and job.iterations:  # the first one touches all memory
                    job.pace = job.heard, job.iterations
                if math.isinf(job.first_gap):
                    job.first_gap = job.gap_now
            return heard

    def _settled(self, job: SpotJob) -> None:
        job.read = self._clock()
        with contextlib.suppress(OSError):
            job.bytes = job.path.stat().st_size
            if self.settings.folder is not None and job.stage is Stage.DONE:
                self._record(job)

    def forget_old(self) -> None:
        """Forget solutions that nobody has read for their time, and those beyond the bounds.

        Beyond these, whoever has most loses one, so that nobody can crowd out others' few.
        """
        finished = sorted(
            (job for job in self._jobs.values() if not job.is_moving), key=lambda job: job.read
        )
        for job in list(finished):
            if job.read + self.settings.kept_s < self._clock():
                finished.remove(job)
                self.forget(job)
        amounts = (
            (lambda _: 1, self.settings.most_kept),
            (lambda job: job.bytes, self.settings.most_disk),
        )
        for amount, most in amounts:
            while sum(map(amount, finished)) > most:
                by_owner = Counter[str]()
                for job in finished:
                    by_owner[job.owner] += amount(job)
                largest = max(by_owner.values())
                job = next(job for job in finished if by_owner[job.owner] == largest)
                finished.remove(job)
                self.forget(job)


def private_folder(folder: Path) -> Path:
    """Make a folder that its owner alone can enter, or close one to others.

    Raises `BadInput` if that cannot be done.
    """
    with errors_named(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)
    return folder


_STOPPED = "it was stopped before anything was found"


def _copy(content: BinaryIO, path: Path) -> None:
    with path.open("wb") as file:
        shutil.copyfileobj(content, file)


def _settle(job: SpotJob, answer: dict[str, Any]) -> None:
    if "problem" in answer:
        _fail(job, answer["problem"])
        return
    job.facts, job.stage = answer, Stage.DONE
    job.iterations, job.gap_now = answer["iterations"], answer["gap"]


def _fail(job: SpotJob, problem: str) -> None:
    """Record why it failed; a result from before it was resumed stays."""
    job.problem, job.stage = problem, Stage.DONE if job.facts else Stage.FAILED
