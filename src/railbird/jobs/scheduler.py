"""Distributing the parts of a job over workers, with results in order.

A job is a sequence of pieces of work. Workers take parts, which are consecutive pieces. The results
of the parts are passed on in the order in which the parts were given out, however fast each worker
was. So results do not depend on the number of workers, and a log only has to be appended to. If a
worker dies, its part is given to another.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from railbird.errors import PlayerFault, RailbirdError
from railbird.jobs.ray_workers import RayWorkers
from railbird.jobs.workers import (
    MOST_DEATHS,
    MOST_PIECES,
    PART_SECONDS,
    LocalWorkers,
    Open,
    Part,
    PieceT,
    WorkerPool,
)

Wanted = Callable[[Any], bool]
"""A predicate that says whether a piece is still to be played; it may turn false during the job."""


def all_wanted(_: object) -> bool:
    """Return True for every piece."""
    return True


def play_in_order(
    job: Open[PieceT],
    todo: Iterable[Part],
    *,
    workers: int,
    on: str | None = None,
    prepare: Callable[[], object] = lambda: None,
    wanted: Wanted = all_wanted,
    ahead: int = 4,
) -> Generator[PieceT, None, None]:
    """Have workers (processes or a Ray cluster's) play pieces, and yield the results in order.

    ``job`` is called once in each worker, so it and the pieces must be picklable. ``todo`` are
    sequences of pieces that may be sent together. They are read ahead of the results by about
    ``ahead`` parts for each worker; take fewer if pieces are data that need memory. Pieces that are
    no longer wanted are left out. ``prepare`` is called while workers start, to compile once what
    each of them would otherwise compile.

    Re-raises an exception raised while playing; raises `RailbirdError` if workers keep dying.
    """
    pool: WorkerPool[PieceT] = (
        LocalWorkers(job, workers) if on is None else RayWorkers(job, workers, on)
    )
    with pool:
        prepare()
        yield from _in_order(pool, _Cutter(iter(todo), wanted), ahead=ahead * workers)


class _Cutter:
    """Divides the remaining pieces into parts, none of which spans two of the sequences."""

    def __init__(self, todo: Iterator[Part], wanted: Wanted) -> None:
        self.wanted = wanted
        self._todo = todo
        self._rest: Part = ()

    def part(self, most: int) -> Part | None:
        """Return up to ``most`` of the next wanted pieces; None if none are left."""
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


@dataclass(slots=True, eq=False)
class _Given(Generic[PieceT]):
    """A part that was given to a worker, and its results."""

    part: Part
    started: float = 0.0
    pieces: Sequence[PieceT | PlayerFault] | None = None


def _in_order(pool: WorkerPool[PieceT], cutter: _Cutter, *, ahead: int) -> Iterator[PieceT]:
    """Give out parts and yield their results in order, reading at most ``ahead`` parts ahead.

    Parts grow until one takes a worker `PART_SECONDS`, or has `MOST_PIECES`. The cost of sending
    one then hardly matters, and Ctrl-C still loses little.
    """
    dealt_out: dict[int, _Given[PieceT]] = {}
    due: deque[_Given[PieceT]] = deque()
    again: list[Part] = []
    size, deaths, more = 1, 0, True

    def give_out() -> None:
        nonlocal more
        while pool.has_idle and (again or (more and _pieces(due) < ahead * size)):
            part = again.pop() if again else cutter.part(size)
            if part is None:
                more = False
                continue
            # A part that a dead worker held comes back as the same object. It keeps its place in
            # ``due``, so the order of results does not change.
            if id(part) not in dealt_out:
                dealt_out[id(part)] = _Given(part)
                due.append(dealt_out[id(part)])
            dealt_out[id(part)].started = time.perf_counter()
            pool.submit(part)

    while more or due:
        give_out()
        for outcome in pool.wait() if dealt_out else ():
            # Only deaths in a row count: a single crash may be bad luck, but a part that kills
            # every worker would otherwise be given out for ever.
            deaths = deaths + 1 if outcome.pieces is None else 0
            if deaths > MOST_DEATHS:
                raise RailbirdError(f"{deaths} workers crashed in a row{_over(outcome.part)}")
            if outcome.pieces is None:
                again.append(outcome.part)
                continue
            done = dealt_out.pop(id(outcome.part))
            done.pieces = outcome.pieces
            seconds = time.perf_counter() - done.started
            size = min(MOST_PIECES, _next_size(size, len(done.part), seconds))
        while due and (due[0].pieces is not None or not any(map(cutter.wanted, due[0].part))):
            given = due.popleft()
            give_out()  # or workers would be idle while the caller has the results
            yield from _wanted_pieces(given, cutter.wanted)


def _wanted_pieces(given: _Given[PieceT], wanted: Wanted) -> Iterator[PieceT]:
    """Yield the pieces of a part that are wanted when their turn comes. Raises `PlayerFault`."""
    # A part may be shorter than what was asked for: a player's fault that stops the job ends it.
    for work, piece in zip(given.part, given.pieces or (), strict=False):
        if not wanted(work):
            continue
        if isinstance(piece, PlayerFault):
            raise piece
        yield piece


def _pieces(due: Iterable[_Given[PieceT]]) -> int:
    return sum(len(dealt.part) for dealt in due)


def _over(part: Part) -> str:
    """Say which pieces a worker crashed over, if they have numbers."""
    if not isinstance(part, range):
        return ""
    return (
        f", the last one over the pieces from {part[0]} on; a player probably crashes the process"
    )


def _next_size(size: int, played: int, seconds: float) -> int:
    """Double, halve or keep the size of parts, by the time that the last one took."""
    if seconds < PART_SECONDS / 2 and played == size:
        return 2 * size
    return max(1, size // 2) if seconds > 2 * PART_SECONDS else size
