"""``railbird serve`` as a process, killed at any moment: what clients were told stays true."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from helpers.hosted import PATIENCE_S, any_action
from hosting.test_kill import compare
from railbird.protocol import AnyServer, ClientSession, ErrorCode
from railbird.protocol.messages import (
    ActionEntry,
    ActMessage,
    EnterQueue,
    ErrorMessage,
    HandView,
    PasswordLogIn,
    Result,
    SignUp,
    Snapshot,
    Turn,
    Welcome,
)
from railbird.protocol.redaction import following
from serve.test_server_process import PASSWORD, server

pytestmark = pytest.mark.anyio

FORMATS = """
[[tournament]]
name = "four"
seats = 4
table-seats = 3
stack = 400
blinds = "10/20x6,20/40x6,40/80x60"
house-after = "never"
clocks = { limit = 3600, bank = 60 }
"""


class Returning:
    """A program that comes back whenever the server does, and keeps all that it is told."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.told: set[str] = set()
        self.is_known = False
        self.enters = True
        self._acted = 0
        self._rng = random.Random(name)

    async def play(self, port: int, ended: asyncio.Event) -> None:
        """Play for a life of the server, over as many connections as that takes."""
        while not ended.is_set():
            with suppress(ConnectionError):
                await self._visit(port)
            await asyncio.sleep(0.01)

    async def _visit(self, port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        session, hands = ClientSession(), dict[str, HandView | None]()
        way = PasswordLogIn if self.is_known else SignUp
        session.hello(way(name=self.name, password=PASSWORD))
        try:
            while True:
                writer.write(session.take())
                await writer.drain()
                if not (data := await reader.read(1 << 16)):
                    return
                for message in session.receive(data):
                    self._hear(message, session, hands)
        finally:
            writer.close()

    def _hear(
        self, message: AnyServer, session: ClientSession, hands: dict[str, HandView | None]
    ) -> None:
        if isinstance(message, Welcome | Result):
            self.is_known = True
            if self.enters:
                session.send(EnterQueue(queue="four"))
        elif isinstance(message, ErrorMessage) and message.code is ErrorCode.NAME_TAKEN:
            self.is_known = True  # by a life that ended before it said so
        name = getattr(message, "table", None)
        table = message.table.table if isinstance(message, Snapshot) else name
        if not isinstance(table, str) or message.type in ("left", "knocked_out"):
            return
        hands[table] = hand = following(hands.get(table), message)
        if message.type == "acted":
            assert hand is not None
            acts = [entry for entry in hand.history if isinstance(entry, ActionEntry)]
            did = acts[-1].seat, acts[-1].verb, acts[-1].to
            self.told.add(json.dumps([table, hand.hand, len(acts), *did]))
        turn = message.turn if isinstance(message, Snapshot) else message
        if isinstance(turn, Turn):
            verb, to = any_action(turn, self._rng)
            self._acted += 1
            session.send(ActMessage(turn=turn.turn, action=self._acted, verb=verb, to=to))


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not is_so():
            await asyncio.sleep(0.001)


async def check(folder: Path, kills: int) -> int:
    """Kill a server so often, and compare; return how many actions were told."""
    rng = random.Random(kills)
    formats, journals = folder / "formats.toml", folder / "journals"
    formats.write_text(FORMATS)
    players = [Returning(f"bot{number}") for number in range(8)]

    def told() -> int:
        return sum(len(player.told) for player in players)

    results: list[dict[str, Any]] = []
    for life in range(kills + 1):
        is_last = life == kills
        options = "--formats", str(formats), "--journal", str(journals), "--workers", "0"
        with server(folder, *options) as (process, answer):
            for player in players:
                player.enters = not is_last
            ended = asyncio.Event()
            async with asyncio.TaskGroup() as group:
                for player in players:
                    group.create_task(player.play(answer["tcp"], ended))
                if is_last:
                    await until(lambda: not any(journals.glob("*.journal")))
                    async with httpx.AsyncClient(base_url=answer["url"]) as reader:
                        results = (await reader.get("/api/results")).json()
                else:
                    enough = told() + rng.randint(1, 80)
                    await until(lambda: told() >= enough)  # noqa: B023 - it has ended by then
                ended.set()
                process.kill()
    kept = {
        result["tournament"].partition(".")[2]: {
            entry["player"]: entry["place"] for entry in result["entries"]
        }
        for result in results
    }
    assert len(kept) == len(results)
    compare(journals, set[str]().union(*(player.told for player in players)), kept)
    return told()


@pytest.mark.slow
async def test_a_process_that_is_killed_ten_times_loses_nothing(tmp_path: Path) -> None:
    assert await check(tmp_path, kills=10) > 100
