"""A client's connection as the house sees it: bounded by bytes, without a socket.

The owner of the socket passes received bytes in, writes what `take` returns whenever it is woken,
and closes once `closing` is set and everything is written.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from railbird.hosting.interfaces import Offence
from railbird.hosting.settings import PLAYER_BYTES, SPECTATOR_BYTES
from railbird.protocol import (
    Close,
    CloseCode,
    Deliver,
    ErrorCode,
    Gone,
    Identity,
    Input,
    Lag,
    LogIn,
    Outcome,
    ServerSession,
)
from railbird.protocol.messages import ErrorMessage, GameRequest, Hello
from railbird.protocol.session import SessionState


class Listener(Protocol):
    """The house, as a connection knows it."""

    def arrive(self, connection: Connection) -> None:
        """An account has logged in."""

    def deliver(self, connection: Connection, message: GameRequest) -> None:
        """A message of the game has come."""

    def leave(self, connection: Connection) -> None:
        """The connection of a logged-in account is gone."""

    def offended(self, connection: Connection, what: Offence) -> None:
        """A logged-in account did what clients must not do."""

    def caught_up(self, connection: Connection, tables: frozenset[str]) -> None:
        """A spectator has read what was waiting and missed news of these tables."""


class Connection:
    """A connection from its greeting to its end.

    ``check`` is called with a hello; it must then call `accepted` or `refused`, at once or later.
    ``wake`` is called whenever there is something to write or to close, from within any method.
    """

    def __init__(
        self,
        house: Listener,
        *,
        server: str,
        check: Callable[[Connection, Hello], None],
        wake: Callable[[], None],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.session = ServerSession(server=server)
        self.closing: CloseCode | None = None
        """Set once the connection is to be closed, after `take` has been written."""
        self.lag: float = 0.0
        """Seconds of a round trip: the shortest of the last pings, which work cannot lengthen."""
        self.last_heard = now()
        self.name = ""
        """Name of the account; empty before the log-in."""
        self.answered = 0
        """Actions that were accepted since somebody last set this to 0: they are no flood, however
        fast they come, since each answers a turn."""
        self._house = house
        self._check = check
        self._wake = wake
        self._now = now
        self._pings: dict[int, float] = {}
        self._lags: list[float] = []
        self._pinged = 0
        self._missed: set[str] = set()

    @property
    def waiting(self) -> int:
        """Bytes that are not taken."""
        return self.session.waiting

    @property
    def identity(self) -> Identity:
        """The account. Raises `AttributeError` before the log-in."""
        identity = self.session.identity
        if identity is None:
            raise AttributeError("nobody has logged in")
        return identity

    @property
    def is_open(self) -> bool:
        """Whether somebody is logged in."""
        return self.session.state is SessionState.OPEN

    def receive(self, data: bytes) -> None:
        """Read bytes of a stream."""
        self._take_in(self.session.receive, data)

    def receive_message(self, line: bytes) -> None:
        """Read one message of a transport that has messages."""
        self._take_in(self.session.receive_message, line)

    def accepted(self, identity: Identity) -> None:
        """The log-in succeeded; ignored if the connection is gone meanwhile."""
        if self.session.state is SessionState.LOGGING_IN:
            self.name = identity.name
            self._carry_out(self.session.accepted(identity))
            self._house.arrive(self)

    def refused(self, code: ErrorCode, text: str) -> None:
        """The log-in failed."""
        self._carry_out(self.session.refused(code, text))

    def waits(self, before: int) -> None:
        """Say how many log-ins come before this one."""
        self.session.waits(before)
        self._wake()

    def happens(self, what: Input, text: str = "") -> None:
        """Report a time-out, a take-over, a restart, or the end of the connection."""
        if what is Input.FLOOD and self.is_open:
            self._house.offended(self, Offence.FLOOD)
        self._carry_out(self.session.happens(what, text))

    def ping(self) -> None:
        """Send a ping, whose answer measures the lag."""
        self._pinged += 1
        # A client that answers no pings would let them grow without end.
        if len(self._pings) > 8:
            self._pings.clear()
        self._pings[self._pinged] = self._now()
        self.session.ping(self._pinged)
        self._wake()

    def announce(self, text: str) -> None:
        """Send a text of the operator."""
        self.session.announce(text)
        self._wake()

    def send(self, body: bytes) -> None:
        """Send the body of a message; a client that does not read earlier ones is closed."""
        self.session.send(body)
        self._sent()

    def send_watched(self, table: str, body: bytes) -> None:
        """Send news of a table that is only watched; left out while too much is waiting."""
        # Once something was left out, the rest is too: news after a gap could not be understood,
        # and a snapshot will come.
        if table in self._missed or self.waiting + len(body) > SPECTATOR_BYTES:
            self._missed.add(table)
        else:
            self.send(body)

    def refuse(self, code: ErrorCode, text: str) -> None:
        """Refuse a message."""
        self.send_error(ErrorMessage(code=code, text=text))

    def send_error(self, error: ErrorMessage) -> None:
        """Send a refusal."""
        self.session.refuse(error)
        self._sent()

    def take(self) -> bytes:
        """Return the bytes to be written now; a spectator who is behind then gets snapshots."""
        return self.session.take()

    def drained(self) -> None:
        """Everything that was taken has been written."""
        if self._missed and self.is_open:
            missed, self._missed = frozenset(self._missed), set()
            self._house.caught_up(self, missed)

    def _take_in(self, read: Callable[[bytes], list[Outcome]], data: bytes) -> None:
        self.last_heard = self._now()
        before, is_open = self.session.malformed, self.is_open
        outcomes = read(data)
        if is_open:
            for _ in range(self.session.malformed - before):
                self._house.offended(self, Offence.MALFORMED)
        self._carry_out(outcomes)

    def _carry_out(self, outcomes: list[Outcome]) -> None:
        for outcome in outcomes:
            match outcome:
                case LogIn(hello):
                    self._check(self, hello)
                case Deliver(message):
                    self._house.deliver(self, message)
                case Lag(n):
                    self._measure(n)
                case Gone():
                    self._house.leave(self)
                case Close(code):
                    self.closing = code
        self._sent()

    def _sent(self) -> None:
        """Close a client with too much to read; wake the writer."""
        if self.waiting > PLAYER_BYTES and self.closing is None:
            self._carry_out(self.session.happens(Input.TOO_SLOW, Input.TOO_SLOW.value))
        self._wake()

    def _measure(self, n: int) -> None:
        sent = self._pings.pop(n, None)
        if sent is not None:
            # The shortest of five round trips is the network's; longer ones contain the time in
            # which the client was busy.
            self._lags = [*self._lags[-4:], self._now() - sent]
            self.lag = min(self._lags)
