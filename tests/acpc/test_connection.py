"""A connection in lines: what comes late, in pieces, too long or not at all."""

from __future__ import annotations

import socket
import sys
import time
from collections.abc import Iterator
from contextlib import closing

import pytest

from railbird.acpc import AcpcLink, ConnectionClosed, Disconnected, LineBuffer, launch
from railbird.acpc.matchstate import LONGEST_LINE


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        ours = socket.create_connection(listener.getsockname())
        theirs, _ = listener.accept()
        with closing(ours), closing(theirs):
            yield ours, theirs


def soon(seconds: float = 20.0) -> float:
    return time.monotonic() + seconds


def test_lines_come_as_they_were_sent(ends: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = ends
    link = AcpcLink(ours)
    theirs.sendall(b"one\r\ntwo\nthr")
    assert [link.receive(deadline=soon()) for _ in range(2)] == ["one", "two"]
    theirs.sendall(b"ee\r\n")
    assert link.receive(deadline=soon()) == "three"


def test_a_late_line_is_still_received(ends: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = ends
    link = AcpcLink(ours)
    theirs.sendall(b"half")
    with pytest.raises(TimeoutError):
        link.receive(deadline=soon(0.05))
    theirs.sendall(b" a line\r\n")
    assert link.receive(deadline=soon()) == "half a line"


def test_what_is_to_be_sent_goes_before_anything_is_waited_for(
    ends: tuple[socket.socket, socket.socket],
) -> None:
    ours, theirs = ends
    link = AcpcLink(ours)
    link.send("question")
    theirs.sendall(b"answer\n")
    assert link.receive(deadline=soon()) == "answer"
    assert theirs.recv(100) == b"question\r\n"


def test_a_closed_connection(ends: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = ends
    theirs.sendall(b"last\nunfinished")
    theirs.close()
    link = AcpcLink(ours)
    assert link.receive(deadline=soon()) == "last"
    with pytest.raises(ConnectionClosed):
        link.receive(deadline=soon())


def test_a_line_that_is_too_long_closes_it(ends: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = ends
    theirs.sendall(b"x" * (LONGEST_LINE + 1))
    link = AcpcLink(ours)
    with pytest.raises(Disconnected, match=f"a line of more than {LONGEST_LINE} bytes"):
        link.receive(deadline=soon())
    assert ours.fileno() == -1


def test_a_stopped_reader_does_not_stop_the_dealer(
    ends: tuple[socket.socket, socket.socket],
) -> None:
    """Half-open: the other side is there and takes nothing."""
    ours, _ = ends
    link = AcpcLink(ours, send_seconds=0.1)
    with pytest.raises(Disconnected, match=r"it has read nothing for 0\.1 s"):
        flood(link)


def flood(link: AcpcLink) -> None:
    while True:
        link.send("x" * 60_000)
        link.flush()


@pytest.mark.parametrize(
    ("pieces", "lines"),
    [
        ([b""], []),
        ([b"a\r", b"\nb\n"], ["a", "b"]),
        ([b"\n\r\n"], ["", ""]),
        ([b"caf\xc3\xa9\n"], ["caf\ufffd\ufffd"]),
        ([b"a\rb\n"], ["a\rb"]),
        ([b"x" * (LONGEST_LINE - 1), b"\n"], ["x" * (LONGEST_LINE - 1)]),
    ],
)
def test_bytes_become_lines(pieces: list[bytes], lines: list[str]) -> None:
    arrived, taken = LineBuffer(), []
    for piece in pieces:
        arrived.feed(piece)
    while (line := arrived.take()) is not None:
        taken.append(line)
    assert taken == lines


# Programs that are started and waited for.


SLEEPS = [sys.executable, "-c", "import time; time.sleep(60)"]
ENDS = [sys.executable, "-c", ""]


@pytest.mark.slow
def test_a_program_that_does_not_connect_is_waited_for_aloud(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with pytest.raises(Disconnected, match="did not connect and greet in time"):
        launch(SLEEPS, seconds=0.5, quiet_seconds=0.1)
    assert [record.getMessage() for record in caplog.records] == [
        f"waiting for {sys.executable} to connect, at most 0.5 s"
    ]


def test_a_program_that_ends_is_not_waited_for(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(Disconnected, match="ended with status 0"):
        launch(ENDS, seconds=60, quiet_seconds=60)
    assert not caplog.records
