"""A person's connection: cut, refused, frozen, restarted; it is never waited for by the screen."""

from __future__ import annotations

import queue
import socket
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from railbird.client.connection import ServerConnection, password_log_in
from railbird.client.server_link import ServerLink
from railbird.client.table_model import LinkNews, LinkState, News
from railbird.protocol import ErrorCode, Identity, Input, PlayerKind, ServerSession
from railbird.protocol.messages import (
    Announcement,
    AskLobby,
    GameRequest,
    LeaveQueue,
    Lobby,
    SignUp,
    Welcome,
)
from railbird.protocol.session import Deliver, LogIn

SECONDS = 120.0
"""Longest wait for anything: against hanging alone."""


class Server:
    """A server of one client at a time, by the real session."""

    def __init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.settimeout(SECONDS)
        self.port: int = self._listening.getsockname()[1]
        self.logged_in: list[str] = []
        self._peers: list[socket.socket] = []

    def accept(self, *, refuses: bool = False) -> None:
        """Take a client, and log it in."""
        self.peer, _ = self._listening.accept()
        self._peers.append(self.peer)
        self.peer.settimeout(SECONDS)
        self.session = ServerSession(server="a test")
        (outcome,) = self.read(1)
        assert isinstance(outcome, LogIn)
        self.logged_in.append(outcome.hello.log_in.type)
        if refuses:
            self.session.refused(ErrorCode.LOG_IN_REFUSED, "wrong name or password")
        else:
            self.session.accepted(Identity("ann", PlayerKind.PERSON, "", ""))
        self.flush()

    def read(self, count: int) -> list[object]:
        """Wait for so many outcomes of what the client sends."""
        found: list[object] = []
        while len(found) < count:
            data = self.peer.recv(1 << 16)
            assert data, "the client has hung up"
            found += self.session.receive(data)
        return found

    def flush(self) -> None:
        self.peer.sendall(self.session.take())

    def says(self, what: Input, text: str) -> None:
        self.session.happens(what, text)
        self.flush()
        self.peer.close()

    def cut(self) -> None:
        self.peer.close()

    def close(self) -> None:
        for one in (self._listening, *self._peers):
            one.close()


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


class Heard:
    """What a screen hears."""

    def __init__(self, link: ServerLink) -> None:
        self._news: queue.SimpleQueue[News] = queue.SimpleQueue()
        self.link = link
        link.start(self._news.put)

    def until(self, wanted: Callable[[News], bool]) -> News:
        deadline = time.monotonic() + SECONDS
        while True:
            news = self._news.get(timeout=max(0.01, deadline - time.monotonic()))
            if wanted(news):
                return news

    def state(self, state: LinkState) -> LinkNews:
        found = self.until(lambda news: isinstance(news, LinkNews) and news.state is state)
        assert isinstance(found, LinkNews)
        return found


@pytest.fixture
def heard(server: Server) -> Iterator[Heard]:
    link = ServerLink(
        partial(ServerConnection, "127.0.0.1", server.port),
        password_log_in("ann", "secret wolf 12"),
    )
    yield Heard(link)
    link.close()


def test_requests_and_news(server: Server, heard: Heard) -> None:
    server.accept()
    heard.state(LinkState.OPEN)
    welcome = heard.until(lambda news: isinstance(news, Welcome))
    assert isinstance(welcome, Welcome)
    assert welcome.name == "ann"
    heard.link.send(AskLobby())
    (asked,) = server.read(1)
    assert isinstance(asked, Deliver)
    server.session.send_game(Lobby(queues=[], tables=[], house=[]))
    server.flush()
    heard.until(lambda news: isinstance(news, Lobby))


def test_pings_are_answered_while_the_person_thinks(server: Server, heard: Heard) -> None:
    server.accept()
    heard.state(LinkState.OPEN)
    server.session.ping(7)
    server.flush()
    (lag,) = server.read(1)
    assert getattr(lag, "n", None) == 7


def test_a_cut_connection_is_made_again(server: Server, heard: Heard) -> None:
    server.accept()
    heard.state(LinkState.OPEN)
    server.cut()
    assert "connecting again" in heard.state(LinkState.CONNECTING).text
    server.accept()
    heard.state(LinkState.OPEN)
    assert server.logged_in == ["password", "password"]


def test_what_is_sent_while_there_is_no_connection_is_never_sent(
    server: Server, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.accept()
    heard.state(LinkState.OPEN)
    # The thread that writes is busy until there is a connection again.
    is_writing, may_write, send = threading.Event(), threading.Event(), ServerConnection.send

    def send_slowly(connection: ServerConnection, request: GameRequest) -> None:
        is_writing.set()
        assert may_write.wait(SECONDS)
        send(connection, request)

    monkeypatch.setattr(ServerConnection, "send", send_slowly)
    heard.link.send(AskLobby())
    assert is_writing.wait(SECONDS)
    heard.link.send(AskLobby())
    server.cut()
    heard.until(lambda news: isinstance(news, LinkNews) and "again" in news.text)
    heard.link.send(AskLobby())
    server.accept()
    heard.state(LinkState.OPEN)
    heard.link.send(LeaveQueue())
    may_write.set()
    (first,) = server.read(1)
    assert isinstance(first, Deliver)
    assert isinstance(first.message, LeaveQueue)


def test_a_restart_is_waited_for(server: Server, heard: Heard) -> None:
    server.accept()
    heard.state(LinkState.OPEN)
    server.says(Input.RESTART, "the server restarts; come back")
    heard.until(lambda news: isinstance(news, LinkNews) and "restarts" in news.text)
    server.accept()
    heard.state(LinkState.OPEN)


@pytest.mark.parametrize("what", [Input.FROZEN, Input.TAKEN_OVER])
def test_the_person_decides_whether_to_come_back(server: Server, heard: Heard, what: Input) -> None:
    server.accept()
    heard.state(LinkState.OPEN)
    server.says(what, "something has happened")
    waiting = heard.state(LinkState.WAITING)
    assert waiting.text == "something has happened: Enter comes back"
    heard.link.come_back()
    server.accept()
    heard.state(LinkState.OPEN)


def test_a_refused_log_in_is_the_end(server: Server, heard: Heard) -> None:
    server.accept(refuses=True)
    over = heard.state(LinkState.OVER)
    assert over.is_failure
    assert over.text == "wrong name or password"


def test_no_server_at_first_is_the_end() -> None:
    free = socket.create_server(("127.0.0.1", 0))
    port = free.getsockname()[1]
    free.close()
    link = ServerLink(partial(ServerConnection, "127.0.0.1", port), password_log_in("a", "b"))
    over = Heard(link).state(LinkState.OVER)
    assert over.is_failure
    assert over.text.startswith(f"no server at 127.0.0.1 port {port}")


def test_after_a_sign_up_one_logs_in_by_the_password(server: Server) -> None:
    log_in = SignUp(name="ann", password="secret wolf 12")
    link = ServerLink(partial(ServerConnection, "127.0.0.1", server.port), log_in)
    heard = Heard(link)
    server.accept()
    heard.state(LinkState.OPEN)
    server.cut()
    server.accept()
    heard.state(LinkState.OPEN)
    link.close()
    assert server.logged_in == ["sign_up", "password"]


def test_a_server_that_talks_nonsense_is_left_and_tried_again(server: Server, heard: Heard) -> None:
    server.accept()
    heard.state(LinkState.OPEN)
    server.peer.sendall(b"\x00\xff not json\n")
    heard.until(lambda news: isinstance(news, LinkNews) and "again" in news.text)
    server.accept()
    heard.state(LinkState.OPEN)
    server.session.announce("[red]hello\x1b[31m")
    server.flush()
    heard.until(lambda news: isinstance(news, Announcement))


def test_closing_says_good_bye_and_waits_for_nothing(server: Server, heard: Heard) -> None:
    server.accept()
    heard.state(LinkState.OPEN)
    heard.link.close()  # comes back although the server has neither read nor answered
    assert server.read(1)
