"""Everybody who plays in a browser, and when they count as away."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from starlette.exceptions import HTTPException

from railbird.hosting.house import VISITOR
from railbird.protocol import Identity
from railbird.serve.connections.admission import identity_of
from railbird.serve.host.host import Host
from railbird.serve.table.compiling import Compiling
from railbird.serve.table.person import Person
from railbird.serve.table.settings import ANSWER_SECONDS, FORGET_SECONDS, MOST_PEOPLE, TableSettings
from railbird.storage.accounts import Account

_SWEEP_S: Final = 1.0
_NEWS_S: Final = 0.05
"""Time for news that the house has sent to be read."""


class People:
    """People by the names of their accounts."""

    def __init__(self, host: Host, settings: TableSettings) -> None:
        self.host = host
        self.settings = settings
        self.compiling = Compiling()
        self._people: dict[str, Person] = {}
        self._shows_compiling = False

    def of(self, account: Account, address: str) -> Person:
        """Return the person of an account, who is known from the first page on."""
        return self._known(identity_of(account), address)

    def _known(self, identity: Identity, address: str) -> Person:
        person = self._people.get(identity.name)
        if person is None:
            if len(self._people) >= MOST_PEOPLE:
                raise HTTPException(503, "Too many people play here now; try again later.")
            person = Person(identity, self.host.connections, self.settings, address=address)
            person.waits_for_code = self._shows_compiling
            self._people[identity.name] = person
        person.happened()
        return person

    def visitor(self, table: str) -> Person | None:
        """Return the one in whose place everybody without an account watches a table.

        None for a table that is not there, or that is not for everybody.
        """
        name = f"{VISITOR}{table}"
        if name not in self._people and not self.host.house.is_public(table):
            return None
        return self._known(Identity(name), "")

    def plays(self, person: Person) -> bool:
        """Whether the house has a seat of this person."""
        account = self.host.house.accounts.get(person.identity.name)
        return account is not None and account.task is not None

    async def settle(self, person: Person) -> None:
        """Connect a person, and learn whether the seat is still there that was known before."""
        person.connect()
        if self.plays(person):
            await person.until_seated(ANSWER_SECONDS)
        elif person.seat is not None and not person.seat.truth.is_over:
            await asyncio.sleep(_NEWS_S)  # its end may be on the way
            if not self.plays(person):
                person.lose_seat()

    async def watch(self) -> None:
        """Let those be away who have no page open, until cancelled."""
        while True:
            await asyncio.sleep(min(_SWEEP_S, self.settings.away_s / 3))
            self.sweep(time.monotonic())

    def sweep(self, now: float) -> None:
        """Disconnect those who are not here, and forget those who are long gone.

        Everybody's page says whether code is compiled.
        """
        if self.compiling.goes_on is not self._shows_compiling:
            self._shows_compiling = not self._shows_compiling
            for person in self._people.values():
                person.waits_for_code = self._shows_compiling
                person.changed()
        for name, person in list(self._people.items()):
            if person.is_connected and not person.is_here(now):
                person.disconnect()
                person.changed()
            patience = 0.0 if name.startswith(VISITOR) else FORGET_SECONDS
            if not person.is_here(now) and now - person.seen > patience:
                person.disconnect()
                del self._people[name]

    def forget(self, name: str) -> None:
        """Let somebody go who has logged out."""
        person = self._people.pop(name, None)
        if person is not None:
            person.disconnect()
            for page in list(person.pages.values()):
                page.taken_over()
