"""The client's side of a connection, without I/O."""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType
from typing import Final

from railbird.errors import BadInput
from railbird.protocol.encoding import AnyServer, client_line, parse_server
from railbird.protocol.messages.client import (
    Bye,
    ClientPong,
    Credentials,
    GameRequest,
    Hello,
)
from railbird.protocol.messages.codes import CloseCode
from railbird.protocol.messages.session import Closing, ServerPing, Welcome
from railbird.protocol.session.lines import Lines
from railbird.protocol.settings import LONGEST_SERVER_LINE, VERSIONS


class ClientState(StrEnum):
    """State of a connection, as a client sees it."""

    CONNECTED = "connected"
    """The hello is not sent."""
    GREETED = "greeted"
    """The hello is sent, the welcome has not come."""
    OPEN = "open"
    CLOSED = "closed"


CLIENT_TRANSITIONS: Final = MappingProxyType(
    {
        (ClientState.CONNECTED, "send hello"): ClientState.GREETED,
        (ClientState.GREETED, "welcome"): ClientState.OPEN,
        (ClientState.CONNECTED, "close"): ClientState.CLOSED,
        (ClientState.GREETED, "close"): ClientState.CLOSED,
        (ClientState.OPEN, "close"): ClientState.CLOSED,
        (ClientState.OPEN, "send bye"): ClientState.CLOSED,
    }
)
"""Where each message leads; any other changes nothing."""


class ClientSession:
    """A connection: bytes in, messages out; answers pings by itself.

    Unknown types and fields of messages are ignored, so that an older client survives a newer
    server. A gap in the server's numbers is an error of the transport.
    """

    def __init__(self) -> None:
        self.state = ClientState.CONNECTED
        self.closed_by: CloseCode | None = None
        """The server's reason for closing; None while open, or if it was cut."""
        self._lines = Lines(LONGEST_SERVER_LINE)
        self._seq = 0
        self._out: list[bytes] = []

    def hello(self, log_in: Credentials, *, version: str | None = None, client: str = "") -> None:
        """Greet and log in."""
        self._move("send hello")
        message = Hello(versions=list(VERSIONS), log_in=log_in, version=version, client=client)
        self._out.append(client_line(message))

    def send(self, message: GameRequest) -> None:
        """Send a message of the game."""
        self._out.append(client_line(message))

    def bye(self) -> None:
        """End the connection."""
        self._out.append(client_line(Bye()))
        self._move("send bye")

    def receive(self, data: bytes) -> list[AnyServer]:
        """Read bytes of a stream; return the messages. Raises `BadInput` for no messages."""
        messages = [self.receive_message(line) for line in self._lines.feed(data)]
        return [message for message in messages if message is not None]

    def receive_message(self, line: bytes | str) -> AnyServer | None:
        """Read one message; None for a type that this version does not know."""
        message = parse_server(line)
        if message is None:
            self._seq += 1
            return None
        if message.seq != self._seq + 1:
            raise BadInput(f"message {message.seq} after {self._seq}; allowed: {self._seq + 1}")
        self._seq += 1
        match message:
            case ServerPing(n=n):
                self._out.append(client_line(ClientPong(n=n)))
            case Welcome():
                self._move("welcome")
            case Closing(code=code):
                self.closed_by = code
                self._move("close")
            case _:
                pass
        return message

    def take(self) -> bytes:
        """Return the bytes to be written now."""
        data = b"".join(self._out)
        self._out.clear()
        return data

    def _move(self, what: str) -> None:
        self.state = CLIENT_TRANSITIONS.get((self.state, what), self.state)
