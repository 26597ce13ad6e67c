"""The protocol over TCP: newline-delimited JSON."""

from __future__ import annotations

import asyncio
import socket

from railbird.protocol import CloseCode
from railbird.serve.connections.link import Link
from railbird.serve.connections.open_connections import OpenConnections
from railbird.serve.connections.settings import BACKLOG, CLOSE_S, WRITE_BUFFER


class TcpLine(asyncio.Protocol):
    """A TCP connection: a protocol of asyncio, without tasks and streams."""

    def __init__(self, connections: OpenConnections) -> None:
        self.address = ""
        self.is_full = False
        self._connections = connections
        self._link: Link | None = None
        self._transport: asyncio.Transport | None = None
        self._closing: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Say that a connection has come."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.set_write_buffer_limits(WRITE_BUFFER)
        peer = transport.get_extra_info("peername")
        self.address = peer[0] if peer else ""
        raw = transport.get_extra_info("socket")
        if raw is not None and raw.family in (socket.AF_INET, socket.AF_INET6):
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        self._link = self._connections.opened(self)

    def data_received(self, data: bytes) -> None:
        """Pass bytes on."""
        if self._link is not None:
            self._link.receive(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Say that the connection is gone."""
        if self._closing is not None:
            self._closing.cancel()
        if self._link is not None:
            self._link.cut()

    def pause_writing(self) -> None:
        """Take note that the other end must read first."""
        self.is_full = True

    def resume_writing(self) -> None:
        """Write what has waited."""
        self.is_full = False
        if self._link is not None:
            self._link.can_write()

    def send(self, data: bytes) -> None:
        """Write without waiting."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    def close(self, code: CloseCode) -> None:
        """Close once everything has been sent, or soon."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.close()
            loop = asyncio.get_running_loop()
            self._closing = loop.call_later(CLOSE_S, self._transport.abort)

    def abort(self) -> None:
        """Close at once."""
        if self._transport is not None:
            self._transport.abort()


async def serve_tcp(connections: OpenConnections, listening: socket.socket) -> asyncio.Server:
    """Accept connections on a socket that listens."""
    loop = asyncio.get_running_loop()
    return await loop.create_server(lambda: TcpLine(connections), sock=listening, backlog=BACKLOG)
