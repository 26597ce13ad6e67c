"""The server's side of a connection, without I/O."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from railbird.errors import BadInput
from railbird.protocol.encoding import body_of, numbered, parse_client, quoted
from railbird.protocol.identity import Identity
from railbird.protocol.messages.client import Bye, ClientPing, ClientPong, GameRequest, Hello
from railbird.protocol.messages.codes import CloseCode, ErrorCode
from railbird.protocol.messages.game import GameMessage
from railbird.protocol.messages.session import (
    Announcement,
    Closing,
    ErrorMessage,
    LogInQueue,
    ServerPing,
    ServerPong,
    Welcome,
)
from railbird.protocol.session.lines import Lines, LineTooLong
from railbird.protocol.session.transitions import (
    TRANSITIONS,
    Do,
    Input,
    SessionState,
)
from railbird.protocol.settings import MALFORMED_IN_A_ROW, VERSIONS


@dataclass(frozen=True, slots=True)
class LogIn:
    """Ask for a hello to be checked; then call `accepted` or `refused`."""

    hello: Hello


@dataclass(frozen=True, slots=True)
class Deliver:
    """A game message, for the house."""

    message: GameRequest


@dataclass(frozen=True, slots=True)
class Lag:
    """A pong came, to the ping with this number."""

    n: int


@dataclass(frozen=True, slots=True)
class Gone:
    """The account of this connection is no longer connected; tell the house."""


@dataclass(frozen=True, slots=True)
class Close:
    """Send what is left to send, then close."""

    code: CloseCode


Outcome = LogIn | Deliver | Lag | Gone | Close
"""What the owner of the connection has to do."""


class ServerSession:
    r"""A connection: bytes in, outcomes and bytes out.

    Every method returns the outcomes that its owner has to carry out, in order, and adds to the
    bytes that `take` returns. It neither waits nor reads a clock: the owner reports time-outs.

    >>> session = ServerSession(server="railbird")
    >>> session.receive(b'{"type":"lobby"}\n'), session.take()[:42]
    ([], b'{"seq":1,"type":"error","code":"not_logged')
    """

    def __init__(self, *, server: str) -> None:
        self.state = SessionState.GREETING
        self.identity: Identity | None = None
        self.version = VERSIONS[-1]
        self.waiting = 0
        """Bytes that are not taken."""
        self._server = server
        self._lines = Lines()
        self.malformed = 0
        """Lines so far that were no message."""
        self._malformed = 0
        self._seq = 0
        self._out: list[bytes] = []

    def receive(self, data: bytes) -> list[Outcome]:
        """Read bytes of a stream; every message ends in a line feed."""
        outcomes: list[Outcome] = []
        try:
            for line in self._lines.feed(data):
                outcomes += self.receive_message(line)
                if self.state is SessionState.CLOSED:
                    break
        except LineTooLong as problem:
            self.malformed += 1
            outcomes += self.happens(Input.TOO_LONG, str(problem))
        return outcomes

    def receive_message(self, line: bytes) -> list[Outcome]:
        """Read one message, as a transport with messages of its own delivers it."""
        if self.state is SessionState.CLOSED:
            return []
        try:
            message = parse_client(line)
        except BadInput as problem:
            self.malformed += 1
            self._malformed += 1
            again = self._malformed >= MALFORMED_IN_A_ROW
            what = Input.MALFORMED_AGAIN if again else Input.MALFORMED
            is_open = self.state is SessionState.OPEN  # before, it may be half a password
            return self._step(what, str(problem), sent=quoted(line) if is_open else None)
        self._malformed = 0
        match message:
            case Hello(versions=versions):
                common = max((v for v in versions if v in VERSIONS), default=None)
                if common is None:
                    words = f"versions {versions}; allowed: {', '.join(map(str, VERSIONS))}"
                    return self._step(Input.WRONG_VERSION, words, message=message)
                if self.state is SessionState.GREETING:
                    self.version = common
                return self._step(Input.HELLO, "already greeted", message=message)
            case ClientPing():
                return self._step(Input.PING, message=message)
            case ClientPong():
                return self._step(Input.PONG, message=message)
            case Bye():
                return self._step(Input.BYE, "good-bye")
            case _:
                return self._step(Input.GAME, "say hello and log in first", message=message)

    def accepted(self, identity: Identity) -> list[Outcome]:
        """The log-in succeeded."""
        self.identity = identity
        return self._step(Input.ACCEPTED)

    def refused(self, code: ErrorCode, text: str) -> list[Outcome]:
        """The log-in failed."""
        if self.state is SessionState.LOGGING_IN:
            self._send_error(code, text)
        return self._step(Input.REFUSED, text)

    def waits(self, before: int) -> None:
        """Say how many log-ins come before this one."""
        if self.state is SessionState.LOGGING_IN:
            self.send(body_of(LogInQueue(before=before)))

    def happens(self, what: Input, text: str = "") -> list[Outcome]:
        """Report a time-out, a take-over, a restart or the end of the connection."""
        return self._step(what, text or what.value)

    def send_game(self, message: GameMessage) -> None:
        """Send a message of the game; see `send` for one that several connections share."""
        self.send(body_of(message))

    def announce(self, text: str) -> None:
        """Send a text of the operator."""
        self.send(body_of(Announcement(text=text)))

    def ping(self, n: int) -> None:
        """Ask for a pong."""
        self.send(body_of(ServerPing(n=n)))

    def refuse(self, error: ErrorMessage) -> None:
        """Send the house's refusal of a game message."""
        self.send(body_of(error))

    def send(self, body: bytes) -> None:
        """Send the body of a message, made by `railbird.protocol.encoding.body_of`."""
        if self.state is not SessionState.CLOSED:
            self._write(body)

    def take(self) -> bytes:
        """Return the bytes to be written now."""
        data = b"".join(self._out)
        self._out.clear()
        self.waiting = 0
        return data

    def _write(self, body: bytes) -> None:
        self._seq += 1
        self._out.append(numbered(body, self._seq))
        self.waiting += len(self._out[-1])

    def _send_error(self, code: ErrorCode, text: str, sent: str | None = None) -> None:
        self._write(body_of(ErrorMessage(code=code, text=text, sent=sent)))

    def _step(
        self,
        what: Input,
        text: str = "",
        *,
        message: object = None,
        sent: str | None = None,
    ) -> list[Outcome]:
        transition = TRANSITIONS.get((self.state, what))
        if transition is None:
            return []
        return list(self._do(transition.to, transition.reactions, text, message, sent))

    def _do(
        self,
        to: SessionState,
        reactions: tuple[Do | ErrorCode | CloseCode, ...],
        text: str,
        message: object,
        sent: str | None,
    ) -> Iterator[Outcome]:
        self.state = to
        for reaction in reactions:
            match reaction:
                case ErrorCode():
                    self._send_error(reaction, text, sent)
                case CloseCode():
                    closing = Closing(code=reaction, text=text, reconnect=reaction.comes_back)
                    self._write(body_of(closing))
                    yield Close(reaction)
                case Do.CHECK_LOG_IN:
                    assert isinstance(message, Hello)
                    yield LogIn(message)
                case Do.WELCOME:
                    self._welcome()
                case Do.PONG:
                    assert isinstance(message, ClientPing)
                    self._write(body_of(ServerPong(n=message.n)))
                case Do.MEASURE_LAG:
                    assert isinstance(message, ClientPong)
                    yield Lag(message.n)
                case Do.DELIVER:
                    assert isinstance(message, GameRequest)
                    yield Deliver(message)
                case Do.FORGET:
                    yield Gone()

    def _welcome(self) -> None:
        assert self.identity is not None
        welcome = Welcome(
            version=self.version,
            name=self.identity.name,
            kind=self.identity.kind,
            player_version=self.identity.version or None,
            server=self._server,
        )
        self._write(body_of(welcome))
