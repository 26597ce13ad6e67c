"""Time limits for clients that send or read too slowly.

uvicorn limits only the time between two requests. A connection on which a request never arrives,
arrives byte by byte, or whose response is never read would stay open for ever, and a few hundred of
them from one address would use up all connections.
"""

from __future__ import annotations

import asyncio
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


class PatientProtocol(H11Protocol):
    """HTTP/1.1 that closes the connection when a request or a reader takes too long."""

    REQUEST_S: ClassVar[float] = 10.0
    """Seconds from the opening of the connection, or a request's first byte, to its last byte."""
    LEAST_RATE: ClassVar[float] = 1 << 15
    """Bytes a second for whose sake a request may take longer: an upload by phone."""
    READER_S: ClassVar[float] = 30.0
    """Seconds in which a reader must take what is buffered for it."""

    _is_upgraded = False
    _request_ends: asyncio.TimerHandle | None = None
    _began = 0.0
    _received = 0
    _reading_ends: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timer of the first request."""
        super().connection_made(transport)
        self._watch_request()

    def data_received(self, data: bytes) -> None:
        """Receive bytes."""
        self._received += len(data)
        super().data_received(data)
        self._watch_request()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over to a WebSocket, which has a patience of its own."""
        self._is_upgraded = True
        _cancel(self._request_ends)
        super().handle_websocket_upgrade(event)

    def pause_writing(self) -> None:
        """Start the timer of the reader: the buffer is over its limit."""
        super().pause_writing()
        self._reading_ends = self.loop.call_later(self.READER_S, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop the timer: the reader has taken most of the buffer."""
        super().resume_writing()
        _cancel(self._reading_ends)

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel all timers."""
        super().connection_lost(exc)
        _cancel(self._request_ends)
        _cancel(self._reading_ends)

    def _watch_request(self) -> None:
        if self._is_upgraded or self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            _cancel(self._request_ends)
            self._request_ends = None
        elif self._request_ends is None:
            self._began, self._received = self.loop.time(), 0
            self._request_ends = self.loop.call_later(self.REQUEST_S, self._ask_for_more_time)

    def _ask_for_more_time(self) -> None:
        """Close the connection, unless so much has come that the rest is worth waiting for."""
        until = self._began + self.REQUEST_S + self._received / self.LEAST_RATE
        if self.loop.time() < until:
            self._request_ends = self.loop.call_at(until, self._ask_for_more_time)
        else:
            self.transport.close()


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
