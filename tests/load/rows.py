"""What is measured: each row of the table of goals, with its goal."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

import pytest

from helpers.hosted import LineClient
from helpers.postgres_cluster import cluster
from hosting.test_chips import MANY_HANDS as CHIPS_HANDS
from hosting.test_chips import play_hands
from hosting.test_kill import check, check_with_faults
from load.bots import (
    Bot,
    FoldingBot,
    Practising,
    Spectator,
    Tally,
    compare,
    flood,
    read_slowly,
    send_mutated,
    stay_silent,
)
from load.fault_proxy import End, FaultProxy, Faults
from load.server import Metrics, Server, make_bots, serving, sqlite, stop
from oracles.test_pokerkit import check_all_ins
from protocol.test_redaction import MANY_HANDS, check_non_interference

QUEUES = """
[[tournament]]
name = "six"
table-seats = 6
house-after = "never"

[[tournament]]
name = "long"
table-seats = 6
stack = 2000
blinds = "1/2x1000000"
house-after = "never"

[[tournament]]
name = "short"
table-seats = 6
stack = 200
house-after = "never"
"""
"""Booker's; one that hardly ends; one that soon does."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table."""

    what: str
    goal: str
    found: str
    is_met: bool
    is_timed: bool = True
    """Whether a busy machine may miss the goal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """How much is measured."""

    bots: int = 1000
    seconds: float = 600.0
    at_once_s: float = 30.0
    cuts: int = 1000
    away_s: float = 30.0
    lines: int = 10_000
    enemies: int = 200
    flooders: int = 50
    honest: int = 100
    practising: int = 10
    spectators: int = 100
    quiet_s: float = 60.0


FULL = Scale()
SHORT = Scale(
    bots=48,
    seconds=4.0,
    at_once_s=2.0,
    cuts=25,
    away_s=2.0,
    lines=300,
    enemies=10,
    flooders=5,
    honest=12,
    practising=2,
    spectators=20,
    quiet_s=3.0,
)


BotT = TypeVar("BotT", bound=Bot)


async def connected(
    server: Server, tokens: list[str], queue: str, tally: Tally, think_s: float
) -> list[Bot]:
    """Connect bots that play tournaments of a queue."""
    return await seated(server, tokens, partial(Bot, queue=queue, tally=tally, think_s=think_s))


async def seated(server: Server, tokens: list[str], made: Callable[..., BotT]) -> list[BotT]:
    """Connect bots, some at a time, and wait until all are welcome."""
    loop, bots = asyncio.get_running_loop(), []
    for first in range(0, len(tokens), 50):
        some = []
        for number, token in enumerate(tokens[first : first + 50], first):
            bot = made(token, seed=number)
            await loop.create_connection(lambda bot=bot: bot, "127.0.0.1", server.tcp)  # type: ignore[misc]
            some.append(bot)
        async with asyncio.timeout(120):
            welcomed = await asyncio.gather(*(bot.welcomed for bot in some))
        assert all(welcomed), [bot.tally.errors for bot in some]
        bots += some
    for bot in bots:  # only now, or those who play already would delay the others' log-ins
        bot.enter()
    return bots


@asynccontextmanager
async def playing(
    server: Server, tokens: list[str], queue: str, think_s: float
) -> AsyncIterator[tuple[Tally, list[Bot]]]:
    """Let bots play until the end of the block."""
    tally = Tally()
    bots = await connected(server, tokens, queue, tally, think_s)
    try:
        yield tally, bots
    finally:
        for bot in bots:
            bot.close()
        await asyncio.sleep(0.2)


async def thinking(folder: Path, scale: Scale) -> list[Row]:
    """Latency, lag and memory, with bots that think half a second."""
    tokens = make_bots(sqlite(folder), scale.bots)
    with serving(folder, QUEUES) as server:
        async with playing(server, tokens[:12], "short", 0.0):
            await asyncio.sleep(2)  # whatever is loaded at first use
        idle = server.memory
        async with playing(server, tokens, "six", 0.5) as (tally, bots):
            await asyncio.sleep(min(10.0, scale.seconds / 4))
            tally.begin()
            before, cpu = await _metrics(server), server.cpu_s
            memory: list[tuple[float, int]] = []
            ends = time.monotonic() + scale.seconds
            while (now := time.monotonic()) < ends:
                memory.append((now, server.memory))
                await asyncio.sleep(min(5.0, scale.seconds / 10))
            after, spent = await _metrics(server), server.cpu_s - cpu
            assert not any(bot.lost for bot in bots), tally.closed
            tables = after["tables"]
    per_bot = (max(size for _, size in memory) - idle) / 1024 / scale.bots
    late = [point for point in memory if point[0] >= memory[0][0] + scale.seconds / 5]
    times, sizes = zip(*late, strict=True)
    slope = statistics.linear_regression(times, sizes).slope * 480 / 1024 / scale.bots
    reply = [after.quantile_ms("reply_seconds", q, before) for q in (0.5, 0.99)]
    lag = after.quantile_ms("loop_lag_seconds", 0.99, before)
    what = f"{scale.bots} bots, {tables:g} tables, think time 0.5 s, {scale.seconds:g} s"
    rate = f"{tally.actions / scale.seconds:.0f} actions/s in {spent / scale.seconds:.0%} of a core"
    return [
        Row(
            f"{what}: an action received to the next bytes",
            "p50 < 5 ms, p99 < 50 ms",
            f"p50 {reply[0]:.1f} ms, p99 {reply[1]:.1f} ms; {rate}",
            reply[0] < 5 and reply[1] < 50,
        ),
        Row(f"{what}: lag of the event loop", "p99 < 25 ms", f"p99 {lag:.1f} ms", lag < 25),
        Row(
            "memory over the idle server", "≤ 60 KB a bot", f"{per_bot:.0f} KB a bot", per_bot <= 60
        ),
        Row(
            "its slope over the last four fifths of the time",
            "none: under 1 KB a bot in 8 minutes",
            f"{slope:+.2f} KB a bot in 8 minutes",
            slope < 1,
        ),
    ]


async def at_once(folder: Path, scale: Scale) -> list[Row]:
    """Throughput and fairness, with bots that answer at once."""
    count = scale.bots // 6 * 6 * 9 // 10 // 6 * 6
    tokens = make_bots(sqlite(folder), count)
    with serving(folder, QUEUES) as server:
        async with playing(server, tokens, "long", 0.0) as (tally, bots):
            await asyncio.sleep(scale.at_once_s / 3)
            tally.begin()
            cpu = server.cpu_s
            await asyncio.sleep(scale.at_once_s)
            while len(tally.by_table) < count // 6:  # on a busy machine some have not acted yet
                await asyncio.sleep(scale.at_once_s)
            seconds, spent = time.monotonic() - tally.since, server.cpu_s - cpu
            assert not any(bot.lost for bot in bots), tally.closed
    rate, tables = tally.actions / seconds, sorted(tally.by_table.values())
    fair = tables[0] / statistics.median(tables)
    return [
        Row(
            f"{count} bots at {len(tables)} tables, answering at once",
            "≥ 1,500 actions/s",
            f"{rate:,.0f} actions/s, {tally.hands / 6 / seconds:,.0f} hands/s; "
            f"{tally.actions / spent:,.0f} actions for each second of a core",
            rate >= 1500,
        ),
        Row("the slowest table", "≥ ⅓ of the median", f"{fair:.2f} of the median", fair >= 1 / 3),
    ]


async def re_entry(folder: Path, scale: Scale) -> list[Row]:
    """Cuts at random bytes: every view is the fold of what may be seen."""
    tokens = make_bots(sqlite(folder), 12)

    def faults(rng: random.Random) -> Faults:
        end = rng.choices(list(End), weights=(5, 4, 1))[0]
        piece = rng.choice((1 << 16, 1 << 16, 200, 7))
        return Faults(
            delay_s=0.002 if piece > 7 and rng.random() < 0.3 else 0.0,  # or it takes a second
            piece=piece,
            after=rng.randint(1, 10_000),
            end=end,
        )

    with serving(folder, QUEUES) as server:
        proxy = FaultProxy(server.tcp, faults)
        port = await proxy.start()
        bots = [
            FoldingBot(port, f"bot{number}", token, "short", think_s=0.01)
            for number, token in enumerate(tokens)
        ]
        tasks = [asyncio.create_task(bot.play()) for bot in bots]
        async with asyncio.timeout(60 + 2 * scale.cuts):
            while sum(proxy.ended.values()) < scale.cuts:
                await asyncio.sleep(0.05)
                assert not any(task.done() for task in tasks), [
                    t.exception() for t in tasks if t.done()
                ]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await proxy.stop()
        await asyncio.to_thread(stop, server)
    views, problems = compare(folder / "journal", bots)
    back = sorted(second for bot in bots for second in bot.seen.back_at_turn_s)
    ended = ", ".join(f"{count} {end.value}" for end, count in proxy.ended.items())
    return [
        Row(
            f"connections broken at random bytes ({ended})",
            "every view is the fold of what it may see",
            f"{views:,} views, {len(problems)} differ" + "".join(f"; {p}" for p in problems[:3]),
            not problems and views > scale.cuts,
            is_timed=False,
        ),
        Row(
            "back at one's own turn",
            "< 1 s",
            f"{len(back)} times, at most {back[-1]:.2f} s" if back else "never happened",
            bool(back) and back[-1] < 1,
        ),
    ]


async def parked(folder: Path, scale: Scale) -> list[Row]:
    """Kill a server with all its tournaments in play, and start it again."""
    count = scale.bots // 6 * 6 * 9 // 10 // 6 * 6
    tokens = make_bots(sqlite(folder), count)
    with serving(folder, QUEUES) as server:
        async with playing(server, tokens, "long", 0.2) as (tally, _):
            await asyncio.sleep(scale.at_once_s / 3)
            server.process.send_signal(signal.SIGKILL)
            server.process.wait()
    empty = folder / "empty"
    empty.mkdir()
    with serving(empty, QUEUES) as alone:
        usual = alone.ready_s
    with serving(folder, QUEUES) as server:
        began = time.monotonic()
        tally = Tally()
        bots = await connected(server, tokens, "long", tally, 0.0)
        async with asyncio.timeout(120):
            while len(tally.by_table) < count // 6:
                await asyncio.sleep(0.01)
        back = time.monotonic() - began
        for bot in bots:
            bot.close()
    replay = max(0.0, server.ready_s - usual)
    return [
        Row(
            f"{count // 6} tournaments in play at a kill -9 play on",
            "< 5 s",
            f"journals replayed in {replay:.1f} s of a start that takes {usual:.1f} s without any; "
            f"{count} bots logged in again and every table played after {back:.1f} s more",
            replay + back < 5,
        )
    ]


async def database_away(folder: Path, scale: Scale) -> list[Row]:
    """Stop PostgreSQL under a server, and start it again; no row where it is not installed."""
    with contextlib.ExitStack() as opened:
        try:
            postgres = opened.enter_context(cluster())
        except pytest.skip.Exception:
            return []
        database = postgres.create("load")
        tokens = make_bots(database, 24)
        server = opened.enter_context(serving(folder, QUEUES, database=database))
        async with playing(server, tokens, "short", 0.05) as (tally, bots):
            await asyncio.sleep(1)
            await asyncio.to_thread(postgres.stop)
            tally.begin()
            asked, busy, began = 0, 0, time.monotonic()
            while time.monotonic() - began < scale.away_s:
                asked += 1
                busy += await _log_in(server.tcp) == "busy"
                await asyncio.sleep(scale.away_s / 5)
            played, waiting = tally.actions, (await _metrics(server))["outbox"]
            problems = await asyncio.to_thread(server.problems)
            await asyncio.to_thread(postgres.start)
            began = time.monotonic()
            while (await _metrics(server))["outbox"]:
                await asyncio.sleep(0.05)
            emptied = time.monotonic() - began
            cut = sum(bot.lost for bot in bots)
            again = await _log_in(server.tcp)
            left = await asyncio.to_thread(server.problems)
    what = f"PostgreSQL away for {scale.away_s:g} s"
    return [
        Row(
            what,
            "play goes on, log-in says busy",
            f"{played:,} actions meanwhile, {cut} of 24 bots cut; {busy} of {asked} log-ins told "
            f"busy, and the first afterwards {again}",
            bool(played) and busy == asked and not cut and again == "log_in_refused",
            is_timed=False,
        ),
        Row(
            "results that wait for it",
            "kept < 5 s after it is back",
            f"{waiting:g} kept after {emptied:.1f} s",
            emptied < 5,
        ),
        Row(
            "what /health says of it",
            "database and other servers, at once; no database once it is back",
            f"{', '.join(sorted(problems))}; then {', '.join(sorted(left)) or 'nothing'}",
            {"database", "other servers"} <= set(problems) and "database" not in left,
            is_timed=False,
        ),
    ]


async def _log_in(port: int) -> str:
    """Try a password; return the code of the refusal."""
    client = await LineClient.open(port)
    try:
        answer = await client.hello(by="password", name="owner1", password="correct horse")
    finally:
        await client.close()
    code: str = answer.get("code", answer["type"])
    return code


async def enemies(folder: Path, scale: Scale) -> list[Row]:
    """Latency of honest bots alone, and beside enemies."""
    tokens = make_bots(sqlite(folder), scale.honest + scale.enemies + scale.flooders)
    honest = tokens[: scale.honest]
    bad = iter(tokens[scale.honest :])
    with serving(folder, QUEUES) as server:
        async with playing(server, honest, "long", 0.1) as (tally, bots):
            await asyncio.sleep(2)
            before = await _metrics(server)
            await asyncio.sleep(scale.quiet_s)
            quiet = await _metrics(server)
            port, table = server.tcp, next(iter(tally.by_table))
            tasks = [
                asyncio.create_task(read_slowly(port, next(bad), table))
                for _ in range(scale.enemies)
            ]
            tasks += [asyncio.create_task(stay_silent(port)) for _ in range(scale.enemies)]
            tasks += [asyncio.create_task(flood(port, next(bad))) for _ in range(scale.flooders)]
            await asyncio.sleep(2)
            start = await _metrics(server)
            each = scale.lines // 10
            work = asyncio.gather(*(send_mutated(port, each, seed) for seed in range(10)))
            await asyncio.sleep(scale.quiet_s)
            sent = sum(await work)
            beside = await _metrics(server)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            lost = sum(bot.lost for bot in bots)
        assert server.process.poll() is None
    alone = [quiet.quantile_ms("reply_seconds", q, before) for q in (0.5, 0.99)]
    among = [beside.quantile_ms("reply_seconds", q, start) for q in (0.5, 0.99)]
    faults = (folder / "errors").read_text().count("Traceback")
    return [
        Row(
            f"{sent:,} mutated lines, {scale.enemies} slow readers, {scale.enemies} silent, "
            f"{scale.flooders} flooders beside {scale.honest} honest bots",
            "honest p99 < 2 × quiet",
            f"p99 {alone[1]:.1f} ms quiet, {among[1]:.1f} ms beside them "
            f"(p50 {alone[0]:.1f} and {among[0]:.1f})",
            among[1] < 2 * alone[1],
        ),
        Row(
            "honest bots beside them",
            "none cut, no fault of the server",
            f"{lost} cut, {faults} faults",
            not lost and not faults,
            is_timed=False,
        ),
    ]


async def practice(folder: Path, scale: Scale) -> list[Row]:
    """Answers to honest bots alone, and beside accounts that practise against roll-outs."""
    tokens = make_bots(sqlite(folder), 12 + scale.practising)
    quiet: list[float] = []
    beside: list[float] = []
    with serving(folder, QUEUES) as server:
        async with playing(server, tokens[:12], "long", 0.05) as (tally, bots):
            others = Tally()
            practising = await seated(server, tokens[12:], partial(Practising, tally=others))
            async with asyncio.timeout(300):  # whatever is compiled or read at first use
                while not others.hands:
                    await asyncio.sleep(0.1)
            for _ in range(3):
                for bot in practising:
                    bot.leave()
                async with asyncio.timeout(120):
                    while not all(bot.is_idle for bot in practising):
                        await asyncio.sleep(0.05)
                quiet += await _answers(tally, scale.quiet_s / 3)
                for bot in practising:
                    bot.enter()
                beside += await _answers(tally, scale.quiet_s / 3)
            lost = sum(bot.lost for bot in (*bots, *practising))
            for bot in practising:
                bot.close()
    alone, among = (1000 * statistics.median(each) for each in (quiet, beside))
    late = [1000 * statistics.quantiles(each, n=100)[-1] for each in (quiet, beside)]
    return [
        Row(
            f"{scale.practising} accounts practise against eight roll-out players each, beside 12 "
            "honest bots: an action sent to the next bytes",
            "median ≤ 1.5 × quiet",
            f"{among / alone:.2f} ×: {alone:.1f} ms quiet, {among:.1f} ms beside them "
            f"(p99 {late[0]:.0f} and {late[1]:.0f} ms); {others.actions} actions of theirs, "
            f"{lost} cut",
            among <= 1.5 * alone and not lost,
        )
    ]


async def spectators(folder: Path, scale: Scale) -> list[Row]:
    """What pages without an account cost, and answers to honest bots beside them."""
    tokens = make_bots(sqlite(folder), 24)
    with serving(folder, QUEUES) as server:
        async with playing(server, tokens, "long", 0.5) as (tally, _):
            async with asyncio.timeout(60):
                while len(tally.by_table) < 4:
                    await asyncio.sleep(0.1)
            tables = sorted(tally.by_table)
            # In turns: a busy machine is not equally busy all the time.
            quiet, at_one, at_all = _Costs(), _Costs(), _Costs()
            for _ in range(_ROUNDS):
                await quiet.measure(server, tally, scale, [])
                await at_one.measure(server, tally, scale, tables[:1])
                await at_all.measure(server, tally, scale, tables)
    share = at_one.core - quiet.core
    alone, among = (1000 * statistics.median(each.answers) for each in (quiet, at_all))
    late = [1000 * statistics.quantiles(each.answers, n=100)[-1] for each in (quiet, at_all)]
    return [
        Row(
            f"{scale.spectators} spectators without an account at a table of six bots, think time "
            "0.5 s",
            "≤ 15 % of a core",
            f"{share:.1%} more than the {quiet.core:.1%} without them; "
            f"{at_one.sent / 1000:.1f} KB/s each",
            share <= 0.15,
        ),
        Row(
            f"{4 * scale.spectators} at four tables: an action of a bot sent to the next bytes",
            "median ≤ 1.5 × quiet",
            f"{among / alone:.2f} ×: {alone:.1f} ms quiet, {among:.1f} ms beside them "
            f"(p99 {late[0]:.0f} and {late[1]:.0f} ms); {at_all.core:.1%} of a core, "
            f"{at_one.lost + at_all.lost} cut",
            among <= 1.5 * alone and not at_one.lost + at_all.lost,
        ),
    ]


_ROUNDS: Final = 3


class _Costs:
    """What some spectators cost, over all rounds."""

    def __init__(self) -> None:
        self.answers: list[float] = []
        """Seconds until each answer to a bot."""
        self.core = self.sent = 0.0
        """The server's share of a core, and bytes a second to a spectator."""
        self.lost = 0

    async def measure(self, server: Server, tally: Tally, scale: Scale, tables: list[str]) -> None:
        """Measure a round, while these tables have spectators."""
        pages = await _watching(server, tables, scale.spectators)
        await asyncio.sleep(1)
        seconds, before = scale.quiet_s / _ROUNDS, server.cpu_s
        sent = sum(page.bytes for page in pages)
        self.answers += await _answers(tally, seconds)
        self.core += (server.cpu_s - before) / scale.quiet_s
        if pages:
            received = sum(page.bytes for page in pages) - sent
            self.sent += received / len(pages) / scale.quiet_s
        for page in pages:
            self.lost += page.lost
            page.close()
        await asyncio.sleep(1)


async def _watching(server: Server, tables: list[str], count: int) -> list[Spectator]:
    """Open so many pages for each table, each hundred from an address of its own."""
    host = server.http.removeprefix("http://").rstrip("/")
    name, _, port = host.partition(":")
    loop = asyncio.get_running_loop()

    async def opened(table: str, number: int) -> Spectator:
        address = f"127.0.{table.rpartition('.')[2].partition('-')[0]}.{1 + number // 100}"
        _, page = await loop.create_connection(
            lambda: Spectator(host, table),
            name if name != "localhost" else "127.0.0.1",
            int(port),
            local_addr=(address, 0),
        )
        assert await page.opened
        return page

    return await asyncio.gather(
        *(opened(table, number) for table in tables for number in range(count))
    )


async def _answers(tally: Tally, seconds: float) -> list[float]:
    """Return the seconds until each answer that bots get meanwhile."""
    tally.begin()
    await asyncio.sleep(seconds)
    return list(tally.seconds)


async def _metrics(server: Server) -> Metrics:
    return await asyncio.to_thread(server.metrics)


# Rows that need no server of their own: the slow tests of chips, crashes and secrets.


KILLS: Final = 100
FAULTY_KILLS: Final = 50
ALL_INS: Final = 100_000


def chips(folder: Path) -> list[Row]:
    """Play many hands, whose chips are checked after every event."""
    del folder
    tournaments = play_hands(CHIPS_HANDS, seed=2)
    found = f"none in {tournaments:,} tournaments of all kinds"
    return [Row(f"chips in {CHIPS_HANDS:,} hands", "no violation", found, True)]


def all_ins(folder: Path) -> list[Row]:
    """Compare side pots and payoffs with pokerkit's; it plays some 130 such hands a second."""
    del folder
    many = check_all_ins(ALL_INS, seed=8)
    found = f"none differs; {many:,} have three contested pots or more"
    return [Row(f"{ALL_INS:,} all-ins of three to nine players", "pokerkit's pots", found, True)]


def crash(folder: Path) -> list[Row]:
    """Kill a server again and again."""
    check(folder, KILLS)
    goal = "no accepted action, no result lost or doubled"
    return [Row(f"{KILLS} kill -9 at random moments", goal, "none", True)]


def faults(folder: Path) -> list[Row]:
    """Kill a server again and again whose disk and database fail."""
    failed = check_with_faults(folder, FAULTY_KILLS)
    what = f"{FAULTY_KILLS} kill -9 while the disk and the database fail now and then"
    counts = ", ".join(f"{count} {kind}" for kind, count in sorted(failed.items()))
    return [Row(what, "nothing lost, doubled or silent", f"none in {counts}", True)]


def secrets(folder: Path) -> list[Row]:
    """Permute what a viewer has not seen."""
    del folder
    compared = check_non_interference(MANY_HANDS, seed=6)
    what = f"{MANY_HANDS:,} random hands, every viewer, unseen cards permuted"
    return [Row(what, "streams are byte-equal", f"equal in all {compared:,} comparisons", True)]


LONG: Final[Mapping[str, Callable[[Path], list[Row]]]] = {
    "chips": chips,
    "all-ins": all_ins,
    "crash": crash,
    "faults": faults,
    "secrets": secrets,
}


# A newcomer, who follows the manual's page on bots from an empty folder to a rated tournament.


PAGE = Path(__file__).resolve().parents[2] / "docs" / "bots.md"
USUAL = """
[[tournament]]
name = "six"
"""
"""As a server has it by default: after 30 s, house players take the empty seats."""


async def newcomer(folder: Path, scale: Scale) -> list[Row]:
    """Time the way into a rated tournament; the commands are those of the page."""
    del scale
    script = re.search(r"<!-- newcomer -->\n```text\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert script is not None
    with serving(folder, USUAL) as server:
        empty = folder / "newcomer"
        empty.mkdir()
        binaries = empty / "bin"
        binaries.mkdir()
        command = binaries / "railbird"
        command.write_text(f'#!/bin/sh\nexec {sys.executable} -m railbird "$@"\n')
        command.chmod(0o755)
        commands = script[1].replace("http://localhost:8080", server.http.rstrip("/"))
        commands = commands.replace(" 8081", f" {server.tcp}")
        began = time.monotonic()
        process = subprocess.Popen(
            ["bash", "-e", "-c", commands],
            cwd=empty,
            env={**os.environ, "PATH": f"{binaries}:{os.environ['PATH']}"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            found = None
            while found is None and time.monotonic() - began < 300:
                await asyncio.sleep(0.25)
                found = _seated(json.loads(await asyncio.to_thread(server.get, "/api/lobby")))
                if process.poll() is not None and found is None:
                    break
            seconds = time.monotonic() - began
        finally:
            os.killpg(process.pid, 9) if process.poll() is None else None
            said, _ = process.communicate()
    return [
        Row(
            "a newcomer's bot, from an empty folder, by the page",
            "in a rated tournament within 5 minutes",
            f"{seconds:.0f} s, 30 of them the wait for other players" if found else said[-300:],
            found is not None and seconds < 300,
        )
    ]


def _seated(lobby: dict[str, list[dict[str, object]]]) -> str | None:
    """Return the rated table at which the newcomer sits."""
    for table in lobby["tables"]:
        form, players = table["format"], table["players"]
        assert isinstance(form, dict)
        assert isinstance(players, list)
        if form["rated"] and any(player["name"] == "tom" for player in players):
            return str(table["table"])
    return None
