"""``railbird serve`` as a process: it says where it is, answers, and stops at Ctrl-C."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from websockets.frames import Opcode
from websockets.sync.client import connect

from helpers.command_line import PATIENCE_S, wait_for
from helpers.manual_loop import serving
from railbird.cli import run
from railbird.serve import descriptors
from railbird.serve.mounts.host import with_pauses
from railbird.serve.running import BoundedWebSocket, PatientProtocol, _deflated, _end_after
from railbird.serve.spectators import SPECTATORS

COMMAND = (sys.executable, "-m", "railbird", "serve")
ACPC = ("--acpc", "0", "--set", "acpc-opponent=always-call", "--set", "acpc-game=limit")


def raises_by_a_letter(port: int) -> bool:
    """Whether a raise at the dealer port needs no amount, as in limit games."""
    with socket.create_connection(("127.0.0.1", port), timeout=120) as dealer:
        dealer.sendall(b"VERSION:2.0.0\r\n")
        for _, line in zip(range(20), dealer.makefile("rb"), strict=False):
            if re.match(rb"MATCHSTATE:\d+:\d+:[cf/]*r\D", line):
                return True
            dealer.sendall(line.rstrip() + b":r\r\n")
    return False


@pytest.mark.slow
def test_serves_until_interrupted(tmp_path: Path) -> None:
    with subprocess.Popen(
        (*COMMAND, "--http", "0", "--json", "--stack", "9.5", *ACPC),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "XDG_DATA_HOME": str(tmp_path)},
    ) as server:
        try:
            assert server.stdout is not None
            said = json.loads(server.stdout.readline())
            answer = httpx.get(
                f"{said['url'].rstrip('/')}/pushfold", follow_redirects=True, timeout=PATIENCE_S
            )
            assert answer.status_code == 200
            assert "9.5 big blinds deep" in answer.text
            assert "server" not in answer.headers
            assert raises_by_a_letter(said["acpc"])
            server.send_signal(signal.SIGINT)
            _, problems = server.communicate(timeout=120)
        finally:
            server.kill()
    assert server.returncode == 0
    assert "Traceback" not in problems
    assert str(tmp_path) in said["database"]
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    names = {file.name for file in files}
    assert {"railbird.key", "railbird.admin", "railbird.sqlite3"} <= names
    # The locks are empty; everything else has secrets: cards to come, keys, hashes.
    secret = [file for file in files if not file.name.endswith("lock")]
    assert {file.stat().st_mode & 0o777 for file in secret} == {0o600}


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--stack", "0.5"), "allowed: 1 to 100"),
        (("--stack", "nan"), "allowed: 1 to 100"),
        (("--database", "mysql://a/b"), "allowed: sqlite"),
        (("--database", "postgresql://a:swordfish@127.0.0.1:1/b"), "database postgresql"),
        (("--host", "nowhere.invalid"), "cannot listen"),
    ],
)
def test_what_is_wrong_is_told_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], says: str
) -> None:
    keyed = ("--key-file", str(tmp_path / "key"))
    assert run(["serve", "--http", "0", *keyed, *options]) == 2
    (line,) = _told(capsys)
    assert says in line
    assert "swordfish" not in line


def test_a_port_that_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keyed = ("--key-file", str(tmp_path / "key"), "--database", f"sqlite:///{tmp_path}/x.sqlite3")
    with socket.create_server(("127.0.0.1", 0)) as other:
        assert run(["serve", "--http", str(other.getsockname()[1]), *keyed]) == 2
    (line,) = _told(capsys)
    assert "cannot listen" in line


def _told(capsys: pytest.CaptureFixture[str]) -> list[str]:
    lines = capsys.readouterr().err.splitlines()
    return [line for line in lines if not line.startswith("compiling")]


def test_what_holds_the_end_up_is_logged_and_not_waited_for(
    caplog: pytest.LogCaptureFixture,
) -> None:
    codes, going_on = list[int](), threading.Event()
    held_up = threading.Thread(target=going_on.wait, name="held-up")
    held_up.start()
    timer = _end_after(0, codes.append)
    timer.join()
    going_on.set()
    held_up.join()
    assert codes == [1]
    assert "held-up in wait" in caplog.text


# Peers that send or read too slowly, on real sockets and by a clock that the tests move.


HEAD = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n"


class Impatient(PatientProtocol):
    REQUEST_S = 0.5
    READER_S = 0.5
    LEAST_RATE = 1000.0


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Take the body; answer with more than any socket buffers. Give WebSockets their words back."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": message["text"]})
        return
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    for more in [True] * 300 + [False]:
        await send({"type": "http.response.body", "body": bytes(1 << 16), "more_body": more})


@dataclass
class Server:
    port: int
    move: Callable[[float], None]
    made: list[Impatient]

    @contextmanager
    def connected(self) -> Iterator[tuple[socket.socket, Impatient]]:
        """Yield a connection, and the server's side of it."""
        before = len(self.made)
        with socket.create_connection(("127.0.0.1", self.port)) as peer:
            peer.settimeout(60)
            wait_for(lambda: len(self.made) > before)
            yield peer, self.made[-1]


@pytest.fixture(scope="module")
def patient() -> Iterator[Server]:
    made = list[Impatient]()

    class Kept(Impatient):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            made.append(self)

    config = uvicorn.Config(
        application,
        port=0,
        http=Kept,
        ws=BoundedWebSocket,
        ws_per_message_deflate=False,
        lifespan="off",
        log_level="error",
    )
    with serving(config) as (port, loop):
        yield Server(port, loop.move, made)


def until_received(side: Impatient, count: int) -> None:
    wait_for(lambda: side._received == count)


def is_closed(peer: socket.socket) -> bool:
    try:
        return peer.recv(1) == b""
    except ConnectionError:
        return True


def test_the_longest_idle_connection_gives_way_where_descriptors_run_short(
    patient: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as stack:
        (first, later), (second, _), (third, _) = (
            stack.enter_context(patient.connected()) for _ in range(3)
        )
        request = b"GET / HTTP/1.1\r\n"
        first.sendall(request)
        until_received(later, len(request))  # so that the second is idle for longest
        monkeypatch.setattr(descriptors, "are_short", lambda transport: True)
        fourth, _ = stack.enter_context(patient.connected())
        monkeypatch.undo()
        assert is_closed(second)
        for one in (third, fourth):
            one.sendall(request)
        for one in (first, third, fourth):
            one.sendall(b"Host: localhost\r\n\r\n")
            assert one.recv(15) == b"HTTP/1.1 200 OK"


@pytest.mark.parametrize(
    ("first", "drip"),
    [
        (b"", b""),
        (b"GET / HTTP/1.1\r\n", b"X: " + b"y" * 97),
        (HEAD, b""),
        (HEAD[:-4], b"0" * 100),
    ],
    ids=["nothing", "headers byte by byte", "no body", "a number without an end"],
)
def test_a_request_that_does_not_come(patient: Server, first: bytes, drip: bytes) -> None:
    with patient.connected() as (peer, side):
        peer.sendall(first)
        until_received(side, len(first))
        sent = len(first)
        for place in range(4):
            patient.move(0.1)
            peer.sendall(piece := drip[place : place + 1])
            sent += len(piece)
            until_received(side, sent)
            assert not side.transport.is_closing()
        patient.move(0.1)  # a tenth of a second for each hundred bytes comes on top
        patient.move(sent / Impatient.LEAST_RATE + 0.01)
        assert is_closed(peer)


@pytest.mark.slow(but=["slow"])
@pytest.mark.parametrize(("rate", "comes"), [(1500, True), (150, False)], ids=["fast", "slow"])
def test_a_long_body_may_take_longer_if_it_keeps_coming(
    patient: Server, rate: int, comes: bool
) -> None:
    """1,500 bytes a second of 1,000 that suffice, and 150."""
    size, piece = 2 * rate, rate // 10
    head = HEAD.replace(b"5", str(size).encode())
    with patient.connected() as (peer, side):
        peer.sendall(head)
        for sent in range(0, size, piece):
            until_received(side, len(head) + sent)
            patient.move(0.1)
            if side.transport.is_closing():
                break
            peer.sendall(bytes(piece))
        answer = b""
        with contextlib.suppress(ConnectionError):
            answer = peer.recv(12)
        assert answer == (b"HTTP/1.1 200" if comes else b"")


@pytest.mark.slow
def test_a_reader_that_does_not_read(patient: Server) -> None:
    with patient.connected() as (peer, side):
        peer.sendall(HEAD + b"abcde")
        wait_for(lambda: side._reading_ends is not None)  # nothing more fits into the sockets
        patient.move(0.4)
        assert not side.transport.is_closing()
        patient.move(0.2)
        got = 0
        with contextlib.suppress(ConnectionError):
            while piece := peer.recv(1 << 20):
                got += len(piece)
        assert got < 300 << 16


@pytest.mark.slow
def test_whoever_is_quick_gets_everything_and_may_ask_again(patient: Server) -> None:
    with patient.connected() as (peer, _):
        for _ in range(3):
            peer.sendall(HEAD + b"abcde")
            reading = peer.makefile("rb")
            got = 0
            while (line := reading.readline()) != b"0\r\n":
                if line.strip() == b"10000":
                    got += len(reading.read(1 << 16))
            reading.readline()
            assert got == 301 << 16
            patient.move(0.7)  # longer than a request may take, but nothing is asked


def test_a_websocket_may_be_idle_for_longer_than_a_request_may_take(patient: Server) -> None:
    with connect(f"ws://127.0.0.1:{patient.port}", open_timeout=60) as door:
        door.send("one")
        assert door.recv(60) == "one"
        patient.move(10 * Impatient.REQUEST_S)
        door.send("two")
        assert door.recv(60) == "two"


def test_what_many_spectators_get_alike_is_compressed_once(patient: Server) -> None:
    path, update = f"{SPECTATORS}six.1-1", '<div class="card">ace of spades</div>' * 300
    compressed = _deflated.cache_info()
    with ExitStack() as opened:
        doors = [
            opened.enter_context(connect(f"ws://127.0.0.1:{patient.port}{path}", open_timeout=60))
            for _ in range(3)
        ]
        for door in doors:
            assert [extension.name for extension in door.protocol.extensions] == [
                "permessage-deflate"
            ]
            door.send(update)
            assert door.recv(60) == update
    assert _deflated.cache_info().misses - compressed.misses == 1
    assert _deflated.cache_info().hits - compressed.hits == 2
    assert len(_deflated(Opcode.TEXT, update.encode(), 12).data) < len(update) / 20
    with connect(f"ws://127.0.0.1:{patient.port}/ws", open_timeout=60) as door:
        assert not door.protocol.extensions, "players have secrets"


# Long work in threads leaves the interpreter to the event loop.


def test_pauses_are_as_long_as_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    now, pauses = 0.0, []

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds
        pauses.append(seconds)

    def texts() -> Iterator[str]:
        nonlocal now
        for number in range(1000):
            now += 0.0003
            yield str(number)

    monkeypatch.setattr("railbird.serve.mounts.host.time.perf_counter", lambda: now)
    monkeypatch.setattr("railbird.serve.mounts.host.time.sleep", sleep)
    assert list(with_pauses(texts())) == list(map(str, range(1000)))
    assert max(pauses) < 0.002
    assert sum(pauses) == pytest.approx(0.3, rel=0.01)
