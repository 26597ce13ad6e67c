"""The protocol over WebSocket: the same messages, each as one text frame."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque

from starlette.websockets import WebSocket, WebSocketDisconnect

from railbird.protocol import CloseCode
from railbird.serve.connections.link import Link
from railbird.serve.connections.open_connections import OpenConnections
from railbird.serve.connections.settings import CLOSE_S, WRITE_BUFFER


class WebSocketLine:
    """A WebSocket connection; one task sends what is queued, for as long as it is open."""

    def __init__(self, websocket: WebSocket) -> None:
        self.address = websocket.client.host if websocket.client else ""
        self.link: Link | None = None
        self._websocket = websocket
        self._queue: deque[str] = deque()
        self._queued = 0
        self._more = asyncio.Event()
        self._code: CloseCode | None = None
        self._ended = asyncio.Event()

    @property
    def is_full(self) -> bool:
        """True while the other end must read before more is queued."""
        return self._queued > WRITE_BUFFER

    def send(self, data: bytes) -> None:
        """Queue messages, each a line."""
        self._queued += len(data)
        self._queue.extend(data.decode().splitlines())
        self._more.set()

    def close(self, code: CloseCode) -> None:
        """Close after what is queued, or soon."""
        self._code = code
        self._more.set()
        asyncio.get_running_loop().call_later(CLOSE_S, self.abort)

    def abort(self) -> None:
        """Close at once."""
        self._ended.set()

    async def write(self) -> None:
        """Send what is queued until the connection is closed."""
        while True:
            await self._more.wait()
            self._more.clear()
            while self._queue:
                text = self._queue.popleft()
                await self._websocket.send_text(text)
                was_full = self.is_full
                self._queued -= len(text.encode()) + 1
                if was_full and not self.is_full and self.link is not None:
                    self.link.can_write()
            if self._code is not None:
                await self._websocket.close(int(self._code))
                return

    async def read(self, link: Link) -> None:
        """Pass messages on until the other end closes."""
        while (message := await self._websocket.receive())["type"] != "websocket.disconnect":
            text = message.get("text")
            link.receive_message((message.get("bytes") or b"") if text is None else text.encode())

    async def until_aborted(self) -> None:
        """Wait for the end of a connection that does not end by itself."""
        await self._ended.wait()


async def talk(connections: OpenConnections, websocket: WebSocket) -> None:
    """Serve one WebSocket until it is closed by either side."""
    await websocket.accept()
    line = WebSocketLine(websocket)
    link = line.link = connections.opened(line)
    if link is None:
        await websocket.close(1013)
        return
    work = (line.read(link), line.write(), line.until_aborted())
    tasks = [asyncio.create_task(one) for one in work]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        link.cut()
        for task in tasks:
            task.cancel()
        for task in tasks:
            with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await task
