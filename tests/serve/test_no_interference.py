"""What a viewer is sent over real sockets does not depend on cards that the viewer may not see.

A server plays, and plays again the same actions on other cards: the viewer's hand, the board and
whatever was shown are the same, everything else is dealt anew. The seed, whose hash everybody is
told, and the clock are held fixed.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
import uvicorn
import websockets
from anyio.from_thread import start_blocking_portal

from helpers.hosted import ManualTime
from helpers.web_person import app_of
from load.server import make_bots
from protocol.test_redaction import Row, otherwise, play
from railbird.acpc import AcpcLink
from railbird.cards import Variant
from railbird.game import Act, Action, Fold, HandState, Rules
from railbird.histories import HandRecord, read
from railbird.hosting.deck import deal_from_seed
from railbird.hosting.formats import TournamentFormat
from railbird.hosting.house_game import hand_records
from railbird.hosting.journal import read_journal
from railbird.players import make_player
from railbird.players.acpc import connect, sit_down
from railbird.serve.acpc_port import AcpcPort, AcpcSettings
from railbird.serve.connections import ConnectionSettings
from railbird.serve.formats_file import Games
from railbird.serve.host import HostSettings
from railbird.serve.mounts.host import mount

pytestmark = pytest.mark.anyio

SEATS = 3
FORM = TournamentFormat(name="three", seats=SEATS, table_seats=SEATS, stack=1500, house_after=None)
Deals = dict[tuple[str, int], Row]
"""By table and hand."""


@dataclass
class Client:
    """A connection that keeps every line; a player acts by turn, whatever its cards."""

    name: str
    last_hand: int
    lines: list[bytes] = field(default_factory=list)
    news: asyncio.Condition = field(default_factory=asyncio.Condition)
    may_act: asyncio.Event = field(default_factory=asyncio.Event)
    kinds: set[str] = field(default_factory=set)
    _line: Any = None

    async def enters(
        self, group: asyncio.TaskGroup, tcp: int, http: int, token: str, *, over_tcp: int
    ) -> None:
        """Log in over TCP or WebSocket."""
        if over_tcp:
            self._line = OverTcp(*await asyncio.open_connection("127.0.0.1", tcp, limit=1 << 20))
        else:
            self._line = await websockets.connect(f"ws://127.0.0.1:{http}/ws")
        group.create_task(self._read())
        log_in = {"by": "token", "token": token}
        await self.says(type="hello", versions=[1], version="1", log_in=log_in)
        await self.until("welcome")

    async def leaves(self) -> None:
        await self._line.close()

    async def _read(self) -> None:
        async for text in self._line:
            line = text.encode() if isinstance(text, str) else text
            message = json.loads(line)
            async with self.news:
                self.lines.append(line)
                self.kinds.add(self._kind(message))
                self.news.notify_all()
            if message["type"] == "ask_share":  # by a clock that stands still the house would wait
                await self.says(type="seed_share", game=message["game"], share="ab" * 32)
            if message["type"] == "turn" and message["hand"]["hand"] <= self.last_hand:
                await self.may_act.wait()
                await self.says(type="act", turn=message["turn"], action=1, **chosen(message))

    async def says(self, **message: Any) -> None:
        await self._line.send(json.dumps(message) + "\n")

    async def until(self, *kinds: str) -> None:
        async with asyncio.timeout(60), self.news:
            await self.news.wait_for(lambda: not self.kinds.isdisjoint(kinds))

    def _kind(self, message: dict[str, Any]) -> str:
        """Return the type; "end" for the first turn after the last hand."""
        kind: str = message["type"]
        number = message["hand"]["hand"] if kind == "turn" else message.get("hand", 0)
        return "end" if kind in ("turn", "to_act") and number > self.last_hand else kind


def chosen(turn: dict[str, Any]) -> dict[str, Any]:
    """Choose by the turn's name and what is legal, which everybody knows."""
    rng, legal = random.Random(turn["turn"]), turn["legal"]
    draw = rng.random()
    if draw < 0.12 and legal["fold"]:
        return {"verb": "fold"}
    if draw < 0.35 and "min_to" in legal:
        most = min(legal["max_to"], 4 * legal["min_to"])
        return {"verb": "raise", "to": rng.randint(legal["min_to"], most)}
    return {"verb": "all_in"} if draw < 0.37 else {"verb": "call" if legal["to_call"] else "check"}


class OverTcp:
    """A TCP connection in the form of a WebSocket's."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def send(self, line: str) -> None:
        self._writer.write(line.encode())
        await self._writer.drain()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while line := await self._reader.readline():
            yield line

    async def close(self) -> None:
        self._writer.close()
        with suppress(ConnectionError):
            await self._writer.wait_closed()


@asynccontextmanager
async def serving(database: str, folder: Path) -> AsyncIterator[tuple[int, int]]:
    """Serve in this event loop; yield the ports of the protocol and of HTTP."""
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.create_server(("127.0.0.1", 0)) as http,
    ):
        settings = HostSettings(
            journal=folder,
            games=Games(tournaments=(FORM,)),
            tcp=tcp,
            connections=ConnectionSettings(ping_s=3600.0, quiet_s=3600.0),
        )
        app = app_of(database, mount(settings))
        config = uvicorn.Config(app, log_level="warning", ws="websockets-sansio")
        server = uvicorn.Server(config)
        running = asyncio.create_task(server.serve(sockets=[http]))
        try:
            while not server.started:
                assert not running.done(), running.result()
                await asyncio.sleep(0.01)
            yield tcp.getsockname()[1], http.getsockname()[1]
        finally:
            server.should_exit = True
            await running


@dataclass
class Seen:
    """What everybody was sent, and what a stranger could download meanwhile."""

    streams: dict[str, list[bytes]]
    downloads: dict[str, str]
    played: dict[tuple[str, int], HandRecord]
    dealt: Deals


async def play_through(folder: Path, games: int, hands: int, deals: Deals) -> Seen:
    """Play some hands of some tournaments, with these deals where there are any."""
    folder.mkdir()
    database = f"sqlite:///{folder}/railbird.sqlite3"
    tokens = iter(make_bots(database, games * (SEATS + 1)))
    clock, seeds = ManualTime(), itertools.count(1)
    dealt: Deals = {}

    def deal(seed: bytes, table: str, hand: int, *, seats: int, variant: Variant) -> Row:
        row = deals.get((table, hand))
        if row is None:
            row = deal_from_seed(seed, table, hand, seats=seats, variant=variant)
        dealt[table, hand] = row
        return row

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("railbird.hosting.openings.new_seed", lambda: _seed(next(seeds)))
        patch.setattr("railbird.hosting.tournament_play.deal_from_seed", deal)
        patch.setattr("railbird.hosting.house.Time", lambda: clock.time)
        async with (
            serving(database, folder / "journal") as (tcp, http),
            asyncio.TaskGroup() as group,
        ):
            clients = []
            for game in range(1, games + 1):
                table = [Client(f"{game}-{seat}", hands) for seat in range(SEATS + 1)]
                for place, client in enumerate(table):
                    await client.enters(group, tcp, http, next(tokens), over_tcp=(place + game) % 2)
                await _begin(game, *table)
                clients += table
            for client in clients:
                await client.until("end", "left")
            downloads = await _downloads(http, games)
            played = {}
            for path in (folder / "journal").rglob("three.*"):
                for record in hand_records(read_journal(path)):
                    assert record.table is not None
                    assert record.number is not None
                    played[record.table, record.number] = record
            for client in clients:
                await client.leaves()
    return Seen({client.name: client.lines for client in clients}, downloads, played, dealt)


async def _begin(game: int, *clients: Client) -> None:
    """Begin a tournament, whose first hand waits until the rail watches it."""
    *players, rail = clients
    for player in players:
        await player.says(type="enter_queue", queue="three")
        await player.until("queued", "seated")
    for player in players:
        await player.until("turn", "to_act")
    await rail.says(type="watch", table=f"three.{game}-1")
    await rail.until("snapshot")
    for player in players:
        player.may_act.set()


async def _downloads(port: int, games: int) -> dict[str, str]:
    texts = {}
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}/api/games") as web:
        for game, form in itertools.product(range(1, games + 1), ("phh", "log")):
            answer = await web.get(f"/three.{game}/{form}")
            assert answer.status_code == 200, answer.text
            texts[f"{game}.{form}"] = answer.text
    return texts


def _seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


def dealt_otherwise(seen: Seen, seat: int | None, rng: np.random.Generator) -> Deals:
    """Deal the hands of all tables anew, but for what the player of a seat, or the rail, saw."""
    deals = {}
    for (table, number), hand in seen.played.items():
        game = int(table.removeprefix("three.").partition("-")[0])
        name = f"bot{(game - 1) * (SEATS + 1) + seat}" if seat is not None else ""
        own = {hand.players.index(name)} if name in hand.players else set()
        row = seen.dealt[table, number]  # by a seed into which the players' shares went
        found = _otherwise(hand.rules, row, hand.actions, own, rng)
        if found is not None:
            deals[table, number] = found
    return deals


def _otherwise(
    rules: Rules, row: Row, actions: tuple[Action, ...], seen: set[int], rng: np.random.Generator
) -> Row | None:
    todo = iter(actions)

    def decide(state: HandState) -> Act:
        assert state.actor is not None
        return Act(state.actor, next(todo))

    events, plain = play(rules, row, decide)
    found = otherwise(rules, row, events, plain, seen, rng)
    return None if found is None else found[0]


async def check(folder: Path, games: int, hands: int, seats: tuple[int | None, ...]) -> int:
    """Compare what the players of these seats, or the rail (None), were sent; return the hands."""
    rng = np.random.default_rng(7)
    first = await play_through(folder / "first", games, hands, {})
    anew = 0
    for seat in seats:
        deals = dealt_otherwise(first, seat, rng)
        again = await play_through(folder / f"again-{seat}", games, hands, deals)
        place = SEATS if seat is None else seat
        for name, lines in first.streams.items():
            if name.endswith(f"-{place}"):
                assert again.streams[name] == lines
        assert again.streams != first.streams, "the others have other cards"
        if seat is None:
            for name, text in first.downloads.items():
                if "\nover" not in first.downloads[f"{name.partition('.')[0]}.log"]:
                    assert shares_sorted(again.downloads[name]) == shares_sorted(text)
        anew += len(deals)
    return anew


def shares_sorted(log: str) -> list[str]:
    """The lines of a log, those of shares by name: they come as the network brings them."""
    lines = log.splitlines()
    shares = sorted(line for line in lines if " gives the share " in line)
    return [line if " gives the share " not in line else shares.pop(0) for line in lines]


@pytest.mark.slow
async def test_streams_and_downloads_do_not_depend_on_unseen_cards(tmp_path: Path) -> None:
    assert await check(tmp_path, games=2, hands=8, seats=(None, 1)) > 20


@pytest.mark.slow
async def test_streams_and_downloads_of_many_hands(tmp_path: Path) -> None:
    assert await check(tmp_path, games=44, hands=40, seats=(None, 0, 1, 2)) > 1500


def guest_told(
    folder: Path, hands: int, deals: dict[int, Row]
) -> tuple[list[str], list[HandRecord]]:
    """Play a match over the ACPC port; return the guest's lines, and the hands by its log."""
    lines: list[str] = []

    def dealt(seed: bytes, table: str, hand: int, *, seats: int) -> Row:
        row = deals.get(hand)
        return deal_from_seed(seed, table, hand, seats=seats) if row is None else row

    class Heard(AcpcLink):
        def receive(self, *, deadline: float | None = None) -> str:
            line = super().receive(deadline=deadline)
            lines.append(line)
            return line

    settings = AcpcSettings(opponent="always-call", hands=hands)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("railbird.serve.acpc_port.new_seed", lambda: _seed(1))
        patch.setattr("railbird.serve.acpc_port.deal_from_seed", dealt)
        patch.setattr("railbird.players.acpc.AcpcLink", Heard)
        with socket.create_server(("127.0.0.1", 0)) as listening:
            port = AcpcPort(listening, folder, settings)
            with start_blocking_portal() as portal:
                accepting = portal.start_task_soon(port.accept, lambda: None)
                try:
                    link = connect("127.0.0.1", listening.getsockname()[1])
                    rng = np.random.default_rng(1)
                    assert sit_down(make_player("random"), settings.rules, link, rng) == hands
                finally:
                    port.stop()
                    accepting.cancel()
    (log,) = folder.iterdir()
    found = [one for one in read(log, game=settings.rules) if isinstance(one, HandRecord)]
    return lines, found


def check_acpc(folder: Path, hands: int) -> int:
    rng = np.random.default_rng(11)
    first, played = guest_told(folder / "first", hands, {})
    assert len(played) == hands
    deals = {}
    for number, hand in enumerate(played):
        row = deal_from_seed(_seed(1), "acpc", number, seats=2)
        folded = Fold() in hand.actions  # a showdown of the competition shows all cards
        seen = {number % 2} if folded else {0, 1}
        found = _otherwise(hand.rules, row, hand.actions, seen, rng)
        if found is not None:
            deals[number] = found
    again, _ = guest_told(folder / "again", hands, deals)
    assert again == first
    other, _ = guest_told(folder / "other", hands, {0: deals[0][::-1].copy()})
    assert other != first
    return len(deals)


def test_an_acpc_program_is_told_nothing_of_unseen_cards(tmp_path: Path) -> None:
    assert check_acpc(tmp_path, 40) > 30


@pytest.mark.slow
def test_an_acpc_program_is_told_nothing_of_unseen_cards_in_many_hands(tmp_path: Path) -> None:
    assert check_acpc(tmp_path, 3000) > 2500
