"""Clients by the thousand: a protocol of asyncio each, which reads no more than it needs."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections import Counter
from dataclasses import dataclass, field

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

    def __init__(self, token: str, queue: str, tally: Tally, *, think_s: float, seed: int) -> None:
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
