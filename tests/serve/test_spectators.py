"""Tables as spectators see them: rendered once for all, woken in a bounded share, and counted."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pytest
from fastapi import FastAPI

from helpers.hosted import PATIENCE_S
from helpers.told_table import hand_of, info_of
from helpers.web_person import ORIGIN, table_app
from railbird.protocol.messages import Acted, ActionEntry, HandBegins, Snapshot, Watch
from railbird.serve import pages
from railbird.serve.person import People, Screen, TableSettings
from railbird.serve.spectators import (
    AT_ONCE,
    MOST_AT_TABLE,
    MOST_OF_ADDRESS,
    SHARE,
    UPDATE_S,
    Audience,
    Spectators,
)
from serve.test_person import House

pytestmark = pytest.mark.anyio


class _House(House):
    """A house that shows a table to whoever asks."""

    def enter(self, identity: object) -> None:
        pass

    def receive_message(self, line: bytes) -> None:
        super().receive_message(line)
        if isinstance(self.asked[-1], Watch):
            self.tells(Snapshot(table=info_of(), hand=hand_of()))


async def watched(changed: Callable[[Audience], None]) -> tuple[Audience, _House]:
    house: Any = _House()
    audience = Audience("six.1-1", house, TableSettings(pace=0), changed)
    audience.connect()
    assert await audience.watch("six.1-1", patience_s=60) is not None
    return audience, house


async def test_a_table_is_rendered_once_for_all_who_see_it() -> None:
    audience, house = await watched(lambda _: None)
    rendered: list[str] = []

    def render(screen: Screen) -> str:
        rendered.append(screen.shown.news)
        return screen.shown.news

    assert {audience.shown(render, now=0.1) for _ in range(100)} == {rendered[0]}
    assert len(rendered) == 1
    called = ActionEntry(seat=2, verb="call", paid=20)
    house.tells(Acted(table="six.1-1", hand=1, entry=called, stack=980, pot=50))
    assert [audience.shown(render, now=0.2) for _ in range(100)] == ["acted"] * 100
    assert len(rendered) == 2
    audience.shown(render, now=1.0)
    assert len(rendered) == 3, "a clock that runs is a second old at most"


class _Clock:
    """A clock that goes on where something works or rests; the loop may be late at each turn."""

    def __init__(self, late: float = 0.0) -> None:
        self.at = 0.0
        self.late = late
        self.pauses: list[float] = []

    def now(self) -> float:
        return self.at

    async def sleep(self, seconds: float) -> None:
        self.at += seconds or self.late
        self.pauses.append(seconds)
        await asyncio.sleep(0)


async def _woken(clock: _Clock, pages: int, changes: int) -> list[float]:
    """Let a table change again and again at once; return when its pages were woken."""
    spectators = Spectators(cast(People, None), now=clock.now, sleep=clock.sleep)
    audience, house = await watched(spectators.changed)
    woken: list[float] = []

    def page() -> None:
        woken.append(clock.at)
        clock.at += 0.001  # it sends

    for _ in range(pages):
        audience.listen(lambda: page())
    waking = asyncio.create_task(spectators.wake(lambda: None))
    for _ in range(changes):
        house.tells(HandBegins(table="six.1-1", hand=hand_of()))
    rests = 2 * -(-pages // AT_ONCE) + 1  # two for some pages each, and one for the table
    while len(clock.pauses) < rests:
        await asyncio.sleep(0)
    waking.cancel()
    with suppress(asyncio.CancelledError):
        await waking
    return woken


async def test_pages_are_woken_once_for_many_changes_and_in_a_bounded_share() -> None:
    clock = _Clock()
    woken = await _woken(clock, 100, changes=50)
    assert len(woken) == 100, "one update for fifty changes"
    assert 0.1 / clock.at <= SHARE + 1e-9
    assert clock.pauses.count(0) >= 100 // AT_ONCE, "the players' turn comes between some pages"
    few = _Clock()
    assert len(await _woken(few, 1, changes=50)) == 1
    assert few.at >= UPDATE_S - 1e-9, "no more updates a second than anybody can follow"


async def test_where_the_loop_is_late_spectators_are_woken_more_rarely() -> None:
    clock = _Clock(late=0.05)
    woken = await _woken(clock, 2 * AT_ONCE, changes=5)
    first, second = woken[0], woken[AT_ONCE]
    assert second - first >= (0.05 + AT_ONCE * 0.001) / SHARE - 1e-9


def test_spectators_of_one_address_and_of_one_table_are_bounded() -> None:
    spectators = Spectators(cast(People, None))
    first = [f"page {number}" for number in range(MOST_OF_ADDRESS)]
    assert all(spectators.enter(page, f"table {page}", "192.0.2.7") for page in first)
    assert not spectators.enter("one more", "another table", "192.0.2.7")
    assert spectators.enter("another", "another table", "192.0.2.8")
    spectators.leave(first[0])
    assert spectators.enter("one more", "another table", "192.0.2.7")
    everybody = (
        spectators.enter(number, "full", f"198.51.{number // 250}.{number % 250}")
        for number in range(MOST_AT_TABLE + 5)
    )
    assert sum(everybody) == MOST_AT_TABLE
    assert spectators.enter("x", "another table", "198.51.4.1"), "who was refused is not counted"


class _Page:
    """A browser's socket to the application, without a network."""

    def __init__(self, app: FastAPI, table: str, address: str) -> None:
        self.texts: list[str] = []
        self.code: int | None = None
        self.leaves = asyncio.Event()
        self._asked = False
        host = ORIGIN.removeprefix("http://")
        scope = {
            "type": "websocket",
            "path": "/table/socket",
            "raw_path": b"/table/socket",
            "query_string": f"table={table}".encode(),
            "headers": [(b"host", host.encode()), (b"origin", ORIGIN.encode())],
            "client": (address, 1),
            "server": (host, 80),
            "scheme": "ws",
            "subprotocols": [],
        }
        self.ended = asyncio.create_task(app(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        if not self._asked:
            self._asked = True
            return {"type": "websocket.connect"}
        await self.leaves.wait()
        return {"type": "websocket.disconnect", "code": 1001}

    async def _send(self, message: Any) -> None:
        if message["type"] == "websocket.send":
            self.texts.append(message["text"])
        elif message["type"] == "websocket.close":
            self.code = message["code"]


@pytest.mark.slow
async def test_a_rush_of_spectators_is_counted_before_anything_is_awaited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of any number at once no more than the limit are served, by one rendering."""
    app, rendered, part = table_app(tmp_path), Counter[str](), pages.part

    def counted(name: str, **values: Any) -> str:
        rendered[name] += 1
        return part(name, **values)

    monkeypatch.setattr(pages, "part", counted)
    async with app.router.lifespan_context(app):
        table = next(name for name, task in app.state.host.house.tasks.items() if task.play.tables)
        rush = [_Page(app, table, "192.0.2.7") for _ in range(MOST_OF_ADDRESS + 50)]
        async with asyncio.timeout(PATIENCE_S):
            while not all(page.texts or page.code for page in rush):
                await asyncio.sleep(0)
        assert Counter(page.code for page in rush) == {None: MOST_OF_ADDRESS, 1008: 50}
        assert rendered["table/felt.html.jinja"] < 5
        for page in rush:
            page.leaves.set()
        await asyncio.gather(*(page.ended for page in rush))
        late = _Page(app, table, "192.0.2.7")
        async with asyncio.timeout(PATIENCE_S):
            while not late.texts:
                assert late.code is None
                await asyncio.sleep(0)
        late.leaves.set()
        await late.ended
