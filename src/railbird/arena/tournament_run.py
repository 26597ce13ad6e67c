"""Play tournaments: here or in worker processes, into a log, from where they were stopped."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from railbird.arena.faults import FaultTally
from railbird.arena.runner import Progress, in_order
from railbird.arena.tournament import Finish, Floor, Tournaments
from railbird.arena.tournament_log import hands_text, open_tournament_log
from railbird.errors import BadInput, Interrupted

_REPORT_SECONDS = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentsResult:
    """How a number of tournaments ended."""

    tournaments: Tournaments
    finishes: tuple[Finish, ...]
    resumed: int
    """Tournaments that were in the log already."""
    seconds: float
    """Time that the others took, the start of workers and compilation included."""

    @property
    def hands(self) -> int:
        """Hands in all tournaments."""
        return sum(finish.hands for finish in self.finishes)

    @property
    def hands_per_s(self) -> float:
        """Hands played in this run by its time."""
        played = sum(finish.hands for finish in self.finishes[self.resumed :])
        return played / self.seconds if self.seconds > 0 else 0.0

    @property
    def places(self) -> NDArray[np.int64]:
        """Places from 1, shape (tournaments, players)."""
        return np.array([finish.places for finish in self.finishes], np.int64)

    @property
    def prizes(self) -> NDArray[np.float64]:
        """Prize money in the money of the entry fee, shape (tournaments, players)."""
        prizes = [self.tournaments.prizes(finish.places) for finish in self.finishes]
        return np.array(prizes, np.float64)

    def faults(self, player: int) -> FaultTally:
        """A player's faults in all tournaments."""
        tally = FaultTally()
        for finish in self.finishes:
            tally.add(finish.faults[player])
        return tally


def play_tournaments(
    tournaments: Tournaments,
    *,
    log: Path | None = None,
    workers: int = 1,
    on: str | None = None,
    progress: Progress | None = None,
) -> TournamentsResult:
    """Play tournaments to their end, or those that their log lacks.

    The log and the results are the same for any number of workers, and ``on`` any Ray cluster; see
    `railbird.arena.play`. ``progress`` is told of tournaments.

    Raises `BadInput` for players or a log that cannot be used, `Interrupted` on Ctrl-C (what the
    log has by then stays), `RailbirdError` if workers keep dying.
    """
    if workers < 1:
        raise BadInput(f"{workers} workers; allowed: 1 or more")
    job = partial(_open, tournaments, logged=log is not None)
    play = job()
    started = time.perf_counter()
    with ExitStack() as stack:
        writer, found = None, list[Finish]()
        if log is not None:
            writer, found = stack.enter_context(open_tournament_log(log, tournaments))
            del found[tournaments.count :]
        todo = range(len(found), tournaments.count)
        fresh = in_order(play, job, todo, workers, on)
        stack.enter_context(closing(fresh))
        finishes: list[Finish] = []
        tell = _reporter(tournaments.count, progress)
        try:
            for finish in chain(found, fresh):
                if writer is not None and finish.index >= len(found):
                    writer.append(finish)
                finishes.append(finish.with_text(b""))
                tell(len(finishes))
        except KeyboardInterrupt:
            done = f"stopped after {len(finishes):,} of {tournaments.count:,} tournaments"
            kept = "without a log nothing is kept"
            onward = kept if log is None else f"the same command goes on from {log}"
            raise Interrupted(f"{done}; {onward}") from None
    return TournamentsResult(
        tournaments=tournaments,
        finishes=tuple(finishes),
        resumed=len(found),
        seconds=time.perf_counter() - started,
    )


def _open(tournaments: Tournaments, *, logged: bool) -> Callable[[int], Finish]:
    """What plays a tournament by its number; made once in every process."""
    return partial(_finish, Floor(tournaments), logged=logged)


def _finish(floor: Floor, index: int, *, logged: bool) -> Finish:
    finish, hands = floor.play(index)
    return finish.with_text(hands_text(index, hands)) if logged else finish


def _reporter(total: int, progress: Progress | None) -> Callable[[int], None]:
    """Tell ``progress`` how many tournaments are done, a few times a second at most."""
    last = 0.0

    def tell(done: int) -> None:
        nonlocal last
        now = time.perf_counter()
        if progress is not None and (now - last > _REPORT_SECONDS or done == total):
            last = now
            progress(done, total, "playing tournaments")

    return tell
