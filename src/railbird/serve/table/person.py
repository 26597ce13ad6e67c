"""Somebody at a browser, as a client of the tournament server like any other.

The person's messages go to the house and the house's come back through the same session that
programs have; a page shows the fold of what came, and nothing else reaches it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

from railbird.protocol import AnyServer, CloseCode, ErrorCode, Identity, client_line, parse_server
from railbird.protocol.messages.client import (
    ActMessage,
    ClientPong,
    GameRequest,
    Practise,
    Unwatch,
    Verb,
    Watch,
)
from railbird.protocol.messages.game import Left, Queued, Seated, Snapshot, Turn, Unqueued
from railbird.protocol.messages.session import Announcement, Closing, ErrorMessage, ServerPing
from railbird.serve.connections.link import Link
from railbird.serve.connections.open_connections import OpenConnections
from railbird.serve.table.choices import Advance, Ahead, ahead_of, resolved, still_stands
from railbird.serve.table.screen import Screen
from railbird.serve.table.settings import TableSettings
from railbird.serve.table.state import TableState, after, first_state

_ELSEWHERE: Final = (CloseCode.TAKEN_OVER, CloseCode.FROZEN)


class Page(Protocol):
    """An open page, which its successor puts out."""

    def taken_over(self) -> None:
        """Another page shows this table from now on."""


class _Ear:
    """The end of a link where a transport would be."""

    is_full = False

    def __init__(self, address: str, person: Person) -> None:
        self.address = address
        self._person = person

    def send(self, data: bytes) -> None:
        self._person.heard(self, data)

    def close(self, code: CloseCode) -> None:
        self._person.closed(self, code)

    def abort(self) -> None:
        self._person.closed(self, None)


class Person:
    """A logged-in account at a browser."""

    def __init__(
        self,
        identity: Identity,
        connections: OpenConnections,
        settings: TableSettings,
        *,
        address: str,
    ) -> None:
        self.identity = identity
        self.settings = settings
        self.address = address
        self.queued: Queued | None = None
        self.seat: Screen | None = None
        """The own table."""
        self.watched: dict[str, Screen] = {}
        self.ended: CloseCode | None = None
        """Why the connection ended, where the person must come back on purpose."""
        self.notice = ""
        self.ahead: Ahead | None = None
        self.acted_on = ""
        """The turn of the last action that a form sent."""
        self.asks_fold = ""
        """The turn whose fold with a free check waits for a second word."""
        self.hint: tuple[str, tuple[str, ...]] | None = None
        """A turn, and what was said about it."""
        self.pages: dict[str, Page] = {}
        """The newest open page of each table watched, and under an empty name of one's own."""
        self.seen = time.monotonic()
        self.patience = settings.away_s
        self.waits_for_code = False
        """Whether code is compiled at this moment."""
        self.practised: Practise | None = None
        """The latest practice table that was asked for."""
        self.is_called = False
        """Whether a seat waits that no page has shown yet."""
        self.actions = 0
        self._connections = connections
        self._link: Link | None = None
        self._ear: _Ear | None = None
        self._listeners: set[Callable[[], None]] = set()
        self._answers: dict[int, asyncio.Future[None]] = {}
        self._seat_known = asyncio.Event()
        self._asked: dict[str, asyncio.Event] = {}
        """Tables that are to be watched, until their snapshots come."""

    # The connection.

    @property
    def is_connected(self) -> bool:
        """Whether the house knows that the person is here."""
        return self._link is not None

    def connect(self) -> None:
        """Log in to the house, unless the seat was taken over or frozen meanwhile."""
        if self._link is None and self.ended is None:
            self._ear = _Ear(self.address, self)
            self._link = self._connections.opened(self._ear)
            if self._link is not None:
                self._link.enter(self.identity)

    def come_back(self) -> None:
        """Log in again, on purpose."""
        self.ended = None
        self.connect()

    def disconnect(self) -> None:
        """Be away."""
        link, self._link, self._ear = self._link, None, None
        if link is not None:
            link.cut()
        self.queued = None
        for screen in self.watched.values():
            screen.stop()
        self.watched.clear()

    def send(self, message: GameRequest) -> None:
        """Send a message to the house."""
        self.notice = ""
        if self._link is not None:
            self._link.receive_message(client_line(message))

    def heard(self, ear: _Ear, data: bytes) -> None:
        """Read what the house sent."""
        if ear is not self._ear:
            return
        for line in data.splitlines():
            self._hear(line)
        self.changed()

    def closed(self, ear: _Ear, code: CloseCode | None) -> None:
        """Take note that the house has closed the connection."""
        if ear is not self._ear:
            return
        link, self._link, self._ear = self._link, None, None
        if link is not None:
            self._connections.forget(link)
        self.queued = None
        if code is not None and not code.comes_back:
            self.ended = code
            if code not in _ELSEWHERE:
                self.notice = f"The server has closed the connection ({code.value})."
        self.changed()

    # News.

    def listen(self, listener: Callable[[], None]) -> None:
        """Have something called after every change."""
        self._listeners.add(listener)

    def unlisten(self, listener: Callable[[], None]) -> None:
        """Call it no more."""
        self._listeners.discard(listener)

    def changed(self) -> None:
        """Tell the pages."""
        for listener in tuple(self._listeners):
            listener()

    def _hear(self, line: bytes) -> None:
        message = parse_server(line)
        now = time.monotonic()
        match message:
            case None:
                pass
            case ServerPing(n=n):
                if self._link is not None:
                    self._link.receive_message(client_line(ClientPong(n=n)))
            case ErrorMessage(action=action):
                self.notice = _refusal(message)
                self._answered(action)
            case Announcement(text=text):
                self.notice = text
            case Closing():
                pass
            case Queued():
                self.queued = message
            case Unqueued():
                self.queued = None
            case Left(table=table, reason="unwatched"):
                self._stop_watching(table)
            case _:
                self._of_table(message, now)

    def _of_table(self, message: AnyServer, now: float) -> None:
        if isinstance(message, Seated | Snapshot):
            self._of_whole_table(message, now)
            return
        table = getattr(message, "table", "")
        if table in self.watched:
            self._show(self.watched[table], message, now)
        elif self.seat is not None:
            info = self.seat.truth.info
            if table == info.table or getattr(message, "tournament", "") == info.tournament:
                self._show(self.seat, message, now)
                self._turn_came()

    def _of_whole_table(self, message: Seated | Snapshot, now: float) -> None:
        name, seat = message.table.table, self.seat
        if name in self._asked or name in self.watched:
            if name in self.watched:
                self._show(self.watched[name], message, now)
            else:
                self.watched[name] = self._screen(first_state(message, None, now))
                self._asked[name].set()
            return
        self.queued = None
        if seat is not None and seat.truth.info.table == name:
            self._show(seat, message, now)
            if isinstance(message, Snapshot):
                seat.flush()
        else:
            if seat is not None:
                seat.stop()
            self.seat = self._screen(first_state(message, self.identity.name, now))
            self.is_called = True
        self._seat_known.set()
        self._turn_came()

    def _show(self, screen: Screen, message: AnyServer, now: float) -> None:
        screen.update(after(screen.truth, message, now))
        hand, acted = screen.truth.hand, getattr(message, "entry", None)
        if hand is not None and getattr(acted, "seat", None) == hand.you:
            self._answered(None)

    def _screen(self, state: TableState) -> Screen:
        return Screen(state, self.changed, pace=self.settings.pace)

    def _turn_came(self) -> None:
        """Do what was chosen in advance, unless a raise has cancelled it."""
        truth = None if self.seat is None else self.seat.truth
        if truth is None:
            return
        turn = truth.turn
        if turn is not None and self.ahead is not None:
            verb, self.ahead = resolved(self.ahead, turn), None
            if verb is not None:
                self._act_soon(turn, verb)
        elif self.ahead is not None and not still_stands(self.ahead, truth.hand):
            self.ahead = None

    def _act_soon(self, turn: Turn, verb: Verb) -> None:
        # The message is being read within the house's own call.
        asyncio.get_running_loop().call_soon(self.send, self.action(turn.turn, verb, None))

    # What the person does.

    def action(self, turn: str, verb: Verb, to: int | None) -> ActMessage:
        """Return an action with a number of its own."""
        self.actions += 1
        return ActMessage(turn=turn, action=self.actions, verb=verb, to=to)

    async def act(self, message: ActMessage, *, patience_s: float) -> None:
        """Send an action and wait until the house has taken or refused it."""
        done = asyncio.get_running_loop().create_future()
        self._answers[message.action] = done
        self.asks_fold = ""
        self.send(message)
        try:
            await asyncio.wait([done], timeout=patience_s)
        finally:
            self._answers.pop(message.action, None)

    def _answered(self, action: int | None) -> None:
        for number in tuple(self._answers):
            if action is None or number == action:
                done = self._answers.pop(number)
                if not done.done():
                    done.set_result(None)

    def choose_ahead(self, what: Advance | None) -> None:
        """Choose an action for the next turn, or none; at once if that turn has come."""
        seat = self.seat
        if seat is None:
            return
        self.ahead = None if what is None else ahead_of(seat.shown, what)
        self._turn_came()
        self.changed()

    async def watch(self, table: str, *, patience_s: float) -> Screen | None:
        """See a table as a spectator; return None, and say why, if that is refused."""
        if table not in self.watched:
            known = self._asked.setdefault(table, asyncio.Event())
            self.send(Watch(table=table))
            with suppress(TimeoutError):
                await asyncio.wait_for(known.wait(), patience_s)
            self._asked.pop(table, None)
        return self.watched.get(table)

    def unwatch(self, table: str) -> None:
        """See a table no longer."""
        if table in self.watched:
            self.send(Unwatch(table=table))
            self._stop_watching(table)

    def _stop_watching(self, table: str) -> None:
        screen = self.watched.pop(table, None)
        if screen is not None:
            screen.stop()

    async def until_seated(self, patience_s: float) -> None:
        """Wait until the own table is known."""
        if self.seat is None or self.seat.truth.is_over:
            self._seat_known.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._seat_known.wait(), patience_s)

    def lose_seat(self) -> None:
        """Show a table no longer whose game ended while the person was away."""
        if self.seat is not None and not self.seat.truth.is_over:
            self.seat.stop()
            self.seat = None

    def happened(self) -> None:
        """Take note that the person asked for something."""
        self.seen = time.monotonic()

    def is_here(self, now: float) -> bool:
        """Whether a page is open, or was a moment ago."""
        return bool(self.pages) or now - self.seen < self.patience


def _refusal(message: ErrorMessage) -> str:
    """Say to a person why the house refused something."""
    if message.code is ErrorCode.STALE:
        return "That turn is over already."  # without the turn's name
    return f"{message.text[:1].upper()}{message.text[1:]}."
