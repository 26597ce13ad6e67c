"""Connections and their transports: log-ins, the list of open ones, and how they are closed.

A thousand bots cost a thousand small objects, and nothing at a table ever waits for one of them.
All that the house sends in one turn of the event loop is written at once, in one system call.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import time
from collections import Counter, deque
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Protocol, TypeVar

from starlette.websockets import WebSocket, WebSocketDisconnect

from railbird import __version__
from railbird.errors import BadInput
from railbird.hosting.connection import Connection, Listener
from railbird.hosting.supervisor import Supervisor, Well, until_first
from railbird.protocol import (
    CloseCode,
    ErrorCode,
    Identity,
    Input,
    PlayerKind,
    SessionState,
    client_line,
)
from railbird.protocol.identity import account_name
from railbird.protocol.messages import (
    HELLO_SECONDS,
    PING_SECONDS,
    QUIET_SECONDS,
    VERSIONS,
    Hello,
    PasswordLogIn,
    SignUp,
    TokenLogIn,
)
from railbird.serve.descriptors import ACCEPTED_AT_ONCE, IDLE, are_short
from railbird.serve.log_ins import LogIns, TooMany
from railbird.serve.middleware import network_of
from railbird.storage import accounts as offences
from railbird.storage.accounts import Account, AccountKind, NameTaken
from railbird.storage.directory import Banned, LogInRefused, TooManyGuesses
from railbird.storage.passwords import Busy, WeakPassword

# Settings of connections.


CLOSE_S: Final = 1.0
"""Seconds that clients have to read why a connection ends."""

WRITE_BUFFER: Final = 1 << 16
"""Bytes in a transport's buffer beyond which the house keeps the rest, where it counts them."""


BACKLOG: Final = 2048
"""Connections that wait to be accepted. After a restart everybody comes back at once. If there is
no place, the client's system tries again after one second, then three, then seven."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionSettings:
    """Settings of connections."""

    hello_s: float = HELLO_SECONDS
    """Seconds from the opening of a connection to its hello."""
    ping_s: float = PING_SECONDS
    """Interval of pings."""
    quiet_s: float = QUIET_SECONDS
    """Seconds without a byte after which a connection counts as cut."""
    messages_per_s: float = 50.0
    """Messages that a connection may send in the long run: a player who decides in no time at
    several tables sends fewer."""
    message_burst: float = 300.0
    """Messages that it may send at once."""
    floods: int = 3
    """Floods of an account within ``flood_s`` after which it is banned for as long."""
    flood_s: float = 600.0
    most_connections: int = 5000
    """Connections, those without a log-in included."""
    most_per_address: int = 1500
    """Connections of one address: a class of students behind one router, and a load test."""


# Log-ins: from the credentials of a hello to an identity, at rates that hinder guessing.


Credentials = PasswordLogIn | TokenLogIn | SignUp


@dataclass(frozen=True, slots=True)
class LogInRefusal:
    """Why somebody may not log in."""

    code: ErrorCode
    text: str


class Admission:
    """Checks hellos, and bans those who flood."""

    def __init__(
        self,
        log_ins: LogIns,
        settings: ConnectionSettings,
        supervisor: Supervisor | None = None,
    ) -> None:
        self._log_ins = log_ins
        self._directory = log_ins.directory
        self._supervisor = supervisor or Supervisor()
        self._floods: dict[str, asyncio.Task[None]] = {}
        """Floods by account that are being noted, or were while somebody was looked up."""
        self._looking_up = 0
        self._most_floods = settings.floods
        self._flood_time = timedelta(seconds=settings.flood_s)

    async def check(
        self, hello: Hello, address: str, *, waits: Callable[[int], None] | None = None
    ) -> Identity | LogInRefusal:
        """Return who says hello from an address, or why it is refused.

        ``waits`` is called with the number of log-ins before this one, if there are any.
        """
        self._looking_up += 1
        try:
            return await self._check(hello, address, waits)
        finally:
            self._looking_up -= 1
            self._forget_floods()

    async def _check(
        self, hello: Hello, address: str, waits: Callable[[int], None] | None
    ) -> Identity | LogInRefusal:
        credentials = hello.log_in
        if not isinstance(credentials, TokenLogIn):
            before = self._directory.passwords.pending
            if before and waits is not None:
                waits(before)
        try:
            account = await self._account(credentials, address)
            if (noting := self._floods.get(account.name)) is not None:
                await asyncio.wait([noting])  # it may be the one for which it is banned
                account = await self._account(credentials, address)
        except (BadInput, Busy) as problem:
            return LogInRefusal(_code(problem), str(problem))
        return identity_of(account, hello.version or "")

    def note_flood(self, name: str) -> None:
        """Note that an account has flooded; who does so again and again is banned for a while."""
        task = self._floods[name] = self._supervisor.run("floods", self._note_flood(name))
        task.add_done_callback(lambda _: self._forget_floods())

    def _forget_floods(self) -> None:
        """Forget the floods that are noted, unless somebody was perhaps looked up before."""
        if not self._looking_up:
            self._floods = {name: task for name, task in self._floods.items() if not task.done()}

    async def _note_flood(self, name: str) -> None:
        with suppress(Busy):  # nobody logs in meanwhile either
            await self._directory.write(
                offences.note_flood, name, most=self._most_floods, within=self._flood_time
            )

    async def _account(self, credentials: Credentials, address: str) -> Account:
        match credentials:
            case TokenLogIn(token=token):
                return await self._log_ins.by_token(token, address)
            case PasswordLogIn(name=name, password=password):
                return await self._log_ins.by_password(name, password, address)
            case SignUp(name=name, password=password):
                return await self._log_ins.sign_up(name, password, address)


def identity_of(account: Account, version: str = "") -> Identity:
    """Return an account as everybody at a table knows it; only bots have a version."""
    kind = PlayerKind(account.kind.value)
    if account.kind is not AccountKind.BOT:
        version = ""
    return Identity(account.name, kind, version, account.owner or "", account.id)


def _code(problem: Exception) -> ErrorCode:
    match problem:
        case Busy():
            return ErrorCode.BUSY
        case TooMany() | TooManyGuesses():
            return ErrorCode.RATE_LIMITED
        case Banned():
            return ErrorCode.BANNED
        case NameTaken():
            return ErrorCode.NAME_TAKEN
        case WeakPassword():
            return ErrorCode.BAD_PASSWORD
        case LogInRefused():
            return ErrorCode.LOG_IN_REFUSED
        case _:
            return ErrorCode.MALFORMED


# All connections of a server: who is logged in, who is silent, and how they are told to leave.


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
        supervisor: Supervisor | None = None,
    ) -> None:
        self.supervisor = supervisor or Supervisor()
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

    def opened(self, line: Transport) -> Link | None:
        """Take a new connection; None, and it is closed, if there are too many."""
        settings = self.settings
        if (
            self._closed
            or len(self.links) >= settings.most_connections
            or self._by_address[network_of(line.address)] >= settings.most_per_address
        ):
            self.counts["refused"] += 1
            line.abort()
            return None
        link = Link(self, line)
        self.links.add(link)
        self._by_address[network_of(line.address)] += 1
        self.counts["opened"] += 1
        return link

    def forget(self, link: Link) -> None:
        """A connection is gone."""
        if link in self.links:
            self.links.discard(link)
            network = network_of(link.line.address)
            self._by_address[network] -= 1
            if not self._by_address[network]:
                del self._by_address[network]

    async def watch(self, well: Well) -> None:
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
                try:
                    self._look_after(link, now, is_due=is_due)
                except Exception as problem:  # it ends this connection, and no other
                    self.supervisor.failed("connections", problem)
                    link.line.abort()
                if count % 100 == 99:
                    await asyncio.sleep(0)  # the tables' turn
            well()

    def _look_after(self, link: Link, now: float, *, is_due: bool) -> None:
        settings, connection = self.settings, link.connection
        greeting = connection.session.state is SessionState.GREETING
        if greeting and now - link.opened_at >= settings.hello_s:
            connection.happens(Input.NO_HELLO, f"no hello within {settings.hello_s:g} s")
        elif now - connection.last_heard >= settings.quiet_s:
            connection.happens(Input.QUIET, f"nothing heard for {settings.quiet_s:g} s")
        elif is_due and connection.is_open:
            connection.ping()

    def throw_out(self, names: Collection[str], text: str) -> None:
        """Close the connections of these accounts, which are not to come back by themselves."""
        lower = {name.lower() for name in names}
        for link in list(self.links):
            if account_name(link.connection.name).lower() in lower:
                link.connection.happens(Input.BANNED, text)

    def announce(self, text: str) -> int:
        """Send a text of the operator to everybody who is logged in; return how many."""
        receivers = [link.connection for link in self.links if link.connection.is_open]
        for connection in receivers:
            connection.announce(text)
        return len(receivers)

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


_LOG = logging.getLogger(__name__)
# The link.


T = TypeVar("T")
_ACTION = b'"act"'
_FLOOD = "more messages than any player needs"


class Transport(Protocol):
    """A transport, as far as a link needs it."""

    address: str
    """Where the other end is, for limits."""

    @property
    def is_full(self) -> bool:
        """True while the other end must read before more is written."""

    def send(self, data: bytes) -> None:
        """Take whole messages, each a line, to be sent without waiting."""

    def close(self, code: CloseCode) -> None:
        """Send pending messages, then close; a client that does not read is cut off soon."""

    def abort(self) -> None:
        """Close at once."""


class Link:
    """A connection on a transport."""

    def __init__(self, connections: OpenConnections, line: Transport) -> None:
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
        """Log in somebody who needs no credentials, such as a browser with a cookie."""
        self._known = identity
        unused = TokenLogIn(token="cookie")
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
        if self.connection.closing is not None:
            return False  # what comes behind a flood, in frames of its own, is no flood of its own
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
        self._checking = self._connections.supervisor.run("log-ins", self._log_in(hello))

    async def _log_in(self, hello: Hello) -> None:
        connection = self.connection
        try:
            admitted = await self._connections.admission.check(
                hello, self.line.address, waits=connection.waits
            )
            if isinstance(admitted, LogInRefusal):
                connection.refused(admitted.code, admitted.text)
            else:
                connection.accepted(admitted)
                self._connections.counts["log_ins"] += 1
        except Exception:
            self.line.abort()
            raise


# The protocol over TCP: newline-delimited JSON.


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
        """Say that a connection has come, unless descriptors run short and none is idle."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        if are_short(transport) and not IDLE.give_way(transport):
            transport.abort()
            return
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
        """Write what has waited until the other end had read enough."""
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
    server = await loop.create_server(
        lambda: TcpLine(connections), sock=listening, backlog=ACCEPTED_AT_ONCE
    )
    listening.listen(BACKLOG)
    return server


# The protocol over WebSocket: the same messages, each as one text frame.


class WebSocketLine:
    """A WebSocket connection; one task sends queued messages as long as it is open."""

    def __init__(self, websocket: WebSocket) -> None:
        self.address = websocket.client.host if websocket.client else ""
        self.link: Link | None = None
        self._websocket = websocket
        self._queue: deque[str] = deque()
        self._queued = 0
        self._more = asyncio.Event()
        self._code: CloseCode | None = None
        self._ended = asyncio.Event()

    @property
    def is_full(self) -> bool:
        """True while the other end must read before more is queued."""
        return self._queued > WRITE_BUFFER

    def send(self, data: bytes) -> None:
        """Queue messages, each a line."""
        self._queued += len(data)
        # Not by `splitlines`, which cuts a text at U+2028, U+2029 and U+0085 as well.
        self._queue.extend(data.decode().removesuffix("\n").split("\n"))
        self._more.set()

    def close(self, code: CloseCode) -> None:
        """Close after the queued messages, or soon."""
        self._code = code
        self._more.set()
        asyncio.get_running_loop().call_later(CLOSE_S, self.abort)

    def abort(self) -> None:
        """Close at once."""
        self._ended.set()

    async def write(self) -> None:
        """Send queued messages until the connection is closed."""
        while True:
            await self._more.wait()
            self._more.clear()
            while self._queue:
                text = self._queue.popleft()
                await self._websocket.send_text(text)
                was_full = self.is_full
                self._queued -= len(text.encode()) + 1
                if was_full and not self.is_full and self.link is not None:
                    self.link.can_write()
            if self._code is not None:
                await self._websocket.close(int(self._code))
                return

    async def read(self, link: Link) -> None:
        """Pass messages on until the other end closes."""
        while (message := await self._websocket.receive())["type"] != "websocket.disconnect":
            text = message.get("text")
            link.receive_message((message.get("bytes") or b"") if text is None else text.encode())

    async def until_aborted(self) -> None:
        """Wait for the end of a connection that does not end by itself."""
        await self._ended.wait()


async def talk(connections: OpenConnections, websocket: WebSocket) -> None:
    """Serve one WebSocket until it is closed by either side."""
    await websocket.accept()
    line = WebSocketLine(websocket)
    link = line.link = connections.opened(line)
    if link is None:
        await websocket.close(1013)
        return
    try:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await until_first(line.read(link), line.write(), line.until_aborted())
    finally:
        link.cut()
