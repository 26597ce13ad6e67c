"""Settings of connections."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from railbird.protocol.settings import HELLO_SECONDS, PING_SECONDS, QUIET_SECONDS

CLOSE_S: Final = 1.0
"""Seconds for clients to read why a connection ends."""

WRITE_BUFFER: Final = 1 << 16
"""Bytes in a transport's buffer beyond which the house keeps the rest, where it counts them."""


BACKLOG: Final = 2048
"""Connections that wait to be accepted: after a restart everybody comes back at once, and whoever
finds no place is tried again by its system after a second, then three, then seven."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionSettings:
    """Settings of connections."""

    hello_s: float = HELLO_SECONDS
    """Seconds from the opening of a connection to its hello."""
    ping_s: float = PING_SECONDS
    """Interval of pings."""
    quiet_s: float = QUIET_SECONDS
    """Seconds without a byte after which a connection counts as cut."""
    messages_per_s: float = 50.0
    """Messages that a connection may send in the long run: a player who decides in no time at
    several tables sends fewer."""
    message_burst: float = 300.0
    """Messages that it may send at once."""
    floods: int = 3
    """Floods of an account within ``flood_s`` after which it is banned for as long."""
    flood_s: float = 600.0
    most_connections: int = 5000
    """Connections, those without a log-in included."""
    most_per_address: int = 1500
    """Connections of one address: a class of students behind one router, and a load test."""
    log_ins_per_address: float = 2000.0
    """Log-ins that one address may try at once; they refill in ten minutes."""
    failures_per_account: float = 10.0
    """Wrong passwords for one name at once; they refill in ten minutes."""
    failures_per_address: float = 100.0
    """Refused log-ins of one address at once; they refill in ten minutes."""
    sign_ups_per_address: float = 10.0
    """Accounts that one address may create at once; they refill in an hour."""
