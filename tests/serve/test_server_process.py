"""``railbird serve`` as a process: WebSockets, a second server, SIGTERM, and games that go on."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import websockets
from websockets.asyncio.client import ClientConnection

from helpers.line_client import LineClient
from railbird.serve.timeouts import PatientProtocol

pytestmark = pytest.mark.anyio

COMMAND = (sys.executable, "-m", "railbird", "serve", "--http", "0", "--tcp", "0", "--json")
PASSWORD = "correct horse"


@contextmanager
def server(
    folder: Path, *options: str, before: Callable[[], None] | None = None
) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    """A server of our own, killed in the end whatever happens."""
    process = subprocess.Popen(
        (*COMMAND, *options),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "XDG_DATA_HOME": str(folder)},
        preexec_fn=before,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, process.stderr and process.stderr.read()
        yield process, json.loads(line)
    finally:
        process.kill()
        process.communicate()


def hello(name: str, by: str = "sign_up") -> dict[str, Any]:
    log_in = {"by": by, "name": name, "password": PASSWORD}
    return {"type": "hello", "versions": [1], "log_in": log_in}


async def say(socket: ClientConnection, message: dict[str, Any]) -> None:
    await socket.send(json.dumps(message))


async def until(socket: ClientConnection, kind: str) -> dict[str, Any]:
    async with asyncio.timeout(20):
        while (message := json.loads(await socket.recv()))["type"] != kind:
            pass
    assert isinstance(message, dict)
    return message


async def test_from_hello_to_sigterm(tmp_path: Path) -> None:
    with server(tmp_path) as (process, told):
        where = told["url"].replace("http", "ws") + "ws"
        for origin in ("https://evil.example", "null"):
            with pytest.raises(websockets.InvalidStatus, match="403"):
                await websockets.connect(where, origin=websockets.Origin(origin))
        own = websockets.Origin(told["url"].rstrip("/"))
        async with websockets.connect(where, origin=own) as ann:
            await say(ann, hello("ann"))
            assert (await until(ann, "welcome"))["name"] == "ann"
            await say(ann, {"type": "enter_queue", "queue": "heads-up"})
            bob = await LineClient.open(told["tcp"])
            await bob.hello(by="sign_up", name="bob", password=PASSWORD)
            await bob.send({"type": "enter_queue", "queue": "heads-up"})
            await until(ann, "hand")
            began = time.monotonic()
            process.send_signal(signal.SIGTERM)
            assert (await until(ann, "close"))["reconnect"] is True
            with pytest.raises(websockets.ConnectionClosed) as closed:
                await ann.recv()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
            assert (await bob.ended())[-1]["code"] == 1012
            await bob.close()
        await asyncio.to_thread(process.wait, 10)
        assert time.monotonic() - began < 10
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()
    with server(tmp_path) as (process, told):
        bob = await LineClient.open(told["tcp"])
        await bob.hello(by="password", name="bob", password=PASSWORD)
        snapshot = await bob.until("snapshot")
        assert snapshot["table"]["tournament"] == "heads-up.1"
        await bob.close()


def test_a_server_may_have_more_connections_than_a_shell_allows_files(tmp_path: Path) -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    with server(
        tmp_path, before=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    ) as (
        process,
        _,
    ):
        limits = Path(f"/proc/{process.pid}/limits").read_text()
        (allowed,) = [line.split()[3] for line in limits.splitlines() if "open files" in line]
        assert int(allowed) == min(12_000, hard)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dict[str, Any]]]:
    folder = tmp_path_factory.mktemp("server")
    with server(folder) as (_, told):
        yield folder, told


async def test_websockets_are_bounded_and_may_be_idle(running: tuple[Path, dict[str, Any]]) -> None:
    where = running[1]["url"].replace("http", "ws") + "ws"
    async with websockets.connect(where) as ann:
        await say(ann, hello("ann"))
        await until(ann, "welcome")
        await ann.send("x" * ((1 << 16) + 1))
        with pytest.raises(websockets.ConnectionClosed) as closed:
            await until(ann, "nothing")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
    async with websockets.connect(where) as bob:
        connected = time.monotonic()
        await bob.send(b"\xff\xfe")
        assert (await until(bob, "error"))["code"] == "malformed"
        await say(bob, hello("bob"))
        await until(bob, "welcome")
        ping = await until(bob, "ping")
        await say(bob, {"type": "pong", "n": ping["n"]})
        # Longer than HTTP's patience with a request that does not end.
        await asyncio.sleep(connected + PatientProtocol.REQUEST_S + 1 - time.monotonic())
        await bob.send(b"\xff\xfe")
        assert (await until(bob, "error"))["code"] == "malformed"


def test_a_second_server_on_one_file_says_so_and_ends(
    running: tuple[Path, dict[str, Any]],
) -> None:
    done = subprocess.run(
        COMMAND,
        capture_output=True,
        text=True,
        timeout=100,
        env={**os.environ, "XDG_DATA_HOME": str(running[0])},
    )
    assert done.returncode == 2
    lines = [line for line in done.stderr.splitlines() if "compiling" not in line]
    assert len(lines) == 1
    assert "another server uses it" in lines[0]
