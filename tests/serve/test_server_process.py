"""``railbird serve`` as a process: WebSockets, a second server, SIGTERM, and games that go on."""

from __future__ import annotations

import asyncio
import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets
from websockets.asyncio.client import ClientConnection

from helpers.command_line import wait_for
from helpers.hosted import PATIENCE_S, LineClient
from railbird.hosting.verify import verify
from railbird.protocol import CloseCode
from railbird.protocol.messages import SignUp
from railbird.serve.running import PatientProtocol, until_cancelled

pytestmark = pytest.mark.anyio

COMMAND = (sys.executable, "-m", "railbird", "serve", "--http", "0", "--tcp", "0", "--json")
PASSWORD = "correct horse"


@contextmanager
def server(
    folder: Path,
    *options: str,
    before: Callable[[], None] | None = None,
    within: tuple[str, ...] = (),
) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    """A server of our own, killed in the end whatever happens; ``within`` runs its command."""
    process = subprocess.Popen(
        (*within, *COMMAND, *options),
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


async def say(door: ClientConnection, message: dict[str, Any]) -> None:
    await door.send(json.dumps(message))


async def until(door: ClientConnection, kind: str) -> dict[str, Any]:
    async with asyncio.timeout(PATIENCE_S):
        while (message := json.loads(await door.recv()))["type"] != kind:
            pass
    assert isinstance(message, dict)
    return message


@pytest.mark.slow
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
            process.send_signal(signal.SIGTERM)
            assert (await until(ann, "close"))["reconnect"] is True
            with pytest.raises(websockets.ConnectionClosed) as closed:
                await ann.recv()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
            assert (await bob.ended())[-1]["code"] == 1012
            await bob.close()
        await asyncio.to_thread(process.wait, 60)
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()
    with server(tmp_path) as (process, told):
        bob = await LineClient.open(told["tcp"])
        await bob.hello(by="password", name="bob", password=PASSWORD)
        snapshot = await bob.until("snapshot")
        assert snapshot["table"]["tournament"] == "heads-up.1"
        await bob.close()


def spots_workers(server_pid: int) -> list[int]:
    """Return the processes of spots that a server has started."""
    tasks = Path(f"/proc/{server_pid}/task")
    children = [int(pid) for task in tasks.iterdir() for pid in _read(task / "children").split()]
    return [pid for pid in children if b"spots_worker" in _read(Path(f"/proc/{pid}/cmdline"))]


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:  # it has ended in between
        return b""


@pytest.mark.slow
async def test_sigterm_while_a_spots_process_starts_ends_both_without_a_traceback(
    tmp_path: Path,
) -> None:
    spot = {"oop": "AA,QQ", "ip": "KK,A5s", "board": "2c3d7h9sJs", "pot": "20", "stack": "30"}
    with server(tmp_path) as (process, told):
        own = {"Origin": told["url"].rstrip("/")}
        async with httpx.AsyncClient(
            base_url=told["url"], timeout=PATIENCE_S, headers=own
        ) as visitor:
            token = re.search(r'name="token" value="([^"]+)"', (await visitor.get("/spots")).text)
            assert token
            asked = asyncio.create_task(
                visitor.post("/spots/size", data={"token": token[1], **spot})
            )
            async with asyncio.timeout(PATIENCE_S):
                while not (workers := spots_workers(process.pid)):
                    await asyncio.sleep(0.02)
            os.kill(workers[0], signal.SIGSTOP)  # so that it never answers
            process.send_signal(signal.SIGTERM)
            answer = await asked
        assert (answer.status_code, answer.text[:22]) == (503, "The server is stopping")
        assert await asyncio.to_thread(process.wait, PATIENCE_S) == 0
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()
        assert not Path(f"/proc/{workers[0]}").exists()


@pytest.mark.slow
async def test_what_is_being_solved_at_home_is_kept_where_the_server_ends(tmp_path: Path) -> None:
    spot = {"oop": "22+,A2s+,K9s+,AJo+", "ip": "22+,A2s+,KTs+,AQo+", "board": "Ks7d2c"}
    spot |= {"pot": "20", "stack": "90", "gap": "0.1"}
    spot |= {f"{street}_bets": "50%, a" for street in ("flop", "turn", "river")}
    begun = r"Solving: [1-9]|rounds a second|A perfect opponent would win"
    with server(tmp_path) as (process, told):
        own = {"Origin": told["url"].rstrip("/")}
        async with httpx.AsyncClient(
            base_url=told["url"], timeout=PATIENCE_S, headers=own
        ) as visitor:
            token = re.search(r'name="token" value="([^"]+)"', (await visitor.get("/spots")).text)
            assert token
            sent = await visitor.post("/spots/solve", data={"token": token[1], **spot})
            where = sent.headers["location"]
            async with asyncio.timeout(PATIENCE_S):
                while not re.search(begun, (await visitor.get(where)).text):
                    await asyncio.sleep(0.05)
            cookies = visitor.cookies
        process.send_signal(signal.SIGINT)
        assert await asyncio.to_thread(process.wait, PATIENCE_S) == 0
        assert process.stderr is not None
        assert "keeping what has been solved" in process.stderr.read()
    with server(tmp_path) as (process, told):
        async with httpx.AsyncClient(
            base_url=told["url"], timeout=PATIENCE_S, cookies=cookies
        ) as visitor:
            assert "Your spots (1)" in (await visitor.get("/spots")).text
            assert "A perfect opponent would win" in (await visitor.get(where)).text


async def test_a_request_that_has_begun_is_not_answered_again_and_other_faults_are_raised() -> None:
    sent: list[str] = []
    has_begun = asyncio.Event()

    async def send(message: Any) -> None:
        sent.append(message["type"])
        has_begun.set()

    async def receive() -> Any:
        await asyncio.Event().wait()

    async def begin_and_wait(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await asyncio.Event().wait()

    async def lose_something(*_: Any) -> None:
        raise asyncio.CancelledError

    answering = until_cancelled(begin_and_wait)({"type": "http"}, receive, send)
    request = asyncio.ensure_future(answering)
    await has_begun.wait()
    request.cancel()
    await request
    assert sent == ["http.response.start"]
    with pytest.raises(asyncio.CancelledError):
        await until_cancelled(lose_something)({"type": "http"}, receive, send)


@pytest.mark.slow
async def test_two_clients_of_the_manual_play_a_tournament(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text()
    (source,) = re.findall(r'^```python title="caller.py"\n(.*?)^```$', page, re.M | re.S)
    client: dict[str, Any] = {"__name__": "caller"}
    exec(compile(source, "caller.py", "exec"), client)
    formats = tmp_path / "short.toml"  # a table of people rests between hands
    formats.write_text("[[tournament]]\nname = 'short'\nseats = 2\npayouts = '100'\nstack = 100\n")
    with server(tmp_path, "--formats", str(formats)) as (_, told):
        callers = [
            client["Caller"](SignUp(name=name, password=PASSWORD), queue="short")
            for name in ("ann", "bob")
        ]
        async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as group:
            for caller in callers:
                group.create_task(
                    asyncio.to_thread(client["play"], "127.0.0.1", told["tcp"], caller)
                )
    assert all(caller.actions > 0 for caller in callers)
    assert sorted(place.name for place in callers[0].result.places) == ["ann", "bob"]


@pytest.mark.slow
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


@pytest.mark.slow
async def test_500_guesses_by_all_doors_at_once_are_ten(
    running: tuple[Path, dict[str, Any]],
) -> None:
    http, tcp = running[1]["url"], running[1]["tcp"]
    right = {"name": "carol", "password": PASSWORD}
    owner = await LineClient.open(tcp)
    assert (await owner.hello(by="sign_up", **right))["type"] == "welcome"

    def log_in(number: int) -> dict[str, str]:
        return {"name": "Carol", "password": PASSWORD if number == 400 else f"guess {number}"}

    def here(number: int) -> tuple[str, int]:
        return f"127.0.0.{2 + number % 50}", 0

    async def by_tcp(number: int) -> str:
        streams = await asyncio.open_connection("127.0.0.1", tcp, local_addr=here(number))
        client = LineClient(*streams)
        answer = await client.hello(by="password", **log_in(number))
        await client.close()
        return str(answer.get("code", answer["type"]))

    async def by_websocket(number: int) -> str:
        where = http.replace("http", "ws") + "ws"
        async with websockets.connect(
            where, local_addr=here(number), open_timeout=PATIENCE_S
        ) as door:
            message = hello("", "password") | {"log_in": {"by": "password", **log_in(number)}}
            await say(door, message)
            while (answer := json.loads(await door.recv()))["type"] == "log_in_queue":
                pass
            return str(answer.get("code", answer["type"]))

    async def by_http(number: int) -> str:
        transport = httpx.AsyncHTTPTransport(verify=False, local_address=here(number)[0])
        async with httpx.AsyncClient(
            transport=transport, base_url=http, timeout=PATIENCE_S
        ) as client:
            if number % 2:
                answer = await client.post("/api/session", json=log_in(number))
                return {401: "log_in_refused", 429: "rate_limited"}.get(answer.status_code, "?")
            page = (await client.get("/account")).text
            token = re.findall(r'name="token" value="([^"]+)"', page)[0]
            answer = await client.post("/account/log-in", data={"token": token, **log_in(number)})
            return {401: "log_in_refused", 429: "rate_limited"}.get(answer.status_code, "?")

    late = str(int(CloseCode.NO_HELLO))  # on a busy machine; then no guess was heard

    async def by_http_in_time(number: int) -> str:
        with suppress(httpx.RemoteProtocolError):
            return await by_http(number)
        return late

    ways = (by_tcp, by_websocket, by_http_in_time, by_tcp, by_tcp)
    began = time.monotonic()
    told = await asyncio.gather(*(ways[number % 5](number) for number in range(500)))
    tried = Counter(told)
    assert tried.keys() <= {"log_in_refused", "rate_limited", "welcome", late}, tried
    while (answer := await by_http(401)) != "rate_limited":
        tried[answer] += 1  # one comes back every minute; and none were heard that came late
    again = int((time.monotonic() - began) / 60)
    assert 10 <= tried["log_in_refused"] + tried["welcome"] <= 11 + again, tried
    assert await by_http(400) == "rate_limited", "the right one is not looked at either"
    await owner.send({"type": "lobby"})
    await owner.until("lobby")  # who is logged in plays on
    await owner.close()


def test_idle_connections_of_one_address_shut_out_nobody_else(
    running: tuple[Path, dict[str, Any]],
) -> None:
    port = httpx.URL(running[1]["url"]).port
    here = ("127.0.0.1", port)
    most = int(PatientProtocol.CROWD.most)
    with ExitStack() as stack:
        for _ in range(most):
            stack.enter_context(socket.create_connection(here))
        extra = stack.enter_context(socket.create_connection(here))
        extra.settimeout(60)
        assert is_cut_off(extra)
        elsewhere = httpx.HTTPTransport(local_address="127.0.0.9")
        with httpx.Client(transport=elsewhere, base_url=running[1]["url"], timeout=60) as other:
            answer = other.get("/api/session")
            assert answer.status_code == 200, answer.text
    with httpx.Client(base_url=running[1]["url"], timeout=60) as again:
        wait_for(lambda: served(again))


@pytest.mark.slow
async def test_where_descriptors_run_out_players_stay_and_health_answers(tmp_path: Path) -> None:
    """A hard limit of 130, and 300 idle connections."""
    most = 130
    limit = partial(resource.setrlimit, resource.RLIMIT_NOFILE, (most, most))
    with server(tmp_path, before=limit) as (process, told), ExitStack() as stack:
        client = await LineClient.open(told["tcp"])
        await client.send(hello("ann"))
        await client.until("welcome")
        here = ("127.0.0.1", httpx.URL(told["url"]).port)
        for _ in range(300):
            idle = stack.enter_context(socket.socket())
            idle.setblocking(False)
            idle.connect_ex(here)
        async with httpx.AsyncClient(base_url=told["url"], timeout=60) as browser:
            health = await browser.get("/health")
            assert health.json()["status"] in ("ok", "failing"), health.text
        await client.send({"type": "lobby"})
        await client.until("lobby")
        await client.close()
        process.terminate()
        await asyncio.to_thread(process.wait, 60)
        assert process.stderr is not None
        lines = process.stderr.read()
        assert "Traceback" not in lines
        assert lines.count("descriptors") <= 2


def is_cut_off(peer: socket.socket) -> bool:
    """Whether the other end closes, by whatever packet, instead of answering."""
    try:
        peer.sendall(b"GET /api/session HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return peer.recv(1) == b""
    except ConnectionError:
        return True


def served(client: httpx.Client) -> bool:
    try:
        return client.get("/api/session").status_code == 200
    except httpx.TransportError:
        return False


@pytest.mark.slow
async def test_a_text_that_is_not_utf_8_ends_its_websocket_and_nothing_else(tmp_path: Path) -> None:
    with server(tmp_path) as (process, told):
        where = told["url"].replace("http", "ws") + "ws"
        for frames in ([b"\xff\xfe"], [b'{"type":', b'"\xed\xa0\x80"}']):
            async with websockets.connect(where) as ann:
                await ann.send(frames, text=True)
                with pytest.raises(websockets.ConnectionClosed) as closed:
                    await ann.recv()
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 1007
        client = await LineClient.open(told["tcp"])
        client.writer.write(b'{"type":"\xff"}\n')
        assert (await client.until("error"))["code"] == "malformed"
        await client.close()
        process.terminate()
        await asyncio.to_thread(process.wait, 60)
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()


async def test_line_ends_of_unicode_stay_within_their_frame(
    running: tuple[Path, dict[str, Any]],
) -> None:
    text = "one\u2028two\u2029three\u0085four\x0bfive\x1csix\u2028"
    folder, told = running
    where = told["url"].replace("http", "ws") + "ws"
    async with websockets.connect(where) as erin, httpx.AsyncClient(timeout=60) as operator:
        await say(erin, hello("erin"))
        await until(erin, "welcome")
        (secret,) = folder.glob("railbird/*.admin")
        headers = {"Authorization": f"Bearer {secret.read_text().strip()}"}
        url = f"{told['url']}admin/announce"
        answer = await operator.post(url, json={"text": text}, headers=headers)
        assert answer.json()["told"] >= 1
        assert (await until(erin, "announcement"))["text"] == text


async def test_websockets_are_bounded(running: tuple[Path, dict[str, Any]]) -> None:
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
        await bob.send(b"\xff\xfe")
        assert (await until(bob, "error"))["code"] == "malformed"
        await say(bob, hello("bob"))
        await until(bob, "welcome")
        ping = await until(bob, "ping")
        await say(bob, {"type": "pong", "n": ping["n"]})
        await bob.send(b"\xff\xfe")
        assert (await until(bob, "error"))["code"] == "malformed"


async def test_a_check_that_is_not_free_is_refused_over_both(
    running: tuple[Path, dict[str, Any]],
) -> None:
    bob = await LineClient.open(running[1]["tcp"])
    async with websockets.connect(running[1]["url"].replace("http", "ws") + "ws") as ann:
        await say(ann, hello("cid"))
        await until(ann, "welcome")
        await bob.hello(by="sign_up", name="dora", password=PASSWORD)
        await say(ann, {"type": "enter_queue", "queue": "heads-up"})
        await bob.send({"type": "enter_queue", "queue": "heads-up"})
        doors: dict[str, tuple[Any, Any]] = {
            "cid": (partial(say, ann), partial(until, ann)),
            "dora": (bob.send, bob.until),
        }
        hand = (await until(ann, "hand"))["hand"]
        for seat in (1, 0):  # the small blind is asked, and raises
            send, hear = doors[hand["seats"][seat]["name"]]
            turn = await hear("turn")
            act = {"type": "act", "turn": turn["turn"], "action": 1}
            await send({**act, "verb": "check"})
            error = await hear("error")
            assert (error["code"], error["turn"]) == ("illegal_action", turn["turn"])
            price = turn["legal"]["to_call"]
            assert error["text"] == f"seat {seat} cannot check: {price} to call (preflop)"
            await send({**act, "action": 2, "verb": "all_in"})
            acted = await hear("acted")
            assert (acted["entry"]["seat"], acted["stack"]) == (seat, 0)
    await bob.close()


@pytest.mark.slow
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


def on_a_small_disk(folder: Path) -> tuple[str, ...]:
    """What runs a command that has 256 KiB of disk in a folder, and nobody else has."""
    mount = 'mount -t tmpfs -o size=256k none "$0" && exec "$@"'
    within = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, str(folder))
    try:
        subprocess.run((*within, "true"), check=True, capture_output=True, timeout=60)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("needs unshare and user namespaces, for a disk that is soon full")
    return within


def fill(file: Path) -> None:
    """Take all the room that there is."""
    with suppress(OSError), file.open("wb", buffering=0) as filler:
        while filler.write(b"x" * 512):
            pass


async def play(client: LineClient, verb: str, until: str) -> dict[str, Any]:
    """Do the same at every turn, up to a message."""
    message = client.seen[-1]
    while message["type"] != until:
        turn = message.get("turn") if message["type"] == "snapshot" else message
        if turn and turn["type"] == "turn":
            act = {"type": "act", "turn": turn["turn"], "action": len(client.seen), "verb": verb}
            await client.send(act)
        message = await client.next()
    return message


async def until_held(client: LineClient) -> None:
    while not (await client.until("queued"))["held"]:
        pass


async def get(url: str, path: str) -> httpx.Response:
    async with httpx.AsyncClient(base_url=url) as http:
        return await http.get(path)


async def until_health(url: str, status: str) -> dict[str, Any]:
    """Wait until the server says that it is well, or that it is not."""
    async with asyncio.timeout(60):
        while (found := (await get(url, "/health")).json())["status"] != status:
            await asyncio.sleep(0.1)
    assert isinstance(found, dict)
    return found


@pytest.mark.slow
async def test_a_full_disk_costs_nobody_a_seat_a_game_or_a_result(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    within = on_a_small_disk(disk)
    options = ("--journal", str(disk / "journal"))
    with server(tmp_path, *options, within=within) as (process, told):
        filler = Path(f"/proc/{process.pid}/root{disk}/filler")

        asked = partial(get, told["url"])
        health = partial(until_health, told["url"])
        players = [await LineClient.open(told["tcp"]) for _ in range(2)]
        for number, player in enumerate(players):
            await player.hello(by="sign_up", name=f"player{number}", password=PASSWORD)
        assert await health("ok") == {"status": "ok", "problems": {}, "parked": 0}

        fill(filler)
        for player in players:
            await player.send({"type": "enter_queue", "queue": "heads-up"})
        for player in players:
            await until_held(player)
        assert (await health("failing"))["problems"] == {"journals": "No space left on device"}
        filler.unlink()
        for player in players:
            await player.until("hand")

        fill(filler)
        parked = await asyncio.gather(*(play(one, "call", "paused") for one in players))
        assert [one["parked"] for one in parked] == [True, True]
        await players[0].send({"type": "lobby"})
        lobby = await players[0].until("lobby")
        assert (lobby["parked"], sum(one["parked"] for one in lobby["tables"])) == (1, 1)
        assert (await health("failing"))["parked"] == 1
        metrics = (await asked("/metrics")).text
        assert "railbird_parked 1.0" in metrics
        assert 'railbird_task_failing{task="journals"} 1.0' in metrics
        filler.unlink()
        for player in players:
            snapshot = await player.until("snapshot")
            assert (snapshot["table"]["parked"], snapshot["table"]["hand"] > 0) == (False, True)

        await asyncio.gather(*(play(one, "all_in", "result") for one in players))
        async with asyncio.timeout(PATIENCE_S):
            while not (results := (await asked("/api/results")).json()):
                await asyncio.sleep(0.1)
        assert len(results) == 1
        assert await health("ok") == {"status": "ok", "problems": {}, "parked": 0}
        (journal,) = (filler.parent / "journal" / "done").iterdir()
        (checked,) = verify(journal.read_bytes().splitlines())
        assert not checked.problems
        for player in players:
            await player.close()
