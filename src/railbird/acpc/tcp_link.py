"""One TCP connection, in lines, with a time limit on every operation."""

from __future__ import annotations

import socket
import time

from railbird.acpc.lines import Lines
from railbird.acpc.settings import READ_BYTES, SEND_SECONDS
from railbird.errors import BadInput, RailbirdError

_QUICK_ACK: int | None = getattr(socket, "TCP_QUICKACK", None)
"""Socket option that makes Linux acknowledge at once. Otherwise programs that write an answer in
two pieces, or send unrequested answers, wait 40 ms each time: 5 hands per second instead of 78."""


class Disconnected(RailbirdError):
    """The other side is gone, or was disconnected because of its behaviour."""


class Closed(Disconnected):
    """The other side closed the connection, as at the end of a match."""


class Link:
    """A connection; after `Disconnected` it is closed."""

    def __init__(
        self,
        connection: socket.socket,
        lines: Lines | None = None,
        *,
        send_seconds: float = SEND_SECONDS,
    ) -> None:
        self._connection = connection
        self._send_seconds = send_seconds
        self._lines = lines or Lines()
        self._outbox = bytearray()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, line: str) -> None:
        """Queue a line for the next `flush` or `receive`."""
        self._outbox += line.encode("ascii") + b"\r\n"

    def flush(self) -> None:
        """Send the queued lines. Raises `Disconnected`."""
        if not self._outbox:
            return
        data = bytes(self._outbox)
        self._outbox.clear()
        try:
            self._connection.settimeout(self._send_seconds)
            self._connection.sendall(data)
        except TimeoutError:
            raise self._lost(f"it has read nothing for {self._send_seconds:g} s") from None
        except (BrokenPipeError, ConnectionResetError):
            raise self._closed() from None
        except OSError as problem:
            raise self._lost(str(problem.strerror or problem)) from None

    def receive(self, *, deadline: float | None = None) -> str:
        """Return the next line; ``deadline`` is on the clock of `time.monotonic`.

        Raises `TimeoutError` if it has not arrived by then (it may arrive later), `Disconnected` if
        it can no longer arrive.
        """
        self.flush()
        while True:
            try:
                line = self._lines.take()
            except BadInput as problem:
                raise self._lost(str(problem)) from None
            if line is not None:
                return line
            self._lines.feed(self._more(deadline))

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _more(self, deadline: float | None) -> bytes:
        left = None if deadline is None else deadline - time.monotonic()
        if left is not None and left <= 0:
            raise TimeoutError
        try:
            self._connection.settimeout(left)
            data = self._connection.recv(READ_BYTES)
            if _QUICK_ACK is not None:  # not permanent, so set before every read
                self._connection.setsockopt(socket.IPPROTO_TCP, _QUICK_ACK, 1)
        except TimeoutError:
            raise
        except ConnectionResetError:  # it closed without reading our last lines
            raise self._closed() from None
        except OSError as problem:
            raise self._lost(str(problem.strerror or problem)) from None
        if not data:
            raise self._closed()
        return data

    def _closed(self) -> Closed:
        self.close()
        return Closed("it closed the connection")

    def _lost(self, why: str) -> Disconnected:
        self.close()
        return Disconnected(why)
