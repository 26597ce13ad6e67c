"""A long job of any game in numbered pieces: workers, progress, and a message when it stops.

A match, a league, a series of tournaments, a ring game and the exploitability of a strategy are
all jobs of this kind. Each defines how a piece is played and how its result is used. They share the
choice of workers, the order of pieces (`jobs.scheduler`), progress a few times a second, and the
words on how to resume after Ctrl-C or a fault that ends the job.
"""

from __future__ import annotations

import pickle
import sys
import time
from collections.abc import (
    Callable,
    Collection,
    Generator,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Generic, TypeVar

from railbird.arena.job_log import PartLog
from railbird.arena.names import PlayerLike, parse_entrant
from railbird.arena.settings import REPORT_SECONDS
from railbird.errors import BadInput, Interrupted, PlayerFault, interruption_words
from railbird.jobs.scheduler import Wanted, all_wanted, play_in_order
from railbird.jobs.workers import Open, PiecePlayer, check_guarded
from railbird.players import keeps_memory
from railbird.players.registry import check_names
from railbird.progress import Progress

PieceT = TypeVar("PieceT")


@dataclass(frozen=True, slots=True, kw_only=True)
class Run(Generic[PieceT]):
    """The definition of a long job: its pieces, the player of a piece, and the log."""

    job: Open[PieceT]
    """Makes the object that plays a piece, given by number; it is sent to every worker."""
    players: Sequence[PlayerLike]
    here: PiecePlayer[PieceT] | None = None
    """The object that plays pieces in this process, if it exists already."""
    numbers: Collection[int]
    """Numbers of all pieces, in the order in which they are wanted."""
    title: str
    """Name of the job in reports of progress."""
    total: int
    """The amount of work, in units."""
    unit: str
    """Name of the unit, in the plural."""
    log: Callable[[], AbstractContextManager[PartLog[PieceT]]] = lambda: nullcontext(PartLog())
    path: Path | None = None
    """Path of the log, for messages."""
    todo: Callable[[], Iterable[range]] | None = None
    """Pieces to play, read as needed, if they are not simply those that the log lacks."""
    wanted: Wanted = all_wanted
    prepare: Callable[[], object] = lambda: None
    """Called while workers start; see `jobs.scheduler.play_in_order`, also for ``wanted``."""
    every: float = REPORT_SECONDS
    """Seconds between two reports of progress."""

    @contextmanager
    def going(
        self, *, workers: int, on: str | None, progress: Progress | None
    ) -> Iterator[Going[PieceT]]:
        """Play the pieces that the log lacks while this context lasts; then close the players.

        With one worker they are played in this process, unless ``on`` names a Ray cluster.

        Ctrl-C and the fault of a player of a strict policy leave the context as `Interrupted` and
        `PlayerFault`, which say how far the job came and how to resume it. Raises `BadInput` for
        workers, players or a log that cannot be used, `RailbirdError` if workers keep dying.
        """
        check_workers(workers, on, self.players)
        with _ended(self.here or self.job()) as player, self.log() as log:
            logged = {key: piece for key, piece in log.parts.items() if key in self.numbers}
            count = min(workers, len(self.numbers) - len(logged))
            todo = self._lacked(logged) if self.todo is None else self.todo()
            if count > 1 or (on is not None and count):
                played = play_in_order(
                    self.job,
                    todo,
                    workers=count,
                    on=on,
                    prepare=self.prepare,
                    wanted=self.wanted,
                )
            else:
                played = _here(player, todo, self.wanted)
            with closing(played):
                going = Going(self, logged, appended(played, log), progress)
                try:
                    yield going
                except (KeyboardInterrupt, PlayerFault) as problem:
                    raise stopped(problem, going.done, self.total, self.unit, self.path) from None

    def _lacked(self, logged: Collection[int]) -> Iterable[range]:
        """Return the pieces that a log lacks; the log of a range has a beginning of it."""
        if isinstance(self.numbers, range):
            return [self.numbers[len(logged) :]]
        return [range(number, number + 1) for number in self.numbers if number not in logged]


@contextmanager
def _ended(player: PiecePlayer[PieceT]) -> Iterator[PiecePlayer[PieceT]]:
    """Close players after the block, and let them forget an unfinished piece.

    It will be played again when the job is resumed, and must not be remembered twice.
    """
    try:
        yield player
    except BaseException:
        player.rollback()
        raise
    finally:
        player.close()


def _here(
    player: PiecePlayer[PieceT], todo: Iterable[range], wanted: Wanted
) -> Generator[PieceT, None, None]:
    yield from map(player.play, filter(wanted, chain.from_iterable(todo)))


def appended(played: Iterable[PieceT], log: PartLog[PieceT]) -> Iterator[PieceT]:
    """Yield each piece once it is in the log."""
    for piece in played:
        log.append(piece)
        yield piece


@dataclass(slots=True)
class Going(Generic[PieceT]):
    """A run in progress; get one from `Run.going`."""

    run: Run[PieceT]
    logged: Mapping[int, PieceT]
    """The pieces that the log had, by number."""
    fresh: Iterator[PieceT]
    """The other pieces, in order, as they are played; each is in the log when it is yielded."""
    progress: Progress | None
    done: int = 0
    """How much of ``total`` is done, as last reported."""
    _told: float = 0.0

    @property
    def pieces(self) -> Iterator[PieceT]:
        """All pieces in order."""
        return chain(self.logged.values(), self.fresh)

    def tell(self, done: int, words: Callable[[], str] = lambda: "") -> None:
        """Report how much is done, at most a few times a second, with the title and ``words``."""
        self.done = done
        now = time.perf_counter()
        total = self.run.total
        if self.progress is not None and (now - self._told >= self.run.every or done == total):
            self._told = now
            self.progress(done, total, self.run.title + words())


def stopped(
    problem: KeyboardInterrupt | PlayerFault, done: int, total: int, unit: str, log: Path | None
) -> Interrupted | PlayerFault:
    """Return the error for Ctrl-C or a fault that ends the job; it says which parts are logged."""
    onward = "nothing is kept" if log is not None else "without a log, nothing is kept"
    onward = interruption_words(problem) or onward  # if a player was being solved
    if log is not None and done:
        onward = interruption_words(problem, f"they are kept in {log}")
    words = f"stopped after {done:,} of {total:,} {unit}; {onward}"
    if isinstance(problem, PlayerFault):
        return PlayerFault(problem.player, problem.words, problem.trace, words)
    return Interrupted(words)


def check_workers(workers: int, on: str | None, players: Sequence[PlayerLike]) -> None:
    """Raise `BadInput` for unusable workers, and end a worker that another worker has started.

    A player that saves what it learns in a file must run in this process, as must one that cannot
    be sent to another process.
    """
    check_guarded()
    if workers < 1:
        raise BadInput(f"{workers} workers; allowed: 1 or more")
    entrants = [parse_entrant(player) for player in players]
    check_names([entrant.spec for entrant in entrants if entrant.made is None])
    if workers == 1 and on is None:
        return
    for player, entrant in zip(players, entrants, strict=True):
        if entrant.made is not None:
            _check_sendable(entrant.made, entrant.spec)
        elif keeps_memory(entrant.spec):
            raise BadInput(f"{player}: a memory is kept by one process; allowed: 1 worker, here")


def _check_sendable(player: object, name: str) -> None:
    """Raise `BadInput` for a player that workers could not recreate."""
    interactive = not hasattr(sys.modules["__main__"], "__file__")
    module = (player if isinstance(player, type) else type(player)).__module__
    try:
        pickle.dumps(player)
    except Exception as problem:
        why = f"{type(problem).__name__}: {problem}"
    else:
        if module != "__main__" or not interactive:
            return
        why = "it is defined in a session that they cannot import"
    raise BadInput(f"{name} cannot be sent to workers: {why}; allowed: python:MODULE:{name}")
