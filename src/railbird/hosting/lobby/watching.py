"""Tables that accounts watch without a seat there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from railbird.hosting.connection import Connection
from railbird.hosting.game_task import GameTask
from railbird.hosting.games.ring_play import Refused
from railbird.hosting.lobby.account import Account
from railbird.hosting.settings import MOST_WATCHED
from railbird.protocol import ErrorCode, body_of
from railbird.protocol.messages.client import AskSnapshot, Unwatch, Watch
from railbird.protocol.messages.game import Left


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

    def task_of(self, name: str) -> GameTask | None:
        """Return the game that a table belongs to."""
        return self._tasks.get(name) or self._tasks.get(name.rpartition("-")[0])

    def _find(self, name: str) -> tuple[GameTask, int]:
        task = self.task_of(name)
        table = None if task is None else task.table_number(name)
        if task is None or table is None:
            raise Refused(ErrorCode.NO_SUCH_TABLE, f"no table {name!r}")
        return task, table
