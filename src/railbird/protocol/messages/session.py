"""Messages of the session, which know nothing of poker."""

from __future__ import annotations

from typing import Literal

from railbird.protocol.identity import PlayerKind
from railbird.protocol.messages.base import Milliseconds, ServerMessage
from railbird.protocol.messages.codes import CloseCode, ErrorCode


class Welcome(ServerMessage):
    """The log-in succeeded."""

    type: Literal["welcome"] = "welcome"
    version: int
    """The version of the protocol that is spoken from now on."""
    name: str
    kind: PlayerKind
    player_version: str | None = None
    """A bot's own version, as it said in its hello."""
    server: str
    """The server's program and its version."""


class LogInQueue(ServerMessage):
    """The log-in waits: checking passwords takes time on purpose."""

    type: Literal["log_in_queue"] = "log_in_queue"
    before: int
    """Log-ins that come before this one."""


class ServerPing(ServerMessage):
    """Ask whether the client is there; to be answered by a `pong` with the same number."""

    type: Literal["ping"] = "ping"
    n: int


class ServerPong(ServerMessage):
    """The answer to the client's `ping`."""

    type: Literal["pong"] = "pong"
    n: int


class ErrorMessage(ServerMessage):
    """Refusal of a message; after a refused action the turn goes on."""

    type: Literal["error"] = "error"
    code: ErrorCode
    text: str
    """One sentence: what was got, what is allowed."""
    sent: str | None = None
    """The message that was refused, cut off where it is long."""
    turn: str | None = None
    """The turn that goes on, after a refused action."""
    action: int | None = None
    """The client's number of the action that was refused."""
    ms_left: Milliseconds | None = None
    """Time left for another answer, bank included."""


class Announcement(ServerMessage):
    """A text of the operator, for people."""

    type: Literal["announcement"] = "announcement"
    text: str


class Closing(ServerMessage):
    """The last message of a connection, where there is time for one."""

    type: Literal["close"] = "close"
    code: CloseCode
    text: str
    reconnect: bool
    """Whether to connect again by oneself."""


SessionMessage = (
    Welcome | LogInQueue | ServerPing | ServerPong | ErrorMessage | Announcement | Closing
)
