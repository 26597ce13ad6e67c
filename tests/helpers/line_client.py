"""A client of the server's protocol that only speaks lines, over TCP."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Self


@dataclass
class LineClient:
    """A connection; messages are dictionaries."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    seen: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    async def open(cls, port: int) -> Self:
        return cls(*await asyncio.open_connection("127.0.0.1", port, limit=1 << 22))

    async def send(self, *messages: dict[str, Any]) -> None:
        for message in messages:
            self.writer.write(json.dumps(message).encode() + b"\n")
        await self.writer.drain()

    async def hello(self, **log_in: str) -> dict[str, Any]:
        """Say hello, and return the answer that is no notice of waiting."""
        await self.send({"type": "hello", "versions": [1], "log_in": log_in})
        while (answer := await self.next())["type"] == "log_in_queue":
            pass
        return answer

    async def next(self, patience_s: float = 30) -> dict[str, Any]:
        line = await asyncio.wait_for(self.reader.readline(), patience_s)
        if not line:
            raise EOFError
        message = json.loads(line)
        assert isinstance(message, dict)
        self.seen.append(message)
        return message

    async def until(self, kind: str, patience_s: float = 30) -> dict[str, Any]:
        """Read up to a message of this type."""
        while (message := await self.next(patience_s))["type"] != kind:
            pass
        return message

    async def ended(self, patience_s: float = 30) -> list[dict[str, Any]]:
        """Read to the end of the connection; return what came."""
        before = len(self.seen)
        try:
            while True:
                await self.next(patience_s)
        except (EOFError, ConnectionError):
            return self.seen[before:]

    async def close(self) -> None:
        self.writer.close()
        with suppress(ConnectionError):
            await self.writer.wait_closed()
