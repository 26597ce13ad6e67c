"""A connection and what carries its bytes: bytes in by a call, bytes out by a call, no task.

So a thousand bots cost a thousand small objects, and nothing at a table ever waits for one of them.
What the house sends in one turn of the event loop is written at once, in one system call.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeVar

from railbird.hosting.connection import Connection
from railbird.protocol import CloseCode, Identity, Input, client_line
from railbird.protocol.messages.client import Hello, TokenLogIn
from railbird.protocol.settings import VERSIONS
from railbird.serve.connections.admission import Refusal

if TYPE_CHECKING:
    from railbird.serve.connections.open_connections import OpenConnections

_LOG = logging.getLogger(__name__)
T = TypeVar("T")
_ACTION = b'"act"'
_FLOOD = "more messages than any player needs"


class Line(Protocol):
    """A transport, as far as a link needs it."""

    address: str
    """Where the other end is, for limits."""

    @property
    def is_full(self) -> bool:
        """True while the other end must read before more is written."""

    def send(self, data: bytes) -> None:
        """Take whole messages, each a line, to be sent without waiting."""

    def close(self, code: CloseCode) -> None:
        """Send what waits, then close; whoever does not read is cut off soon."""

    def abort(self) -> None:
        """Close at once."""


class Link:
    """A connection on a transport."""

    def __init__(self, connections: OpenConnections, line: Line) -> None:
        self._connections = connections
        self._loop = asyncio.get_running_loop()
        self._scheduled = False
        self._is_closed = False
        self._checking: asyncio.Task[None] | None = None
        self._known: Identity | None = None
        self._asked_at: float | None = None
        self._allowance = connections.settings.message_burst
        self._allowed_at = self.opened_at = connections.now()
        self.line = line
        self.connection = Connection(
            connections.house,
            server=connections.server,
            check=self._check,
            wake=self._wake,
            now=connections.now,
        )

    def receive(self, data: bytes) -> None:
        """Take bytes of a stream."""
        if self._may_send(data, data.count(b"\n")):
            self._guarded(self.connection.receive, data)

    def receive_message(self, message: bytes) -> None:
        """Take one message of a transport that keeps them apart."""
        if self._may_send(message, 1):
            self._guarded(self.connection.receive_message, message)

    def enter(self, identity: Identity) -> None:
        """Log somebody in who is known without credentials, as a browser is by its cookie."""
        self._known = identity
        unused = TokenLogIn(by="token", token="cookie")
        self.receive_message(client_line(Hello(versions=list(VERSIONS), log_in=unused)))

    def can_write(self) -> None:
        """Take note that the other end has read."""
        self._flush()

    def cut(self) -> None:
        """Take note that the transport is gone."""
        self._is_closed = True
        if self._checking is not None:
            self._checking.cancel()
        self._connections.forget(self)
        self._guarded(self.connection.happens, Input.CUT)

    def _guarded(self, act: Callable[[T], None], what: T) -> None:
        """Act; if the house fails, this connection ends, and no other."""
        try:
            act(what)
        except Exception:
            _LOG.exception("a message of %s failed", self.connection.name or self.line.address)
            self.line.abort()

    def _may_send(self, data: bytes, messages: int) -> bool:
        settings, now = self._connections.settings, self._connections.now()
        refill = (now - self._allowed_at) * settings.messages_per_s
        refill += self.connection.answered
        self.connection.answered = 0
        self._allowance = min(settings.message_burst, self._allowance + refill) - messages
        self._allowed_at = now
        self._connections.counts["messages"] += messages
        if self._asked_at is None and _ACTION in data:
            self._asked_at = now  # for the metrics; a rare text that contains it does no harm
        if self._allowance >= 0:
            return True
        if self.connection.name:
            self._connections.admission.note_flood(self.connection.name)
        self.connection.happens(Input.FLOOD, _FLOOD)
        return False

    def _wake(self) -> None:
        if not self._scheduled and not self._is_closed:
            self._scheduled = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        self._scheduled = False
        if self._is_closed:
            return
        connection = self.connection
        if not self.line.is_full or connection.closing is not None:
            if data := connection.take():
                self.line.send(data)
                if self._asked_at is not None:
                    self._connections.replied(self._connections.now() - self._asked_at)
                    self._asked_at = None
            if not self.line.is_full:
                connection.drained()
        if connection.closing is not None:
            self._is_closed = True
            self.line.close(connection.closing)

    def _check(self, connection: Connection, hello: Hello) -> None:
        if self._known is not None:
            connection.accepted(self._known)
            return
        self._checking = asyncio.create_task(self._log_in(hello))

    async def _log_in(self, hello: Hello) -> None:
        connection = self.connection
        try:
            found = await self._connections.admission.check(
                hello, self.line.address, waits=connection.waits
            )
            if isinstance(found, Refusal):
                connection.refused(found.code, found.text)
            else:
                connection.accepted(found)
                self._connections.counts["log_ins"] += 1
        except Exception:
            _LOG.exception("a log-in from %s failed", self.line.address)
            self.line.abort()
