"""A TCP proxy that does to connections what networks do: delays, pieces, cuts, silence, resets."""

from __future__ import annotations

import asyncio
import random
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum


class End(Enum):
    """How a connection breaks off."""

    CUT = "cut"
    """Both sides are closed, in the middle of a line as it happens."""
    RESET = "reset"
    """Both sides are reset; what was on its way is lost."""
    HALF_OPEN = "half-open"
    """Nothing more is passed on, and neither side is told."""


@dataclass(frozen=True, slots=True)
class Faults:
    """What happens to one connection."""

    delay_s: float = 0.0
    """Longest delay of each piece; one piece never overtakes another."""
    piece: int = 1 << 16
    """Bytes that are passed on at once."""
    after: int | None = None
    """Bytes passed on, in both directions, before the end; None for never."""
    end: End = End.CUT


class FaultProxy:
    """Passes connections on to a port of this machine; `faults` is asked about each."""

    def __init__(self, port: int, faults: Callable[[random.Random], Faults], seed: int = 0) -> None:
        self.ended: dict[End, int] = dict.fromkeys(End, 0)
        self._to = port
        self._faults = faults
        self._rng = random.Random(seed)
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()

    async def start(self) -> int:
        """Listen; return the port."""
        self._server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def stop(self) -> None:
        """Close everything."""
        if self._server is not None:
            self._server.close()
        for writer in list(self._open):
            writer.transport.abort()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        faults = self._faults(self._rng)
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._to)
        except OSError:
            writer.transport.abort()
            return
        both = (writer, far_writer)
        self._open.update(both)
        budget = [faults.after]
        over = asyncio.Event()
        ways = [
            asyncio.create_task(self._one_way(reader, far_writer, faults, budget, over)),
            asyncio.create_task(self._one_way(far_reader, writer, faults, budget, over)),
        ]
        broke = asyncio.create_task(over.wait())
        await asyncio.wait([*ways, broke], return_when=asyncio.FIRST_COMPLETED)
        for task in (*ways, broke):
            task.cancel()
        await asyncio.gather(*ways, broke, return_exceptions=True)
        if over.is_set():
            self.ended[faults.end] += 1
            if faults.end is End.HALF_OPEN:  # the far side is told at `stop` only
                with suppress(OSError):
                    while await reader.read(1 << 16):
                        pass
                writer.close()
                return
            if faults.end is End.RESET:
                for each in both:
                    raw = each.get_extra_info("socket")
                    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        for each in both:
            each.transport.abort()
        self._open.difference_update(both)

    async def _one_way(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        faults: Faults,
        budget: list[int | None],
        over: asyncio.Event,
    ) -> None:
        with suppress(OSError):
            while data := await reader.read(faults.piece):
                if faults.delay_s:
                    await asyncio.sleep(self._rng.random() * faults.delay_s)
                left = budget[0]
                if left is not None:
                    data, budget[0] = data[:left], left - len(data)
                writer.write(data)
                await writer.drain()
                if left is not None and len(data) >= left:
                    over.set()
                    return
