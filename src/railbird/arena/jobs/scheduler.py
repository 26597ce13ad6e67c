"""Deal a job out in parts to those who play it, and put what comes back in order."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import chain

from railbird.arena._warm import compile_loops
from railbird.arena.jobs.ray_workers import RayWorkers
from railbird.arena.jobs.workers import FailedPiece, LocalWorkers, Open, PieceT, WorkerPool
from railbird.arena.settings import MOST_DEATHS, MOST_PIECES, PART_SECONDS
from railbird.errors import RailbirdError

Wanted = Callable[[int], bool]
"""Whether a piece is still to be played; may turn false while a job is at work."""


def all_wanted(_: int) -> bool:
    """Every piece is."""
    return True


def in_order(
    play: Callable[[int], PieceT],
    job: Open[PieceT],
    todo: Iterable[range],
    *,
    workers: int,
    on: str | None,
    wanted: Wanted = all_wanted,
) -> Generator[PieceT, None, None]:
    """Play the pieces of a job that are to do, here or in workers; in their order.

    The ranges of ``todo`` are asked for only when they are due to be played, which in workers is
    somewhat before what they bring is due. Pieces that are not wanted any more are left out.

    Raises what playing one raised, `RailbirdError` if workers keep dying.
    """
    if on is None and workers == 1:
        yield from map(play, filter(wanted, chain.from_iterable(todo)))
        return
    crew: WorkerPool[PieceT] = (
        LocalWorkers(job, workers) if on is None else RayWorkers(job, workers, on)
    )
    with crew:
        compile_loops()  # once here and not in each worker, while they start
        yield from _in_order(crew, _Cutter(iter(todo), wanted), window=4 * workers)


class _Cutter:
    """Cuts parts of the pieces that are to do; no part goes from one range to the next."""

    def __init__(self, todo: Iterator[range], wanted: Wanted) -> None:
        self.wanted = wanted
        self._todo = todo
        self._rest = range(0)

    def part(self, most: int) -> range | None:
        """The next wanted pieces, so many at most; None when there are no more."""
        while True:
            while self._rest and not self.wanted(self._rest[0]):
                self._rest = self._rest[1:]
            if self._rest:
                part, self._rest = self._rest[:most], self._rest[most:]
                return part
            following = next(self._todo, None)
            if following is None:
                return None
            self._rest = following


def _in_order(crew: WorkerPool[PieceT], cutter: _Cutter, *, window: int) -> Iterator[PieceT]:
    """Deal out parts and put what comes back in order, ``window`` parts ahead at most.

    A part grows until it takes a worker `PART_SECONDS`: then it hardly matters what sending one
    costs, and Ctrl-C still loses little.
    """
    ready: dict[int, PieceT | FailedPiece] = {}
    due: deque[int] = deque()
    again: list[range] = []
    started: dict[range, float] = {}
    size, deaths, more = 1, 0, True
    while more or due:
        while crew.has_idle and (again or (more and len(due) < window * size)):
            part = again.pop() if again else cutter.part(size)
            if part is None:
                more = False
                continue
            if part not in started:
                due.extend(part)
            started[part] = time.perf_counter()
            crew.submit(part)
        for outcome in crew.wait() if due or more else ():
            seconds = time.perf_counter() - started[outcome.part]
            if outcome.pieces is None:
                deaths += 1
                if deaths > MOST_DEATHS:
                    raise RailbirdError(
                        f"{deaths} workers crashed in a row, the last one over the pieces from "
                        f"{outcome.part.start} on; a player probably crashes the process"
                    )
                again.append(outcome.part)
                continue
            deaths = 0
            del started[outcome.part]
            wanted = (piece for piece in outcome.pieces if cutter.wanted(piece.index))
            ready.update((piece.index, piece) for piece in wanted)
            size = _next_size(size, len(outcome.part), seconds)
        while due and (due[0] in ready or not cutter.wanted(due[0])):
            piece = ready.pop(due.popleft(), None)
            if piece is not None and cutter.wanted(piece.index):
                yield _sound(piece)


def _sound(piece: PieceT | FailedPiece) -> PieceT:
    """A piece in which no fault was to stop the job. Raises `PlayerFault`."""
    if isinstance(piece, FailedPiece):
        raise piece.fault
    return piece


def _next_size(size: int, played: int, seconds: float) -> int:
    """Twice the pieces, half or as many, as a part of ``played`` took ``seconds``."""
    if seconds < PART_SECONDS / 2 and played == size:
        return min(2 * size, MOST_PIECES)
    return max(1, size // 2) if seconds > 2 * PART_SECONDS else size
