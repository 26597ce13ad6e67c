"""Clients that mean no good, and clients that are broken."""

from __future__ import annotations

import asyncio
import json
import random
import socket
from contextlib import suppress

_SEEDS = [
    {"type": "hello", "versions": [1], "log_in": {"by": "token", "token": "t" * 43}},
    {"type": "hello", "versions": [1], "log_in": {"by": "password", "name": "a", "password": "b"}},
    {"type": "act", "turn": "six.1-1.1.1", "action": 1, "verb": "raise", "to": 200},
    {"type": "enter_queue", "queue": "six", "again": True},
    {"type": "watch", "table": "six.1-1"},
    {"type": "practise", "opponents": ["tight"], "stack": 2000, "big_blind": 20},
    {"type": "ping", "n": 1},
]


def mutated(rng: random.Random) -> bytes:
    """Return a line that was a message once."""
    line = bytearray(json.dumps(rng.choice(_SEEDS)).encode())
    for _ in range(rng.randint(1, 6)):
        place = rng.randrange(len(line))
        match rng.randrange(5):
            case 0:
                line[place] = rng.randrange(256)
            case 1:
                del line[place : place + rng.randint(1, 20)]
            case 2:
                line[place:place] = rng.randbytes(rng.randint(1, 20))
            case 3:
                line[place:place] = line[: rng.randint(0, 60)]
            case _:
                line[place:place] = b"[" * rng.randint(1, 3000)
        line = line or bytearray(b" ")
    return bytes(line).replace(b"\n", b" ") + b"\n"


async def _connected(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect, however often it takes where so many try."""
    while True:
        with suppress(OSError):
            return await asyncio.open_connection("127.0.0.1", port)
        await asyncio.sleep(0.2)


async def send_mutated(port: int, lines: int, seed: int) -> int:
    """Send mutated lines over as many connections as it takes; return how many were sent."""
    rng, sent = random.Random(seed), 0
    while sent < lines:
        reader, writer = await _connected(port)
        with suppress(OSError, EOFError, TimeoutError):
            while sent < lines:
                writer.write(mutated(rng))
                sent += 1
                await asyncio.wait_for(reader.readuntil(b"\n"), 10)
        writer.transport.abort()
    return sent


async def read_slowly(port: int, token: str, table: str) -> None:
    """Log in, watch a table, ask for the lobby on and on, and read nothing, until cancelled."""
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.setblocking(False)
    loop = asyncio.get_running_loop()
    try:
        await loop.sock_connect(raw, ("127.0.0.1", port))
        hello = {"type": "hello", "versions": [1], "log_in": {"by": "token", "token": token}}
        await loop.sock_sendall(raw, json.dumps(hello).encode() + b"\n")
        await asyncio.sleep(0.5)
        with suppress(OSError):
            await loop.sock_sendall(raw, b'{"type":"watch","table":"%b"}\n' % table.encode())
            while True:
                await loop.sock_sendall(raw, b'{"type":"lobby"}\n')
                await asyncio.sleep(1)
        await asyncio.sleep(3600)
    finally:
        raw.close()


async def stay_silent(port: int) -> None:
    """Connect, and say nothing; again when thrown out, until cancelled."""
    while True:
        reader, writer = await _connected(port)
        with suppress(OSError):
            await reader.read()
        writer.transport.abort()


async def flood(port: int, token: str) -> None:
    """Log in, and send as much as is taken; again when thrown out, until cancelled."""
    hello = {"type": "hello", "versions": [1], "log_in": {"by": "token", "token": token}}
    while True:
        reader, writer = await _connected(port)
        with suppress(OSError, EOFError, TimeoutError):
            writer.write(json.dumps(hello).encode() + b"\n")
            await reader.readuntil(b"welcome")
            reading = asyncio.create_task(reader.read(-1))
            try:
                while not reading.done():
                    writer.write(b'{"type":"ping","n":1}\n' * 100)
                    await asyncio.wait_for(writer.drain(), 5)
                    await asyncio.sleep(0)
            finally:
                reading.cancel()
                await asyncio.gather(reading, return_exceptions=True)
        writer.transport.abort()
        await asyncio.sleep(0.5)
