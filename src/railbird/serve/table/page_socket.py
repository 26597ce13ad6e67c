"""The socket of an open page: it carries HTML to the page, and nothing from it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from starlette.websockets import WebSocket, WebSocketDisconnect

from railbird.serve.table.person import Person


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a page: its HTML, which is sent when its key has changed."""

    key: object
    html: str


Parts = dict[str, Part]
"""Parts of a page, by the ids of their elements."""

TAKEN_OVER: Final = 4003
_SEND_S: Final = 10.0
"""Seconds in which a page must take what is sent; it connects again where it could not."""


class PageSocket:
    """One open page. What has changed since the last time is sent, however often it changed."""

    def __init__(self, websocket: WebSocket, person: Person, key: str) -> None:
        self._websocket = websocket
        self._person = person
        self._key = key
        self._dirty = asyncio.Event()
        self._taken = False
        self._sent: dict[str, object] = {}

    def taken_over(self) -> None:
        """Another page shows this table from now on."""
        self._taken = True
        self._dirty.set()

    async def serve(self, parts: Callable[[], Parts], last_words: Callable[[], str]) -> None:
        """Send the parts of the page now and after every change, until either side ends it."""
        person, key = self._person, self._key
        before = person.pages.get(key)
        person.pages[key] = self
        if before is not None:
            before.taken_over()
        person.listen(self._dirty.set)
        self._dirty.set()
        work = [
            asyncio.create_task(self._read()),
            asyncio.create_task(self._write(parts, last_words)),
        ]
        try:
            await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
        finally:
            person.unlisten(self._dirty.set)
            if person.pages.get(key) is self:
                del person.pages[key]
            person.happened()
            for task in work:
                task.cancel()
            for task in work:
                with contextlib.suppress(
                    asyncio.CancelledError, WebSocketDisconnect, RuntimeError, TimeoutError
                ):
                    await task

    async def _read(self) -> None:
        while (await self._websocket.receive())["type"] != "websocket.disconnect":
            pass  # a page has nothing to say here

    async def _write(self, parts: Callable[[], Parts], last_words: Callable[[], str]) -> None:
        while True:
            await self._dirty.wait()
            self._dirty.clear()
            if self._taken:
                await self._send(last_words())
                await self._websocket.close(TAKEN_OVER)
                return
            now = parts()
            changed = [part.html for name, part in now.items() if self._sent.get(name) != part.key]
            self._sent = {name: part.key for name, part in now.items()}
            if changed:
                await self._send("".join(changed))

    async def _send(self, html: str) -> None:
        async with asyncio.timeout(_SEND_S):
            await self._websocket.send_text(html)
