"""Tables as spectators see them in a browser: rendered once for all, and sent after the players.

All spectators of a table see the same, so an update is made once, and a page costs only its bytes.
All pages together may take a small share of the event loop's time. They are woken a few at a time,
with pauses in proportion to the measured time of their work. So if the loop is late, for whatever
reason, spectators get fewer updates, and each shows the table as it is then.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar, cast

from railbird.hosting.house import VISITOR
from railbird.hosting.supervisor import Well, until_set
from railbird.protocol import Identity
from railbird.serve.connections import OpenConnections
from railbird.serve.middleware import Crowd, network_of
from railbird.serve.person import People, Person, Screen, TableSettings
from railbird.table.state import TableState

SPECTATORS: Final = "/table/socket?table="
"""Beginning of the addresses of their WebSockets."""

UPDATE_S: Final = 0.5
"""Shortest time between two updates of a table: nobody follows one that is faster."""

AT_ONCE: Final = 4
"""Pages that are woken before the players' turn comes, half a millisecond of work."""

SHARE: Final = 0.05
"""Part of the event loop's time that all spectators together may take."""

MOST_AT_TABLE: Final = 1000
"""Spectators of one table."""

MOST_OF_ADDRESS: Final = 100
"""Spectators of one address, or one /64 of IPv6, at all tables: a class of students."""

T = TypeVar("T")


class Audience(Person):
    """The stand-in for all spectators of a table: their pages, and what these show."""

    def __init__(
        self,
        table: str,
        connections: OpenConnections,
        settings: TableSettings,
        changed: Callable[[Audience], None],
    ) -> None:
        super().__init__(Identity(f"{VISITOR}{table}"), connections, settings, address="")
        self.table = table
        self._tell = changed
        self._made: tuple[TableState, int, object] | None = None

    def changed(self) -> None:
        """Let the pages be woken in their turn."""
        self._tell(self)

    @property
    def listeners(self) -> list[Callable[[], None]]:
        """What wakes the pages."""
        return list(self._listeners)

    def shown(self, render: Callable[[Screen], T], *, now: float | None = None) -> T:
        """Return what ``render`` makes of the table, made once for all pages.

        A clock that runs is a second old at most. The table must have been watched.
        """
        second = int(time.monotonic() if now is None else now)
        made, screen = self._made, self.watched.get(self.table)
        if screen is not None and (made is None or made[:2] != (screen.shown, second)):
            made = self._made = (screen.shown, second, render(screen))
        assert made is not None
        return cast("T", made[2])


class Spectators:
    """All pages that show a table to spectators: how many there are, and when they are woken."""

    def __init__(
        self,
        people: People,
        *,
        now: Callable[[], float] = time.perf_counter,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._people = people
        self._now, self._sleep = now, sleep
        self._of_address = Crowd(MOST_OF_ADDRESS)
        self._of_table = Crowd(MOST_AT_TABLE)
        self._changed: dict[Audience, None] = {}
        self._has_some = asyncio.Event()

    def audience(self, table: str) -> Audience | None:
        """Return the stand-in for a table's spectators; None if there is no such public table."""
        people, name = self._people, f"{VISITOR}{table}"
        if name not in people and not people.host.house.is_public(table):
            return None
        connections, settings = people.host.connections, people.settings
        return people.known(name, lambda: Audience(table, connections, settings, self.changed))

    def enter(self, page: object, table: str, address: str) -> bool:
        """Count a page before anything is awaited; return False, and do not, if it is too many."""
        if not self._of_address.enter(page, network_of(address)):
            return False
        if not self._of_table.enter(page, table):
            self._of_address.leave(page)
            return False
        return True

    def leave(self, page: object) -> None:
        """Count a page no longer."""
        self._of_address.leave(page)
        self._of_table.leave(page)

    def changed(self, audience: Audience) -> None:
        """Wake the pages of a table in their turn."""
        self._changed[audience] = None
        self._has_some.set()

    async def wake(self, well: Well) -> None:
        """Wake the pages whose tables have changed, after the players, until cancelled."""
        while True:
            await until_set(self._has_some, well)
            self._has_some.clear()
            began = self._now()
            changed = list(self._changed)
            self._changed.clear()
            for audience in changed:
                pages = audience.listeners
                for first in range(0, len(pages), AT_ONCE):
                    await self._wake(pages[first : first + AT_ONCE])
                    well()
            await self._sleep(max(0.0, UPDATE_S - (self._now() - began)))

    async def _wake(self, pages: list[Callable[[], None]]) -> None:
        """Wake some pages, and rest long enough to keep within the spectators' share."""
        began = self._now()
        for page in pages:
            page()
        await self._sleep(0)  # they send, and the players' turn comes
        await self._sleep((self._now() - began) * (1 / SHARE - 1))
