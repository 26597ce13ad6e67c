"""The ACPC port: whole matches of real clients, and programs that do not behave."""

from __future__ import annotations

import multiprocessing
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pytest
from anyio.from_thread import start_blocking_portal

from railbird.acpc import Disconnected
from railbird.errors import BadInput
from railbird.game import Betting
from railbird.histories import HandRecord, read
from railbird.players import make_player
from railbird.players.acpc import connect, sit_down
from railbird.serve.acpc_port import AcpcPort, AcpcSettings


@contextmanager
def port(folder: Path, settings: AcpcSettings) -> Iterator[tuple[int, AcpcPort]]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        opened = AcpcPort(listening, folder / "acpc", settings)
        with start_blocking_portal() as portal:
            accepting = portal.start_task_soon(opened.accept, lambda: None)
            try:
                yield listening.getsockname()[1], opened
            finally:
                opened.stop()
                accepting.cancel()


def eventually(done: Callable[[], object]) -> None:
    deadline = time.monotonic() + 60
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def eventually_free(opened: AcpcPort) -> None:
    eventually(lambda: not opened.matches)


@pytest.mark.parametrize("betting", [Betting.LIMIT, Betting.NO_LIMIT])
def test_a_match_from_greeting_to_log(tmp_path: Path, betting: Betting) -> None:
    settings = AcpcSettings(opponent="random", hands=40, betting=betting)
    with port(tmp_path, settings) as (number, opened):
        link = connect("127.0.0.1", number)
        player = make_player("always-raise")
        assert sit_down(player, settings.rules, link, np.random.default_rng(1)) == 40
        eventually_free(opened)
    (log,) = (tmp_path / "acpc").iterdir()
    hands = [hand for hand in read(log) if isinstance(hand, HandRecord)]
    assert len(hands) == 40
    assert {hand.rules for hand in hands} == {settings.rules}
    assert {hand.players[number % 2] for number, hand in enumerate(hands)} == {"guest"}
    assert all(sum(hand.payoffs) == 0 for hand in hands)


@pytest.mark.slow
def test_the_houses_player_may_have_a_process_of_its_own(tmp_path: Path) -> None:
    """An observer, which is told of all hands there, decides as it does here."""
    settings = AcpcSettings(opponent="loki:som", hands=20, own_process=True)
    with port(tmp_path, settings) as (number, opened):
        link = connect("127.0.0.1", number)
        player = make_player("always-call")
        assert sit_down(player, settings.rules, link, np.random.default_rng(1)) == 20
        children = multiprocessing.active_children()
        eventually_free(opened)
    assert children
    # The executor's thread waits for it, too, and only one of two is told at once how it ended.
    eventually(lambda: all(child.exitcode is not None for child in children))
    assert {child.exitcode for child in children} == {0}


@pytest.mark.parametrize(
    "said", [b"", b"GET / HTTP/1.1\r\n\r\n", b"VERSION:1.0\r\n", b"x" * 99_999]
)
def test_who_does_not_greet_is_disconnected(tmp_path: Path, said: bytes) -> None:
    with port(tmp_path, AcpcSettings(opponent="random", greeting_s=0.3)) as (number, opened):
        with socket.create_connection(("127.0.0.1", number), timeout=120) as client:
            client.sendall(said)
            with suppress(ConnectionError):
                assert client.recv(100) == b""
        eventually_free(opened)
    assert list((tmp_path / "acpc").iterdir()) == []


def test_who_answers_rubbish_or_too_late_folds(tmp_path: Path) -> None:
    settings = AcpcSettings(opponent="always-raise", decision_s=0.1, hands=50)
    with port(tmp_path, settings) as (number, opened):
        with socket.create_connection(("127.0.0.1", number), timeout=120) as client:
            client.sendall(b"VERSION:2.0.0\r\n")
            client.sendall(b"nonsense\r\n")
            deadline = time.monotonic() + 60
            while not any("STATE:0:" in log.read_text() for log in (tmp_path / "acpc").glob("*")):
                assert time.monotonic() < deadline
                time.sleep(0.05)
        eventually_free(opened)


@pytest.mark.parametrize(
    ("betting", "answer", "bets"),
    [
        # A check is no word of the protocol: as at the competition's dealer, it is a call.
        (Betting.LIMIT, ":k", {"cc/cc/cc/cc"}),
        # Past the stack, and less than the least: the nearest size.
        (Betting.NO_LIMIT, ":r99999", {"cr20000c///", "r20000c///"}),
        (Betting.NO_LIMIT, ":r1", {"r200c/cr300c/cr400c/cr500c", "cr200c/r300c/r400c/r500c"}),
    ],
)
def test_an_illegal_answer_becomes_what_the_competitions_dealer_makes_of_it(
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    betting: Betting,
    answer: str,
    bets: set[str],
) -> None:
    settings = AcpcSettings(opponent="always-call", hands=2, betting=betting)
    with port(tmp_path, settings) as (number, opened):
        link = connect("127.0.0.1", number)
        link.send("VERSION:2.0.0")
        with suppress(Disconnected):
            while True:
                link.send(f"{link.receive(deadline=time.monotonic() + 60)}{answer}")
        link.close()
        eventually_free(opened)
    (log,) = (tmp_path / "acpc").iterdir()
    played = [line.split(":")[2] for line in log.read_text().splitlines() if "STATE" in line]
    assert set(played) == bets
    assert "guest: " in caplog.text
    assert "illegal, first hand 0: " in caplog.text


def test_matches_are_bounded_and_end_with_the_server(tmp_path: Path) -> None:
    settings = AcpcSettings(opponent="always-call", matches=2)
    with port(tmp_path, settings) as (number, opened):
        clients = [socket.create_connection(("127.0.0.1", number), timeout=120) for _ in range(3)]
        for client in clients[:2]:
            client.sendall(b"VERSION:2.0.0\r\n")
            assert client.recv(100).startswith(b"MATCHSTATE:")
        assert clients[2].recv(100) == b""
        opened.stop()
        for client in clients[:2]:
            while client.recv(1 << 16):
                pass
        for client in clients:
            client.close()


def test_settings_that_cannot_be() -> None:
    with pytest.raises(BadInput, match="nobody"):
        AcpcSettings(opponent="nobody")
    with pytest.raises(BadInput, match="limit and no-limit"):
        AcpcSettings(opponent="random", betting=Betting.POT_LIMIT)
