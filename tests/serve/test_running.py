"""``railbird serve`` as a process: it says where it is, answers, and stops at Ctrl-C."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from railbird.cli import run
from railbird.serve.mounts.host import with_pauses
from railbird.serve.running import PatientProtocol

COMMAND = (sys.executable, "-m", "railbird", "serve")
ACPC = ("--acpc", "0", "--acpc-opponent", "always-call", "--acpc-game", "limit")


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
            answer = httpx.get(f"{said['url'].rstrip('/')}/pushfold", follow_redirects=True)
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


# Peers that send or read too slowly, on real sockets.


HEAD = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n"


class Impatient(PatientProtocol):
    REQUEST_S = 0.5
    READER_S = 0.5
    LEAST_RATE = 1000.0


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Take the body; answer with more than any socket buffers."""
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    for more in [True] * 300 + [False]:
        await send({"type": "http.response.body", "body": bytes(1 << 16), "more_body": more})


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    config = uvicorn.Config(
        application, http=Impatient, ws="none", lifespan="off", log_level="error"
    )
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


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
def test_a_request_that_does_not_come(port: int, first: bytes, drip: bytes) -> None:
    begun = time.monotonic()  # before the server's own clock begins
    with socket.create_connection(("127.0.0.1", port)) as peer:
        peer.sendall(first)
        peer.settimeout(0.1)
        for place in range(50):
            try:
                peer.sendall(drip[place : place + 1])
                if peer.recv(1) == b"":
                    break
            except TimeoutError:
                continue
            except ConnectionError:
                break
        else:
            pytest.fail("the connection stays open")
        assert time.monotonic() - begun >= Impatient.REQUEST_S


@pytest.mark.slow(but=["slow"])
@pytest.mark.parametrize(("rate", "comes"), [(1500, True), (150, False)], ids=["fast", "slow"])
def test_a_long_body_may_take_longer_if_it_keeps_coming(port: int, rate: int, comes: bool) -> None:
    """1,500 bytes a second of 1,000 that suffice, and 150; on a busy machine, too."""
    size = 2 * rate
    with socket.create_connection(("127.0.0.1", port)) as peer:
        begun, sent = time.monotonic(), 0
        peer.sendall(HEAD.replace(b"5", str(size).encode()))
        with contextlib.suppress(ConnectionError):
            while sent < size:
                due = min(size, int(rate * (time.monotonic() - begun + 0.2)))
                peer.sendall(bytes(due - sent))
                sent = due
                time.sleep(0.1)
        peer.settimeout(20.0)
        answer = b""
        with contextlib.suppress(ConnectionError):
            answer = peer.recv(12)
        assert answer == (b"HTTP/1.1 200" if comes else b"")


@pytest.mark.slow
def test_a_reader_that_does_not_read(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as peer:
        peer.sendall(HEAD + b"abcde")
        time.sleep(2)
        got = 0
        with contextlib.suppress(ConnectionError):
            while piece := peer.recv(1 << 20):
                got += len(piece)
        assert got < 300 << 16


@pytest.mark.slow
def test_whoever_is_quick_gets_everything_and_may_ask_again(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as peer:
        for _ in range(3):
            peer.sendall(HEAD + b"abcde")
            reading = peer.makefile("rb")
            got = 0
            while (line := reading.readline()) != b"0\r\n":
                if line.strip() == b"10000":
                    got += len(reading.read(1 << 16))
            reading.readline()
            assert got == 301 << 16
            time.sleep(0.7)  # longer than a request may take, but nothing is asked


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
