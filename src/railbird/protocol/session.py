"""The session: its table of transitions, and both sides of a connection, without I/O."""

# The form is that of h11 and of other protocols without I/O: bytes are given to a session, messages
# or outcomes come back, and what is to be sent is taken from it. Sockets, clocks and passwords
# belong to its owner, who reports a time-out like any other input. So the whole protocol can be
# tested by calling functions, and TCP and WebSocket share it.
#
# What may happen when is data. `TRANSITIONS` says for each state and input where it leads and what
# is done on the way; `GAME_TRANSITIONS` does so for an account's place in the game;
# `CLIENT_TRANSITIONS` for a client. The code below looks rows up and carries reactions out, and the
# manual's pictures are drawn from the same tables, so neither has an opinion of its own. A new
# input is a row here, not a condition in `_step`. An input without a row changes nothing: late
# messages of a closed connection need no care.
#
# Two rules that the table does not show. `Do.FORGET` tells the house that an account is gone, and
# must come on every way out of the open state but one: who is taken over by a newer connection is
# not gone. And a message that could not be read is quoted in the error only after the log-in,
# because before it may be half a password.
#
# Numbers of messages are given on writing, without gaps, so that a client can tell a loss from
# silence.
#
# Who would notice: tests/protocol/test_session.py, tests/protocol/test_manual.py (pictures and
# examples), tests/hosting/test_house.py for what the house makes of it.

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from railbird.errors import BadInput
from railbird.protocol.encoding import (
    AnyServer,
    Lines,
    LineTooLong,
    body_of,
    client_line,
    numbered,
    parse_client,
    parse_server,
    quoted,
)
from railbird.protocol.identity import Identity
from railbird.protocol.messages import (
    LONGEST_SERVER_LINE,
    MALFORMED_IN_A_ROW,
    SHARE_BYTES,
    VERSIONS,
    Announcement,
    AskShare,
    Bye,
    ClientPing,
    ClientPong,
    CloseCode,
    Closing,
    Credentials,
    ErrorCode,
    ErrorMessage,
    GameMessage,
    GameRequest,
    Hello,
    LogInQueue,
    SeedShare,
    ServerPing,
    ServerPong,
    Welcome,
)

# The client's side of a connection, without I/O.


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
"""The state to which each message leads; any other message changes nothing."""


class ClientSession:
    """A client's connection: bytes in, messages out.

    It answers pings and gives shares of seeds itself. Unknown types and fields of messages are
    ignored, so that an older client survives a newer server. A gap in the server's numbers is an
    error of the transport.
    """

    def __init__(self) -> None:
        self.state = ClientState.CONNECTED
        self.closed_by: CloseCode | None = None
        """The server's reason for closing; None while open, or if it was cut."""
        self.shares: list[SeedShare] = []
        """The shares that this connection gave to seeds. With the server's messages they make a log
        that `railbird server verify-deal` checks."""
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
            case AskShare(game=game):
                self.shares.append(SeedShare(game=game, share=secrets.token_hex(SHARE_BYTES)))
                self._out.append(client_line(self.shares[-1]))
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


# The session's table: state and input give the next state and what is done.
#
# No sockets and no clocks: time-outs are inputs as well. The manual's picture is drawn from this
# table (`railbird.protocol.session`), and `Session` does nothing else than look it up.


class SessionState(StrEnum):
    """State of a connection, as the server sees it."""

    GREETING = "greeting"
    """Connected; the hello has not come."""
    LOGGING_IN = "logging in"
    """The hello has come; the log-in is checked."""
    OPEN = "open"
    """Logged in."""
    CLOSED = "closed"


class Input(StrEnum):
    """Anything that happens to a connection."""

    HELLO = "hello"
    PING = "ping"
    PONG = "pong"
    BYE = "bye"
    GAME = "a game message"
    WRONG_VERSION = "hello without a common version"
    MALFORMED = "malformed"
    MALFORMED_AGAIN = "third malformed in a row"
    TOO_LONG = "line too long"
    ACCEPTED = "log-in accepted"
    REFUSED = "log-in refused"
    BANNED = "banned"
    NO_HELLO = "no hello in time"
    QUIET = "no pong in time"
    FLOOD = "flood"
    TOO_SLOW = "reads too slowly"
    TAKEN_OVER = "logged in elsewhere"
    FROZEN = "no action in time"
    RESTART = "restart"
    CUT = "connection cut"


class Do(StrEnum):
    """Something that the session does."""

    CHECK_LOG_IN = "check log-in"
    WELCOME = "welcome"
    PONG = "pong"
    MEASURE_LAG = "measure lag"
    DELIVER = "deliver"
    FORGET = "tell the house"
    """The house learns that this connection is gone."""


Reaction = Do | ErrorCode | CloseCode
"""What the session does; an error code is sent as an `error`, a close code as a `close`."""


@dataclass(frozen=True, slots=True)
class Transition:
    """The next state, and what is done on the way, in this order."""

    to: SessionState
    reactions: tuple[Reaction, ...] = ()


_GREETING, _LOGGING_IN, _OPEN, _CLOSED = SessionState
_IN_EVERY_OPEN_STATE: Final[Mapping[Input, tuple[SessionState | None, tuple[Reaction, ...]]]] = {
    Input.PING: (None, (Do.PONG,)),
    Input.PONG: (None, (Do.MEASURE_LAG,)),
    Input.MALFORMED: (None, (ErrorCode.MALFORMED,)),
    Input.MALFORMED_AGAIN: (_CLOSED, (ErrorCode.MALFORMED, CloseCode.MALFORMED)),
    Input.TOO_LONG: (_CLOSED, (CloseCode.TOO_LONG,)),
    Input.BYE: (_CLOSED, (CloseCode.NORMAL,)),
    Input.QUIET: (_CLOSED, (CloseCode.QUIET,)),
    Input.BANNED: (_CLOSED, (CloseCode.BANNED,)),
    Input.FLOOD: (_CLOSED, (CloseCode.FLOOD,)),
    Input.TOO_SLOW: (_CLOSED, (CloseCode.TOO_SLOW,)),
    Input.RESTART: (_CLOSED, (CloseCode.RESTART,)),
    Input.CUT: (_CLOSED, ()),
}


def _table() -> dict[tuple[SessionState, Input], Transition]:
    rows = {
        (_GREETING, Input.HELLO): Transition(_LOGGING_IN, (Do.CHECK_LOG_IN,)),
        (_GREETING, Input.WRONG_VERSION): Transition(
            _CLOSED, (ErrorCode.WRONG_VERSION, CloseCode.MALFORMED)
        ),
        (_GREETING, Input.GAME): Transition(_GREETING, (ErrorCode.NOT_LOGGED_IN,)),
        (_GREETING, Input.NO_HELLO): Transition(_CLOSED, (CloseCode.NO_HELLO,)),
        (_LOGGING_IN, Input.ACCEPTED): Transition(_OPEN, (Do.WELCOME,)),
        (_LOGGING_IN, Input.REFUSED): Transition(_CLOSED, (CloseCode.REFUSED,)),
        (_LOGGING_IN, Input.GAME): Transition(_LOGGING_IN, (ErrorCode.NOT_LOGGED_IN,)),
        (_OPEN, Input.GAME): Transition(_OPEN, (Do.DELIVER,)),
        (_OPEN, Input.TAKEN_OVER): Transition(_CLOSED, (CloseCode.TAKEN_OVER,)),
        (_OPEN, Input.FROZEN): Transition(_CLOSED, (CloseCode.FROZEN, Do.FORGET)),
    }
    for state in (_LOGGING_IN, _OPEN):
        for hello in (Input.HELLO, Input.WRONG_VERSION):
            rows[state, hello] = Transition(state, (ErrorCode.UNEXPECTED,))
    for state in (_GREETING, _LOGGING_IN, _OPEN):
        for what, (to, reactions) in _IN_EVERY_OPEN_STATE.items():
            extra_reactions: tuple[Reaction, ...] = (
                (Do.FORGET,) if (to, state) == (_CLOSED, _OPEN) else ()
            )
            rows[state, what] = Transition(to or state, (*reactions, *extra_reactions))
    return rows


TRANSITIONS: Final[Mapping[tuple[SessionState, Input], Transition]] = MappingProxyType(_table())
"""All transitions. An input for which a state has no row changes nothing."""


class PlayState(StrEnum):
    """Place of a logged-in account in the game."""

    LOBBY = "lobby"
    QUEUED = "queued"
    TOURNAMENT = "in a tournament"
    RING = "at a ring table"


class Change(StrEnum):
    """Change of an account's place that is not a message of its own."""

    STARTS = "tournament starts"
    OUT = "knocked out or over"
    QUEUED_AGAIN = "queued again"
    UP = "has stood up"
    LISTED = "no chair is free"
    CHAIR = "a chair is free"


_ANYWHERE: Final = ("lobby", "watch", "unwatch", "snapshot")
_AT_TABLES: Final = ("act", "show", "seed_share")
_AT_RING: Final = ("buy_chips", "sit_out", "sit_in", "stand_up", "run_twice")
_TO_TABLES: Final = ("enter_queue", "sit", "practise")


def _game_table() -> dict[tuple[PlayState, str], PlayState | ErrorCode]:
    lobby, queued, tournament, ring = PlayState
    rows: dict[tuple[PlayState, str], PlayState | ErrorCode] = {}
    for state in PlayState:
        rows |= {(state, kind): state for kind in _ANYWHERE}
        rows |= {(state, kind): ErrorCode.NOT_SEATED for kind in (*_AT_TABLES, *_AT_RING)}
        rows[state, "strategy"] = ErrorCode.UNEXPECTED  # no server asks for it
        rows[state, "leave_queue"] = ErrorCode.NOT_QUEUED
        rows |= {(state, kind): ErrorCode.SEATED for kind in _TO_TABLES}
    rows |= {(queued, kind): ErrorCode.QUEUED for kind in _TO_TABLES}
    rows |= {(ring, kind): ring for kind in (*_AT_TABLES, *_AT_RING)}
    rows |= {
        (lobby, "enter_queue"): queued,
        (lobby, "sit"): ring,
        (lobby, "practise"): ring,
        (queued, "leave_queue"): lobby,
        (queued, Change.STARTS.value): tournament,
        **{(tournament, kind): tournament for kind in _AT_TABLES},
        (tournament, Change.OUT.value): lobby,
        (lobby, Change.QUEUED_AGAIN.value): queued,
        (ring, Change.UP.value): lobby,
        (lobby, Change.LISTED.value): queued,
        (queued, Change.CHAIR.value): ring,
    }
    return rows


GAME_TRANSITIONS: Final[Mapping[tuple[PlayState, str], PlayState | ErrorCode]] = MappingProxyType(
    _game_table()
)
"""The state to which each game message or change leads an account, or the error that refuses it."""


# The server's side.


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
    """Send pending messages, then close."""

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
        """Bytes that `take` has not returned yet."""
        self._server = server
        self._lines = Lines()
        self.malformed = 0
        """Lines so far that were no message."""
        self.first_malformed = ""
        """The first of them, unless it may contain a secret, and its fault."""
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
            self._count_malformed(str(problem))
            outcomes += self.happens(Input.TOO_LONG, str(problem))
        return outcomes

    def _count_malformed(self, words: str) -> None:
        self.malformed += 1
        self.first_malformed = self.first_malformed or words

    def receive_message(self, line: bytes) -> list[Outcome]:
        """Read one message from a transport that delivers messages, such as WebSocket."""
        if self.state is SessionState.CLOSED:
            return []
        try:
            message = parse_client(line)
        except BadInput as problem:
            self._count_malformed(": ".join(filter(None, (quoted(line), str(problem)))))
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
        trigger: Input,
        text: str = "",
        *,
        message: object = None,
        sent: str | None = None,
    ) -> list[Outcome]:
        transition = TRANSITIONS.get((self.state, trigger))
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


# Pictures of the tables of transitions, as Mermaid text for the manual.


def session_diagram() -> str:
    """Draw the server's side of a session.

    An arrow's label is the input and, after a slash, what is done.
    """
    lines = ["stateDiagram-v2", f"    [*] --> {_id(SessionState.GREETING)}"]
    for (state, what), transition in TRANSITIONS.items():
        done = ", ".join(map(_words, transition.reactions))
        label = f"{what.value} / {done}" if done else what.value
        lines.append(f"    {_id(state)} --> {_id(transition.to)}: {label}")
    return "\n".join([*lines, f"    {_id(SessionState.CLOSED)} --> [*]", ""])


def client_diagram() -> str:
    """Draw the client's side of a session."""
    lines = ["stateDiagram-v2", f"    [*] --> {_id(ClientState.CONNECTED)}"]
    for (state, what), to in CLIENT_TRANSITIONS.items():
        lines.append(f"    {_id(state)} --> {_id(to)}: {what}")
    return "\n".join([*lines, f"    {_id(ClientState.CLOSED)} --> [*]", ""])


def game_diagram() -> str:
    """Draw an account's way through the game; messages that change nothing are left out."""
    lines = ["stateDiagram-v2", f"    [*] --> {_id(PlayState.LOBBY)}"]
    for (state, what), to in GAME_TRANSITIONS.items():
        if isinstance(to, PlayState) and to is not state:
            lines.append(f"    {_id(state)} --> {_id(to)}: {what}")
    return "\n".join([*lines, ""])


def _id(state: SessionState | ClientState | PlayState) -> str:
    return state.value.replace(" ", "_")


def _words(reaction: Reaction) -> str:
    match reaction:
        case ErrorCode():
            return f"error {reaction.value}"
        case CloseCode():
            return f"close {reaction.value}"
        case _:
            return reaction.value
