"""Play a match: here or in worker processes, into a log or not, from where it was stopped.

Chunks are independent (see `Match`), so workers take them in any order, and the results are put in
order here. A part whose worker died is played again by another.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path

from railbird.arena._warm import compile_loops
from railbird.arena.chunk import Chunk
from railbird.arena.log import open_log
from railbird.arena.match import Match
from railbird.arena.play import Job, Loop, Table
from railbird.arena.ray_workers import RayWorkers
from railbird.arena.result import MatchResult
from railbird.arena.workers import Crew, LocalWorkers, Open, PieceT
from railbird.errors import BadInput, Interrupted, RailbirdError
from railbird.histories import HandRecord

Progress = Callable[[int, int, str], None]
"""Told of (hands done, hands in all, what)."""

_PART_SECONDS = 0.2
"""How long a worker should be busy with one part."""
_MOST_CHUNKS = 256
"""Chunks in one part at most, which bounds what waits in memory."""
_MOST_DEATHS = 3
"""Workers that may die without a part being finished between them."""
_REPORT_SECONDS = 0.2


def play(
    match: Match,
    *,
    log: Path | None = None,
    workers: int = 1,
    on: str | None = None,
    loop: Loop = Loop.AUTO,
    until: Callable[[Chunk], bool] | None = None,
    progress: Progress | None = None,
) -> MatchResult:
    """Play a match to its end, or what its log lacks of it.

    The log and the results are the same for any number of workers and for either loop. With one
    worker everything is played in this process, unless ``on`` names a Ray cluster: its address, or
    ``ray`` for one of this machine alone.

    ``until`` is shown every chunk in its order, those of the log first; once it answers true, the
    match ends. The result's match is then the shorter one that was played, and the log the
    beginning of what it would have been.

    Raises `BadInput` for players or a log that cannot be used, `Interrupted` on Ctrl-C (what the
    log has by then stays), `RailbirdError` if workers keep dying.
    """
    if workers < 1:
        raise BadInput(f"{workers} workers; allowed: 1 or more")
    job = Job(match, loop, logged=log is not None)
    table = Table(job)
    started = time.perf_counter()
    with ExitStack() as stack:
        writer, found = None, list[Chunk]()
        if log is not None:
            writer, found = stack.enter_context(open_log(log, match))
        todo = range(len(found), match.chunks)
        fresh = in_order(table.play, partial(_open, job), todo, workers, on)
        stack.enter_context(closing(fresh))
        chunks: list[Chunk] = []
        tell = _reporter(match, progress)
        try:
            for chunk in chain(found, fresh):
                if writer is not None and chunk.index >= len(found):
                    writer.append(chunk)
                chunks.append(chunk.without_text())
                tell(len(chunks))
                if until is not None and until(chunk):
                    match = replace(match, deals=match.deals_of(chunk.index).stop)
                    break
        except KeyboardInterrupt:
            raise Interrupted(_how_to_resume(match, len(chunks), log)) from None
    seconds = time.perf_counter() - started
    resumed = min(len(found) * match.chunk, match.deals) * match.directions
    return MatchResult.of(match, chunks, resumed=resumed, seconds=seconds)


def hands(match: Match, *, loop: Loop = Loop.AUTO) -> Iterator[HandRecord]:
    """The hands of a match as records, played as they are asked for; what its log would hold.

    Nothing is kept: a match of any length takes no more memory than a chunk of it. Raises
    `BadInput` for players that cannot be used.
    """
    table = Table(Job(match, loop, logged=False))
    return chain.from_iterable(map(table.records, range(match.chunks)))


def _open(job: Job) -> Callable[[int], Chunk]:
    return Table(job).play


def in_order(
    play: Callable[[int], PieceT],
    job: Open[PieceT],
    todo: range,
    workers: int,
    on: str | None,
) -> Generator[PieceT, None, None]:
    """Play the pieces of a job that are to do, here or in workers; in their order.

    Raises what playing one raised, `RailbirdError` if workers keep dying.
    """
    if not todo or (on is None and (workers == 1 or len(todo) == 1)):
        yield from map(play, todo)
        return
    compile_loops()  # once here, and not in each worker
    count = min(workers, len(todo))
    crew: Crew[PieceT] = LocalWorkers(job, count) if on is None else RayWorkers(job, count, on)
    with crew:
        yield from _in_order(crew, todo, window=4 * workers)


def _in_order(crew: Crew[PieceT], todo: range, *, window: int) -> Iterator[PieceT]:
    """Deal out parts and put what comes back in order, ``window`` parts ahead at most.

    A part grows until it takes a worker `_PART_SECONDS`: then it hardly matters what sending one
    costs, and Ctrl-C still loses little.
    """
    ready: dict[int, PieceT] = {}
    again: list[range] = []
    size, deaths = 1, 0
    fresh = due = todo.start
    started: dict[range, float] = {}
    while due < todo.stop:
        while crew.has_idle and (again or fresh < min(todo.stop, due + window * size)):
            if again:
                part = again.pop()
            else:
                part = range(fresh, min(fresh + size, todo.stop))
                fresh = part.stop
            started[part] = time.perf_counter()
            crew.submit(part)
        for outcome in crew.wait():
            seconds = time.perf_counter() - started.pop(outcome.part)
            if outcome.pieces is None:
                deaths += 1
                if deaths > _MOST_DEATHS:
                    raise RailbirdError(
                        f"{deaths} workers died one after the other, the last one over the pieces "
                        f"from {outcome.part.start} on; a player must have brought them down"
                    )
                again.append(outcome.part)
                continue
            deaths = 0
            ready.update((piece.index, piece) for piece in outcome.pieces)
            size = _next_size(size, len(outcome.part), seconds)
        while due in ready:
            yield ready.pop(due)
            due += 1


def _next_size(size: int, played: int, seconds: float) -> int:
    """Twice the chunks, half or as many, as a part of ``played`` took ``seconds``."""
    if seconds < _PART_SECONDS / 2 and played == size:
        return min(2 * size, _MOST_CHUNKS)
    return max(1, size // 2) if seconds > 2 * _PART_SECONDS else size


def _reporter(match: Match, progress: Progress | None) -> Callable[[int], None]:
    """Tell ``progress`` after how many chunks the match is, a few times a second at most."""
    last = 0.0

    def tell(chunks: int) -> None:
        nonlocal last
        now = time.perf_counter()
        if progress is not None and (now - last > _REPORT_SECONDS or chunks == match.chunks):
            last = now
            deals = min(chunks * match.chunk, match.deals)
            progress(deals * match.directions, match.hands, "playing")

    return tell


def _how_to_resume(match: Match, chunks: int, log: Path | None) -> str:
    done = min(chunks * match.chunk, match.deals) * match.directions
    if log is None:
        return f"stopped after {done:,} of {match.hands:,} hands; without a log nothing is kept"
    return f"stopped after {done:,} of {match.hands:,} hands; the same command goes on from {log}"
