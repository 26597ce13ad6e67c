"""Codes of errors and of the end of a connection."""

from __future__ import annotations

from enum import IntEnum, StrEnum


class ErrorCode(StrEnum):
    """Reason for refusing a message; the connection stays open."""

    MALFORMED = "malformed"
    """Not a message of the protocol: not JSON, an unknown type or field, a wrong value."""
    UNEXPECTED = "unexpected"
    """A message that has no place in this state, such as a second hello."""
    NOT_LOGGED_IN = "not_logged_in"
    WRONG_VERSION = "wrong_version"
    LOG_IN_REFUSED = "log_in_refused"
    """Name, password or token are wrong; it is not said which."""
    NAME_TAKEN = "name_taken"
    BAD_PASSWORD = "bad_password"
    """Too short, or too common, for a new account."""
    BANNED = "banned"
    BUSY = "busy"
    """The database is away, or too many want to log in; try again."""
    RATE_LIMITED = "rate_limited"
    STALE = "stale"
    """The turn is over: the action came late, twice or after a time-out. No chips moved."""
    NOT_YOUR_TURN = "not_your_turn"
    ILLEGAL_ACTION = "illegal_action"
    """The rules refuse it; the turn goes on."""
    NOT_SEATED = "not_seated"
    SEATED = "seated"
    """Already at a table, and an account plays at one at a time."""
    QUEUED = "queued"
    NOT_QUEUED = "not_queued"
    NO_SUCH_QUEUE = "no_such_queue"
    NO_SUCH_TABLE = "no_such_table"
    TABLE_FULL = "table_full"
    BUY_IN = "buy_in"
    """Too few or too many chips, or more than the account has."""
    STAKES_LOCKED = "stakes_locked"
    """These stakes are opened by winnings at lower ones."""
    SAME_OWNER = "same_owner"
    """Another bot of the same owner, or the owner, is at that rated table."""
    NO_SUCH_PLAYER = "no_such_player"
    DRAINING = "draining"
    """The server is about to restart and starts nothing new."""


class CloseCode(IntEnum):
    """Reason for closing a connection, in WebSocket's numbers."""

    NORMAL = 1000
    """The client said good-bye."""
    MALFORMED = 1008
    """Three malformed messages in a row, or no version in common."""
    TOO_LONG = 1009
    """A line over 64 KiB."""
    RESTART = 1012
    """The server restarts. Come back."""
    NO_HELLO = 4001
    """No hello in time."""
    REFUSED = 4002
    """The log-in was refused."""
    TAKEN_OVER = 4003
    """The same account has logged in elsewhere."""
    FROZEN = 4004
    """No action in time; log in again to play on."""
    TOO_SLOW = 4005
    """The client reads more slowly than it is written to."""
    QUIET = 4006
    """No pong in time."""
    BANNED = 4007
    FLOOD = 4008
    """More messages than any player needs."""

    @property
    def comes_back(self) -> bool:
        """Whether a client should connect again by itself; otherwise a person decides."""
        return self is CloseCode.RESTART
