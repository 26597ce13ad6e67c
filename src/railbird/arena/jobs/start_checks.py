"""Start-up checks and progress reports, common to the arena's long jobs."""

from __future__ import annotations

import pickle
import sys
import time
from collections.abc import Callable, Sequence

from railbird.arena.names import PlayerLike, parse_entrant
from railbird.arena.settings import REPORT_SECONDS
from railbird.errors import BadInput
from railbird.jobs.workers import check_guarded
from railbird.players import keeps_memory
from railbird.players.registry import check_names
from railbird.progress import Progress


def check_workers(workers: int, on: str | None, players: Sequence[PlayerLike]) -> None:
    """Raise `BadInput` for an impossible set of workers, and end a worker started by a worker.

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


def reporter(total: int, what: str, progress: Progress | None) -> Callable[[int], None]:
    """Return a function that reports to ``progress``, a few times a second at most."""
    last = 0.0

    def tell(done: int) -> None:
        nonlocal last
        now = time.perf_counter()
        if progress is not None and (now - last > REPORT_SECONDS or done == total):
            last = now
            progress(done, total, what)

    return tell
