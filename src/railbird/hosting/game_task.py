"""One task for one game: a queue of all its events, and its news to connections."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from typing import Protocol

from railbird.errors import WriteFailed
from railbird.game import Action
from railbird.hosting import house_game
from railbird.hosting.connection import Connection
from railbird.hosting.house_workers import HouseWorker, HouseWorkers
from railbird.hosting.interfaces import SessionOutcome
from railbird.hosting.journal import Closed, Journal
from railbird.hosting.play import HostedPlay
from railbird.hosting.supervisor import Supervisor
from railbird.protocol import Input
from railbird.protocol.messages import LeaveReason, Left, Seated
from railbird.protocol.redaction import HandEnd, Private, TableEvent, told_apart, told_body

_LOG = logging.getLogger(__name__)


class Accounts(Protocol):
    """The house, as a game knows it."""

    def connection_of(self, name: str) -> Connection | None:
        """Return the connection of an account; None while it has none."""

    def freed(self, task: GameTask, name: str) -> None:
        """An account has left the game."""

    def over(self, task: GameTask) -> None:
        """The game is over."""

    def session_over(self, play: HostedPlay, outcome: SessionOutcome) -> None:
        """A session at a ring table is over."""

    def parked(self, task: GameTask) -> None:
        """The journal of the game cannot be written."""

    def timed_out(self, name: str) -> None:
        """An account did not act in time."""


class GameTask:
    """A game in play, as connections know it.

    Everything that happens to the game is a call in one queue, which one task empties; nothing in
    it waits for a client, a house player, the disk or the database. Time-outs are calls as well.
    """

    def __init__(
        self,
        play: HostedPlay,
        journal: Journal,
        accounts: Accounts,
        house: HouseWorkers,
        supervisor: Supervisor,
    ) -> None:
        self.play = play
        self.journal = journal
        self.watchers: dict[int, set[Connection]] = defaultdict(set)
        self._accounts = accounts
        self._supervisor = supervisor
        self._house_workers = house
        self._house: HouseWorker | None = None
        """Where the house players of this game decide, once there are some."""
        self._queue: asyncio.Queue[Callable[[], object]] = asyncio.Queue()
        self._timer: asyncio.TimerHandle | None = None
        self._armed: float | None = None
        self._syncing: asyncio.Future[None] | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_stopped = False
        self.can_go_on = True
        """Whether a game that is parked lacks only its journal; otherwise it is read again at the
        next start."""
        self._live: dict[str, Connection] = {}
        """Connections that follow the game since a snapshot or since its start."""
        self._numbers = {play.players[player].entrant.name: player for player in play.still_in}
        play.attach(journal, self)

    # The task.

    def start(self, first: Callable[[], object]) -> None:
        """Begin with a call, then work until the game is over."""
        self._queue.put_nowait(first)
        self._task = self._supervisor.run("games", self._run())

    def post(self, call: Callable[[], object]) -> None:
        """Queue a call behind the earlier ones; a parked game ignores it."""
        if not self.is_parked:
            self._queue.put_nowait(call)

    @property
    def is_parked(self) -> bool:
        """Whether its journal cannot be written; another task goes on with it once it can."""
        return self.play.is_parked

    @property
    def backlog(self) -> int:
        """Number of calls that wait in the queue."""
        return self._queue.qsize()

    async def stop(self) -> None:
        """Carry out the posted calls, and stop; the journal has everything that counts."""
        if self._task is not None and not self._task.done():
            self._queue.put_nowait(self._stop)
            await self._task
        await self._end()

    async def _run(self) -> None:
        while self.play.closed is None and not self.is_parked and not self._is_stopped:
            self._do(await self._queue.get())
        await self._end()
        if self.is_parked:
            self._accounts.parked(self)
        elif self.play.closed is not None:
            self._accounts.over(self)

    def _do(self, call: Callable[[], object]) -> None:
        """Do something, and what follows from it."""
        try:
            call()
            if self.play.has_more:
                self._queue.put_nowait(self.play.advance)
            self._arm()
            self._sync()
        except WriteFailed as problem:
            self._park(problem)
        except Exception as problem:
            _LOG.error("%s is void", self.play.id)
            self._supervisor.failed("games", problem)
            self._annul()

    def _annul(self) -> None:
        """Void the game whose chips differ or whose code failed; everything else goes on."""
        try:
            self.play.annul("a fault of the server; everybody has the stack from before the hand")
        except Exception as problem:
            self._park(problem)

    def _park(self, problem: Exception) -> None:
        """Stand still; the house goes on with the game once its journal can be written."""
        _LOG.error("%s is parked", self.play.id)
        self.can_go_on = isinstance(problem, WriteFailed)
        self._supervisor.failed("journals" if self.can_go_on else "games", problem)
        if self.play.closed is None and not self.is_parked:
            self.play.park()

    def dismiss(self) -> None:
        """Let everybody go, as from a game that is over."""
        for player in list(self._numbers.values()):
            self.left(player, self.play.table_of(player) or 0, "over")

    def _stop(self) -> None:
        self._is_stopped = True

    async def _end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        try:
            if (syncing := self._syncing) is not None:
                await asyncio.wait([syncing])
                syncing.result()
            if self.journal.needs_sync:
                await asyncio.to_thread(self.journal.sync)
        except WriteFailed as problem:
            self._park(problem)
        self.journal.close()
        if self._house is not None:
            self._house.call(lambda _: None, house_game.forget_game, self.journal.path)
            self._house.games -= 1
            self._house = None

    def _arm(self) -> None:
        deadline = self.play.deadline
        if deadline == self._armed:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._armed, self._timer = deadline, None
        if deadline is not None:
            delay = max(0.0, deadline - self.play.when.seconds())
            self._timer = asyncio.get_running_loop().call_later(delay, self._ring)

    def _ring(self) -> None:
        self._armed = self._timer = None
        self.post(self.play.tick)

    def _sync(self) -> None:
        """Put the journal on the disk after a hand, in a thread; the table does not wait."""
        if not self.journal.needs_sync or self.play.hands or self._syncing is not None:
            return
        loop = asyncio.get_running_loop()
        self._syncing = loop.run_in_executor(None, self.journal.sync)
        self._syncing.add_done_callback(self._synced)

    def _synced(self, syncing: asyncio.Future[None]) -> None:
        self._syncing = None
        if not syncing.cancelled() and (problem := syncing.exception()) is not None:
            self._queue.put_nowait(partial(self._raise, problem))

    def _raise(self, problem: BaseException) -> None:
        raise problem

    # News.

    def tell(self, table: int, event: TableEvent) -> None:
        """Tell the players and the spectators of a table."""
        watchers, apart = self.watchers.get(table), told_apart(event)
        others = []
        for connection in self._following(table):
            if connection.name in apart:
                own = told_body(event, connection.name)
                if own is not None:
                    connection.send(own)
            else:
                others.append(connection)
        if (others or watchers) and (public := told_body(event, None)) is not None:
            for connection in others:
                connection.send(public)
            self._to_watchers(table, watchers, public)
        if self._house is not None and isinstance(event, HandEnd):
            journal = self.journal  # while the players have time
            self._house.call(lambda _: None, house_game.see, journal.path, journal.size)

    def tell_entrants(self, event: TableEvent) -> None:
        """Tell everybody who plays or played, and the spectators of all tables."""
        entrants = [player.entrant for player in self.play.players]
        for name in dict.fromkeys(entrant.name for entrant in entrants if not entrant.spec):
            connection = self._accounts.connection_of(name)
            if connection is not None and (own := told_body(event, name)) is not None:
                connection.send(own)
        if (public := told_body(event, None)) is not None:
            everybody = {watcher for watching in self.watchers.values() for watcher in watching}
            self._to_watchers(0, everybody, public)

    def seated(self, player: int, table: int) -> None:
        """Tell a player about the table; one who joins a running game gets a snapshot at once."""
        entrant = self.play.players[player].entrant
        self._numbers[entrant.name] = player
        if entrant.spec:
            return
        info = self.play.table_info(table)
        message = Seated(table=info, commitment=self.play.commitment)
        self._tell_one(player, Private(entrant.name, message))

    def left(self, player: int, table: int, reason: LeaveReason) -> None:
        """Tell a player that a seat is gone, and free the account unless it only moved."""
        entrant = self.play.players[player].entrant
        name = self.play.table_name(table)
        message = Left(table=name, reason=reason)
        self._tell_one(player, Private(entrant.name, message))
        if entrant.spec:
            return
        if reason != "moved":
            self._numbers.pop(entrant.name, None)
            self._live.pop(entrant.name, None)
            self._accounts.freed(self, entrant.name)

    def ask_house(self, player: int, turn: str) -> None:
        """Ask a house player in its process for an action; its answer is posted."""
        if self._house is None:
            self._house = self._house_workers.one()

        def answered(answer: tuple[Action | None, str] | None) -> None:
            action, reasons = answer or (None, "")
            self.post(partial(self.play.house_acted, turn, action, reasons))

        journal = self.journal
        self._house.call(answered, house_game.decide_turn, journal.path, journal.size, player, turn)

    def froze(self, player: int) -> None:
        """Close the connection of a player who did not act in time."""
        self._accounts.timed_out(self.play.players[player].entrant.name)
        connection = self._connection(player)
        if connection is not None:
            connection.happens(Input.FROZEN, "no action in time; log in again to play on")

    def session_over(self, outcome: SessionOutcome) -> None:
        """Send a session's result to the database while the table plays on."""
        self._accounts.session_over(self.play, outcome)

    def finished(self, record: Closed) -> None:
        """The game is over; the task ends after this call."""

    # Accounts.

    def number_of(self, name: str) -> int | None:
        """Return the number of an account that sits in this game."""
        return self._numbers.get(name)

    def came(self, number: int) -> None:
        """An account of this game is connected; it gets one snapshot."""
        if self.number_of(self.play.players[number].entrant.name) != number:
            return
        if not self.is_parked:
            self.play.connected(number)
        table = self.play.table_of(number)
        connection = self._connection(number)
        if connection is not None:
            self._live[connection.name] = connection
            if table is not None:
                self.snapshot(connection, table, watching=False)

    def follow(self, number: int) -> None:
        """An account of this game is connected before its first hand."""
        connection = self._accounts.connection_of(self.play.players[number].entrant.name)
        if connection is not None:
            self.play.players[number].connected = True
            self._live[connection.name] = connection

    def went(self, number: int) -> None:
        """An account of this game is no longer connected."""
        name = self.play.players[number].entrant.name
        if self.number_of(name) == number and self._accounts.connection_of(name) is None:
            self._live.pop(name, None)
            self.play.disconnected(number)

    def snapshot(self, connection: Connection, table: int, *, watching: bool) -> None:
        """Send a table as it is now."""
        viewer = None if watching else connection.name
        if (now := told_body(self.play.table_moment(table), viewer)) is not None:
            connection.send(now)

    def table_number(self, name: str) -> int | None:
        """Return the number of a table by its name."""
        return next((t for t in self.play.tables if self.play.table_name(t) == name), None)

    def _connection(self, player: int) -> Connection | None:
        name = self.play.players[player].entrant.name
        if self._numbers.get(name) != player:
            return None
        return self._accounts.connection_of(name)

    def _following(self, table: int) -> Iterator[Connection]:
        """Yield the connections of the players at a table."""
        for player in self.play.players_at(table):
            connection = self._live.get(self.play.players[player].entrant.name)
            if connection is not None:
                yield connection

    def _tell_one(self, player: int, event: Private) -> None:
        connection = self._accounts.connection_of(event.name)
        if connection is not None and (own := told_body(event, event.name)) is not None:
            connection.send(own)

    def _to_watchers(self, table: int, watchers: set[Connection] | None, news: bytes) -> None:
        if watchers:
            name = self.play.table_name(table)
            for connection in tuple(watchers):
                if self.number_of(connection.name) is None:
                    connection.send_watched(name, news)
