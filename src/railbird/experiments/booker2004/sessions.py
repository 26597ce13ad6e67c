"""Tournaments in sessions: players remember within a session and forget everything between two.

So each session repeats the source's measurement, learning included, and sessions are independent
values. They are kept in a file, from which an interrupted experiment resumes.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from railbird._files import replace_files
from railbird.arena import Tournaments
from railbird.arena.series.tournament import TournamentTables
from railbird.errors import DamagedFile
from railbird.experiments.booker2004.setting import SCHEDULE, STACK
from railbird.experiments.framework.workspace import Work
from railbird.jobs.scheduler import in_order
from railbird.tournament import parse_payouts

if TYPE_CHECKING:
    from railbird.experiments.framework.workspace import Workspace

_WINNER_TAKES_ALL = parse_payouts("100")
_SAVE_SECONDS = 5.0
"""Between two savings of the sessions played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sessions:
    """Sessions of tournaments of the same players."""

    players: tuple[str, ...]
    """Specs, or names and specs."""
    length: int
    """Tournaments in a session."""
    count: int
    """Sessions, at most."""
    seed: int
    payouts: tuple[Fraction, ...] = _WINNER_TAKES_ALL
    entry: Fraction = Fraction(1)

    @property
    def tournaments(self) -> Tournaments:
        """All the tournaments, in order."""
        return Tournaments(
            players=self.players,
            count=self.length * self.count,
            seed=self.seed,
            stack=STACK,
            schedule=SCHEDULE,
            payouts=self.payouts,
            entry=self.entry,
        )

    @property
    def file_name(self) -> str:
        """Name of the file of the sessions played; the same for any number of sessions."""
        what = f"{self.players} {self.length} {self.seed} {STACK} {SCHEDULE}"
        digest = hashlib.sha256(what.encode()).hexdigest()[:16]
        return f"booker-sessions-{len(self.players)}-seats-{digest}.json"


@dataclass(frozen=True, slots=True)
class Session:
    """One session that was played."""

    index: int
    places: tuple[tuple[int, ...], ...]
    """By tournament, then by player, from 1."""
    hands: int
    faults: int
    """Actions that the arena had to replace; our own players should cause none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedSessions:
    """The sessions that were played."""

    sessions: Sessions
    places: NDArray[np.int64]
    """(sessions, tournaments, players) from 1."""
    hands: int
    faults: int

    @property
    def won(self) -> NDArray[np.float64]:
        """(sessions, tournaments, players): 1 for a tournament won outright, shares of ties."""
        first = self.places == 1
        shares: NDArray[np.float64] = first / first.sum(axis=2, keepdims=True)
        return shares

    @property
    def profits(self) -> NDArray[np.float64]:
        """(sessions, tournaments, players) prizes less the entry fee."""
        played = self.sessions.tournaments
        flat = self.places.reshape(-1, self.places.shape[2])
        prizes = np.array([played.prizes(places) for places in map(tuple, flat.tolist())])
        profits: NDArray[np.float64] = prizes.reshape(self.places.shape) - float(played.entry)
        return profits


def play_sessions(
    workspace: Workspace,
    sessions: Sessions,
    *,
    enough: Callable[[PlayedSessions], bool] | None = None,
) -> PlayedSessions:
    """Play sessions, or those that the workspace's file lacks; ``enough`` may stop them early.

    Raises `DamagedFile` for a file that is not what was written.
    """
    path = workspace.results_file(sessions.file_name)
    played = _read(path, sessions)
    before, started, saved = len(played), time.perf_counter(), time.perf_counter()
    stop = enough is not None and played and enough(_collected(sessions, played))
    todo = range(before, before if stop else sessions.count)
    job = partial(_Player, sessions)
    if todo:
        player = job()
        fresh = in_order(player, job, [todo], workers=min(workspace.workers, len(todo)), on=None)
        try:
            with closing(player), closing(fresh):
                for session in fresh:
                    played.append(session)
                    workspace.tell(len(played), sessions.count, " v ".join(sessions.players))
                    if time.perf_counter() - saved > _SAVE_SECONDS:
                        _write(path, played)
                        saved = time.perf_counter()
                    if enough is not None and enough(_collected(sessions, played)):
                        break
        finally:
            _write(path, played)
    result = _collected(sessions, played)
    hands = sum(session.hands for session in played[before:])
    workspace.record(Work("played", hands, time.perf_counter() - started))
    return result


class _Player:
    """Player of sessions by number; created once in every process."""

    def __init__(self, sessions: Sessions) -> None:
        self._length = sessions.length
        self._tables = TournamentTables(sessions.tournaments)

    def play(self, index: int) -> Session:
        """Play one session."""
        first = index * self._length
        finishes = [
            self._tables.play(number, reset=number == first)[0]
            for number in range(first, first + self._length)
        ]
        faults = [tally for finish in finishes for tally in finish.faults]
        return Session(
            index=index,
            places=tuple(finish.places for finish in finishes),
            hands=sum(finish.hands for finish in finishes),
            faults=sum(sum(tally.counts.values()) for tally in faults),
        )

    def close(self) -> None:
        """Let the players end."""
        self._tables.close()


def _collected(sessions: Sessions, played: list[Session]) -> PlayedSessions:
    return PlayedSessions(
        sessions=sessions,
        places=np.array([session.places for session in played], np.int64),
        hands=sum(session.hands for session in played),
        faults=sum(session.faults for session in played),
    )


def _write(path: Path, played: list[Session]) -> None:
    lines = [[session.places, session.hands, session.faults] for session in played]
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_files({path: json.dumps(lines).encode()})


def _read(path: Path, sessions: Sessions) -> list[Session]:
    try:
        lines = json.loads(path.read_bytes())
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as problem:
        raise DamagedFile(f"{path}: {problem}; delete it to play again") from None
    return list(_sessions(path, lines, sessions))[: sessions.count]


def _sessions(path: Path, lines: Any, sessions: Sessions) -> Iterator[Session]:
    seats = len(sessions.players)
    if not isinstance(lines, list):
        raise DamagedFile(f"{path} is no list of sessions; delete it to play again")
    for index, line in enumerate(lines):
        try:
            places, hands, faults = line
            table, counts = np.array(places), (int(hands), int(faults))
        except (TypeError, ValueError):
            table, counts = np.empty(0), (0, 0)
        sound = table.shape == (sessions.length, seats) and table.dtype.kind == "i"
        if not (sound and table.min() >= 1 and table.max() <= seats):
            raise DamagedFile(f"{path}: session {index + 1} is damaged; delete it to play again")
        yield Session(index, tuple(map(tuple, table.tolist())), *counts)
