"""Play leagues: here or in worker processes, into logs, from where they were stopped.

All matches are one job, whose pieces are the chunks of the first pair, then those of the second,
and so on: one crew plays them, and while the last chunks of a match are at work, the first ones of
the next are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path

from railbird._arguments import checked
from railbird.arena.jobs.job_control import check_workers, reporter, stopped
from railbird.arena.jobs.scheduler import in_order
from railbird.arena.league.league import League, LeagueResult, Pair, log_name
from railbird.arena.match.chunk_player import ChunkPlayer, Job, Loop
from railbird.arena.match.chunks import Chunk
from railbird.arena.match.result import MatchResult
from railbird.arena.match.runner import MatchRun, Until
from railbird.errors import PlayerFault
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
    progress: Progress | None = None,
) -> LeagueResult:
    """Play a league to its end, or what its logs lack of it; see `railbird.arena.play`.

    ``logs`` is a folder, made if it is not there, for one log a match under `log_name`. ``until``
    says when to stop, for each pair by itself.

    Raises `BadInput` for players or a log that cannot be used, `Interrupted` on Ctrl-C (what the
    logs have by then stays), `RailbirdError` if workers keep dying or import an unguarded script.
    """
    check_workers(workers, on, league.players)
    for pair in league.pairs[: len(league.players) - 1]:  # the first one's: everybody is there
        ChunkPlayer(Job(league.match(pair), loop, logged=False))
    job = partial(_open, league, loop, logged=logs is not None)
    logs = None if logs is None else Path(logs)
    if logs is not None:
        logs.mkdir(parents=True, exist_ok=True)
    chunks = league.match(league.pairs[0]).chunks
    tell = reporter(league.hands, "playing", progress)
    matches: dict[Pair, MatchResult] = {}
    done = 0
    with closing(_Courses(league, logs, until)) as courses, ExitStack() as stack:
        fresh = in_order(
            job(),
            job,
            courses.todo(),
            workers=min(workers, len(league.pairs) * chunks),
            on=on,
            wanted=courses.wants,
        )
        stack.enter_context(closing(fresh))
        try:
            for number, pair in enumerate(league.pairs):
                before, course = done, courses.open(number)
                course.start()
                for chunk in chain(course.found, (_local(chunk, chunks) for chunk in fresh)):
                    over = course.take(chunk)
                    done = before + course.hands
                    tell(done)
                    if over:
                        break
                courses.close_one(number)
                matches[pair] = course.result()
                done = before + league.match(pair).hands
        except (KeyboardInterrupt, PlayerFault) as problem:
            raise stopped(problem, done, league.hands, "hands", logs) from None
    tell(league.hands)
    return LeagueResult(league=league, matches=matches)


class _Courses:
    """The matches of a league that are on their way; their logs are opened when they begin."""

    def __init__(self, league: League, logs: Path | None, until: Mapping[Pair, Until] | None):
        self._league = league
        self._logs = logs
        self._until = until
        self._open: dict[int, tuple[MatchRun, ExitStack]] = {}
        self._over = 0
        self._chunks = league.match(league.pairs[0]).chunks

    def open(self, number: int) -> MatchRun:
        """The match of a pair by its number; its log is opened if it is not yet."""
        if number not in self._open:
            pair = self._league.pairs[number]
            stack = ExitStack()
            course = MatchRun(
                self._league.match(pair),
                stack,
                log=None if self._logs is None else self._logs / log_name(pair),
                until=None if self._until is None else self._until[pair],
            )
            self._open[number] = course, stack
        return self._open[number][0]

    def close_one(self, number: int) -> None:
        """The match is over; those before it are."""
        self._open.pop(number)[1].close()
        self._over = number + 1

    def close(self) -> None:
        """Close all logs."""
        for _, stack in self._open.values():
            stack.close()

    def todo(self) -> Iterator[range]:
        """The pieces that the logs lack, match by match."""
        for number in range(len(self._league.pairs)):
            if number >= self._over:
                first, chunks = number * self._chunks, self.open(number).todo
                yield range(first + chunks.start, first + chunks.stop)

    def wants(self, piece: int) -> bool:
        """Whether the match of a piece is not over yet."""
        return piece // self._chunks >= self._over


def _local(chunk: Chunk, chunks: int) -> Chunk:
    """A piece of the league as the chunk of its match."""
    return replace(chunk, index=chunk.index % chunks)


def _open(league: League, loop: Loop, *, logged: bool) -> Callable[[int], Chunk]:
    """What plays a piece of the league by its number; made once in every process."""
    chunks = league.match(league.pairs[0]).chunks

    @lru_cache(maxsize=1)
    def table(number: int) -> ChunkPlayer:
        return ChunkPlayer(Job(league.match(league.pairs[number]), loop, logged))

    def play(piece: int) -> Chunk:
        number, index = divmod(piece, chunks)
        return replace(table(number).play(index), index=piece)

    return play
