"""Latency by the processor's own time, which a busy machine does not spoil.

The server's connections and house, and its clients, run in one event loop whose clock is the time
that this process has had a processor for; where there is nothing to do, the clock jumps to the next
timer. So it is measured what a server would do that has one core to itself and shares it with all
of its clients, whatever else the machine does. Sockets are real.
"""

from __future__ import annotations

import asyncio
import selectors
import socket
import statistics
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from load.bots import Bot, Tally
from load.rows import QUEUES, Row, Scale
from railbird.hosting.house import House
from railbird.hosting.interfaces import Outcome
from railbird.hosting.play import Time
from railbird.protocol import Identity, PlayerKind
from railbird.protocol.messages import Hello, TokenLogIn
from railbird.serve.connections import OpenConnections, serve_tcp
from railbird.serve.formats_file import read_formats

_ARRIVAL_S = 0.003


class _NoWait(selectors.DefaultSelector):
    """Hardly waits; counts the time for which it would have."""

    skipped = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        # What was written arrives at once, but for the moment that a busy kernel may take.
        found = super().select(timeout if timeout is None else min(timeout, _ARRIVAL_S))
        if not found and timeout is not None and timeout > 0:
            self.skipped += timeout
        return found


class CpuTimeLoop(asyncio.SelectorEventLoop):
    """An event loop that lives in this process's own time."""

    def __init__(self) -> None:
        self._no_wait = _NoWait()
        super().__init__(self._no_wait)

    def time(self) -> float:
        """Return the seconds of processor, and those that nobody needed."""
        return time.process_time() + self._no_wait.skipped


class _Doorkeeper:
    """Lets everybody in: a database would work in a thread, for which the clock cannot wait."""

    async def check(self, hello: Hello, address: str, **_: object) -> Identity:
        del address
        assert isinstance(hello.log_in, TokenLogIn)
        name = hello.log_in.token
        return Identity(name, PlayerKind.BOT, "1", f"owner of {name}")


class _Results:
    async def record(self, outcome: Outcome) -> None:
        del outcome

    async def won(self, name: str) -> Mapping[str, int]:
        del name
        return {}


class _Measured(NamedTuple):
    tally: Tally
    replies: list[float]
    lags: list[float]
    took: float
    spent: float


async def _measured(
    folder: Path, queue: str, bots: int, think_s: float, seconds: float
) -> _Measured:
    loop = asyncio.get_running_loop()
    folder.mkdir()
    (folder / "formats.toml").write_text(QUEUES)
    games = read_formats(folder / "formats.toml")
    when = Time(loop.time, lambda: round(1000 * loop.time()))
    house = House(folder / "j", tournaments=games.tournaments, results=_Results(), when=when)
    await house.start()
    replies: list[float] = []
    board = OpenConnections(_Doorkeeper(), house, now=loop.time, replied=replies.append)  # type: ignore[arg-type]
    listening = socket.create_server(("127.0.0.1", 0), backlog=1024)
    server = await serve_tcp(board, listening)
    tally = Tally()
    clients = []
    for number in range(bots):
        bot = Bot(f"bot{number}", queue, tally, think_s=think_s, seed=number)
        await loop.create_connection(lambda bot=bot: bot, *listening.getsockname()[:2])  # type: ignore[misc]
        clients.append(bot)
        await bot.welcomed
    for bot in clients:
        bot.enter()
    await asyncio.sleep(seconds / 4)
    tally.begin()
    replies.clear()
    began, cpu = loop.time(), time.process_time()
    lags = []
    while (before := loop.time()) < began + seconds:
        await asyncio.sleep(0.05)
        lags.append(loop.time() - before - 0.05)
    took, spent = loop.time() - began, time.process_time() - cpu
    assert not any(bot.lost for bot in clients), tally.closed
    for bot in clients:
        bot.close()
    await asyncio.sleep(0.1)
    server.close()
    await house.stop()
    return _Measured(tally, sorted(replies), sorted(lags), took, spent)


def cpu_time(folder: Path, scale: Scale) -> list[Row]:
    """Measure bots that think, and bots that answer at once."""
    with asyncio.Runner(loop_factory=CpuTimeLoop) as runner:
        tally, replies, lags, took, spent = runner.run(
            _measured(folder / "thinking", "six", scale.bots, 0.5, min(60.0, scale.seconds))
        )
    with asyncio.Runner(loop_factory=CpuTimeLoop) as runner:
        count = scale.bots * 9 // 10 // 6 * 6
        fast = runner.run(
            _measured(folder / "at-once", "long", count, 0.0, min(10.0, scale.at_once_s))
        )
    p50, p99 = (1000 * replies[int(q * len(replies))] for q in (0.5, 0.99))
    lag = 1000 * lags[int(0.99 * len(lags))]
    tables = sorted(fast.tally.by_table.values())
    rate = fast.tally.actions / fast.took
    what = f"in processor time, server and clients on one core: {scale.bots} bots"
    return [
        Row(
            f"{what}, think time 0.5 s, {took:.0f} s: an action received to the next bytes",
            "p50 < 5 ms, p99 < 50 ms",
            f"p50 {p50:.1f} ms, p99 {p99:.1f} ms; {tally.actions / took:.0f} actions/s, "
            f"{spent / took:.0%} busy",
            p50 < 5 and p99 < 50,
        ),
        Row("its lag of the event loop", "p99 < 25 ms", f"p99 {lag:.1f} ms", lag < 25),
        Row(
            f"in processor time: {count} bots at {len(tables)} tables, answering at once",
            "≥ 1,500 actions/s",
            f"{rate:,.0f} actions/s with the clients on the same core",
            rate >= 1500,
        ),
        Row(
            "the slowest table",
            "≥ ⅓ of the median",
            f"{tables[0] / statistics.median(tables):.2f} of the median",
            3 * tables[0] >= statistics.median(tables),
        ),
    ]
