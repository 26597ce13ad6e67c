"""Peers that send or read too slowly, on real sockets."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from railbird.serve.timeouts import PatientProtocol

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
    with socket.create_connection(("127.0.0.1", port)) as peer:
        peer.sendall(first)
        begun = time.monotonic()
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
        assert time.monotonic() - begun > 0.3


@pytest.mark.parametrize(("size", "comes"), [(300, True), (30, False)], ids=["fast", "slow"])
def test_a_long_body_may_take_longer_if_it_keeps_coming(port: int, size: int, comes: bool) -> None:
    """1,500 bytes a second of 1,000 that suffice, and 150."""
    head = HEAD.replace(b"5", str(10 * size).encode())
    with socket.create_connection(("127.0.0.1", port)) as peer:
        peer.sendall(head)
        with contextlib.suppress(ConnectionError):
            for _ in range(10):
                peer.sendall(bytes(size))
                time.sleep(0.2)
        peer.settimeout(20.0)
        answer = b""
        with contextlib.suppress(ConnectionError):
            answer = peer.recv(12)
        assert answer == (b"HTTP/1.1 200" if comes else b"")


def test_a_reader_that_does_not_read(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as peer:
        peer.sendall(HEAD + b"abcde")
        time.sleep(2)
        got = 0
        with contextlib.suppress(ConnectionError):
            while piece := peer.recv(1 << 20):
                got += len(piece)
        assert got < 300 << 16


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
