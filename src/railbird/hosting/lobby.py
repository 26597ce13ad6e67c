"""The lobby: accounts that are online, where they wait and what they watch, and its listing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from typing import Generic, TypeVar, assert_never
from weakref import WeakKeyDictionary

from railbird.errors import WriteFailed
from railbird.hosting.connection import Connection
from railbird.hosting.formats import PRIVATE, TournamentFormat
from railbird.hosting.game_task import GameTask
from railbird.hosting.house_seats import HousePlayers, chosen, house_specs, plays_limit_heads_up
from railbird.hosting.journal import Entrant
from railbird.hosting.ladder import BY_NAME
from railbird.hosting.play import Time
from railbird.hosting.ring_play import Refused, RingPlay
from railbird.hosting.settings import MOST_LISTED, MOST_WATCHED
from railbird.hosting.supervisor import Supervisor
from railbird.players.registry import REGISTRY
from railbird.players.spec import parse_spec
from railbird.protocol import ErrorCode, Identity, PlayState, body_of
from railbird.protocol.messages import (
    ActMessage,
    AskSnapshot,
    BuyChips,
    HousePlayer,
    Left,
    Lobby,
    Part,
    Queued,
    QueueInfo,
    RunTwice,
    SeedShare,
    ShowCards,
    SitIn,
    SitOut,
    StandUp,
    TableInfo,
    Unqueued,
    Unwatch,
    Watch,
)


@dataclass(slots=True)
class ConnectedAccount:
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
        name=identity.name,
        kind=identity.kind,
        version=identity.version,
        owner=identity.owner,
        account=identity.account,
    )


# Queues in which accounts wait for a tournament.


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
        self.is_held = False
        """True while a tournament would start, but its journal cannot be opened."""
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
        # Who asks again keeps his place in the queue.
        self._waiting.setdefault(identity.name, (identity, self._when.seconds()))

    def remove(self, name: str) -> None:
        """Let an account wait no longer."""
        self._waiting.pop(name, None)

    def full(self) -> list[Identity]:
        """Return the entrants of a full tournament; none while there are too few."""
        able = self._able()
        return able[: self.form.seats] if len(able) >= self.form.seats else []

    def starts_in(self) -> float | None:
        """Return the seconds until `due`; None while it is not foreseen."""
        if self.form.starts_at is not None:
            if self.is_over:
                return None
            now = datetime.fromtimestamp(self._when.unix_ms() / 1000, UTC)
            return max(0.0, (self.form.starts_at - now).total_seconds())
        if self.form.house_after is None or not self._waiting:
            return None
        first = min(since for _, since in self._waiting.values())
        # House players who were asked for in vain are asked for again only after the same wait.
        return max(0.0, max(first, self._asked) + self.form.house_after - self._when.seconds())

    @property
    def starts_in_ms(self) -> int | None:
        """`starts_in` as messages have it."""
        delay = self.starts_in()
        return None if delay is None else round(1000 * delay)

    def due(self, specs: Sequence[str]) -> tuple[list[Identity], list[tuple[str, str]]]:
        """Return the entrants of a tournament that is due, with house players.

        ``specs`` are those of house players, who take the empty seats. Nobody is returned where
        not even two would play; then they wait anew.
        """
        able = self._able()[: self.form.seats]
        wanted = self.form.seats - len(able) if self.form.house_after is not None else 0
        house = chosen(specs, wanted, [identity.name for identity in able])
        if not able or len(able) + len(house) < 2:
            self._asked = self._when.seconds()
            return [], []
        return able, house

    def message(self) -> Queued:
        """Return the news for those who wait."""
        return Queued(
            queue=self.form.name,
            waiting=len(self),
            seats=self.form.seats,
            starts_in_ms=self.starts_in_ms,
            held=self.is_held,
        )

    def info(self) -> QueueInfo:
        """Return the lobby's entry for the queue."""
        return QueueInfo(
            queue=self.form.name,
            format=self.form.as_message(),
            waiting=len(self),
            starts_in_ms=self.starts_in_ms,
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


# The lobby as clients are sent it, each part made and encoded once per change.
#
# Clients ask for it on and on, and with many tables it is the longest message of all.


K = TypeVar("K")
P = TypeVar("P", bound=Part)


@dataclass(frozen=True, slots=True)
class _Made(Generic[P]):
    """A cached message about a queue or table, and the state that it shows."""

    then: Hashable
    parts: tuple[P, ...]
    encoded: tuple[bytes, ...]


class Listing:
    """The lobby's messages about queues, tables and house players, made anew where they change."""

    def __init__(
        self, queues: Mapping[str, Queue], tasks: Mapping[str, GameTask], house: HousePlayers
    ) -> None:
        self._queues = queues
        self._tasks = tasks
        self._house = house
        self._offered: Mapping[str, str] | None = None
        self._described: tuple[tuple[HousePlayer, ...], bytes] = ((), b"")
        self._of_queues: WeakKeyDictionary[Queue, _Made[QueueInfo]] = WeakKeyDictionary()
        self._of_tables: WeakKeyDictionary[GameTask, _Made[TableInfo]] = WeakKeyDictionary()

    def message(self) -> Lobby:
        """Return the lobby as a message."""
        tables = (info for made in self._tables() for info in made.parts)
        return Lobby(
            queues=[info for made in self._waiting() for info in made.parts],
            tables=list(islice(tables, MOST_LISTED)),
            house=list(self._house_players()[0]),
            parked=self.parked,
        )

    def body(self) -> bytes:
        """Return the body of the message."""
        queues = b",".join(text for made in self._waiting() for text in made.encoded)
        tables = (text for made in self._tables() for text in made.encoded)
        listed = b",".join(islice(tables, MOST_LISTED))
        house = self._house_players()[1]
        return b'{"type":"lobby","queues":[%b],"tables":[%b],"house":[%b],"parked":%d}' % (
            queues,
            listed,
            house,
            self.parked,
        )

    @property
    def parked(self) -> int:
        """Games that wait until their journals can be written again."""
        return sum(task.is_parked for task in self._tasks.values())

    def _house_players(self) -> tuple[tuple[HousePlayer, ...], bytes]:
        offered = self._house.offered()
        if offered is not self._offered:
            self._offered, self._described = offered, _described(offered)
        return self._described

    def _waiting(self) -> Iterator[_Made[QueueInfo]]:
        for queue in self._queues.values():
            # A queue's message holds until one of these changes; the text is encoded once for all
            # who look.
            now = (len(queue), queue.running, queue.starts_in_ms)
            yield _kept(self._of_queues, queue, now, partial(_queue, queue))

    def _tables(self) -> Iterator[_Made[TableInfo]]:
        for task in self._tasks.values():
            opened = task.play.opened
            if opened.kind != "practice" and not opened.format.startswith(PRIVATE):
                yield _kept(self._of_tables, task, task.play.version, partial(_tables_of, task))


def _kept(
    made: WeakKeyDictionary[K, _Made[P]], key: K, now: Hashable, make: Callable[[], tuple[P, ...]]
) -> _Made[P]:
    """Return the cached message if it still holds, else make it anew."""
    made_parts = made.get(key)
    if made_parts is None or made_parts.then != now:
        parts = make()
        made_parts = made[key] = _Made(now, parts, tuple(map(body_of, parts)))
    return made_parts


def _queue(queue: Queue) -> tuple[QueueInfo, ...]:
    return (queue.info(),)


def _tables_of(task: GameTask) -> tuple[TableInfo, ...]:
    return tuple(map(task.play.table_info, task.play.tables))


def _described(house: Mapping[str, str]) -> tuple[tuple[HousePlayer, ...], bytes]:
    """Return house players, given their specs by name, and their JSON texts."""
    players = tuple(
        HousePlayer(
            name=name,
            summary=_summary(name, spec),
            needs_top_up=plays_limit_heads_up(spec),
        )
        for name, spec in house.items()
    )
    return players, b",".join(map(body_of, players))


def _summary(name: str, spec: str) -> str:
    """Say what a house player does, without the forms of specs, which nobody may choose freely."""
    if name in BY_NAME:
        return BY_NAME[name].character
    return REGISTRY[parse_spec(spec).name].summary.partition(": ")[0]


# All queues: who enters and leaves them, and the moments at which their tournaments start.


Start = Callable[[Queue, list[Identity], Sequence[tuple[str, str]]], None]
"""Begins a tournament of a queue, with its entrants and the names and specs of house players."""


class Queues:
    """The queues of a house, in one event loop."""

    def __init__(
        self,
        forms: Sequence[TournamentFormat],
        when: Time,
        accounts: Mapping[str, ConnectedAccount],
        start: Start,
        is_behind: Callable[[Exception], object],
        supervisor: Supervisor,
    ) -> None:
        self.by_name = {form.name: Queue(form, when) for form in forms}
        self.is_closed = False
        """True once nothing new starts."""
        self._accounts = accounts
        self._start = start
        self._is_behind = is_behind
        self._supervisor = supervisor
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def enter(self, account: ConnectedAccount, name: str, *, again: bool) -> None:
        """Let an account wait; the tournament starts once there are enough. Raises `Refused`."""
        queue = self.by_name.get(name)
        if queue is None:
            raise Refused(ErrorCode.NO_SUCH_QUEUE, f"no queue {name!r}")
        if queue.is_over:
            raise Refused(ErrorCode.NO_SUCH_QUEUE, f"{name} has started")
        if self.is_closed:
            raise Refused(ErrorCode.DRAINING, "the server is about to restart")
        queue.add(account.identity)
        account.state, account.queue = PlayState.QUEUED, name
        account.again = name if again else ""
        self.tell(queue)
        if not queue.is_held:
            with self._later():
                self._begin_full(queue)
        self.arm(queue)

    @contextmanager
    def _later(self) -> Iterator[None]:
        """Let `try_again` do what a journal that cannot be opened hinders."""
        try:
            yield
        except WriteFailed as problem:
            self._is_behind(problem)

    def _begin_full(self, queue: Queue) -> None:
        while queue.form.starts_at is None and (players := queue.full()):
            self._begin(queue, players)

    def _begin(
        self, queue: Queue, players: list[Identity], house: Sequence[tuple[str, str]] = ()
    ) -> None:
        """Begin a tournament.

        Raises `WriteFailed` where its journal cannot be opened: then its players go on waiting.
        """
        try:
            self._start(queue, players, house)
        except WriteFailed:
            queue.is_held = True
            self.tell(queue)
            raise

    async def try_again(self) -> None:
        """Begin the tournaments that were held. Raises `WriteFailed` if one cannot begin yet."""
        for queue in self.by_name.values():
            if queue.is_held and not self.is_closed:
                queue.is_held = False
                self._begin_full(queue)
                await self._begin_due(queue)
                self.tell(queue)

    def leave(self, account: ConnectedAccount) -> None:
        """Let an account wait no longer."""
        queue = self.by_name[account.queue]
        queue.remove(account.identity.name)
        _send(account, Unqueued(queue=account.queue))
        account.state, account.queue, account.again = PlayState.LOBBY, "", ""
        self.tell(queue)
        self.arm(queue)

    def tell(self, queue: Queue) -> None:
        """Send the number of waiting players to those who wait."""
        message = queue.message()
        for name in queue.names:
            _send(self._accounts[name], message)

    def arm(self, queue: Queue) -> None:
        """Set the clock for the moment at which a queue is due."""
        name = queue.form.name
        timer = self._timers.pop(name, None)
        if timer is not None:
            timer.cancel()
        delay = queue.starts_in()
        if delay is not None and not self.is_closed and not queue.is_held:
            loop = asyncio.get_running_loop()
            self._timers[name] = loop.call_later(delay, self._due, queue)

    def stop(self) -> None:
        """Stop all clocks."""
        for timer in self._timers.values():
            timer.cancel()

    def _due(self, queue: Queue) -> None:
        self._supervisor.run("queues", self._start_due(queue))

    async def _start_due(self, queue: Queue) -> None:
        with self._later():
            await self._begin_due(queue)

    async def _begin_due(self, queue: Queue) -> None:
        """Let house players take the empty seats, and play. Raises `WriteFailed`."""
        specs = await specs_for(queue.form)
        delay = queue.starts_in()
        if delay is not None and delay <= 0 and not self.is_closed:  # nobody left meanwhile
            players, house = queue.due(specs)
            if players:
                self._begin(queue, players, house)
            queue.is_over = queue.form.starts_at is not None
        self.arm(queue)


async def specs_for(form: TournamentFormat) -> tuple[str, ...]:
    """Return the specs of a format's house players.

    The registry is asked in a thread: some players load large tables to answer.
    """
    if form.house or form.house_after is None:
        return form.house
    seats = min(form.seats, form.table_seats)
    rules = form.rules(form.schedule.level(0), [form.stack] * seats)
    return await asyncio.to_thread(house_specs, rules)


def _send(account: ConnectedAccount, message: Queued | Unqueued) -> None:
    if account.connection is not None:
        account.connection.send(body_of(message))


# What players ask for at their tables, as calls in the queues of their games.


_NO_SEAT = "you have no seat any more"


def act_in_turn(
    task: GameTask,
    connection: Connection,
    message: ActMessage,
    offended: Callable[[str, str], object],
) -> None:
    """Act; ``offended`` is called with the account and the code of a refusal."""

    def call() -> None:
        number = task.number_of(connection.name)
        if number is None:
            connection.refuse(ErrorCode.NOT_SEATED, _NO_SEAT)
            return
        error = task.play.act(number, message, lag=connection.lag)
        if error is None:
            connection.answered += 1
        else:
            offended(connection.name, error.code.value)
            connection.send_error(error)

    task.post(call)


def show_or_share(task: GameTask, connection: Connection, message: ShowCards | SeedShare) -> None:
    """Show cards of a hand that is over, or give a share of the seed."""

    def call() -> None:
        number = task.number_of(connection.name)
        if number is None:
            connection.refuse(ErrorCode.NOT_SEATED, _NO_SEAT)
            return
        play = task.play
        if isinstance(message, SeedShare):
            error = play.give_share(number, message)
        else:
            error = play.show(number, message)
        if error is not None:
            connection.send_error(error)

    task.post(call)


def change_seat(
    task: GameTask,
    connection: Connection,
    message: BuyChips | SitOut | SitIn | StandUp | RunTwice,
) -> None:
    """Buy chips at a ring table, sit out or in, stand up, or run twice. Raises `Refused`."""
    play = task.play
    if not isinstance(play, RingPlay):
        raise Refused(ErrorCode.NOT_SEATED, "that is for ring tables")

    def call() -> None:
        number = task.number_of(connection.name)
        if number is None or number not in play.sessions:
            connection.refuse(ErrorCode.NOT_SEATED, _NO_SEAT)
            return
        try:
            match message:
                case BuyChips(amount=amount):
                    play.buy(number, amount)
                case SitOut():
                    play.sit_out(number, True)
                case SitIn(waits=waits):
                    play.sit_out(number, False, waits=waits)
                case StandUp():
                    play.stand_up(number)
                case RunTwice(wants=wants):
                    play.run_twice(number, wants)
        except Refused as problem:
            connection.refuse(problem.code, str(problem))

    task.post(call)


def take_seat(
    task: GameTask,
    play: RingPlay,
    account: ConnectedAccount,
    chips: int,
    *,
    waits: bool = False,
    least: int = 0,
) -> None:
    """Seat an account, within a call of its game. Raises `Refused`."""
    number = play.join(entrant_of(account.identity), chips, waits=waits, least=least)
    # The account may have lost its connection between its request and this call, which runs in the
    # game's own queue.
    if account.connection is None:
        play.disconnected(number)
    else:
        task.came(number)


# Tables that accounts watch without a seat there.


class Watching:
    """Tables that accounts watch without a seat there."""

    def __init__(self, tasks: Mapping[str, GameTask]) -> None:
        self._tasks = tasks

    def look(
        self,
        account: ConnectedAccount,
        connection: Connection,
        message: Watch | Unwatch | AskSnapshot,
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

    def caught_up(
        self, account: ConnectedAccount, connection: Connection, tables: frozenset[str]
    ) -> None:
        """Send fresh snapshots to a spectator who was behind."""
        for name in tables:
            task = account.watching.get(name)
            table = None if task is None else task.table_number(name)
            if task is not None and table is not None:
                task.snapshot(connection, table, watching=True)

    def end(self, account: ConnectedAccount) -> None:
        """Let an account watch nothing any more."""
        for name, task in account.watching.items():
            self._leave(account, task, name)
        account.watching.clear()

    def move(
        self, former: GameTask, task: GameTask, accounts: Mapping[str, ConnectedAccount]
    ) -> None:
        """Let those who watch a game watch the task that goes on with it."""
        for account in accounts.values():
            # A list, because the dictionary changes meanwhile.
            for name in [n for n, t in account.watching.items() if t is former]:
                account.watching[name] = task
                table, connection = task.table_number(name), account.connection
                if table is not None and connection is not None:
                    task.watchers[table].add(connection)
                    without_seat = task.number_of(connection.name) is None
                    task.snapshot(connection, table, watching=without_seat)

    def over(self, task: GameTask, accounts: Mapping[str, ConnectedAccount]) -> None:
        """Tell those who watch a game that it is over."""
        for connection in {watcher for watchers in task.watchers.values() for watcher in watchers}:
            account = accounts.get(connection.name)
            if account is not None:
                for name in [n for n, t in account.watching.items() if t is task]:
                    del account.watching[name]
                    connection.send(body_of(Left(table=name, reason="over")))

    def _watch(self, account: ConnectedAccount, connection: Connection, name: str) -> None:
        task, table = self._find(name)
        if name not in account.watching and len(account.watching) >= MOST_WATCHED:
            raise Refused(ErrorCode.RATE_LIMITED, f"{MOST_WATCHED} tables are watched already")
        account.watching[name] = task
        task.watchers[table].add(connection)
        task.snapshot(connection, table, watching=task.number_of(connection.name) is None)

    def _snapshot(self, account: ConnectedAccount, connection: Connection, name: str) -> None:
        task, table = self._find(name)
        number = task.number_of(connection.name)
        here = number is not None and number in task.play.players_at(table)
        if not here and name not in account.watching:
            raise Refused(ErrorCode.NOT_SEATED, f"you neither sit at {name} nor watch it")
        task.snapshot(connection, table, watching=not here)

    def _leave(self, account: ConnectedAccount, task: GameTask, name: str) -> None:
        table = task.table_number(name)
        watchers = set() if table is None else task.watchers[table]
        watchers.difference_update(
            [watcher for watcher in watchers if watcher.name == account.identity.name]
        )

    def task_of(self, name: str) -> GameTask | None:
        """Return the game that a table belongs to."""
        return self._tasks.get(name) or self._tasks.get(name.rpartition("-")[0])

    def _find(self, name: str) -> tuple[GameTask, int]:
        task = self.task_of(name)
        table = None if task is None else task.table_number(name)
        if task is None or table is None:
            raise Refused(ErrorCode.NO_SUCH_TABLE, f"no table {name!r}")
        return task, table
