"""The session's table: state and input give the next state and what is done.

No sockets and no clocks: time-outs are inputs as well. The manual's picture is drawn from this
table (`railbird.protocol.session.diagram`), and `Session` does nothing else than look it up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from railbird.protocol.messages.codes import CloseCode, ErrorCode


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
"""What is done; an error code is sent as an `error`, a close code as a `close`."""


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
            told: tuple[Reaction, ...] = (Do.FORGET,) if (to, state) == (_CLOSED, _OPEN) else ()
            rows[state, what] = Transition(to or state, (*reactions, *told))
    return rows


TRANSITIONS: Final[Mapping[tuple[SessionState, Input], Transition]] = MappingProxyType(_table())
"""The whole table. An input that a state has no row for changes nothing."""


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


_ANYWHERE: Final = ("lobby", "watch", "unwatch", "snapshot")
_AT_TABLES: Final = ("act",)
_AT_RING: Final = ("buy_chips", "sit_out", "sit_in", "stand_up")
_TO_TABLES: Final = ("enter_queue", "sit", "practise")


def _game_table() -> dict[tuple[PlayState, str], PlayState | ErrorCode]:
    lobby, queued, tournament, ring = PlayState
    rows: dict[tuple[PlayState, str], PlayState | ErrorCode] = {}
    for state in PlayState:
        rows |= {(state, kind): state for kind in _ANYWHERE}
        rows |= {(state, kind): ErrorCode.NOT_SEATED for kind in (*_AT_TABLES, *_AT_RING)}
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
        (tournament, "act"): tournament,
        (tournament, Change.OUT.value): lobby,
        (lobby, Change.QUEUED_AGAIN.value): queued,
        (ring, Change.UP.value): lobby,
    }
    return rows


GAME_TRANSITIONS: Final[Mapping[tuple[PlayState, str], PlayState | ErrorCode]] = MappingProxyType(
    _game_table()
)
"""Where each game message or change leads an account, or the error that refuses it."""
