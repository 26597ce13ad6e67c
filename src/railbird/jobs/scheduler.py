"""Distribution of a job's parts over workers, with the results in order."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import chain

from railbird.errors import RailbirdError
from railbird.jobs.ray_workers import RayWorkers
from railbird.jobs.settings import MOST_DEATHS, MOST_PIECES, PART_SECONDS
from railbird.jobs.workers import (
    FailedPiece,
    LocalWorkers,
    Open,
    Part,
    PiecePlayer,
    PieceT,
    WorkerPool,
)

Wanted = Callable[[int], bool]
"""Predicate: is a piece still to be played? May turn false while the job runs."""


def all_wanted(_: int) -> bool:
    """Return True for every piece."""
    return True


def in_order(
    player: PiecePlayer[PieceT],
    job: Open[PieceT],
    todo: Iterable[range],
    *,
    workers: int,
    on: str | None,
    prepare: Callable[[], object] = lambda: None,
    wanted: Wanted = all_wanted,
) -> Generator[PieceT, None, None]:
    """Play the remaining pieces of a job, here or in workers; yield them in order.

    The ranges of ``todo`` are consumed lazily, though workers run somewhat ahead of the results.
    Pieces that are no longer wanted are omitted. ``prepare`` is called while workers start, to
    compile once what each of them would.

    Re-raises an exception raised while playing; raises `RailbirdError` if workers keep dying.
    """
    if on is None and workers == 1:
        yield from map(player.play, filter(wanted, chain.from_iterable(todo)))
        return
    crew: WorkerPool[PieceT] = (
        LocalWorkers(job, workers) if on is None else RayWorkers(job, workers, on)
    )
    with crew:
        prepare()
        yield from _in_order(crew, _Cutter(iter(todo), wanted), window=4 * workers)


class _Cutter:
    """Divides the remaining pieces into parts; no part spans two ranges."""

    def __init__(self, todo: Iterator[range], wanted: Wanted) -> None:
        self.wanted = wanted
        self._todo = todo
        self._rest = range(0)

    def part(self, most: int) -> range | None:
        """Return up to ``most`` of the next wanted pieces; None when none are left."""
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
    again: list[Part] = []
    started: dict[Part, float] = {}
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
                        f"{outcome.part[0]} on; a player probably crashes the process"
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
    """Double, halve or keep the size of parts, given the time that the last one took."""
    if seconds < PART_SECONDS / 2 and played == size:
        return min(2 * size, MOST_PIECES)
    return max(1, size // 2) if seconds > 2 * PART_SECONDS else size
