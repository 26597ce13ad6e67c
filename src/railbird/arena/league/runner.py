"""Running leagues: here or in worker processes, into logs, resuming where they stopped.

All matches are one job, whose pieces are the chunks of the first pair, then those of the second,
and so on: one pool plays them, so the next match starts while the last chunks of one are running.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
from railbird.arena.league.league import League, LeagueResult, Pair, log_name
from railbird.arena.match.chunk_player import ChunkPlayer, Job, Loop
from railbird.arena.match.chunks import Chunk
from railbird.arena.match.result import MatchResult
from railbird.arena.match.runner import MatchRun, Until
from railbird.errors import PlayerFault
from railbird.jobs.scheduler import in_order
from railbird.progress import Progress


@checked
def play_league(
    league: League,
    *,
    logs: Path | str | None = None,
    workers: int = 1,
    on: str | None = None,
    loop: Loop = Loop.AUTO,
    until: Mapping[Pair, Until] | None = None,
    keep: bool = False,
    progress: Progress | None = None,
) -> LeagueResult:
    """Play a league, or the part that its logs lack; see `railbird.arena.play`.

    ``logs`` is a folder, created if missing, for one log per match, named by `log_name`. ``until``
    decides for each pair separately when to stop. With ``keep`` every match's result holds its
    hands.

    Raises `BadInput` for unusable players or logs, `Interrupted` on Ctrl-C (the logs keep what was
    played), `RailbirdError` if workers keep dying or import an unguarded script.
    """
    check_workers(workers, on, league.players)
    for pair in league.pairs[: len(league.players) - 1]:  # the first one's: everybody is there
        ChunkPlayer(Job(league.match(pair), loop, logged=False)).close()
    job = partial(_open, league, loop, logged=logs is not None, kept=keep)
    logs = None if logs is None else Path(logs)
    if logs is not None:
        logs.mkdir(parents=True, exist_ok=True)
    chunks = league.match(league.pairs[0]).chunks
    tell = reporter(league.hands, "playing", progress)
    matches: dict[Pair, MatchResult] = {}
    done = 0
    with closing(_Courses(league, logs, until, keep)) as courses, ExitStack() as stack:
        player = job()
        stack.enter_context(ended(player))
        fresh = in_order(
            player,
            job,
            courses.todo(),
            workers=min(workers, len(league.pairs) * chunks),
            on=on,
            prepare=compile_loops,
            wanted=courses.wants,
        )
        stack.enter_context(closing(fresh))
        try:
            for number, pair in enumerate(league.pairs):
                before, run = done, courses.open(number)
                run.start()
                for chunk in chain(run.logged, (_local(chunk, chunks) for chunk in fresh)):
                    over = run.take(chunk)
                    done = before + run.hands
                    tell(done)
                    if over:
                        break
                courses.close_one(number)
                matches[pair] = run.result()
                done = before + league.match(pair).hands
        except (KeyboardInterrupt, PlayerFault) as problem:
            raise stopped(problem, done, league.hands, "hands", logs) from None
    tell(league.hands)
    return LeagueResult(league=league, matches=matches)


class _Courses:
    """The running matches of a league; each log is opened when its match starts."""

    def __init__(
        self,
        league: League,
        logs: Path | None,
        until: Mapping[Pair, Until] | None,
        keep: bool,
    ) -> None:
        self._league = league
        self._logs = logs
        self._until = until
        self._keep = keep
        self._open: dict[int, tuple[MatchRun, ExitStack]] = {}
        self._over = 0
        self._chunks = league.match(league.pairs[0]).chunks

    def open(self, number: int) -> MatchRun:
        """Return a pair's match by number, opening its log if necessary."""
        if number not in self._open:
            pair = self._league.pairs[number]
            stack = ExitStack()
            run = MatchRun(
                self._league.match(pair),
                stack,
                log=None if self._logs is None else self._logs / log_name(pair),
                until=None if self._until is None else self._until[pair],
                keep=self._keep,
            )
            self._open[number] = run, stack
        return self._open[number][0]

    def close_one(self, number: int) -> None:
        """Close a finished match; those before it are closed already."""
        self._open.pop(number)[1].close()
        self._over = number + 1

    def close(self) -> None:
        """Close all logs."""
        for _, stack in self._open.values():
            stack.close()

    def todo(self) -> Iterator[range]:
        """Yield the pieces that the logs lack, match by match."""
        for number in range(len(self._league.pairs)):
            if number >= self._over:
                first, chunks = number * self._chunks, self.open(number).todo
                yield range(first + chunks.start, first + chunks.stop)

    def wants(self, piece: int) -> bool:
        """Return whether the match of a piece is still running."""
        return piece // self._chunks >= self._over


def _local(chunk: Chunk, chunks: int) -> Chunk:
    """Return a piece of the league as the chunk of its match."""
    return replace(chunk, index=chunk.index % chunks)


class _LeaguePlayer:
    """Player of the league's pieces by number; created once in every process."""

    def __init__(self, league: League, loop: Loop, *, logged: bool, kept: bool) -> None:
        self._league = league
        self._loop = loop
        self._logged = logged
        self._kept = kept
        self._chunks = league.match(league.pairs[0]).chunks
        self._table: tuple[int, ChunkPlayer] | None = None

    def play(self, piece: int) -> Chunk:
        """Play a piece; the players of a match end when that of another one comes."""
        number, index = divmod(piece, self._chunks)
        if self._table is None or self._table[0] != number:
            self.close()
            match = self._league.match(self._league.pairs[number])
            self._table = number, ChunkPlayer(Job(match, self._loop, self._logged, self._kept))
        return replace(self._table[1].play(index), index=piece)

    def rollback(self) -> None:
        """Let the players of the present match forget the piece that is not over."""
        if self._table is not None:
            self._table[1].rollback()

    def close(self) -> None:
        """Let the players of the present match end."""
        if self._table is not None:
            table, self._table = self._table[1], None
            table.close()


def _open(league: League, loop: Loop, *, logged: bool, kept: bool) -> _LeaguePlayer:
    return _LeaguePlayer(league, loop, logged=logged, kept=kept)
