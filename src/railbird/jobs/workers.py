"""Local processes that play parts of a match, or of any other job made of numbered pieces.

Each worker has its own pipe. So it is known at once which worker has died, and over which part. A
worker whose parent has died finds its pipe closed, and exits.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import (
    active_children,
    connection,
    current_process,
    get_context,
    parent_process,
    resource_tracker,
)
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from types import TracebackType
from typing import Any, Final, Generic, Protocol, Self, TypeVar

from railbird._threads import BLAS_THREADS
from railbird.errors import BadInput, PlayerFault, RailbirdError

# The defaults and limits of workers.


PART_SECONDS: Final = 0.2
"""Time that a part should take a worker."""

MOST_PIECES: Final = 256
"""Most pieces in a part, which bounds the memory for results."""

END_SECONDS: Final = 2.0
"""Time for idle workers to close their players."""

MOST_DEATHS: Final = 3
"""More deaths of workers in a row, with no part finished in between, end the job."""

NICE: Final = 10
"""How much lone processes give way to the server and to others: their niceness on Unix."""


_CONTEXT = get_context("spawn")
_NAME = "railbird worker"
_UNGUARDED = 79
"""Exit code of a worker that was asked to play while importing the script."""
_at_work = False
"""Whether this is a worker that has finished its imports."""


def check_guarded() -> None:
    """Exit if this process is a worker that is still importing the script that started it.

    Otherwise every worker of a script without ``if __name__ == "__main__":`` would play the
    script's matches and start its own workers.
    """
    if current_process().name == _NAME and not _at_work:
        os._exit(_UNGUARDED)


T = TypeVar("T")
PieceT = TypeVar("PieceT")
PieceT_co = TypeVar("PieceT_co", covariant=True)


class PiecePlayer(Protocol[PieceT_co]):
    """Plays the pieces of a job. A class that inherits from this needs only `play`."""

    def play(self, piece: Any, /) -> PieceT_co:
        """Play a piece, given by its number or by whatever the job sends."""

    def rollback(self) -> None:
        """Forget what an interrupted piece has taught, because it will be played again."""
        return

    def close(self) -> None:
        """Release what playing needed; no further piece will be played."""
        return


Open = Callable[[], PiecePlayer[PieceT]]
"""A function that makes the player of the pieces, in a worker; it must be picklable."""


Part = Sequence[Any]
"""What a worker gets at a time: numbers of pieces, or whatever its player takes."""


@dataclass(frozen=True, slots=True)
class Outcome(Generic[PieceT]):
    """The result of a part of a job."""

    part: Part
    """The pieces requested."""
    pieces: tuple[PieceT | PlayerFault, ...] | None
    """The pieces played, up to a player's fault that is to stop the job; None if the worker died
    while playing them."""


@dataclass(slots=True)
class _Worker:
    process: SpawnProcess
    pipe: Connection
    part: Part | None = None


class WorkerPool(Protocol[PieceT]):
    """A pool of workers, local or remote."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

    @property
    def has_idle(self) -> bool:
        """True if a worker waits for a part."""

    def submit(self, part: Part) -> None:
        """Give a part to an idle worker."""

    def wait(self) -> list[Outcome[PieceT]]:
        """Block until a part is done or a worker has died; a dead worker is replaced."""


class LocalWorkers(Generic[PieceT]):
    """A pool of worker processes, each playing one part at a time.

    Use it in a ``with`` statement. Leaving it kills busy workers, which damages nothing because
    only the parent writes. Idle workers get a moment to close their players.
    """

    def __init__(self, job: Open[PieceT], count: int) -> None:
        self._job = job
        self._workers = [_start(job) for _ in range(count)]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        done = kind is None or kind is GeneratorExit  # nobody asks for more
        idle = [worker for worker in self._workers if done and worker.part is None]
        for worker in idle:
            worker.pipe.close()  # the worker then closes its players and exits
        deadline = time.monotonic() + END_SECONDS
        for worker in idle:
            worker.process.join(max(0.0, deadline - time.monotonic()))
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.process.join()
            worker.pipe.close()

    @property
    def has_idle(self) -> bool:
        """True if a worker waits for a part."""
        return any(worker.part is None for worker in self._workers)

    def submit(self, part: Part) -> None:
        """Give a part to an idle worker."""
        worker = next(worker for worker in self._workers if worker.part is None)
        worker.part = part
        with suppress(OSError):  # if it died idle, `wait` finds the pipe closed
            worker.pipe.send(part)

    def wait(self) -> list[Outcome[PieceT]]:
        """Block until a part is done or a worker has died; a dead worker is replaced.

        Re-raises an exception raised in a worker; raises `RailbirdError` if one could not start.
        """
        busy = [worker for worker in self._workers if worker.part is not None]
        ready = connection.wait([worker.pipe for worker in busy])
        return [self._outcome(worker) for worker in busy if worker.pipe in ready]

    def _outcome(self, worker: _Worker) -> Outcome[PieceT]:
        part, worker.part = worker.part, None
        assert part is not None
        try:
            answer = worker.pipe.recv()
        except (EOFError, OSError):
            worker.process.join()
            worker.pipe.close()
            if worker.process.exitcode == _UNGUARDED:
                raise RailbirdError(
                    "workers import the script that starts them; "
                    'put its code under if __name__ == "__main__":'
                ) from None
            self._workers.remove(worker)
            self._workers.append(_start(self._job))
            return Outcome(part, None)
        if isinstance(answer, Exception):
            raise answer
        return Outcome(part, answer)


class LoneProcess:
    """A process that calls functions for this one, one after another, and that may be killed.

    It ends when this process ends, however that happens. It has a low priority, so it gives way to
    whatever else wants the processor.
    """

    def __init__(self, begin: Callable[[], object], *, nice: int = NICE) -> None:
        """Start it, and wait until it has called ``begin``, which must be picklable."""
        self._executor = ProcessPoolExecutor(
            1, mp_context=_CONTEXT, initializer=_begin, initargs=(begin, nice)
        )
        with _held_back(), _one_blas_thread():
            self.pid = self._executor.submit(os.getpid).result()

    def submit(self, function: Callable[..., T], *arguments: Any) -> Future[T]:
        """Have a function called; its result raises `BrokenExecutor` if the process died."""
        return self._executor.submit(function, *arguments)

    def kill(self) -> None:
        """End it now, whatever it is doing."""
        for process in active_children():
            if process.pid == self.pid:
                process.kill()
        self.close()

    def close(self) -> None:
        """Let it end once it has finished its present call."""
        self._executor.shutdown(wait=False, cancel_futures=True)


def _begin(begin: Callable[[], object], nice: int) -> None:
    """Prepare a lone process; its parent handles Ctrl-C and ends it."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    sys.stdout = sys.stderr
    if hasattr(os, "nice"):
        os.nice(nice)
    begin()


def _start(job: Open[PieceT]) -> _Worker:
    ours, theirs = _CONTEXT.Pipe()
    process = _CONTEXT.Process(target=_work, args=(theirs, job), name=_NAME, daemon=True)
    with _held_back(), _one_blas_thread():
        process.start()
    theirs.close()  # otherwise our copy would keep the pipe open after the worker's death
    return _Worker(process, ours)


@contextmanager
def _held_back() -> Iterator[None]:
    """Delay Ctrl-C until afterwards, and hide it from processes that are started meanwhile.

    Otherwise a worker that is still importing, or has received half a job, would print a traceback.
    """
    held: list[int] = []
    handlers = {}
    if threading.current_thread() is threading.main_thread():  # only this thread receives signals
        for sig in (signal.SIGINT, signal.SIGTERM):
            if callable(handler := signal.getsignal(sig)):
                handlers[sig] = handler
                signal.signal(sig, lambda number, _: held.append(number))
    try:
        with _blocked():
            yield
    finally:
        for sig, handler in handlers.items():
            signal.signal(sig, handler)
        for number in held:
            signal.raise_signal(number)


@contextmanager
def _one_blas_thread() -> Iterator[None]:
    """Make processes started meanwhile multiply matrices in one thread, unless set otherwise."""
    # There is a worker for each core already. A BLAS that starts a thread per core in each of them
    # would have them all wait for one another.
    before = os.environ.get(BLAS_THREADS)
    os.environ.setdefault(BLAS_THREADS, "1")
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(BLAS_THREADS, None)


@contextmanager
def _blocked() -> Iterator[None]:
    """Block Ctrl-C in this thread and in the processes it starts."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # started later, it would unblock Ctrl-C
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(pipe: Connection, job: Open[PieceT]) -> None:
    """Run a worker: play part after part until the pipe is closed."""
    global _at_work
    _at_work = True
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C and ends the workers
    threading.Thread(target=_end_with_parent, daemon=True).start()
    sys.stdout = sys.stderr  # keep players' prints out of the parent's output
    player: PiecePlayer[PieceT] | None = None

    def played(index: int) -> PieceT:
        nonlocal player
        player = player or job()
        return player.play(index)

    try:
        while True:
            pipe.send(answer(played, pipe.recv()))
    except (EOFError, OSError):
        if player is not None:
            player.close()


def answer(
    play: Callable[[Any], PieceT], part: Part
) -> tuple[PieceT | PlayerFault, ...] | Exception:
    """Return the pieces of a part, or an exception that can be sent.

    A player's fault takes its place among the pieces. Which fault is the first of a job must not
    depend on which worker is the fastest.
    """
    pieces: list[PieceT | PlayerFault] = []
    try:
        for index in part:
            try:
                pieces.append(play(index))
            except PlayerFault as fault:
                pieces.append(fault)
                break
        return tuple(pieces)
    except RailbirdError as problem:
        return BadInput(str(problem))  # the original class may not be picklable
    except Exception as problem:
        traceback.print_exc()
        return RailbirdError(f"a worker failed: {problem!r}")


def _end_with_parent() -> None:
    """Exit when the parent is gone, even in the middle of an endless decision."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        # Not `sys.exit`, which would only end this thread: the main thread may be in a decision
        # that never returns.
        os._exit(1)
