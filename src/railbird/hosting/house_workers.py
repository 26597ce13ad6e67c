"""Processes in which house players decide, so that no table and no clock waits for one.

Each game with house players belongs to one worker, which handles its requests in order; the players
live there (`railbird.hosting.house_game`). A worker that dies, or does not answer for long, is
replaced, and the supervisor reports it. The players who were to act then do not answer, and the
game's rules act for them; the others lose nothing but the time.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from railbird.hosting import house_game
from railbird.hosting.settings import (
    HOUSE_CALL_SECONDS,
    HOUSE_STOP_SECONDS,
    MOST_HOUSE_FAULTS,
)
from railbird.hosting.supervisor import PublicFault, Supervisor, Well
from railbird.jobs.workers import LoneProcess

_T = TypeVar("_T")
_LOG = logging.getLogger(__name__)

TASK: Final = "house players"
"""Name under which the supervisor keeps the workers."""


class _Where(Protocol):
    """Where house players compute."""

    def submit(self, function: Callable[..., _T], *arguments: Any) -> Future[_T]:
        """Have a function called, after those before it."""

    def kill(self) -> None:
        """End at once, if that is possible."""

    def close(self) -> None:
        """End after the present call."""


class _Thread:
    """A thread of this process; one that hangs can only be left alone."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="house")

    def submit(self, function: Callable[..., _T], *arguments: Any) -> Future[_T]:
        return self._executor.submit(function, *arguments)

    def kill(self) -> None:
        self.close()

    def close(self) -> None:
        self._executor.shutdown(wait=False, cancel_futures=True)


@dataclass(frozen=True, slots=True)
class _Call:
    """Something to be done for the house players of a game."""

    game: Path
    """Journal of the game."""
    function: Callable[..., Any]
    """Called in the worker with the journal and the arguments."""
    arguments: tuple[Any, ...]
    then: Callable[[Any], object]
    """Called with the result, or with None where there is none."""


class HouseWorker:
    """One process or thread with its queue of calls, for use in one event loop."""

    def __init__(self, workers: HouseWorkers) -> None:
        self.games = 0
        """Games whose house players live here."""
        self._workers = workers
        self._calls: asyncio.Queue[_Call] = asyncio.Queue()
        self.waiting = 0
        """Calls that are not answered yet."""
        self.place: _Where | None = None
        self._task: asyncio.Task[None] | None = None

    def call(
        self,
        callback: Callable[[Any], object],
        function: Callable[..., Any],
        game: Path,
        *arguments: object,
    ) -> None:
        """Call a function for a game in the worker; ``callback`` gets its result, or None."""
        self._calls.put_nowait(_Call(game, function, arguments, callback))
        self.waiting += 1
        if self._task is None:
            self._task = self._workers.supervisor.keep(TASK, self._run)

    async def stop(self) -> None:
        """Finish pending work, for a moment, and end."""
        with suppress(TimeoutError):
            async with asyncio.timeout(HOUSE_STOP_SECONDS):
                await self._calls.join()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        if self.place is not None:
            self.place.kill()

    async def _run(self, well: Well) -> None:
        while True:
            call = await self._calls.get()
            try:
                call.then(await self._answer(call))
            finally:
                self._calls.task_done()
                self.waiting -= 1
            well()

    async def _answer(self, call: _Call) -> object:
        faults = self._workers.faults
        if call.function is house_game.forget_game:
            # A game that is over is forgotten, or counts would pile up for as long as the server
            # runs.
            faults.pop(call.game, None)
        # Players that end their worker again and again are asked no more, so that they cannot keep
        # other games from theirs.
        if faults[call.game] >= MOST_HOUSE_FAULTS:
            return None
        try:
            future = await self._submitted(call)
            async with asyncio.timeout(HOUSE_CALL_SECONDS):
                return await asyncio.wrap_future(future)
        except BrokenExecutor:
            self._end(call, "ended by itself")
        except TimeoutError:
            self._end(call, f"did not answer for {HOUSE_CALL_SECONDS:g} s")
        except Exception:
            _LOG.exception("house players of %s", call.game.name)
        return None

    async def _submitted(self, call: _Call) -> Future[Any]:
        if self.place is not None:
            try:
                return self.place.submit(call.function, call.game, *call.arguments)
            except BrokenExecutor:
                self._end(None, "ended by itself")
        # Starting a process takes long enough for the event loop to be missed.
        self.place = await asyncio.to_thread(self._workers.start)
        return self.place.submit(call.function, call.game, *call.arguments)

    def _end(self, call: _Call | None, why: str) -> None:
        """Tell that a worker is to be replaced, by the fault of a game's players or of nobody."""
        words = f"a process of house players {why}"
        if call is not None:
            self._workers.faults[call.game] += 1
            words += f", busy with {call.game.stem}"
        self._workers.supervisor.failed(TASK, PublicFault(f"{words}; another takes its place"))
        if self.place is not None:
            self.place.kill()
            self.place = None


class HouseWorkers:
    """All workers of a house: so many processes, or two threads where there are to be none."""

    def __init__(self, processes: int, supervisor: Supervisor) -> None:
        self.supervisor = supervisor
        self._processes = processes
        self._compiled_at = get_context("spawn").Value("d", float("-inf"))
        begin = partial(house_game.prepare_process, self._compiled_at)
        self.start: Callable[[], _Where] = (
            partial(LoneProcess, begin, nice=0) if processes else _Thread
        )
        self.faults: Counter[Path] = Counter()
        """How often each game's players ended a worker; those who go on are asked no more."""
        self.workers = [HouseWorker(self) for _ in range(processes or 2)]

    def one(self) -> HouseWorker:
        """Return the worker for another game, the one with the fewest."""
        worker = min(self.workers, key=lambda worker: worker.games)
        worker.games += 1
        return worker

    def prepare(self) -> None:
        """Start the process of the next game, unless it is there, and have it load its players.

        It takes two seconds of the processor, for which nobody who wants to play should wait.
        """
        worker = min(self.workers, key=lambda worker: worker.games)
        if self._processes and worker.place is None and not worker.waiting:
            worker.call(_nothing, house_game.load_players, Path())

    @property
    def compiled_at(self) -> float:
        """When a process compiled code last, by `time.monotonic`."""
        at: float = self._compiled_at.value
        return at

    @property
    def waiting(self) -> int:
        """Calls that are not answered yet."""
        return sum(worker.waiting for worker in self.workers)

    async def stop(self) -> None:
        """Let all workers end."""
        await asyncio.gather(*(worker.stop() for worker in self.workers))


def _nothing(_: object) -> None:
    """Nobody waits for players that are loaded."""
