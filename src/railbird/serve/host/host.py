"""The tournament server in one process: the house, its connections, and their start and end."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import socket
from dataclasses import dataclass, field
from pathlib import Path

from railbird.errors import BadInput
from railbird.hosting.games.house_players import HousePlayers
from railbird.hosting.house import House
from railbird.serve.connections.admission import Admission
from railbird.serve.connections.open_connections import OpenConnections
from railbird.serve.connections.settings import ConnectionSettings
from railbird.serve.connections.tcp import serve_tcp
from railbird.serve.host.acpc_port import AcpcPort, AcpcSettings
from railbird.serve.host.formats import DEFAULT_GAMES, Games
from railbird.serve.host.metrics import Metrics
from railbird.serve.host.other_servers import OtherServers
from railbird.serve.host.results import StoredResults
from railbird.storage.accounts import Directory

_LOG = logging.getLogger(__name__)
_STOP_S = 7.0
"""Seconds for the house to park its games; with the connections' own it ends within ten."""
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
    address: str = ""
    """How clients reach this server, for the lobbies of others on the same database."""
    pace: float = 1.0
    """Factor of the pauses between hands where people play."""
    admin_token: str = ""
    """Token of the operator; empty for none."""


class Host:
    """A tournament server, from `start` to `stop`."""

    def __init__(self, settings: HostSettings, directory: Directory, database: str) -> None:
        self.settings = settings
        self.directory = directory
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
        )
        admission = Admission(directory, settings.connections)
        self.metrics = Metrics()
        self.connections = OpenConnections(
            admission, self.house, settings.connections, replied=self.metrics.replied
        )
        self.metrics.watch(self)
        self.measuring = asyncio.Lock()
        """Held while the operator's partialities are computed, one at a time."""
        self.downloads = asyncio.Semaphore(_DOWNLOADS)
        self._tasks: list[asyncio.Task[None]] = []
        self._server: asyncio.Server | None = None
        self.acpc: AcpcPort | None = None
        if settings.acpc is not None:
            chosen = settings.acpc_settings or AcpcSettings()
            self.acpc = AcpcPort(settings.acpc, settings.journal / "acpc", chosen)
        self._stopping: asyncio.Task[None] | None = None

    def _taken_over(self, name: str, at: int) -> None:
        self.house.taken_over(name, at)

    async def start(self) -> None:
        """Resume the games of the journals, then let players in.

        Raises `railbird.errors.RailbirdError` for a folder that cannot be used.
        """
        await self.house.start()
        self._tasks = [
            asyncio.create_task(self.connections.watch()),
            asyncio.create_task(self.metrics.watch_loop()),
            asyncio.create_task(self.other_servers.run(self.house, self.settings.address)),
        ]
        if self.settings.tcp is not None:
            self._server = await serve_tcp(self.connections, self.settings.tcp)
        if self.acpc is not None:
            self.acpc.start()

    async def stop(self) -> None:
        """Park every game, tell everybody to come back, and close, within ten seconds."""
        if self._stopping is None:
            self._stopping = asyncio.create_task(self._stop())
        await asyncio.shield(self._stopping)

    async def _stop(self) -> None:
        if self._server is not None:
            self._server.close()
        self.connections.shut()
        if self.acpc is not None:
            await asyncio.to_thread(self.acpc.stop)
        try:
            await asyncio.wait_for(self.house.stop(_RESTART), _STOP_S)
        except TimeoutError:
            _LOG.error("the house did not stop within %g s; its journals have the rest", _STOP_S)
        await self.connections.close(_RESTART)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


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
