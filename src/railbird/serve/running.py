"""The web application under uvicorn, from its start to its end."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import os
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from types import FrameType
from typing import ClassVar, Final

import h11
import uvicorn
from fastapi import FastAPI
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions import Extension
from websockets.extensions.permessage_deflate import (
    PerMessageDeflate,
    ServerPerMessageDeflateFactory,
)
from websockets.frames import CTRL_OPCODES, CloseCode, Frame, Opcode
from websockets.http11 import Request
from websockets.typing import ExtensionParameter

from railbird.protocol.messages import LONGEST_LINE
from railbird.serve import descriptors
from railbird.serve.app import ServerSettings, create_app
from railbird.serve.connections import BACKLOG
from railbird.serve.host import Host
from railbird.serve.middleware import Crowd, network_of
from railbird.serve.mounts import Mount
from railbird.serve.spectators import SPECTATORS

# Limits for clients that send or read too slowly, or keep too many connections open.
#
# uvicorn limits the time between two requests and the number of all connections, beyond which it
# answers 503 to everybody. A connection on which a request never arrives, arrives byte by byte, or
# whose response is never read would stay open for ever, and one address could use up all
# connections.


@lru_cache(maxsize=64)
def _deflated(opcode: Opcode, data: bytes, window_bits: int) -> Frame:
    return PerMessageDeflate(True, True, window_bits, window_bits).encode(Frame(opcode, data))


class _DeflatedOnce(PerMessageDeflate):
    """Compresses messages that go to many connections, each of them once.

    So a message may not refer to the one before, which would also take hundreds of kilobytes for
    each connection.
    """

    def encode(self, frame: Frame) -> Frame:
        """Return a frame compressed."""
        if frame.opcode in CTRL_OPCODES:
            return frame
        return _deflated(frame.opcode, bytes(frame.data), self.local_max_window_bits)


class _DeflatesOnce(ServerPerMessageDeflateFactory):
    """Offers `_DeflatedOnce`."""

    def __init__(self) -> None:
        super().__init__(server_no_context_takeover=True, client_no_context_takeover=True)

    def process_request_params(
        self, params: Sequence[ExtensionParameter], accepted_extensions: Sequence[Extension]
    ) -> tuple[list[ExtensionParameter], PerMessageDeflate]:
        """Return the answer to a client's offer, and the compression."""
        answer, chosen = super().process_request_params(params, accepted_extensions)
        remote, local = chosen.remote_max_window_bits, chosen.local_max_window_bits
        return answer, _DeflatedOnce(True, True, remote, local)


class BoundedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket that takes its place in a crowd, and closes at a text that is not UTF-8.

    Messages to spectators are compressed. They have no secrets, whose length would tell of them.
    """

    CROWD: ClassVar = Crowd(2000)
    """More than the bots that one address may connect, since pages need connections, too."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection; cut it off if its address has too many."""
        super().connection_made(transport)
        if not self.CROWD.enter(self, _network(transport)):
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the connection no longer."""
        self.CROWD.leave(self)
        super().connection_lost(exc)

    def handle_connect(self, event: Request) -> None:
        """Take a request, which may ask for compression."""
        if event.path.startswith(SPECTATORS):
            self.conn.available_extensions = [_DeflatesOnce()]
        super().handle_connect(event)

    def send_receive_event_to_app(self) -> None:
        """Pass a message on; uvicorn writes a traceback for one that is not UTF-8."""
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.frames = []
                self.conn.send_close(CloseCode.INVALID_DATA)
                self.handle_parser_exception()
                return
        super().send_receive_event_to_app()


class PatientProtocol(H11Protocol):
    """HTTP/1.1 that closes the connection when a request or a reader takes too long.

    It also refuses connections of an address that has too many, idle ones included, and closes the
    longest idle one for a new one where descriptors run short.
    """

    CROWD: ClassVar = Crowd(500)
    """A twelfth of all connections: a class of students, whose browsers have six each."""
    REQUEST_S: ClassVar[float] = 10.0
    """Seconds from the opening of the connection, or a request's first byte, to its last byte."""
    LEAST_RATE: ClassVar[float] = 1 << 15
    """Bytes a second for whose sake a request may take longer: an upload by phone."""
    READER_S: ClassVar[float] = 30.0
    """Seconds in which a reader must take its buffered data."""

    _is_upgraded = False
    _request_ends: asyncio.TimerHandle | None = None
    _began = 0.0
    _received = 0
    _reading_ends: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timer of the first request, unless the address has too many connections."""
        super().connection_made(transport)
        if self.CROWD.enter(self, _network(transport)):
            self._watch_request()
            if descriptors.are_short(transport):
                descriptors.IDLE.give_way(transport)
        else:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        """Receive bytes."""
        self._received += len(data)
        super().data_received(data)
        self._watch_request()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over to a WebSocket, which has its own time limits."""
        self._is_upgraded = True
        self.CROWD.leave(self)
        descriptors.IDLE.end(self.transport)
        _cancel(self._request_ends)
        if descriptors.are_short(self.transport) and not descriptors.IDLE.give_way(self.transport):
            self.transport.abort()  # what is left is for requests
            return
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
        self.CROWD.leave(self)
        descriptors.IDLE.end(self.transport)
        super().connection_lost(exc)
        _cancel(self._request_ends)
        _cancel(self._reading_ends)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        if not self._is_upgraded and self.conn.their_state is h11.IDLE:
            descriptors.IDLE.begin(self.transport)

    def _watch_request(self) -> None:
        if self._is_upgraded or self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            _cancel(self._request_ends)
            self._request_ends = None
            descriptors.IDLE.end(self.transport)
            return
        descriptors.IDLE.begin(self.transport)
        if self._request_ends is None:
            self._began, self._received = self.loop.time(), 0
            self._request_ends = self.loop.call_later(self.REQUEST_S, self._ask_for_more_time)

    def _ask_for_more_time(self) -> None:
        """Close the connection, unless so much has come that the rest is worth waiting for."""
        until = self._began + self.REQUEST_S + self._received / self.LEAST_RATE
        if self.loop.time() < until:
            self._request_ends = self.loop.call_at(until, self._ask_for_more_time)
        else:
            self.transport.close()


class ProxiedProtocol(PatientProtocol):
    """HTTP/1.1 behind a proxy, from which all connections come and which limits its clients."""

    CROWD: ClassVar = Crowd(math.inf)


class ProxiedWebSocket(BoundedWebSocket):
    """A WebSocket behind a proxy, whose clients the proxy counts."""

    CROWD: ClassVar = Crowd(math.inf)


def _network(transport: asyncio.BaseTransport) -> str:
    peer = transport.get_extra_info("peername")
    return network_of(peer[0]) if peer else ""


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()


_MOST_CONNECTIONS: Final = 6000
_GRACE_S: Final = 1
"""Seconds for requests in progress at the end; the house has said good-bye before."""
_END_S: Final = 10.0
"""Seconds after which the process ends, whatever it still waits for, but solutions to be kept."""
_ONCE_MORE_S: Final = 1.0
"""The same from a second Ctrl-C on."""
_LOG = logging.getLogger(__name__)


def run_server(
    settings: ServerSettings,
    mounts: Sequence[Mount],
    listening: socket.socket,
    *,
    behind_proxy: bool = False,
    ready: Callable[[], object] = lambda: None,
) -> None:
    """Serve on a socket until Ctrl-C or SIGTERM; ``ready`` is called once clients are served."""
    descriptors.allow(2 * _MOST_CONNECTIONS)
    app = create_app(settings, *mounts)
    config = uvicorn.Config(
        until_cancelled(app),
        log_level="warning",
        http=ProxiedProtocol if behind_proxy else PatientProtocol,
        server_header=False,
        proxy_headers=behind_proxy,
        ws=ProxiedWebSocket if behind_proxy else BoundedWebSocket,
        ws_max_size=LONGEST_LINE,
        ws_per_message_deflate=False,  # see `_DeflatedOnce`
        limit_concurrency=_MOST_CONNECTIONS,
        backlog=descriptors.ACCEPTED_AT_ONCE,
        timeout_graceful_shutdown=_GRACE_S,
    )
    # The server has shut down in order before it raises again the signal that stopped it.
    server = _Server(config, app, ready)
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listening])
    if server.end is not None:
        server.end.cancel()


def until_cancelled(app: ASGIApp) -> ASGIApp:
    """Return an application that answers 503 to a request which the end of the server cancels.

    uvicorn cancels what is still in progress after `_GRACE_S`, such as a request that waits for a
    process to start, and would log the cancellation as a fault of the application.
    """

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        has_begun = False

        async def note_and_send(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await app(scope, receive, note_and_send)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            # Where only something was cancelled that the request waited for, that is a fault.
            if scope["type"] != "http" or task is None or not task.cancelling():
                raise
            if not has_begun:
                refusal = PlainTextResponse("The server is stopping. Please try again soon.", 503)
                await refusal(scope, receive, send)

    return answer


def _end_after(seconds: float, end: Callable[[int], object] = os._exit) -> threading.Timer:
    """End the process after a time, whatever holds it up, and log what that is.

    Python waits without a limit for threads that work for its loop. The journals have everything
    that counts, and other processes end with this one.
    """

    def at_last() -> None:
        names = {thread.ident: thread.name for thread in threading.enumerate()}
        threads = [
            f"{names.get(ident, ident)} in {frame.f_code.co_name} ({frame.f_code.co_filename})"
            for ident, frame in sys._current_frames().items()
            if ident != threading.get_ident()
        ]
        _LOG.error("ended after %g s, without waiting for %s", seconds, "; ".join(threads))
        end(1)

    timer = threading.Timer(seconds, at_last)
    timer.daemon = True
    timer.start()
    return timer


class _Server(uvicorn.Server):
    """uvicorn, that lets the house tell its players to come back before it closes anything."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, ready: Callable[[], object]) -> None:
        super().__init__(config)
        self._app = app
        self._ready = ready
        self.end: threading.Timer | None = None
        """Ends the process if shutting down takes too long."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(BACKLOG)
        if self.started:
            self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        if self.end is not None:
            self.end.cancel()
            self.end = _end_after(_ONCE_MORE_S)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        spots = getattr(self._app.state, "spots", None)
        seconds = 0.0 if spots is None else spots.writing_s()
        if seconds:
            words = "keeping what has been solved takes up to %.0f s; Ctrl-C once more gives it up"
            _LOG.warning(words, seconds)
        self.end = _end_after(_END_S + seconds)
        host = getattr(self._app.state, "host", None)
        if isinstance(host, Host):
            await host.stop()
        await super().shutdown(sockets)
