"""The tournament server over real sockets: players, results, operators, restarts."""

from __future__ import annotations

import asyncio
import json
import re
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import APIRouter, FastAPI

from helpers.hosted import PATIENCE_S, LineClient
from helpers.postgres_cluster import Postgres
from helpers.web_person import ORIGIN, app_of
from railbird.errors import RailbirdError
from railbird.hosting.formats import Clocks, TournamentFormat
from railbird.serve.formats_file import Games
from railbird.serve.host import Host, HostSettings, OtherServers, server_name
from railbird.serve.mounts import Mount
from railbird.serve.mounts.host import mount
from railbird.serve.results import LADDER, journal_results, rated_anew, standings_of
from railbird.storage import accounts
from railbird.storage import accounts as keys
from railbird.storage.accounts import Account, AccountKind
from railbird.storage.passwords import Busy
from railbird.storage.results import record_result, results, standings
from railbird.tournament import parse_payouts
from railbird.tournament.settings import LADDER_DEVIATION

pytestmark = pytest.mark.anyio

TOKEN = "o" * 64
HEALTHY = {"status": "ok", "problems": {}, "parked": 0}
FAST = Games(
    tournaments=(
        TournamentFormat(
            name="fast",
            seats=2,
            table_seats=2,
            stack=100,
            payouts=parse_payouts("100"),
            house_after=None,
            clocks=Clocks(limit=300.0, bank=0.0),
        ),
    )
)


@dataclass
class Place:
    app: FastAPI
    port: int
    http: httpx.AsyncClient
    clients: list[LineClient] = field(default_factory=list)

    @property
    def host(self) -> Host:
        host = self.app.state.host
        assert isinstance(host, Host)
        return host

    async def player(self, name: str) -> LineClient:
        """A bot of an owner of its own, logged in by a token."""
        directory = self.host.directory
        found = await directory.read(accounts.find_account, name)
        if found is None:
            owner = await directory.write(
                accounts.create_account, f"{name}-owner", kind=AccountKind.PERSON
            )
            found = await directory.write(
                accounts.create_account, name, kind=AccountKind.BOT, owner_id=owner.id
            )
        _, token = await directory.write(keys.add_token, found.id)
        client = await LineClient.open(self.port)
        self.clients.append(client)
        assert (await client.hello(by="token", token=token))["type"] == "welcome", client.seen
        return client

    async def ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """Ask as the operator."""
        headers = {"Authorization": f"Bearer {TOKEN}"}
        return await self.http.request(method, path, json=body, headers=headers)


@asynccontextmanager
async def playing(
    database: str, journal: Path, address: str = "127.0.0.1", games: Games = FAST
) -> AsyncIterator[Place]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        async with _playing(database, journal, address, games, listening) as place:
            yield place


@asynccontextmanager
async def _playing(
    database: str, journal: Path, address: str, games: Games, listening: socket.socket
) -> AsyncIterator[Place]:
    settings = HostSettings(journal=journal, games=games, tcp=listening, admin_token=TOKEN)
    app = app_of(database, mount(settings))
    transport = httpx.ASGITransport(app, client=(address, 4000))
    headers = {"Origin": ORIGIN}
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url=ORIGIN, headers=headers) as http,
    ):
        place = Place(app, listening.getsockname()[1], http)
        try:
            yield place
        finally:
            for client in place.clients:
                await client.close()


def nobody_waits_at(place: Place) -> Callable[[], Awaitable[bool]]:
    async def so() -> bool:
        return not len(place.host.house.queues["fast"])

    return so


async def the_account(place: Place, name: str) -> Account:
    found = await place.host.directory.read(accounts.find_account, name)
    assert found is not None
    return found


async def shove(client: LineClient, message: dict[str, Any] | None = None) -> dict[str, Any]:
    """Go all-in at every turn, from a message or the next on, up to the result."""
    number = 0
    message = message or await client.next()
    while message["type"] != "result":
        turn = message.get("turn") if message["type"] == "snapshot" else message
        if turn and turn["type"] == "turn":
            number += 1
            act = {"type": "act", "turn": turn["turn"], "action": number, "verb": "all_in"}
            await client.send(act)
        message = await client.next()
    return message


async def eventually(is_so: Callable[[], Awaitable[bool]], patience_s: float = 60) -> None:
    async with asyncio.timeout(patience_s):
        while not await is_so():
            await asyncio.sleep(0.02)


@pytest.mark.slow(but=["postgresql"])
async def test_a_tournament_reaches_the_database_with_ratings(
    database: str, tmp_path: Path
) -> None:
    began = asyncio.get_running_loop().time()
    async with playing(database, tmp_path / "journal") as place:
        bots = [await place.player(name) for name in ("anvil", "bolt")]
        for bot in bots:
            await bot.send({"type": "enter_queue", "queue": "fast"})
        told = await asyncio.gather(*map(shove, bots))
        assert told[0]["type"] == "result"

        async def stored() -> bool:
            return bool(await place.host.directory.read(results))

        await eventually(stored)
        await place.host.house.outbox.flushed()
        (result,) = await place.host.directory.read(results)
        assert result.id == f"{server_name(tmp_path / 'journal')}.fast.1"
        assert {one.name for one in result.entries} == {"anvil", "bolt"}
        assert [one.place for one in result.entries] == [1, 2]
        assert [one.prize for one in result.entries] == [20.0, 0.0]
        ladder = (await place.host.directory.read(standings))["fast"]
        assert ladder[0].name == result.entries[0].name
        from_journals, problems = journal_results(tmp_path / "journal")
        assert problems == []
        (again,) = from_journals
        assert replace(again, entries=[]) == replace(result, entries=[])
        for one, stored_one in zip(again.entries, result.entries, strict=True):
            assert one.rating is not None
            assert stored_one.rating is not None
            assert replace(one, rating=None) == replace(stored_one, rating=None)
            assert one.rating.mean == stored_one.rating.mean
        assert standings_of(from_journals)["fast"] == [
            replace(one, rated_at=result.finished_at) for one in ladder
        ]
        metrics = (await place.http.get("/metrics")).text
        for name in ("games", "tables", "queued", "backlog", "outbox", "journal_bytes"):
            assert f"railbird_{name} 0.0" in metrics, metrics
        assert "railbird_players 2.0" in metrics
        replies = re.search(r"railbird_reply_seconds_count (\d+)", metrics)
        took = re.search(r"railbird_reply_seconds_sum (\S+)", metrics)
        assert replies is not None
        assert took is not None
        assert int(replies[1]) >= 2
        lasted = asyncio.get_running_loop().time() - began
        assert 0 < float(took[1]) < int(replies[1]) * lasted, "seconds, and of replies alone"
        for bot in bots:
            await bot.close()

        async def forgotten() -> bool:
            metrics = (await place.http.get("/metrics")).text
            return "railbird_players 0.0" in metrics and "railbird_connections 0.0" in metrics

        await eventually(forgotten)


async def test_an_owners_bots_never_share_a_rated_table(sqlite: str, tmp_path: Path) -> None:
    async with playing(sqlite, tmp_path / "journal") as place:
        directory = place.host.directory
        ann = await directory.write(accounts.create_account, "ann", kind=AccountKind.PERSON)
        for name in ("one", "two"):
            await directory.write(
                accounts.create_account, name, kind=AccountKind.BOT, owner_id=ann.id
            )
        one, two, other = [await place.player(name) for name in ("one", "two", "other")]
        await one.send({"type": "enter_queue", "queue": "fast"})
        await one.until("queued")
        await two.send({"type": "enter_queue", "queue": "fast"})
        assert (await two.until("queued"))["waiting"] == 2
        await other.send({"type": "enter_queue", "queue": "fast"})
        seated = await other.until("seated")
        assert {player["name"] for player in seated["table"]["players"]} == {"one", "other"}
        assert place.host.house.queues["fast"].names == ("two",)


async def test_logging_in_again_takes_over_with_one_snapshot(sqlite: str, tmp_path: Path) -> None:
    async with playing(sqlite, tmp_path / "journal") as place:
        bots = [await place.player(name) for name in ("anvil", "bolt")]
        for bot in bots:
            await bot.send({"type": "enter_queue", "queue": "fast"})
        await bots[0].until("hand")
        again = await place.player("anvil")
        assert (await bots[0].ended())[-1]["code"] == 4003
        snapshot = await again.until("snapshot")
        await asyncio.gather(shove(again, snapshot), shove(bots[1]))
        assert [message["type"] for message in again.seen].count("snapshot") == 1


@pytest.mark.slow
async def test_games_go_on_after_a_restart(sqlite: str, tmp_path: Path) -> None:
    async with playing(sqlite, tmp_path / "journal") as place:
        bots = [await place.player(name) for name in ("anvil", "bolt")]
        for bot in bots:
            await bot.send({"type": "enter_queue", "queue": "fast"})
        await bots[0].until("hand")
        async with asyncio.timeout(PATIENCE_S):
            await place.host.stop()
        assert all([(await bot.ended())[-1]["code"] == 1012 for bot in bots])
    async with playing(sqlite, tmp_path / "journal") as place:
        bots = [await place.player(name) for name in ("anvil", "bolt")]
        told = await asyncio.gather(*map(shove, bots))
        assert {message["tournament"] for message in told} == {"fast.1"}


@pytest.mark.slow
async def test_play_goes_on_while_the_database_is_away(
    sqlite: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with playing(sqlite, tmp_path / "journal") as place:
        bots = [await place.player(name) for name in ("anvil", "bolt")]
        directory = place.host.directory
        _, token = await directory.write(keys.add_token, (await the_account(place, "anvil")).id)

        async def away(*_: object, **__: object) -> None:
            raise Busy("the database does not answer")

        with monkeypatch.context() as patched:
            patched.setattr(directory, "read", away)
            patched.setattr(directory, "write", away)
            for number in range(3):
                for bot in bots:
                    await bot.send({"type": "enter_queue", "queue": "fast"})
                told = await asyncio.gather(*map(shove, bots))
                assert told[0]["tournament"] == f"fast.{number + 1}"
            late = await LineClient.open(place.port)
            place.clients.append(late)
            assert (await late.hello(by="token", token=token))["code"] == "busy"
            assert (await place.http.get("/health")).status_code == 503
            async with asyncio.timeout(PATIENCE_S):  # the journal is on the disk before
                while "railbird_outbox 3.0" not in (await place.http.get("/metrics")).text:
                    await asyncio.sleep(0.02)
        async with asyncio.timeout(PATIENCE_S):
            await place.host.house.outbox.flushed()
        assert len(await directory.read(results)) == 3
        ratings = (await directory.read(standings))["fast"]
        assert [one.rating.tournaments for one in ratings] == [3, 3]


@pytest.mark.slow
async def test_a_background_task_that_fails_is_told_at_once_until_it_is_well(
    sqlite: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("/var/lib/secret")

    async with playing(sqlite, tmp_path / "journal") as place:
        supervisor = place.host.supervisor
        assert {"connections", "event loop", "people", "results"} <= set(supervisor.running)
        assert (await place.http.get("/health")).json() == {
            "status": "ok",
            "problems": {},
            "parked": 0,
        }
        watched = place.host.metrics._lag
        with monkeypatch.context() as patched:
            patched.setattr(watched, "observe", fail)

            async def failed() -> bool:
                return supervisor.failures["event loop"] >= 2

            await eventually(failed)
            answer = await place.http.get("/health")
            assert answer.status_code == 503
            words = "a fault of the server (KeyError); its log says more"
            assert answer.json() == {
                "status": "failing",
                "problems": {"event loop": words},
                "parked": 0,
            }
            metrics = (await place.http.get("/metrics")).text
            assert 'railbird_task_failing{task="event loop"} 1.0' in metrics
            assert 'railbird_task_failing{task="results"} 0.0' in metrics
            assert 'railbird_tasks{task="event loop"} 1.0' in metrics
            for task in ("bans", "connections", "event loop", "journals", "people", "results"):
                assert f'railbird_task_silence_seconds{{task="{task}"}}' in metrics
            found = re.search(r'railbird_task_failures_total{task="event loop"} (.*)', metrics)
            assert found is not None
            assert float(found[1]) >= 2
        monkeypatch.setattr(supervisor, "_least_s", 0.0)

        async def healed() -> bool:
            return (await place.http.get("/health")).status_code == 200

        await eventually(healed)
        assert 'failing{task="event loop"} 0.0' in (await place.http.get("/metrics")).text


async def test_nobody_can_connect_before_everything_serves(sqlite: str, tmp_path: Path) -> None:
    with socket.socket() as tcp, socket.socket() as acpc:
        refused = []

        @asynccontextmanager
        async def late(_: FastAPI) -> AsyncIterator[None]:
            for one in (tcp, acpc):
                with suppress(ConnectionRefusedError), socket.create_connection(one.getsockname()):
                    continue
                refused.append(one)
            yield

        for one in (tcp, acpc):
            one.bind(("127.0.0.1", 0))
        settings = HostSettings(journal=tmp_path / "journal", games=FAST, tcp=tcp, acpc=acpc)
        last = Mount(name="odds", rank=1000, router=APIRouter(), lifespan=late)
        app = app_of(sqlite, mount(settings), last)
        async with app.router.lifespan_context(app):
            assert refused == [tcp, acpc]
            client = await LineClient.open(tcp.getsockname()[1])
            assert (await client.hello(by="token", token="x"))["code"] == "log_in_refused"
            await client.close()
            socket.create_connection(acpc.getsockname()).close()


@pytest.mark.slow
async def test_two_servers_share_a_postgresql_database(postgres: Postgres, tmp_path: Path) -> None:
    database = postgres.create("shared")
    async with (
        playing(database, tmp_path / "one") as one,
        playing(database, tmp_path / "two") as two,
    ):
        ids: set[str] = set()
        waiting = await two.player("waiting")
        await waiting.send({"type": "enter_queue", "queue": "fast"})
        await waiting.until("queued")

        async def known() -> bool:
            servers = (await one.http.get("/api/servers")).json()
            return [server["waiting"] for server in servers] == [{"fast": 1}]

        await eventually(known, 20)
        await waiting.close()
        await eventually(nobody_waits_at(two))
        for place, names in ((one, ("anvil", "bolt")), (two, ("bolt", "anvil"))):
            bots = [await place.player(name) for name in names]
            for bot in bots:
                await bot.send({"type": "enter_queue", "queue": "fast"})
            told = await asyncio.gather(*map(shove, bots))
            assert told[0]["tournament"] == "fast.1"
            ids.add(f"{server_name(place.host.settings.journal)}.fast.1")

            async def stored() -> bool:
                found = await one.host.directory.read(results)
                return {result.id for result in found} == ids

            await eventually(stored)
            for bot in bots:
                await bot.close()
        for place in (one, two):
            assert {result.id for result in await place.host.directory.read(results)} == ids
            ratings = (await place.host.directory.read(standings))["fast"]
            assert [rating.rating.tournaments for rating in ratings] == [2, 2]


@pytest.mark.slow
async def test_one_log_in_takes_over_from_another_server(
    postgres: Postgres, tmp_path: Path
) -> None:
    database = postgres.create("presence")
    async with (
        playing(database, tmp_path / "one") as one,
        playing(database, tmp_path / "two") as two,
    ):
        clients = []
        for place in (one, two, one):
            clients.append(await place.player("anvil"))
            for earlier in clients[-2:-1]:
                close = (await earlier.ended())[-1]
                assert close["code"] == 4003
                assert "another server" in close["text"]
        await clients[-1].send({"type": "lobby"})
        await clients[-1].until("lobby")


@pytest.mark.slow
async def test_a_second_server_on_one_journal_is_refused(sqlite: str, tmp_path: Path) -> None:
    async with playing(sqlite, tmp_path / "journal"):
        with pytest.raises(RailbirdError, match="another server plays in"):
            async with playing(f"{sqlite}2", tmp_path / "journal"):
                pass


ODD_GAMES = [
    "../journal/server",
    "..%2f..%2fx.sqlite3",
    "done%2ffast.1",
    "%2e%2e/fast.1",
    "..",
    "fast.1%00",
    "fast.1/../fast.1",
    "fast.1%0a",
    "server",
    "lock",
    "C:fast.1",
    "fast..1",
    "fast.1.journal",
    "link.1",
]
OPERATIONS: list[tuple[str, str, Any]] = [
    ("GET", "/admin/state", None),
    ("POST", "/admin/drain", None),
    ("POST", "/admin/pause", {"paused": True}),
    ("POST", "/admin/close", {"game": "fast.1", "reason": "x"}),
    ("POST", "/admin/ban", {"name": "anvil", "reason": "x"}),
    ("POST", "/admin/rename", {"name": "anvil", "new": "x"}),
    ("POST", "/admin/announce", {"text": "x"}),
]


@pytest.mark.slow
async def test_operators_need_this_machine_and_their_token(sqlite: str, tmp_path: Path) -> None:
    async with playing(sqlite, tmp_path / "journal") as place:
        for method, path, body in OPERATIONS:
            for sent in ({}, {"Authorization": "Bearer x"}, {"Authorization": "Bearer "}):
                answer = await place.http.request(method, path, json=body, headers=sent)
                assert answer.status_code == 403, path
            headers = {"Authorization": f"Bearer {TOKEN}", "X-Forwarded-For": "10.0.0.1"}
            answer = await place.http.request(method, path, json=body, headers=headers)
            assert answer.status_code == 403, "by way of a proxy"
    async with playing(sqlite, tmp_path / "journal", address="10.0.0.1") as place:
        for method, path, body in OPERATIONS:
            assert (await place.ask(method, path, body)).status_code == 403, path
        assert (await place.http.get("/metrics")).status_code == 403
        assert (await place.ask("GET", "/metrics")).status_code == 200
        assert (await place.http.get("/health")).json() == {
            "status": "ok",
            "problems": {},
            "parked": 0,
        }


@pytest.mark.slow
async def test_operators_pause_close_drain_and_announce(sqlite: str, tmp_path: Path) -> None:
    async with playing(sqlite, tmp_path / "journal") as place:
        bots = [await place.player(name) for name in ("anvil", "bolt")]
        for bot in bots:
            await bot.send({"type": "enter_queue", "queue": "fast"})
        await bots[0].until("hand")
        state = (await place.ask("GET", "/admin/state")).json()
        assert state["games"]["fast.1"]["players"] == ["anvil", "bolt"]
        assert (await place.ask("POST", "/admin/announce", {"text": "hello"})).json() == {"told": 2}
        assert (await bots[0].until("announcement"))["text"] == "hello"
        paused = await place.ask("POST", "/admin/pause", {"paused": True})
        assert paused.json()["games"] == ["fast.1"]
        await bots[0].until("paused")
        missing = {"game": "fast.9", "reason": "x"}
        assert (await place.ask("POST", "/admin/close", missing)).status_code == 404
        drained = (await place.ask("POST", "/admin/drain")).json()
        assert drained == {"draining": True, "games": 1}
        assert (await place.http.get("/health")).json()["status"] == "draining"
        closing = {"game": "fast.1", "reason": "a mistake of ours"}
        assert (await place.ask("POST", "/admin/close", closing)).status_code == 200
        await bots[0].until("result")

        async def stored() -> bool:
            return bool(await place.host.directory.read(results))

        await eventually(stored)
        (result,) = await place.host.directory.read(results)
        assert result.void_reason is not None
        assert await place.host.directory.read(standings) == {}
        await bots[0].send({"type": "enter_queue", "queue": "fast"})
        assert (await bots[0].until("error"))["code"] == "draining"


@pytest.mark.slow
async def test_operators_see_who_favours_whom_without_a_verdict(
    sqlite: str, tmp_path: Path
) -> None:
    async with playing(sqlite, tmp_path / "journal") as place:
        nothing = (await place.ask("GET", "/admin/partiality")).json()
        assert nothing["problem"] == "no finished game."
        bots = [await place.player(name) for name in ("anvil", "bolt")]
        for bot in bots:
            await bot.send({"type": "enter_queue", "queue": "fast"})
        await asyncio.gather(*map(shove, bots))

        async def is_put_away() -> bool:
            return bool(list((tmp_path / "journal" / "done").glob("*.journal")))

        await eventually(is_put_away)
        assert (await place.ask("GET", "/admin/partiality?games=0")).status_code == 422
        answer = await place.ask("GET", "/admin/partiality?hands=2")
        assert answer.status_code == 200, answer.text
        found = answer.json()
        assert found["games"] == 1
        assert found["pairs"] == []  # the two had nobody else to give less to
        assert "no proof" in found["reading"]
        assert found["frequent"] == []
        database = place.host.directory
        (one,) = await database.read(results)
        for number in range(270):
            at = one.finished_at + timedelta(seconds=number)
            again = replace(one, id=f"again{number}", finished_at=at)
            await database.write(record_result, again, LADDER)
        (pair,) = (await place.ask("GET", "/admin/partiality")).json()["frequent"]
        assert sorted(pair["owners"]) == ["anvil-owner", "bolt-owner"]
        assert pair["tournaments"] == 271
        assert sorted(pair["ahead"]) == [0, 271]
        assert (pair["share"], pair["weight"]) == ([1.0, 1.0], 0.0)
        best, worst = (await database.read(standings))["fast"]
        assert best.rating.mean - 25 < LADDER_DEVIATION
        assert 25 - worst.rating.mean < LADDER_DEVIATION
        # The ratings are the fold of the results.
        every = (await database.read(results, most=1000))[::-1]
        anew = standings_of(rated_anew(every)[::-1])["fast"]
        assert [(row.name, row.rating) for row in anew] == [
            (row.name, row.rating) for row in (best, worst)
        ]


async def test_a_ban_holds_for_open_browsers_and_at_other_servers(
    sqlite: str, tmp_path: Path
) -> None:
    async with playing(sqlite, tmp_path / "journal") as place:
        bot = await place.player("anvil")
        owner = await the_account(place, "anvil-owner")
        directory = place.host.directory
        key = await directory.write(keys.start_session, owner.id)
        assert await directory.read(keys.by_session, key) == owner
        # As another server on this database would, or a flood.
        await directory.write(accounts.ban, owner.id, reason="collusion")
        assert await directory.read(keys.by_session, key) is None
        close = (await bot.ended())[-1]
        assert (close["code"], close["text"]) == (4007, "banned: collusion")
        await directory.write(accounts.unban, owner.id)
        assert await directory.read(keys.by_session, key) == owner, "the ban is over"


async def test_operators_ban_and_rename(sqlite: str, tmp_path: Path) -> None:
    async with playing(sqlite, tmp_path / "journal") as place:
        bot = await place.player("anvil")
        renaming = {"name": "anvil", "new": "hammer"}
        assert (await place.ask("POST", "/admin/rename", renaming)).status_code == 409
        banned = {"name": "ANVIL-owner", "reason": "collusion", "hours": 1}
        directory, owner = place.host.directory, await the_account(place, "anvil-owner")
        browser = await directory.write(keys.start_session, owner.id)
        assert (await place.ask("POST", "/admin/ban", banned)).json()["banned"] is True
        assert await directory.read(keys.by_session, browser) is None
        close = (await bot.ended())[-1]
        assert (close["code"], close["text"]) == (4007, "banned: collusion")
        with suppress(AssertionError):
            await place.player("anvil")
        assert place.clients[-1].seen[-1]["code"] == "banned"
        assert (await place.ask("POST", "/admin/rename", renaming)).json() == {"name": "hammer"}
        unbanned = {"name": "anvil-owner", "reason": "x", "hours": 0}
        assert (await place.ask("POST", "/admin/ban", unbanned)).json()["banned"] is False
        assert await directory.read(keys.by_session, browser) == owner, "as the manual says"
        await place.player("hammer")
        assert (await place.ask("POST", "/admin/ban", {**banned, "name": "x"})).status_code == 404


@pytest.mark.slow
async def test_downloads_of_a_game_hide_what_is_hidden(sqlite: str, tmp_path: Path) -> None:
    folder = tmp_path / "journal"
    async with playing(sqlite, folder) as place:
        bots = [await place.player(name) for name in ("anvil", "bolt")]
        for bot in bots:
            await bot.send({"type": "enter_queue", "queue": "fast"})
        hands = [(await bot.until("hand"))["hand"] for bot in bots]
        answer = await place.http.get("/api/games/fast.1/journal")
        assert answer.status_code == 403
        running = (await place.http.get("/api/games/fast.1/log")).text
        assert "commitment" in running
        assert "seed" not in running
        for hand in hands:
            mine = next(seat["cards"] for seat in hand["seats"] if seat.get("cards"))
            assert "".join(mine) not in running
        await asyncio.gather(*map(shove, bots))
        over = (await place.http.get("/api/games/fast.1/log")).text
        assert "seed" in over
        assert over.startswith(running.splitlines()[0])
        journal = await place.http.get("/api/games/fast.1/journal")
        assert journal.headers["content-disposition"] == 'attachment; filename="fast.1.journal"'
        assert len(journal.text.splitlines()) > 5
        phh = (await place.http.get("/api/games/fast.1/phh")).text
        assert "players = [" in phh
        lobby = (await place.http.get("/api/lobby")).json()
        assert [one["queue"] for one in lobby["queues"]] == ["fast"]


@pytest.mark.slow
async def test_downloads_stay_in_their_folder(sqlite: str, tmp_path: Path) -> None:
    folder = tmp_path / "journal"
    async with playing(sqlite, folder) as place:
        (tmp_path / "secret.journal").write_text('{"r":"opened"}\n')
        (folder / "link.1.journal").symlink_to(tmp_path / "secret.journal")
        for game in ODD_GAMES:
            for form in ("journal", "log", "phh", "..%2f..%2fx"):
                answer = await place.http.get(f"/api/games/{game}/{form}")
                assert answer.status_code in (404, 422), answer.text
                assert "opened" not in answer.text


@pytest.mark.slow
async def test_whoever_has_a_key_that_no_longer_fits_is_thrown_out(
    sqlite: str, tmp_path: Path
) -> None:
    async with playing(sqlite, tmp_path / "journal") as place:
        person = {"name": "ann", "password": "correct horse"}
        csrf = (await place.http.post("/api/accounts", json=person)).json()["csrf_token"]

        async def change(method: str, path: str, body: Any = None) -> Any:
            sent = {"X-CSRF-Token": csrf}
            answer = await place.http.request(method, f"/api{path}", json=body, headers=sent)
            assert answer.status_code in (201, 204), answer.text
            return answer.json() if answer.content else None

        async def client(**log_in: str) -> LineClient:
            place.clients.append(await LineClient.open(place.port))
            assert (await place.clients[-1].hello(**log_in))["type"] == "welcome"
            return place.clients[-1]

        await change("POST", "/bots", {"name": "shark"})
        token = await change("POST", "/bots/shark/tokens", {})
        bot = await client(by="token", token=token["token"])
        await change("DELETE", f"/bots/shark/tokens/{token['id']}")
        assert (await bot.ended())[-1]["code"] == 4007
        token = await change("POST", "/bots/shark/tokens", {})
        bot = await client(by="token", token=token["token"])
        ann = await client(by="password", **person)
        await change("DELETE", "/account", {"password": "correct horse"})
        for thrown_out in (ann, bot):
            assert (await thrown_out.ended())[-1]["text"] == "the account was deleted"


async def test_the_name_of_a_folder_stays(tmp_path: Path) -> None:
    name = server_name(tmp_path / "a")
    assert server_name(tmp_path / "a") == name
    assert server_name(tmp_path / "b") != name
    (tmp_path / "a" / "server").write_text("../x")
    with pytest.raises(RailbirdError, match="not the name of a server"):
        server_name(tmp_path / "a")


def test_notices_of_other_servers_are_checked_and_forgotten() -> None:
    now = [0.0]
    heard: list[tuple[str, int]] = []
    other_servers = OtherServers(
        "sqlite:///x.sqlite3",
        "me",
        now=lambda: now[0],
        taken_over=lambda name, at: heard.append((name, at)),
    )
    told = {"server": "b", "players": 1, "tables": 2, "waiting": {"fast": 1}}
    for odd in (
        "",
        "{}",
        json.dumps({**told, "players": -1}),
        json.dumps({**told, "server": "../x"}),
        json.dumps({**told, "waiting": {"x" * 33: 1}}),
        json.dumps({**told, "server": "me"}),
    ):
        other_servers.hear(odd)
    assert other_servers.all() == []
    other_servers.hear(json.dumps(told))
    assert [one.waiting for one in other_servers.all()] == [{"fast": 1}]
    for arrival in (
        {"server": "b", "arrived": "ann", "at": 7},
        {"server": "me", "arrived": "bob", "at": 7},
        {"server": "b", "arrived": "cid", "at": -1},
        {"server": "b", "arrived": "dan", "at": 7, "password": "x"},
    ):
        other_servers.hear(json.dumps(arrival))
    assert heard == [("ann", 7)]
    now[0] = 60.0
    assert other_servers.all() == []
