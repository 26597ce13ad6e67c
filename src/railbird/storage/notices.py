"""Short notices between the servers that share a PostgreSQL database (LISTEN and NOTIFY)."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final

from sqlalchemy import URL

from railbird.storage.database import database_address
from railbird.storage.passwords import Busy
from railbird.storage.settings import PATIENCE_S

CHANNEL: Final = "railbird_lobby"
LONGEST_NOTICE: Final = 7_900
"""Bytes of a notice; PostgreSQL takes fewer than 8,000."""
_MOST_WAITING: Final = 10_000


class Notices:
    """A connection of its own that hears what others say, and says what is to be heard.

    Nothing is kept: who connects later, or was away, waits for the next notice. Without PostgreSQL
    there are no others, and nothing happens.
    """

    def __init__(self, address: str, heard: Callable[[str], object]) -> None:
        url = database_address(address)
        self._address = _plain(url) if url.get_backend_name() == "postgresql" else None
        self._heard = heard
        self._saying: asyncio.Queue[str] = asyncio.Queue(maxsize=1)
        self._also: asyncio.Queue[str] = asyncio.Queue(maxsize=_MOST_WAITING)

    def say(self, text: str) -> None:
        """Queue a notice; an earlier one that was not sent is dropped."""
        if self._address is not None and len(text.encode()) <= LONGEST_NOTICE:
            with contextlib.suppress(asyncio.QueueEmpty):
                self._saying.get_nowait()
            self._saying.put_nowait(text)

    def say_also(self, text: str) -> None:
        """Say something soon, beside everything else; dropped if too much waits."""
        if self._address is not None and len(text.encode()) <= LONGEST_NOTICE:
            with contextlib.suppress(asyncio.QueueFull):
                self._also.put_nowait(text)

    @property
    def has_others(self) -> bool:
        """Whether there can be other servers on the same database."""
        return self._address is not None

    async def run(self, well: Callable[[], object]) -> None:
        """Listen and speak until cancelled; ``well`` is called whenever it goes well.

        Raises `Busy` once the connection is lost: then call it again.
        """
        assert self._address is not None, "without PostgreSQL there are no others"
        import psycopg

        try:
            await self._run(self._address, well)
        except (psycopg.Error, OSError, TimeoutError) as problem:
            raise Busy("the database does not answer") from problem

    async def _run(self, address: str, well: Callable[[], object]) -> None:
        import psycopg

        timeout = max(2, round(PATIENCE_S))
        async with await psycopg.AsyncConnection.connect(
            address, autocommit=True, connect_timeout=timeout
        ) as connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            while True:
                for text in (*_taken(self._also), *_taken(self._saying)):
                    async with asyncio.timeout(PATIENCE_S):  # whoever is gone never answers
                        await connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, text))
                # A connection does one thing at a time: it listens for a moment, then speaks.
                async for notice in connection.notifies(timeout=0.2):
                    self._heard(notice.payload)
                well()


def _taken(queue: asyncio.Queue[str]) -> list[str]:
    return [queue.get_nowait() for _ in range(queue.qsize())]


def _plain(url: URL) -> str:
    return url.set(drivername="postgresql").render_as_string(hide_password=False)
