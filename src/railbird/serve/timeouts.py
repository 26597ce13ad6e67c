"""How long the server waits for somebody who sends or reads too slowly.

uvicorn bounds only the silence between two requests. A connection on which a request never comes,
comes byte by byte or has its answer never read would keep its place for good, and a few hundred of
them from one address all places.
"""

from __future__ import annotations

import asyncio
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


class PatientProtocol(H11Protocol):
    """HTTP/1.1 that hangs up on a request or a reader that takes too long."""

    REQUEST_S: ClassVar[float] = 10.0
    """Seconds that a request may take from the connection's, or its own, first byte to its last."""
    READER_S: ClassVar[float] = 30.0
    """Seconds in which a reader must take in what waits for it."""

    _request_ends: asyncio.TimerHandle | None = None
    _reading_ends: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._watch_request()

    def data_received(self, data: bytes) -> None:
        """Take some bytes in."""
        super().data_received(data)
        self._watch_request()

    def pause_writing(self) -> None:
        """Begin to wait for a reader: more lies in the buffer than it should."""
        super().pause_writing()
        self._reading_ends = self.loop.call_later(self.READER_S, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on: the reader has taken in most of it."""
        super().resume_writing()
        _cancel(self._reading_ends)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        super().connection_lost(exc)
        _cancel(self._request_ends)
        _cancel(self._reading_ends)

    def _watch_request(self) -> None:
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            _cancel(self._request_ends)
            self._request_ends = None
        elif self._request_ends is None:
            self._request_ends = self.loop.call_later(self.REQUEST_S, self.transport.close)


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
