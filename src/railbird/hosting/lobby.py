"""Accounts, the queues in which they wait, the tables that they watch, and what the lobby shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import assert_never

from railbird.hosting.connection import Connection
from railbird.hosting.formats import TournamentFormat
from railbird.hosting.game_task import GameTask
from railbird.hosting.games.house_seats import chosen
from railbird.hosting.games.outlet import Time
from railbird.hosting.games.ring_play import Refused
from railbird.hosting.records import Entrant
from railbird.hosting.settings import MOST_WATCHED
from railbird.protocol import ErrorCode, Identity, PlayState, body_of
from railbird.protocol.messages.client import AskSnapshot, Unwatch, Watch
from railbird.protocol.messages.game import (
    HousePlayer,
    Left,
    Lobby,
    Queued,
    QueueInfo,
    TableInfo,
)


@dataclass(slots=True)
class Account:
    """An account that is connected, waits or plays."""

    identity: Identity
    connection: Connection | None = None
    arrived_at: int = 0
    """When the connection logged in, in milliseconds since 1970."""
    state: PlayState = PlayState.LOBBY
    queue: str = ""
    task: GameTask | None = None
    again: str = ""
    """Queue to wait in again after every tournament of this connection."""
    watching: dict[str, GameTask] = field(default_factory=dict)


def entrant_of(identity: Identity) -> Entrant:
    """Return an account as an entrant of a game."""
    return Entrant(
        name=identity.name, kind=identity.kind, version=identity.version, owner=identity.owner
    )


class Queue:
    """Accounts that wait for one kind of tournament, the first one first."""

    def __init__(self, form: TournamentFormat, when: Time) -> None:
        self.form = form
        self.running = 0
        """Tournaments from this queue that are being played."""
        self._when = when
        self._waiting: dict[str, tuple[Identity, float]] = {}
        self.is_over = False
        """True once the scheduled start has passed."""
        self._asked = float("-inf")
        """When house players were last asked for, in vain."""

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of those who wait."""
        return tuple(self._waiting)

    def add(self, identity: Identity) -> None:
        """Let an account wait, behind all others."""
        self._waiting.setdefault(identity.name, (identity, self._when.seconds()))

    def remove(self, name: str) -> None:
        """Let an account wait no longer."""
        self._waiting.pop(name, None)

    def take_full(self) -> list[Identity] | None:
        """Return and remove the entrants of a full tournament; None while there are too few."""
        able = self._able()
        if len(able) < self.form.seats:
            return None
        return self._taken(able[: self.form.seats])

    def starts_in(self) -> float | None:
        """Return the seconds until `take_due`; None while it is not foreseen."""
        if self.form.starts_at is not None:
            if self.is_over:
                return None
            now = datetime.fromtimestamp(self._when.unix_ms() / 1000, UTC)
            return max(0.0, (self.form.starts_at - now).total_seconds())
        if self.form.house_after is None or not self._waiting:
            return None
        first = min(since for _, since in self._waiting.values())
        return max(0.0, max(first, self._asked) + self.form.house_after - self._when.seconds())

    def take_due(self, specs: Sequence[str]) -> tuple[list[Identity], list[tuple[str, str]]]:
        """Return and remove the entrants of a tournament that is due, with house players.

        ``specs`` are those of house players, who take the empty seats. Nobody is returned where
        not even two would play.
        """
        if self.form.starts_at is not None:
            self.is_over = True
        able = self._able()[: self.form.seats]
        wanted = self.form.seats - len(able) if self.form.house_after is not None else 0
        house = chosen(specs, wanted, [identity.name for identity in able])
        if not able or len(able) + len(house) < 2:
            self._asked = self._when.seconds()
            return [], []
        return self._taken(able), house

    def message(self) -> Queued:
        """Return what those who wait are told."""
        delay = self.starts_in()
        return Queued(
            queue=self.form.name,
            waiting=len(self),
            seats=self.form.seats,
            starts_in_ms=None if delay is None else round(1000 * delay),
        )

    def info(self) -> QueueInfo:
        """Return what the lobby shows."""
        delay = self.starts_in()
        return QueueInfo(
            queue=self.form.name,
            format=self.form.as_message(),
            waiting=len(self),
            starts_in_ms=None if delay is None else round(1000 * delay),
            tournaments=self.running,
        )

    def _able(self) -> list[Identity]:
        """Return those who may play together: of one interest, only the first to come.

        An owner's bots, and an owner and a bot, never share a rated tournament.
        """
        interests: set[str] = set()
        able = []
        for identity, _ in self._waiting.values():
            if not self.form.rated or identity.interest not in interests:
                interests.add(identity.interest)
                able.append(identity)
        return able

    def _taken(self, able: list[Identity]) -> list[Identity]:
        for identity in able:
            del self._waiting[identity.name]
        return able


class Watching:
    """Tables that accounts watch without a seat there."""

    def __init__(self, tasks: Mapping[str, GameTask]) -> None:
        self._tasks = tasks

    def look(
        self, account: Account, connection: Connection, message: Watch | Unwatch | AskSnapshot
    ) -> None:
        """Begin or end to watch a table, or see it once as it is now. Raises `Refused`."""
        name = message.table
        match message:
            case Watch():
                self._watch(account, connection, name)
            case Unwatch():
                task = account.watching.pop(name, None)
                if task is None:
                    raise Refused(ErrorCode.NO_SUCH_TABLE, f"{name} is not watched")
                self._leave(account, task, name)
                connection.send(body_of(Left(table=name, reason="unwatched")))
            case AskSnapshot():
                self._snapshot(account, connection, name)
            case other:
                assert_never(other)

    def caught_up(self, account: Account, connection: Connection, tables: frozenset[str]) -> None:
        """Send fresh snapshots to a spectator who was behind."""
        for name in tables:
            task = account.watching.get(name)
            table = None if task is None else task.table_number(name)
            if task is not None and table is not None:
                task.snapshot(connection, table, watching=True)

    def end(self, account: Account) -> None:
        """Let an account watch nothing any more."""
        for name, task in account.watching.items():
            self._leave(account, task, name)
        account.watching.clear()

    def over(self, task: GameTask, accounts: Mapping[str, Account]) -> None:
        """Tell those who watch a game that it is over."""
        for connection in {one for watchers in task.watchers.values() for one in watchers}:
            account = accounts.get(connection.name)
            if account is not None:
                for name in [n for n, t in account.watching.items() if t is task]:
                    del account.watching[name]
                    connection.send(body_of(Left(table=name, reason="over")))

    def _watch(self, account: Account, connection: Connection, name: str) -> None:
        task, table = self._find(name)
        if name not in account.watching and len(account.watching) >= MOST_WATCHED:
            raise Refused(ErrorCode.RATE_LIMITED, f"{MOST_WATCHED} tables are watched already")
        account.watching[name] = task
        task.watchers[table].add(connection)
        task.snapshot(connection, table, watching=task.number_of(connection.name) is None)

    def _snapshot(self, account: Account, connection: Connection, name: str) -> None:
        task, table = self._find(name)
        number = task.number_of(connection.name)
        here = number is not None and number in task.play.players_at(table)
        if not here and name not in account.watching:
            raise Refused(ErrorCode.NOT_SEATED, f"you neither sit at {name} nor watch it")
        task.snapshot(connection, table, watching=not here)

    def _leave(self, account: Account, task: GameTask, name: str) -> None:
        table = task.table_number(name)
        watchers = set() if table is None else task.watchers[table]
        watchers.difference_update([one for one in watchers if one.name == account.identity.name])

    def _find(self, name: str) -> tuple[GameTask, int]:
        task = self._tasks.get(name) or self._tasks.get(name.rpartition("-")[0])
        table = None if task is None else task.table_number(name)
        if task is None or table is None:
            raise Refused(ErrorCode.NO_SUCH_TABLE, f"no table {name!r}")
        return task, table


def lobby_message(
    queues: Iterable[Queue], tables: Iterable[TableInfo], house: Iterable[HousePlayer]
) -> Lobby:
    """Return the lobby."""
    return Lobby(queues=[queue.info() for queue in queues], tables=list(tables), house=list(house))
