"""File descriptors of the server: which connection to close when few are left for new ones."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

ACCEPTED_AT_ONCE: Final = 64
"""Connections that are accepted before the loop goes on. Where no descriptor is left, asyncio tries
as often in vain before it pauses for a second; with the backlog's length, as it would by default,
the tables would stand still."""

RESERVE: Final = ACCEPTED_AT_ONCE + 16
"""Descriptors that no connection keeps: those accepted at once, and what a request opens."""


def allow(count: int) -> None:
    """Raise this process's limit of open files, usually 1,024, as far as the system lets it."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count if most == resource.RLIM_INFINITY else min(count, most)
    if now != resource.RLIM_INFINITY and now < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def are_short(transport: asyncio.BaseTransport) -> bool:
    """Whether a new connection has one of the last descriptors.

    The system gives the lowest free number, which therefore shows how many are in use.
    """
    connection = transport.get_extra_info("socket")
    try:
        import resource
    except ImportError:
        return False
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    is_limited = connection is not None and most != resource.RLIM_INFINITY
    return is_limited and connection.fileno() >= most - RESERVE


class Idle:
    """HTTP connections on which a request is awaited, the longest idle first."""

    def __init__(self) -> None:
        self._transports: dict[asyncio.Transport, None] = {}

    def begin(self, transport: asyncio.Transport) -> None:
        """Count a connection as idle from now on."""
        self.end(transport)
        self._transports[transport] = None

    def end(self, transport: asyncio.Transport) -> None:
        """Count a connection as idle no longer."""
        self._transports.pop(transport, None)

    def give_way(self, transport: asyncio.Transport) -> bool:
        """Close the longest idle connection but one; return False if there is no other."""
        longest = next((idle for idle in self._transports if idle is not transport), None)
        if longest is None:
            return False
        self.end(longest)
        longest.abort()
        return True


IDLE: Final = Idle()
"""Those of this process."""
