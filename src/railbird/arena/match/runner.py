"""Running a match: here or in worker processes, with or without a log, resuming where it stopped.

Chunks are independent (see `Match`), so workers take them in any order
(`railbird.jobs.scheduler`). If a worker dies, another replays its part.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path

from railbird._arguments import checked
from railbird.arena._warm import compile_loops
from railbird.arena.guarded_player import ended
from railbird.arena.jobs.interruption_message import stopped
from railbird.arena.jobs.start_checks import check_workers, reporter
from railbird.arena.match.chunk_player import ChunkPlayer, Job, Loop
from railbird.arena.match.chunks import Chunk
from railbird.arena.match.definition import Match
from railbird.arena.match.result import MatchResult
from railbird.arena.match.resumable_log import open_log
from railbird.arena.result_hands import KeptHands, logged_hands
from railbird.errors import PlayerFault
from railbird.histories import HandRecord
from railbird.histories.columns import PackedHands, Piece, pack
from railbird.jobs.scheduler import in_order
from railbird.progress import Progress

Until = Callable[[Chunk], bool]
"""Stopping rule: called with a match's chunks in order, returns True to stop."""


class MatchRun:
    """A running match: the chunks in its log, and those that follow."""

    def __init__(
        self,
        match: Match,
        stack: ExitStack,
        *,
        log: Path | None,
        until: Until | None,
        keep: bool = False,
    ) -> None:
        """Open the log, which ``stack`` closes."""
        self._match = match
        self._log = log
        self._keep = keep
        self._writer, self.logged = None, list[Chunk]()
        if log is not None:
            self._writer, self.logged = stack.enter_context(open_log(log, match))
        self._until = until
        self._chunks: list[Chunk] = []
        self._started = time.perf_counter()

    @property
    def todo(self) -> range:
        """Return the chunks that the log lacks."""
        return range(len(self.logged), self._match.chunks)

    @property
    def hands(self) -> int:
        """Hands so far."""
        chunks, match = len(self._chunks), self._match
        return min(chunks * match.chunk, match.deals) * match.directions

    def start(self) -> None:
        """Start measuring time."""
        self._started = time.perf_counter()

    def take(self, chunk: Chunk) -> bool:
        """Add the next chunk, from the log or newly played; return whether the match is over."""
        if self._writer is not None and chunk.index >= len(self.logged):
            self._writer.append(chunk)
        self._chunks.append(chunk.without_text())
        stops = self._until is not None and self._until(chunk)
        return stops or len(self._chunks) == self._match.chunks

    def result(self) -> MatchResult:
        """Return the result, of a shorter match if it was stopped."""
        match = self._match
        played = replace(match, deals=match.deals_of(len(self._chunks) - 1).stop)
        resumed = min(len(self.logged) * match.chunk, played.deals) * match.directions
        return MatchResult.of(
            played,
            self._chunks,
            resumed=resumed,
            seconds=time.perf_counter() - self._started,
            kept=KeptHands(
                played.hands,
                self._log,
                PackedHands(self._pieces(resumed)) if self._keep else None,
            ),
        )

    def _pieces(self, resumed: int) -> Iterator[Piece]:
        """Return the hands of the match: those that were in the log, and those just played."""
        if self._log is not None and resumed:
            yield from map(pack, logged_hands(self._log, resumed))
        # Before a chunk stand the two lines of the header, and the footers of those before it.
        lines = self._match.chunk * self._match.directions + 1
        for chunk in self._chunks:
            if chunk.hands is not None:
                first = 3 + chunk.index * lines
                placed = self._log is not None
                yield chunk.hands.placed(str(self._log), first) if placed else chunk.hands


@checked
def play(
    match: Match,
    *,
    log: Path | str | None = None,
    workers: int = 1,
    on: str | None = None,
    loop: Loop = Loop.AUTO,
    until: Until | None = None,
    keep: bool = False,
    progress: Progress | None = None,
) -> MatchResult:
    """Play a match, or the part that its log lacks.

    The log and the results are the same for any number of workers and for either loop. With one
    worker everything is played in this process, unless ``on`` names a Ray cluster: its address, or
    ``ray`` for one on this machine only. Workers import the script that starts them, so a script
    must make this call under ``if __name__ == "__main__":``.

    ``until`` is called with every chunk in order, starting with those of the log; the match ends
    when it returns true. The result then contains the shorter match that was played, and the log is
    a prefix of the full one.

    With ``keep`` the result holds the hands as columns (`MatchResult.batches`), which takes some
    forty bytes for one of heads-up limit; `railbird.assessment.assess` takes the result then.

    Raises `BadInput` for players or a log that cannot be used, `Interrupted` on Ctrl-C and
    `PlayerFault` at the first fault of a strict policy (what the log has by then stays),
    `RailbirdError` if workers keep dying or import an unguarded script.
    """
    check_workers(workers, on, match.players)
    log = None if log is None else Path(log)
    job = Job(match, loop, logged=log is not None, kept=keep)
    table = ChunkPlayer(job)
    tell = reporter(match.hands, "playing", progress)
    with ExitStack() as stack:
        stack.enter_context(ended(table))
        run = MatchRun(match, stack, log=log, until=until, keep=keep)
        todo = run.todo
        fresh = in_order(
            table,
            partial(_open, job),
            [todo],
            workers=max(1, min(workers, todo.stop - todo.start)),
            on=on if todo else None,
            prepare=compile_loops,
        )
        stack.enter_context(closing(fresh))
        try:
            for chunk in chain(run.logged, fresh):
                over = run.take(chunk)
                tell(run.hands)
                if over:
                    break
        except (KeyboardInterrupt, PlayerFault) as problem:
            raise stopped(problem, run.hands, match.hands, "hands", log) from None
    return run.result()


@checked
def hands(match: Match, *, loop: Loop = Loop.AUTO) -> Iterator[HandRecord]:
    """Yield the hands of a match as records, played on demand; the same as its log would contain.

    Nothing is kept: a match of any length needs only the memory of a chunk. Raises `BadInput` for
    unusable players.
    """
    table = ChunkPlayer(Job(match, loop, logged=False))
    return _hands(table, match.chunks)


def _hands(table: ChunkPlayer, chunks: int) -> Iterator[HandRecord]:
    with closing(table):
        yield from chain.from_iterable(map(table.records, range(chunks)))


def _open(job: Job) -> ChunkPlayer:
    return ChunkPlayer(job)
