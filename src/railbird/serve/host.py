"""The tournament server as part of the web application: the house, its results, its operators."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Final

from prometheus_client import CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from railbird.errors import BadInput
from railbird.hosting.house import House
from railbird.hosting.house_seats import HousePlayers
from railbird.hosting.supervisor import PublicFault, Supervisor, Well
from railbird.protocol.identity import account_name
from railbird.serve.acpc_port import AcpcPort, AcpcSettings
from railbird.serve.connections import Admission, ConnectionSettings, OpenConnections, serve_tcp
from railbird.serve.formats_file import DEFAULT_GAMES, Games
from railbird.serve.log_ins import LogIns
from railbird.serve.partiality import Partialities
from railbird.serve.results import StoredResults
from railbird.storage import accounts
from railbird.storage.notices import Notices
from railbird.storage.opponents import serve_memory
from railbird.storage.passwords import Busy

# Metrics for Prometheus: gauges are read when asked for; those that must fall to zero do.


_LAG_EVERY_S = 0.1
_SECONDS = tuple(
    ms / 1000 for ms in (0.5, 1, 2, 3, 5, 7.5, 10, 15, 25, 35, 50, 75, 100, 250, 500, 1000, 2500)
)
"""Edges of the histograms' buckets, fine around the goals of 5 and 50 ms."""


class Metrics:
    """The metrics of one server."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._reply = Histogram(
            "railbird_reply_seconds",
            "From an action received to the next bytes written to its sender",
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._lag = Histogram(
            "railbird_loop_lag_seconds",
            "Time for which the event loop was late",
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._host: Host | None = None

    def watch(self, host: Host) -> None:
        """Read a server's gauges from now on."""
        self._host = host
        self._registry.register(self)

    def replied(self, seconds: float) -> None:
        """Note the time of a reply."""
        self._reply.observe(seconds)

    def text(self) -> bytes:
        """Return everything as Prometheus reads it."""
        return generate_latest(self._registry)

    async def watch_loop(self, well: Well) -> None:
        """Measure how late the event loop is, until cancelled."""
        while True:
            before = time.perf_counter()
            await asyncio.sleep(_LAG_EVERY_S)
            self._lag.observe(max(0.0, time.perf_counter() - before - _LAG_EVERY_S))
            well()

    def collect(self) -> Iterator[Metric]:
        """Read the gauges and counters."""
        host = self._host
        if host is None:
            return
        house, connections = host.house, host.connections
        logged_in = sum(account.connection is not None for account in house.accounts.values())
        gauges = {
            "connections": ("Open connections", len(connections.links)),
            "players": ("Accounts that are logged in", logged_in),
            "tables": ("Tables in play", sum(len(t.play.tables) for t in house.tasks.values())),
            "games": ("Tournaments, and ring tables with players", house.in_play),
            "parked": ("Games whose journals cannot be written", house.lobby.parked),
            "queued": ("Accounts that wait for a tournament", sum(map(len, house.queues.values()))),
            "backlog": ("Calls that wait for games", sum(t.backlog for t in house.tasks.values())),
            "house_calls": ("Calls that wait for house players", house.house_workers.waiting),
            "acpc_matches": ("Matches at the ACPC port", host.acpc.matches if host.acpc else 0),
            "outbox": ("Results that wait for the database", len(house.outbox)),
            "passwords": ("Passwords that wait to be checked", host.directory.passwords.pending),
            "journal_bytes": (
                "Bytes in the journals of games in play",
                sum(task.journal.size for task in house.tasks.values()),
            ),
            "draining": ("1 while nothing new starts", int(house.is_draining)),
        }
        for name, (what, value) in gauges.items():
            yield GaugeMetricFamily(f"railbird_{name}", what, value=value)
        for name, count in sorted(connections.counts.items()):
            what = f"Connections: {name.replace('_', ' ')}"
            yield CounterMetricFamily(f"railbird_{name}", what, value=count)
        yield from _tasks(host.supervisor)
        offences = CounterMetricFamily(
            "railbird_offences", "Refused actions and messages, by kind", labels=["kind"]
        )
        kinds: dict[str, int] = {}
        for (_, kind), count in house.offences.items():
            kinds[kind] = kinds.get(kind, 0) + count
        for kind, count in sorted(kinds.items()):
            offences.add_metric([kind], count)
        yield offences


def _tasks(supervisor: Supervisor) -> Iterator[Metric]:
    """Read the background tasks, by name."""
    running, failing = supervisor.running, supervisor.problems()
    gauges = (
        ("tasks", "Background tasks", running),
        ("task_failing", "1 while something is wrong with a background task", failing),
    )
    for name, what, state_of in gauges:
        family = GaugeMetricFamily(f"railbird_{name}", what, labels=["task"])
        for task in sorted({*running, *failing, *supervisor.failures}):
            family.add_metric([task], state_of[task] if state_of is running else task in failing)
        yield family
    silences = GaugeMetricFamily(
        "railbird_task_silence_seconds",
        "Time since a background task that has a beat was last well",
        labels=["task"],
    )
    for task, seconds in sorted(supervisor.silences().items()):
        silences.add_metric([task], seconds)
    yield silences
    failures = CounterMetricFamily(
        "railbird_task_failures", "Faults of background tasks", labels=["task"]
    )
    for task, count in sorted(supervisor.failures.items()):
        failures.add_metric([task], count)
    yield failures


# The tournament server in one process: the house, its connections, and their start and end.


# The lobbies of other servers on the same database, as they last told them.


_EVERY_S: Final = 2.0
"""Pause between notices of a lobby that changes."""
_AT_LEAST_S: Final = 10.0
"""Pause between notices of one that does not."""
_FORGET_S: Final = 30.0
"""Silence after which another server is gone."""
_MOST: Final = 100
"""Most other servers that are remembered."""

Count = Annotated[int, Field(ge=0, le=10**6)]
Name = Annotated[str, Field(min_length=1, max_length=32)]


class OtherServer(BaseModel):
    """A server's lobby in short."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    server: Annotated[str, Field(pattern=r"^[0-9A-Za-z]{1,16}$")]
    address: Annotated[str, Field(max_length=200)] = ""
    """Address at which clients reach it, as its operator has set it."""
    players: Count
    tables: Count
    waiting: Annotated[dict[Name, Count], Field(max_length=100)]
    draining: bool = False


class Arrival(BaseModel):
    """An account has logged in at a server."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    server: Annotated[str, Field(pattern=r"^[0-9A-Za-z]{1,16}$")]
    arrived: Name
    at: Annotated[int, Field(ge=0, le=1 << 53)]
    """Milliseconds since 1970 by the server's clock."""


_NOTICE: Final[TypeAdapter[OtherServer | Arrival]] = TypeAdapter(OtherServer | Arrival)


class OtherServers:
    """The servers on the same database, as they describe themselves.

    ``taken_over`` is called with accounts that have logged in at another server, and when.
    """

    def __init__(
        self,
        database: str,
        server: str,
        *,
        now: Callable[[], float] = time.monotonic,
        taken_over: Callable[[str, int], object] = lambda name, at: None,
    ) -> None:
        self._taken_over = taken_over
        self._server = server
        self._now = now
        self._known: dict[str, tuple[OtherServer, float]] = {}
        self._notices = Notices(database, self.hear)

    def hear(self, text: str) -> None:
        """Take a notice; one that does not read, or is our own, is ignored."""
        try:
            notice = _NOTICE.validate_json(text)
        except ValidationError:
            return
        if isinstance(notice, Arrival):
            if notice.server != self._server:
                self._taken_over(notice.arrived, notice.at)
        elif notice.server != self._server and (
            notice.server in self._known or len(self._known) < _MOST
        ):
            self._known[notice.server] = (notice, self._now())

    def arrived(self, name: str, at: int) -> None:
        """Tell the others that an account has logged in here."""
        notice = Arrival(server=self._server, arrived=name, at=at)
        self._notices.say_also(notice.model_dump_json())

    def all(self) -> list[OtherServer]:
        """Return the servers that were heard lately, by name."""
        now = self._now()
        self._known = {
            name: (server, at) for name, (server, at) in self._known.items() if now - at < _FORGET_S
        }
        return [self._known[name][0] for name in sorted(self._known)]

    def start(self, supervisor: Supervisor, house: House, address: str = "") -> None:
        """Begin to listen, and to announce our lobby, unless there can be no other servers."""
        if self._notices.has_others:
            supervisor.keep("other servers", self._listen, has_beat=True)
            supervisor.keep("own lobby", partial(self._tell, house, address), has_beat=True)

    async def _listen(self, well: Well) -> None:
        try:
            await self._notices.run(well)
        except Busy as problem:
            raise PublicFault(str(problem)) from problem

    async def _tell(self, house: House, address: str, well: Well) -> None:
        sent, sent_at = "", 0.0
        while True:
            text = OtherServer(
                server=self._server,
                address=address,
                players=sum(account.connection is not None for account in house.accounts.values()),
                tables=sum(len(task.play.tables) for task in house.tasks.values()),
                waiting={name: len(queue) for name, queue in house.queues.items()},
                draining=house.is_draining,
            ).model_dump_json()
            if text != sent or self._now() - sent_at >= _AT_LEAST_S:
                self._notices.say(text)
                sent, sent_at = text, self._now()
            well()
            await asyncio.sleep(_EVERY_S)


_LOG = logging.getLogger(__name__)
# The server.


_STOP_S = 7.0
"""Seconds for the house to park its games; with the connections' own it ends within ten."""
_ENDED_LATER = "spots"
"""Background tasks that the mount of spots ends, once they have kept what was solved."""
_BANS_S = 1.0
"""Pause between looks at the bans of the database, which other servers may share."""
_DOWNLOADS = 2
"""Proceedings that are made at once, each in a thread."""
_RESTART = "the server restarts; come back"


@dataclass(frozen=True, slots=True, kw_only=True)
class HostSettings:
    """Settings of a tournament server."""

    journal: Path
    """Folder of the journals; one server at a time."""
    games: Games = DEFAULT_GAMES
    tcp: socket.socket | None = None
    """A socket that listens for the protocol."""
    acpc: socket.socket | None = None
    """A socket that listens for programs of the ACPC."""
    acpc_settings: AcpcSettings | None = None
    connections: ConnectionSettings = field(default_factory=ConnectionSettings)
    house: tuple[str, ...] = ()
    """Specs of further house players for practice tables."""
    house_processes: int = 0
    """Processes in which house players decide; 0 for threads of this one."""
    address: str = ""
    """How clients reach this server, for the lobbies of others on the same database."""
    pace: float = 1.0
    """Factor of the pauses between hands where people play."""
    admin_token: str = ""
    """Token of the operator; empty for none."""


class Host:
    """A tournament server, from `start` to `stop`."""

    def __init__(
        self,
        settings: HostSettings,
        log_ins: LogIns,
        database: str,
        supervisor: Supervisor | None = None,
    ) -> None:
        self.settings = settings
        self.supervisor = supervisor or Supervisor()
        self.directory = directory = log_ins.directory
        serve_memory(database)
        name = server_name(settings.journal)
        results = StoredResults(directory, name)
        self.other_servers = OtherServers(database, name, taken_over=self._taken_over)
        self.house = House(
            settings.journal,
            tournaments=settings.games.tournaments,
            rings=settings.games.rings,
            results=results,
            winnings=results,
            arrived=self.other_servers.arrived,
            pace=settings.pace,
            house_players=HousePlayers(settings.house),
            supervisor=self.supervisor,
            house_processes=settings.house_processes,
        )
        admission = Admission(log_ins, settings.connections, self.supervisor)
        self.metrics = Metrics()
        self.connections = OpenConnections(
            admission,
            self.house,
            settings.connections,
            replied=self.metrics.replied,
            supervisor=self.supervisor,
        )
        self.metrics.watch(self)
        self.partialities = Partialities(settings.journal, self.supervisor)
        self.downloads = asyncio.Semaphore(_DOWNLOADS)
        self._server: asyncio.Server | None = None
        self.acpc: AcpcPort | None = None
        if settings.acpc is not None:
            chosen = settings.acpc_settings or AcpcSettings()
            folder = settings.journal / "acpc"
            self.acpc = AcpcPort(settings.acpc, folder, chosen, failed=self._acpc_failed)
        self._stopping = asyncio.Lock()
        self._is_stopped = False

    def _taken_over(self, name: str, at: int) -> None:
        self.house.taken_over(name, at)

    def _acpc_failed(self, problem: Exception) -> None:
        self.supervisor.failed("ACPC matches", problem)

    async def start(self) -> None:
        """Resume the games of the journals.

        Raises `railbird.errors.RailbirdError` for a folder that cannot be used.
        """
        await self.house.start()
        for name, work in (
            ("connections", self.connections.watch),
            ("event loop", self.metrics.watch_loop),
            ("bans", self._keep_out),
        ):
            self.supervisor.keep(name, work, has_beat=True)
        self.other_servers.start(self.supervisor, self.house, self.settings.address)

    async def _keep_out(self, well: Well) -> None:
        """Throw out accounts banned by any server on this database, until cancelled."""
        while True:
            await asyncio.sleep(_BANS_S)
            with contextlib.suppress(Busy):  # nobody logs in meanwhile either
                banned = await self.directory.read(accounts.banned_names)
                here = {account_name(name) for name in self.house.accounts}
                for name, why in banned.items():
                    if name in here:
                        self.connections.throw_out([name], why)
            well()

    async def listen(self) -> None:
        """Accept connections, once everything else serves."""
        if self.settings.tcp is not None:
            self._server = await serve_tcp(self.connections, self.settings.tcp)
        if self.acpc is not None:
            self.supervisor.keep("ACPC port", self.acpc.accept)

    async def stop(self) -> None:
        """Park every game, ask everybody to come back, and close, within ten seconds."""
        async with self._stopping:
            if not self._is_stopped:
                await self._stop()
            self._is_stopped = True

    async def _stop(self) -> None:
        if self._server is not None:
            self._server.close()
        self.connections.shut()
        if self.acpc is not None:
            await asyncio.to_thread(self.acpc.stop)
        try:
            async with asyncio.timeout(_STOP_S):
                await self.house.stop(_RESTART, but=_ENDED_LATER)
        except TimeoutError:
            _LOG.error("the house did not stop within %g s; its journals have the rest", _STOP_S)
        await self.connections.close(_RESTART)
        await self.supervisor.stop(but=_ENDED_LATER)


def server_name(folder: Path) -> str:
    """Return the random name of a folder of journals, made at its first use.

    Tournaments are numbered by folder; their identifiers in a database, which several servers may
    share and which may outlive a folder, need it before the number. Raises
    `railbird.errors.BadInput`.
    """
    path = folder / "server"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(secrets.token_hex(4) + "\n")
        name = path.read_text(encoding="ascii", errors="replace").strip()
    except OSError as problem:
        raise BadInput(f"{folder}: {problem.strerror}") from None
    if not (name.isalnum() and name.isascii() and len(name) <= 16):
        raise BadInput(f"{path} is not the name of a server; remove it for a new one")
    return name
