"""The lobbies of other servers on the same database, as they last told them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from railbird.storage.results.notices import Notices

if TYPE_CHECKING:
    from railbird.hosting.house import House

_EVERY_S: Final = 2.0
"""Pause between notices of a lobby that changes."""
_AT_LEAST_S: Final = 10.0
"""Pause between notices of one that does not."""
_FORGET_S: Final = 30.0
"""Silence after which another server is gone."""
_MOST: Final = 100
"""Other servers that are remembered."""

Count = Annotated[int, Field(ge=0, le=10**6)]
Name = Annotated[str, Field(min_length=1, max_length=32)]


class OtherServer(BaseModel):
    """A server's lobby in short."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    server: Annotated[str, Field(pattern=r"^[0-9A-Za-z]{1,16}$")]
    address: Annotated[str, Field(max_length=200)] = ""
    """How clients reach it, as its operator has set it."""
    players: Count
    tables: Count
    waiting: Annotated[dict[Name, Count], Field(max_length=100)]
    draining: bool = False


class Arrival(BaseModel):
    """An account has logged in at a server."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    server: Annotated[str, Field(pattern=r"^[0-9A-Za-z]{1,16}$")]
    arrived: Name
    at: Annotated[int, Field(ge=0, le=1 << 53)]
    """Milliseconds since 1970 by the server's clock."""


_NOTICE: Final[TypeAdapter[OtherServer | Arrival]] = TypeAdapter(OtherServer | Arrival)


class OtherServers:
    """What other servers say of themselves.

    ``taken_over`` is called with accounts that have logged in at another server, and when.
    """

    def __init__(
        self,
        database: str,
        server: str,
        *,
        now: Callable[[], float] = time.monotonic,
        taken_over: Callable[[str, int], object] = lambda name, at: None,
    ) -> None:
        self._taken_over = taken_over
        self._server = server
        self._now = now
        self._known: dict[str, tuple[OtherServer, float]] = {}
        self._notices = Notices(database, self.hear)

    def hear(self, text: str) -> None:
        """Take a notice; one that does not read, or is our own, is ignored."""
        try:
            found = _NOTICE.validate_json(text)
        except ValidationError:
            return
        if isinstance(found, Arrival):
            if found.server != self._server:
                self._taken_over(found.arrived, found.at)
        elif found.server != self._server and (
            found.server in self._known or len(self._known) < _MOST
        ):
            self._known[found.server] = (found, self._now())

    def arrived(self, name: str, at: int) -> None:
        """Tell the others that an account has logged in here."""
        notice = Arrival(server=self._server, arrived=name, at=at)
        self._notices.say_also(notice.model_dump_json())

    def all(self) -> list[OtherServer]:
        """Return the servers that were heard lately, by name."""
        now = self._now()
        self._known = {
            name: (one, at) for name, (one, at) in self._known.items() if now - at < _FORGET_S
        }
        return [self._known[name][0] for name in sorted(self._known)]

    async def run(self, house: House, address: str = "") -> None:
        """Listen, and tell others of our lobby, until cancelled."""
        await asyncio.gather(self._notices.run(), self._tell(house, address))

    async def _tell(self, house: House, address: str) -> None:
        told, told_at = "", 0.0
        while True:
            text = OtherServer(
                server=self._server,
                address=address,
                players=sum(one.connection is not None for one in house.accounts.values()),
                tables=sum(len(task.play.tables) for task in house.tasks.values()),
                waiting={name: len(queue) for name, queue in house.queues.items()},
                draining=house.is_draining,
            ).model_dump_json()
            if text != told or self._now() - told_at >= _AT_LEAST_S:
                self._notices.say(text)
                told, told_at = text, self._now()
            await asyncio.sleep(_EVERY_S)
