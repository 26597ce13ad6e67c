"""Clients by the thousand: a protocol of asyncio each, which reads no more than it needs."""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import re
import socket
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from msgspec.structs import asdict, replace

from helpers.hosted import any_legal
from railbird.hosting.house_game import play_of
from railbird.hosting.journal import Opened, read_journal
from railbird.hosting.play import NobodyListens
from railbird.protocol import AnyServer, ClientSession, following, told
from railbird.protocol.messages import (
    ActMessage,
    EnterQueue,
    HandView,
    Left,
    Presence,
    Snapshot,
    TokenLogIn,
    Turn,
)
from railbird.protocol.redaction import HandEnd, HandStart, HandStep, TableEvent, TurnStart

_TURN = re.compile(rb'"type":"turn","table":"([^"]+)","turn":"([^"]+)"')
_LEGAL = re.compile(rb'"legal":\{"fold":(true|false),"to_call":(\d+)(?:,"min_to":(\d+))?')


@dataclass
class Tally:
    """What clients saw, summed over all of them."""

    since: float = 0.0
    """Start of the measurement; what came before does not count."""
    actions: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    closed: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    """From an action sent to the next bytes, delays of this process included."""
    by_table: Counter[str] = field(default_factory=Counter)
    hands: int = 0

    def begin(self) -> None:
        """Measure from now on."""
        self.since = time.monotonic()
        self.actions = self.hands = 0
        self.seconds.clear()
        self.by_table.clear()


class Bot(asyncio.Protocol):
    """A bot that logs in by a token, waits in a queue for ever, and mostly calls."""

    def __init__(
        self, token: str, queue: str, tally: Tally, *, think_s: float = 0.0, seed: int
    ) -> None:
        self.tally = tally
        self.welcomed = asyncio.get_running_loop().create_future()
        self.lost = False
        self._token = token
        self._queue = queue.encode()
        self._think_s = think_s
        self._rng = random.Random(seed)
        self._transport: asyncio.Transport | None = None
        self._rest = b""
        self._acted = 0
        self._sent: float | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Say hello."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(
            b'{"type":"hello","versions":[1],"version":"1","log_in":{"by":"token","token":"%b"}}\n'
            % self._token.encode()
        )

    def data_received(self, data: bytes) -> None:
        """Look for turns, pings and refusals."""
        if self._sent is not None:
            self.tally.seconds.append(time.monotonic() - self._sent)
            self._sent = None
        lines = (self._rest + data).split(b"\n")
        self._rest = lines.pop()
        for line in lines:
            self._read(line)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the end."""
        self.lost = True
        if not self.welcomed.done():
            self.welcomed.set_result(False)

    def enter(self) -> None:
        """Enter the queue, now and after every tournament."""
        self.send(b'{"type":"enter_queue","queue":"%b","again":true}\n' % self._queue)

    def close(self) -> None:
        """Leave without a word."""
        if self._transport is not None:
            self._transport.abort()

    def send(self, line: bytes) -> None:
        """Send a line, if anybody is there."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(line)

    def _read(self, line: bytes) -> None:
        kind = line[line.find(b'"type":"') + 8 :]
        if kind.startswith(b"turn"):
            self._turn(line)
        elif kind.startswith(b"snapshot") and (at := line.find(b'"type":"turn"')) >= 0:
            self._turn(line[at:])
        elif kind.startswith(b"ping"):
            self.send(b'{"type":"pong","n":%b}\n' % line[line.rfind(b":") + 1 : -1])
        elif kind.startswith(b"hand_over"):
            self.tally.hands += 1
        elif kind.startswith(b"welcome"):
            self.welcomed.set_result(True)
        elif kind.startswith((b"error", b"close")):
            counted = self.tally.errors if kind.startswith(b"error") else self.tally.closed
            counted[line[line.find(b'"code":') + 7 :][:24].decode()] += 1

    def _turn(self, line: bytes) -> None:
        found, legal = _TURN.search(line), _LEGAL.search(line)
        assert found is not None
        assert legal is not None
        table, turn = found.groups()
        fold, to_call, low = legal.groups()
        draw, verb = self._rng.random(), b'"call"'
        if draw < 0.3 and fold == b"true" and int(to_call) > 60:
            verb = b'"fold"'
        elif draw < 0.15 and low is not None:
            verb = b'"raise","to":' + low
        self._acted += 1
        line = b'{"type":"act","turn":"%b","action":%d,"verb":%b}\n' % (turn, self._acted, verb)
        if self._think_s:
            delay = self._rng.expovariate(1 / self._think_s)
            asyncio.get_running_loop().call_later(delay, self._act, table, line)
        else:
            self._act(table, line)

    def _act(self, table: bytes, line: bytes) -> None:
        self.tally.actions += 1
        self.tally.by_table[table.decode()] += 1
        self._sent = time.monotonic()
        self.send(line)


class Practising(Bot):
    """A bot that practises against eight roll-out players, at one table after the other."""

    def __init__(self, token: str, tally: Tally, *, seed: int) -> None:
        super().__init__(token, "", tally, seed=seed)
        self.is_idle = True
        self._stays = False

    def enter(self) -> None:
        """Practise from now on."""
        self._stays, self.is_idle = True, False
        self.send(
            b'{"type":"practise","opponents":[%b],"stack":2000,"big_blind":20}\n'
            % b",".join([b'"rollout"'] * 8)
        )

    def leave(self) -> None:
        """Practise no longer, once the hand is over."""
        self._stays = False
        self.send(b'{"type":"stand_up"}\n')

    def _read(self, line: bytes) -> None:
        super()._read(line)
        if line[line.find(b'"type":"') + 8 :].startswith(b"left"):
            self.is_idle = True
            if self._stays:
                self.enter()


class Spectator(asyncio.Protocol):
    """A page without an account that shows a table, as its browser asks for it."""

    def __init__(self, host: str, table: str) -> None:
        self.bytes = self.messages = 0
        """What came since the start of the measurement, in how many readings."""
        self.lost = False
        self.opened = asyncio.get_running_loop().create_future()
        self._host, self._table = host, table
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the table, and for messages that are compressed."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(
            f"GET /table/socket?table={self._table} HTTP/1.1\r\nHost: {self._host}\r\n"
            f"Origin: http://{self._host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        """Count what comes."""
        self.bytes += len(data)
        self.messages += 1
        if not self.opened.done():
            self.opened.set_result(data.startswith(b"HTTP/1.1 101"))

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the end."""
        self.lost = True
        if not self.opened.done():
            self.opened.set_result(False)

    def close(self) -> None:
        """Leave without a word."""
        if self._transport is not None:
            self._transport.abort()


# A client that keeps what it was told as a view of the hand, connects again after every cut, and
# remembers each view, to be compared with what the journal says that it may see.


Moment = tuple[str, int, int]
"""Table, hand, and length of its history."""
_SILENCE_S = 1.5
"""After which a client takes a connection for dead; the server pings much later."""


def digest(hand: HandView) -> str:
    """Return a short form of a view; who is present is not in the journal."""
    seats = [asdict(replace(seat, presence=Presence.HERE)) for seat in hand.seats]
    rest = asdict(replace(hand, seats=[]))
    return hashlib.sha256(repr((seats, rest)).encode()).hexdigest()[:16]


@dataclass
class Seen:
    """What one account has seen, over all its connections."""

    views: dict[Moment, set[str]] = field(default_factory=dict)
    back_at_turn_s: list[float] = field(default_factory=list)
    """From a new connection to a snapshot with one's own turn."""
    faults: list[str] = field(default_factory=list)
    connections: int = 0


class FoldingBot:
    """An account that plays through bad connections."""

    def __init__(self, port: int, name: str, token: str, queue: str, *, think_s: float) -> None:
        self.name = name
        self.seen = Seen()
        self._port = port
        self._token = token
        self._queue = queue
        self._think_s = think_s
        self._rng = random.Random(name)
        self._acted = 0
        self._hands: dict[str, HandView | None] = {}
        self.is_waiting = True

    async def play(self) -> None:
        """Connect and play, again and again, until cancelled."""
        while True:
            try:
                await self._one_connection()
            except OSError:
                await asyncio.sleep(0.05)

    async def _one_connection(self) -> None:
        began = time.monotonic()
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        self.seen.connections += 1
        session = ClientSession()
        session.hello(TokenLogIn(token=self._token), version="1")
        self._hands = {}
        try:
            while True:
                writer.write(session.take())
                async with asyncio.timeout(_SILENCE_S):
                    data = await reader.read(1 << 16)
                if not data:
                    return
                for message in session.receive(data):
                    if message.type == "welcome" or not self.is_waiting:
                        self.is_waiting = True
                        session.send(EnterQueue(queue=self._queue))
                    if (turn := self._follow(message)) is not None:
                        if isinstance(message, Snapshot):
                            self.seen.back_at_turn_s.append(time.monotonic() - began)
                        self._later(turn, session, writer)
        except TimeoutError:
            return
        finally:
            writer.transport.abort()

    def _later(self, turn: Turn, session: ClientSession, writer: asyncio.StreamWriter) -> None:
        verb, to = any_legal(turn.legal, self._rng)
        self._acted += 1
        action = ActMessage(turn=turn.turn, action=self._acted, verb=verb, to=to)

        def act() -> None:
            if not writer.transport.is_closing():
                session.send(action)
                writer.write(session.take())

        delay = self._rng.expovariate(1 / self._think_s)
        asyncio.get_running_loop().call_later(delay, act)

    def _follow(self, message: AnyServer) -> Turn | None:
        table = getattr(message, "table", None)
        name = table if isinstance(table, str) else getattr(table, "table", None)
        if name is None or message.type in ("seated", "knocked_out"):
            return None
        if isinstance(message, Left):
            self._hands.pop(name, None)
            self.is_waiting = message.reason == "moved"
            return None
        known = self._hands.get(name)
        now = self._hands[name] = following(known, message)
        turn = message.turn if isinstance(message, Snapshot) else None
        if isinstance(message, Turn):
            turn = message
            if known is not None and known != message.hand:
                self.seen.faults.append(f"{message.turn}: the turn is not what was told before")
        if now is not None:
            moment = (name, now.hand, len(now.history))
            self.seen.views.setdefault(moment, set()).add(digest(now))
        return turn


class _Reference(NobodyListens):
    """Folds what a journal tells each viewer."""

    def __init__(self) -> None:
        self.views: dict[tuple[str, Moment], str] = {}
        self._hands: dict[tuple[str, str], HandView | None] = {}

    def tell(self, table: int, event: TableEvent) -> None:
        """Fold an event for everybody who holds a seat."""
        if not isinstance(event, HandStart | HandStep | TurnStart | HandEnd):
            return
        for holder in event.moment.holders:
            key = (holder.name, event.moment.table)
            message = told(event, holder.name)
            if message is not None:
                now = self._hands[key] = following(self._hands.get(key), message)
                if now is not None:
                    moment = (event.moment.table, now.hand, len(now.history))
                    self.views[holder.name, moment] = digest(now)


class _Nowhere:
    def write(self, record: object) -> None:
        raise AssertionError(record)


def compare(folder: Path, bots: list[FoldingBot]) -> tuple[int, list[str]]:
    """Compare every view with the journals; return how many there were, and what differs."""
    reference = _Reference()
    for path in sorted(folder.rglob("*.journal")):
        records = read_journal(path)
        opened = records[0]
        assert isinstance(opened, Opened)
        play = play_of(opened)
        play.attach(_Nowhere(), reference)
        play.read(records[1:])
    problems = [fault for bot in bots for fault in bot.seen.faults]
    return sum(len(bot.seen.views) for bot in bots), [*problems, *_different(reference, bots)]


def _different(reference: _Reference, bots: list[FoldingBot]) -> Iterator[str]:
    for bot in bots:
        for moment, views in bot.seen.views.items():
            expected = reference.views.get((bot.name, moment))
            if views != {expected}:
                yield f"{bot.name} at {moment}: {sorted(views)}, not {expected}"


# Clients that mean no good, and clients that are broken.


_SEEDS = [
    {"type": "hello", "versions": [1], "log_in": {"by": "token", "token": "t" * 43}},
    {"type": "hello", "versions": [1], "log_in": {"by": "password", "name": "a", "password": "b"}},
    {"type": "act", "turn": "six.1-1.1.1", "action": 1, "verb": "raise", "to": 200},
    {"type": "enter_queue", "queue": "six", "again": True},
    {"type": "watch", "table": "six.1-1"},
    {"type": "practise", "opponents": ["tight"], "stack": 2000, "big_blind": 20},
    {"type": "ping", "n": 1},
]


def mutated(rng: random.Random) -> bytes:
    """Return a line that was a message once."""
    line = bytearray(json.dumps(rng.choice(_SEEDS)).encode())
    for _ in range(rng.randint(1, 6)):
        place = rng.randrange(len(line))
        match rng.randrange(5):
            case 0:
                line[place] = rng.randrange(256)
            case 1:
                del line[place : place + rng.randint(1, 20)]
            case 2:
                line[place:place] = rng.randbytes(rng.randint(1, 20))
            case 3:
                line[place:place] = line[: rng.randint(0, 60)]
            case _:
                line[place:place] = b"[" * rng.randint(1, 3000)
        line = line or bytearray(b" ")
    return bytes(line).replace(b"\n", b" ") + b"\n"


@asynccontextmanager
async def _connected(
    port: int,
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Connect, however often it takes where so many try; close at the end, cancelled or not."""
    while True:
        with suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            break
        await asyncio.sleep(0.2)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def send_mutated(port: int, lines: int, seed: int) -> int:
    """Send mutated lines over as many connections as it takes; return how many were sent."""
    rng, sent = random.Random(seed), 0
    while sent < lines:
        async with _connected(port) as (reader, writer):
            with suppress(OSError, EOFError, TimeoutError):
                while sent < lines:
                    writer.write(mutated(rng))
                    sent += 1
                    async with asyncio.timeout(10):
                        await reader.readuntil(b"\n")
    return sent


async def read_slowly(port: int, token: str, table: str) -> None:
    """Log in, watch a table, ask for the lobby on and on, and read nothing, until cancelled."""
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.setblocking(False)
    loop = asyncio.get_running_loop()
    try:
        await loop.sock_connect(raw, ("127.0.0.1", port))
        hello = {"type": "hello", "versions": [1], "log_in": {"by": "token", "token": token}}
        await loop.sock_sendall(raw, json.dumps(hello).encode() + b"\n")
        await asyncio.sleep(0.5)
        with suppress(OSError):
            await loop.sock_sendall(raw, b'{"type":"watch","table":"%b"}\n' % table.encode())
            while True:
                await loop.sock_sendall(raw, b'{"type":"lobby"}\n')
                await asyncio.sleep(1)
        await asyncio.sleep(3600)
    finally:
        raw.close()


async def stay_silent(port: int) -> None:
    """Connect, and say nothing; again when thrown out, until cancelled."""
    while True:
        async with _connected(port) as (reader, _):
            with suppress(OSError):
                await reader.read()


async def flood(port: int, token: str) -> None:
    """Log in, and send as much as is taken; again when thrown out, until cancelled."""
    hello = {"type": "hello", "versions": [1], "log_in": {"by": "token", "token": token}}
    while True:
        async with _connected(port) as (reader, writer):
            with suppress(OSError, EOFError, TimeoutError):
                writer.write(json.dumps(hello).encode() + b"\n")
                await reader.readuntil(b"welcome")
                reading = asyncio.create_task(reader.read(-1))
                try:
                    while not reading.done():
                        writer.write(b'{"type":"ping","n":1}\n' * 100)
                        async with asyncio.timeout(5):
                            await writer.drain()
                        await asyncio.sleep(0)
                finally:
                    reading.cancel()
                    await asyncio.gather(reading, return_exceptions=True)
        await asyncio.sleep(0.5)
