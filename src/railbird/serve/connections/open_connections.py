"""All connections of a server: who is logged in, who is silent, and how they are told to leave."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Collection

from railbird import __version__
from railbird.hosting.connection import Listener
from railbird.protocol import Input, SessionState
from railbird.serve.connections.admission import Admission
from railbird.serve.connections.link import Line, Link
from railbird.serve.connections.settings import CLOSE_S, ConnectionSettings


class OpenConnections:
    """The connections of a server."""

    def __init__(
        self,
        admission: Admission,
        house: Listener,
        settings: ConnectionSettings | None = None,
        *,
        now: Callable[[], float] = time.monotonic,
        replied: Callable[[float], object] = lambda seconds: None,
    ) -> None:
        self.admission = admission
        self.house = house
        self.settings = settings or ConnectionSettings()
        self.server = f"railbird {__version__}"
        self.now = now
        self.replied = replied
        self.links: set[Link] = set()
        self.counts: Counter[str] = Counter()
        """What has happened since the start, for the metrics."""
        self._by_address: Counter[str] = Counter()
        self._closed = False

    def opened(self, line: Line) -> Link | None:
        """Take a new connection; None, and it is closed, if there are too many."""
        settings = self.settings
        if (
            self._closed
            or len(self.links) >= settings.most_connections
            or self._by_address[line.address] >= settings.most_per_address
        ):
            self.counts["refused"] += 1
            line.abort()
            return None
        link = Link(self, line)
        self.links.add(link)
        self._by_address[line.address] += 1
        self.counts["opened"] += 1
        return link

    def forget(self, link: Link) -> None:
        """A connection is gone."""
        if link in self.links:
            self.links.discard(link)
            self._by_address[link.line.address] -= 1
            if not self._by_address[link.line.address]:
                del self._by_address[link.line.address]

    async def watch(self) -> None:
        """Ping everybody, and close those who say no hello or are silent, until cancelled."""
        settings = self.settings
        pause = min(settings.ping_s, settings.hello_s / 5, settings.quiet_s / 5)
        pinged = self.now()
        while True:
            await asyncio.sleep(pause)
            now = self.now()
            is_due = now - pinged >= settings.ping_s
            if is_due:
                pinged = now
            for count, link in enumerate(list(self.links)):
                connection = link.connection
                greeting = connection.session.state is SessionState.GREETING
                if greeting and now - link.opened_at >= settings.hello_s:
                    connection.happens(Input.NO_HELLO, f"no hello within {settings.hello_s:g} s")
                elif now - connection.last_heard >= settings.quiet_s:
                    connection.happens(Input.QUIET, f"nothing heard for {settings.quiet_s:g} s")
                elif is_due and connection.is_open:
                    connection.ping()
                if count % 100 == 99:
                    await asyncio.sleep(0)  # the tables' turn

    def throw_out(self, names: Collection[str], text: str) -> None:
        """Close the connections of these accounts, which are not to come back by themselves."""
        lower = {name.lower() for name in names}
        for link in list(self.links):
            if link.connection.name.lower() in lower:
                link.connection.happens(Input.BANNED, text)

    def announce(self, text: str) -> int:
        """Send a text of the operator to everybody who is logged in; return how many."""
        told = [link.connection for link in self.links if link.connection.is_open]
        for connection in told:
            connection.announce(text)
        return len(told)

    def shut(self) -> None:
        """Take no new connection."""
        self._closed = True

    async def close(self, text: str, *, patience_s: float = CLOSE_S) -> None:
        """Close all connections for a restart, and let them read that for a moment."""
        self.shut()
        for link in list(self.links):
            link.connection.happens(Input.RESTART, text)
        deadline = self.now() + patience_s
        while self.links and self.now() < deadline:
            await asyncio.sleep(0.02)
        for link in list(self.links):
            link.line.abort()
