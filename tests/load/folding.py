"""A client that keeps what it was told as a view of the hand, connects again after every cut, and
remembers each view, to be compared with what the journal says that it may see."""

from __future__ import annotations

import asyncio
import hashlib
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from helpers.hosted import any_legal
from railbird.hosting.games.outlet import Silence
from railbird.hosting.journal import read_journal
from railbird.hosting.proceedings import play_of
from railbird.hosting.records import Opened
from railbird.protocol import AnyServer, ClientSession, following, told
from railbird.protocol.messages.client import ActMessage, EnterQueue, TokenLogIn
from railbird.protocol.messages.game import HandView, Snapshot, Turn
from railbird.protocol.redaction.events import HandEnd, HandStart, HandStep, TableEvent, TurnStart

Moment = tuple[str, int, int]
"""Table, hand, and length of its history."""
_SILENCE_S = 1.5
"""After which a client takes a connection for dead; the server pings much later."""


def digest(hand: HandView) -> str:
    """Return a short form of a view; who is present is not in the journal."""
    seats = [seat.model_dump(exclude={"presence"}) for seat in hand.seats]
    rest = hand.model_dump(exclude={"seats"})
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
        session.hello(TokenLogIn(by="token", token=self._token), version="1")
        self._hands = {}
        try:
            while True:
                writer.write(session.take())
                data = await asyncio.wait_for(reader.read(1 << 16), _SILENCE_S)
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
        if message.type == "left":
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


class _Reference(Silence):
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
