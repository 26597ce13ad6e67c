"""Connections over real sockets: log-in, and what a hostile or clumsy client does to them."""

from __future__ import annotations

import asyncio
import errno
import json
import socket
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, fields
from typing import Any, cast

import pytest

from helpers.hosted import PATIENCE_S, LineClient
from railbird.hosting.connection import Connection
from railbird.hosting.interfaces import Offence
from railbird.protocol import CloseCode
from railbird.protocol.encoding import body_of, client_line
from railbird.protocol.messages import Announcement, GameRequest, Hello, TokenLogIn
from railbird.serve.connections import (
    Admission,
    ConnectionSettings,
    OpenConnections,
    serve_tcp,
)
from railbird.serve.descriptors import ACCEPTED_AT_ONCE
from railbird.serve.log_ins import LogIns, LogInSettings
from railbird.storage import accounts, open_database
from railbird.storage import accounts as keys
from railbird.storage.accounts import AccountKind
from railbird.storage.directory import Banned, Directory, LogInRefused
from railbird.storage.settings import MOST_GUESSES

pytestmark = pytest.mark.anyio

PASSWORD = "correct horse"
_OF_LOG_INS = {field.name for field in fields(LogInSettings)}


@dataclass
class Notes:
    """A desk that writes down what it hears, and answers every request with a long text."""

    heard: list[tuple[str, str]] = field(default_factory=list)
    offences: list[tuple[str, str]] = field(default_factory=list)
    answer: str = ""
    accepts: bool = False

    def arrive(self, connection: Connection) -> None:
        self.heard.append(("entered", connection.name))

    def leave(self, connection: Connection) -> None:
        self.heard.append(("left", connection.name))

    def deliver(self, connection: Connection, message: GameRequest) -> None:
        if message.type == "watch":
            raise RuntimeError("a fault of the house")
        self.heard.append((message.type, connection.name))
        connection.answered += self.accepts
        connection.send(body_of(Announcement(text=self.answer)))

    def offended(self, connection: Connection, what: Offence) -> None:
        self.offences.append((connection.name, what.value))

    def caught_up(self, connection: Connection, tables: frozenset[str]) -> None:
        raise AssertionError("nobody watches")


class Frames:
    """A transport that keeps messages apart, as a WebSocket does."""

    address = "192.0.2.1"
    is_full = False
    code: CloseCode | None = None

    def send(self, data: bytes) -> None:
        pass

    def close(self, code: CloseCode) -> None:
        self.code = code

    def abort(self) -> None:
        raise AssertionError("a flood is told")


@dataclass
class Place:
    port: int
    board: OpenConnections
    desk: Notes
    directory: Directory
    token: str
    clients: list[LineClient] = field(default_factory=list)

    async def client(self) -> LineClient:
        self.clients.append(await LineClient.open(self.port))
        return self.clients[-1]

    async def bot(self) -> LineClient:
        """A client that is logged in."""
        client = await self.client()
        assert (await client.hello(by="token", token=self.token))["type"] == "welcome"
        return client


@asynccontextmanager
async def opened(database: str, **options: Any) -> AsyncIterator[Place]:
    stored = await open_database(database)
    directory = Directory(stored, most_guesses=options.pop("most_guesses", MOST_GUESSES))
    ann = await directory.sign_up("ann", PASSWORD)
    bot = await directory.write(
        accounts.create_account, "shark", kind=AccountKind.BOT, owner_id=ann.id
    )
    _, token = await directory.write(keys.add_token, bot.id)
    counted = {name: options.pop(name) for name in _OF_LOG_INS & options.keys()}
    settings = ConnectionSettings(**options)
    desk = Notes()
    log_ins = LogIns(directory, LogInSettings(**counted))
    board = OpenConnections(Admission(log_ins, settings), desk, settings)
    listening = socket.create_server(("127.0.0.1", 0))
    server = await serve_tcp(board, listening)
    watching = board.supervisor.keep("connections", board.watch)
    place = Place(listening.getsockname()[1], board, desk, directory, token)
    try:
        yield place
    finally:
        for client in place.clients:
            await client.close()
        watching.cancel()
        server.close()
        await board.close("the test is over")
        directory.close()
        await stored.close()
        assert not board.links


async def test_log_ins_and_what_is_said_of_them(sqlite: str) -> None:
    async with opened(sqlite) as place:
        client = await place.client()
        welcome = await client.hello(by="token", token=place.token)
        assert (welcome["name"], welcome["kind"]) == ("shark", "bot")
        for log_in, code in [
            ({"by": "password", "name": "ann", "password": "wrong horse"}, "log_in_refused"),
            ({"by": "password", "name": "zoe", "password": PASSWORD}, "log_in_refused"),
            ({"by": "token", "token": "railbird_guess"}, "log_in_refused"),
            ({"by": "sign_up", "name": "ANN", "password": PASSWORD}, "name_taken"),
            ({"by": "sign_up", "name": "zoe", "password": "short"}, "bad_password"),
        ]:
            other = await place.client()
            error = await other.hello(**log_in)
            assert (error["type"], error["code"]) == ("error", code)
            assert PASSWORD not in json.dumps(other.seen)
            (close,) = await other.ended()
            assert (close["code"], close["reconnect"]) == (4002, False)
        newcomer = await place.client()
        welcome = await newcomer.hello(by="sign_up", name="zoe", password=PASSWORD)
        assert (welcome["name"], welcome["kind"]) == ("zoe", "person")
        assert place.desk.heard == [("entered", "shark"), ("entered", "zoe")]


async def test_a_banned_account_is_told_so_and_thrown_out(sqlite: str) -> None:
    async with opened(sqlite) as place:
        client = await place.bot()
        bot = await place.directory.read(accounts.find_account, "shark")
        assert bot is not None
        await place.directory.write(accounts.ban, bot.id, reason="collusion")
        place.board.throw_out(["SHARK"], "banned: collusion")
        (close,) = await client.ended()
        assert close["code"] == 4007
        other = await place.client()
        assert (await other.hello(by="token", token=place.token))["code"] == "banned"


async def test_no_hello_in_time(sqlite: str) -> None:
    async with opened(sqlite, hello_s=0.2) as place:
        silent, dripping = await place.client(), await place.client()
        dripping.writer.write(b'{"type"')
        (close,) = await silent.ended()
        assert close["code"] == 4001
        assert (await dripping.ended())[-1]["code"] == 4001
        assert place.desk.heard == []


async def test_three_malformed_in_a_row_close(sqlite: str) -> None:
    async with opened(sqlite) as place:
        client = await place.bot()
        client.writer.write(b"{}\n[]\n" + b'{"type":"ping","n":1}\n' + b"no\n\xff\xfe\n{}\n")
        kinds = [message["type"] for message in await client.ended()]
        assert kinds == ["error", "error", "pong", "error", "error", "error", "close"]
        assert client.seen[-1]["code"] == 1008
        assert place.desk.heard[-1] == ("left", "shark")


@pytest.mark.parametrize("end", [b"", b"\n"])
async def test_a_line_that_is_too_long_closes_at_once(sqlite: str, end: bytes) -> None:
    async with opened(sqlite) as place:
        client = await place.client()
        client.writer.write(b"x" * ((1 << 16) + 1) + end)
        (close,) = await client.ended()
        assert close["code"] == 1009


async def test_floods_are_cut(sqlite: str) -> None:
    async with opened(sqlite, message_burst=50, messages_per_s=1) as place:
        client = await place.bot()
        with suppress(ConnectionError):
            await client.send(*({"type": "lobby"} for _ in range(500)))
        close = (await client.ended())[-1]
        assert close["code"] == 4008
        assert place.desk.heard.count(("lobby", "shark")) <= 50
        assert place.desk.offences == [("shark", "flood")]


async def test_who_floods_again_and_again_is_banned_for_a_while(sqlite: str) -> None:
    async with opened(sqlite, message_burst=50, messages_per_s=1, floods=2) as place:
        for _ in range(2):
            client = await place.bot()
            with suppress(ConnectionError):
                await client.send(*({"type": "ping", "n": 1} for _ in range(100)))
            assert (await client.ended())[-1]["code"] == 4008
        token = place.token
        client = await place.client()
        answer = await client.hello(by="token", token=token)
        assert answer["code"] == "banned"
        assert "2 floods" in answer["text"]
        other = await place.client()
        answer = await other.hello(by="password", name="ann", password=PASSWORD)
        assert answer["type"] == "welcome"
    again = await open_database(sqlite)
    directory = Directory(again)
    with pytest.raises(Banned, match="2 floods"):  # a restart does not end it
        await directory.log_in_by_token(token)
    directory.close()
    await again.close()


async def test_a_flood_that_is_noted_during_a_log_in_counts(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(sqlite, floods=1) as place:
        admission, look_up = place.board.admission, LogIns.by_token
        noting = iter([True])

        async def by_token(log_ins: LogIns, token: str, address: str) -> accounts.Account:
            account = await look_up(log_ins, token, address)
            if next(noting, False):
                admission.note_flood("shark")
                while not all(task.done() for task in admission._floods.values()):
                    await asyncio.sleep(0.001)
            return account

        monkeypatch.setattr(LogIns, "by_token", by_token)
        answer = await (await place.client()).hello(by="token", token=place.token)
        assert answer["code"] == "banned"
        assert not admission._floods


async def test_a_burst_by_websocket_is_one_flood_as_by_tcp(sqlite: str) -> None:
    async with opened(sqlite, message_burst=50, messages_per_s=1) as place:
        line = Frames()
        link = place.board.opened(line)
        assert link is not None
        log_in = TokenLogIn(token=place.token)
        link.receive_message(client_line(Hello(versions=[1], log_in=log_in)))
        async with asyncio.timeout(PATIENCE_S):
            while not link.connection.is_open:
                await asyncio.sleep(0.01)
        for _ in range(500):  # a transport delivers the frames that it has read already
            link.receive_message(b'{"type":"lobby"}')
            await asyncio.sleep(0)
        assert line.code == CloseCode.FLOOD
        link.cut()
        assert place.desk.offences == [("shark", "flood")]
        assert (await place.bot()).seen[0]["type"] == "welcome", "one flood is no ban"


async def test_accepted_actions_are_no_flood_however_fast(sqlite: str) -> None:
    async with opened(sqlite, message_burst=50, messages_per_s=1) as place:
        place.desk.accepts = True
        client = await place.bot()
        for _ in range(500):
            await client.send({"type": "lobby"})
            await client.until("announcement")
        assert place.desk.heard.count(("lobby", "shark")) == 500
        assert not place.desk.offences


async def test_malformed_lines_are_counted_for_the_account_not_the_connection(sqlite: str) -> None:
    async with opened(sqlite) as place:
        stranger = await place.client()
        stranger.writer.write(b"nonsense\n" * 3)
        await stranger.ended()
        for _ in range(2):
            client = await place.bot()
            client.writer.write(b"nonsense\n{}\n")
            await client.until("error")
            client.writer.write(b"x" * 70_000)
            await client.ended()
        assert place.desk.offences == [("shark", "malformed")] * 6


async def test_who_does_not_read_is_cut_and_others_are_not(sqlite: str) -> None:
    async with opened(sqlite, message_burst=10_000) as place:
        place.desk.answer = "x" * 20_000
        slow = await place.bot()
        other = await place.client()
        await other.hello(by="password", name="ann", password=PASSWORD)
        for number in range(2000):
            with suppress(ConnectionError):
                await slow.send({"type": "lobby"})
            if number % 50 == 0:
                await other.send({"type": "ping", "n": number})
                assert (await other.until("pong"))["n"] == number
            if ("left", "shark") in place.desk.heard:
                break
        assert ("left", "shark") in place.desk.heard
        assert ("left", "ann") not in place.desk.heard


@pytest.mark.slow
async def test_silence_counts_as_cut_and_pongs_measure_the_lag(sqlite: str) -> None:
    async with opened(sqlite, ping_s=0.1, quiet_s=1.0) as place:
        dead, alive = await place.bot(), await place.client()
        await alive.hello(by="password", name="ann", password=PASSWORD)

        async def answer() -> None:
            while True:
                ping = await alive.until("ping")
                await alive.send({"type": "pong", "n": ping["n"]})

        answering = asyncio.create_task(answer())
        told = await dead.ended()
        answering.cancel()
        assert told[-1]["code"] == 4006
        (link,) = place.board.links
        assert link.connection.name == "ann"
        assert 0 < link.connection.lag < 1


async def test_a_fault_of_the_house_ends_one_connection(sqlite: str) -> None:
    async with opened(sqlite) as place:
        client, other = await place.bot(), await place.client()
        await other.hello(by="password", name="ann", password=PASSWORD)
        await client.send({"type": "watch", "table": "t"})
        await client.ended()
        await other.send({"type": "lobby"})
        await other.until("announcement")


async def test_a_restart_tells_everybody_to_come_back(sqlite: str) -> None:
    async with opened(sqlite) as place:
        clients = [await place.bot(), await place.client()]
        closing = asyncio.create_task(place.board.close("the server restarts"))
        for client in clients:
            (close,) = await client.ended()
            assert (close["code"], close["reconnect"]) == (1012, True)
        await closing
        late = await place.client()
        assert await late.ended() == []


async def test_guessing_is_slowed_by_account_and_by_address(sqlite: str) -> None:
    async with opened(sqlite, most_guesses=3, failures_per_address=5) as place:

        async def code(name: str) -> str:
            client = await place.client()
            answer = await client.hello(by="password", name=name, password="wrong horse")
            await client.close()
            return str(answer["code"])

        assert [await code("ann") for _ in range(4)] == ["log_in_refused"] * 3 + ["rate_limited"]
        assert [await code(f"x{n}") for n in range(3)] == ["log_in_refused"] * 2 + ["rate_limited"]


class _Gate:
    """A directory that looks at no token before the gate is open, and knows the right ones."""

    def __init__(self) -> None:
        self.opens = asyncio.Event()
        self.looked_at = 0

    async def log_in_by_token(self, token: str) -> str:
        self.looked_at += 1
        await self.opens.wait()
        if token.startswith("wrong"):
            raise LogInRefused("no account has this token")
        return token


async def _all_at_once(tokens: list[str]) -> tuple[_Gate, Counter[str]]:
    """Try tokens at once from one address; return how often which answer came."""
    gate = _Gate()
    log_ins = LogIns(cast(Directory, gate))
    log_ins.failures.clock = lambda: 0.0
    trying = [asyncio.create_task(log_ins.by_token(one, "10.0.0.1")) for one in tokens]
    while gate.looked_at < LogInSettings().failures_per_address:
        await asyncio.sleep(0)
    gate.opens.set()
    told = await asyncio.gather(*trying, return_exceptions=True)
    return gate, Counter(type(answer).__name__ for answer in told)


async def test_any_number_of_guesses_at_once_fail_as_often_as_one_by_one() -> None:
    gate, told = await _all_at_once([f"wrong{number}" for number in range(450)])
    assert (gate.looked_at, told) == (100, {"LogInRefused": 100, "TooMany": 350})


async def test_a_class_that_logs_in_at_once_waits_for_those_that_are_looked_at() -> None:
    gate, told = await _all_at_once([f"right{number}" for number in range(450)])
    assert (gate.looked_at, told) == (450, {"str": 450})
    mixed = [f"wrong{number}" if number % 10 == 0 else f"right{number}" for number in range(450)]
    gate, told = await _all_at_once(mixed)
    assert (gate.looked_at, told) == (450, {"str": 405, "LogInRefused": 45})


async def test_connections_of_an_address_are_bounded(sqlite: str) -> None:
    async with opened(sqlite, most_per_address=3) as place:
        await place.bot()
        kept = [await place.client() for _ in range(2)]
        extra = await place.client()
        assert await extra.ended() == []
        await kept[-1].close()
        async with asyncio.timeout(PATIENCE_S):
            while len(place.board.links) > 2:
                await asyncio.sleep(0.01)
        assert (await place.bot()).seen[0]["type"] == "welcome"


class _Short(socket.socket):
    """A socket of a process that has no descriptor left."""

    tries = 0

    def accept(self) -> Any:
        self.tries += 1
        raise OSError(errno.EMFILE, "Too many open files")


async def test_want_of_descriptors_is_told_once_and_accepting_pauses(
    sqlite: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(sqlite) as place:
        supervisor = place.board.supervisor
        asyncio.get_running_loop().set_exception_handler(supervisor.unhandled)
        with _Short() as listening:
            listening.bind(("127.0.0.1", 0))
            server = await serve_tcp(place.board, listening)
            with socket.socket() as client:
                client.setblocking(False)
                client.connect_ex(listening.getsockname())
                async with asyncio.timeout(PATIENCE_S):
                    while not supervisor.failures["event loop"]:
                        await asyncio.sleep(0)
                assert listening.tries == supervisor.failures["event loop"] == ACCEPTED_AT_ONCE
                assert (await place.bot()).seen[0]["type"] == "welcome", "the others go on"
            server.close()
        asyncio.get_running_loop().set_exception_handler(None)
        lines = [one for one in caplog.records if "descriptors" in one.getMessage()]
        assert len(lines) == 1
        assert not lines[0].exc_info
        assert "descriptors" in supervisor.problems()["connections"]


async def test_a_cut_in_the_middle_of_a_log_in_leaves_nothing(sqlite: str) -> None:
    async with opened(sqlite) as place:
        for _ in range(20):
            client = await place.client()
            log_in = {"by": "password", "name": "ann", "password": PASSWORD}
            await client.send({"type": "hello", "versions": [1], "log_in": log_in})
            await client.close()
        async with asyncio.timeout(PATIENCE_S):
            while place.board.links or place.directory.passwords.pending:
                await asyncio.sleep(0.01)
