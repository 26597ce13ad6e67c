"""A blocking connection to a tournament server, for bots in Python."""

from __future__ import annotations

import socket
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from types import TracebackType
from typing import Final, Self, TypeVar

import msgspec

from railbird import __version__
from railbird.errors import BadInput, RailbirdError
from railbird.protocol import AnyServer, ClientSession, ClientState, messages

# Time limits of clients.


PORT: Final = 4680
"""Default port of tournament servers."""

CONNECT_SECONDS: Final = 10.0
"""Limit for a server to answer a connection."""

CUT_SECONDS: Final = 1.5 * messages.QUIET_SECONDS
"""Silence after which a client takes its connection for cut; the server pings more often."""

LONGEST_WAIT: Final = 30.0
"""Most seconds between two attempts to connect again; they begin at a tenth of one and double."""

READ_BYTES: Final = 1 << 16
"""Bytes read at once."""

TURN_SECONDS: Final = 5.0
"""Limit for each decision while a bot is checked."""

SHORT_SECONDS: Final = 1.0
"""Limit for an answer that a bot need not give."""

EXIT_SECONDS: Final = 2.0
"""Time for a checked bot to exit after the connection is closed."""


LogInT = TypeVar("LogInT", messages.PasswordLogIn, messages.TokenLogIn, messages.SignUp)


class Cut(RailbirdError):
    """The connection ended without a word; connect again."""


class Ended(RailbirdError):
    """The server ended the connection, and said why."""

    def __init__(self, closing: messages.Closing) -> None:
        super().__init__(f"{closing.text} ({closing.code.value})")
        self.closing = closing


class ServerRefusedLogIn(RailbirdError):
    """The server refused the name, the password or the token."""


class ServerConnection:
    """A TCP connection; answers the server's pings while messages are awaited.

    While one thread waits for messages, another may send some, or close. Raises `BadInput` if there
    is no server.
    """

    def __init__(self, host: str, port: int) -> None:
        try:
            self._socket = socket.create_connection((host, port), CONNECT_SECONDS)
        except (OSError, UnicodeError) as problem:
            why = problem.strerror if isinstance(problem, OSError) else None
            raise BadInput(f"no server at {host} port {port}: {why or problem}") from None
        # Messages are short and each is awaited; collecting them into larger packets would delay
        # every action.
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.settimeout(CUT_SECONDS)
        self._session = ClientSession()
        self._waiting: deque[AnyServer] = deque()
        self._actions = 0
        self._writing = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def log_in(
        self, credentials: messages.Credentials, *, version: str | None = None
    ) -> messages.Welcome:
        """Greet and log in; ``version`` is a bot's own.

        Raises `ServerRefusedLogIn`, or `Cut` or `Ended` for any other end.
        """
        self._session.hello(credentials, version=version, client=f"railbird {__version__}")
        self._flush()
        refusal = ""
        try:
            while True:
                match self.receive():
                    case messages.Welcome() as welcome:
                        return welcome
                    # The error tells why and comes first; the closing message after it has no words
                    # of its own.
                    case messages.ErrorMessage(text=text):
                        refusal = text
                    case _:
                        pass
        except Ended as ended:
            if refusal and not ended.closing.reconnect:
                raise ServerRefusedLogIn(refusal) from None
            raise

    def send(self, message: messages.GameRequest) -> None:
        """Send a message. Raises `Cut`."""
        with self._writing:
            self._session.send(message)
            self._flush()

    def act(
        self,
        turn: messages.Turn,
        verb: messages.Verb,
        to: int | None = None,
        cards: list[str] | None = None,
    ) -> None:
        """Answer a turn; ``to`` is the size of a bet or raise, ``cards`` are those of a discard."""
        self.act_in(turn.turn, verb, to, cards)

    def act_in(
        self, turn: str, verb: messages.Verb, to: int | None = None, cards: list[str] | None = None
    ) -> None:
        """Answer the turn with this id."""
        self._actions += 1
        self.send(
            messages.ActMessage(turn=turn, action=self._actions, verb=verb, to=to, cards=cards)
        )

    def receive(self) -> AnyServer:
        """Wait for the next message. Raises `Ended` after the last one, `Cut`, or `BadInput`."""
        while not self._waiting:
            try:
                data = self._socket.recv(READ_BYTES)
            except TimeoutError:
                raise Cut(f"the server has been silent for {CUT_SECONDS:g} s") from None
            except OSError as problem:
                raise Cut(str(problem.strerror or problem)) from None
            if not data:
                raise Cut("the connection was cut")
            # Reading may answer a ping, and an answer must not be mixed with a message that another
            # thread sends.
            with self._writing:
                self._waiting += self._session.receive(data)
                self._flush()
        message = self._waiting.popleft()
        if isinstance(message, messages.Closing):
            raise Ended(message)
        return message

    def messages(self) -> Iterator[AnyServer]:
        """Wait for messages until the server ends the connection. Raises `Cut` or `BadInput`."""
        try:
            while True:
                yield self.receive()
        except Ended:
            return

    def close(self) -> None:
        """Say good-bye and close."""
        with self._writing:
            if self._session.state is not ClientState.CLOSED:
                self._session.bye()
                with suppress(Cut):
                    self._flush()
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)  # wakes a thread that waits for messages
        self._socket.close()

    def _flush(self) -> None:
        try:
            self._socket.sendall(self._session.take())
        except OSError as problem:
            raise Cut(str(problem.strerror or problem)) from None


def token_log_in(token: str) -> messages.TokenLogIn:
    """Return the credentials of a bot. Raises `ValueError` for an impossible token."""
    return _checked(messages.TokenLogIn(token=token))


def password_log_in(name: str, password: str) -> messages.PasswordLogIn:
    """Return the credentials of a person. Raises `ValueError` for an impossible name."""
    return _checked(messages.PasswordLogIn(name=name, password=password))


def signing_up(name: str, password: str) -> messages.SignUp:
    """Return the request for a new account. Raises `ValueError` for an impossible name."""
    return _checked(messages.SignUp(name=name, password=password))


def _checked(log_in: LogInT) -> LogInT:
    """Hold the fields to their bounds here: a message checks them only where it is read."""
    return msgspec.convert(msgspec.to_builtins(log_in), type(log_in))
