"""A person's seat at a tournament server: connects, and reconnects after a lost connection."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

from railbird.client.connection import (
    LONGEST_WAIT,
    Cut,
    Ended,
    ServerConnection,
    ServerRefusedLogIn,
    password_log_in,
)
from railbird.client.table_model import LinkNews, LinkState, News
from railbird.errors import RailbirdError
from railbird.protocol import CloseCode
from railbird.protocol.messages import Credentials, GameRequest, SignUp

_FIRST_WAIT = 0.2


class ServerLink:
    """A server behind a person's screen, with one thread that reads and one that writes.

    A connection that is cut, or ends by a restart, is made again with growing pauses. A player who
    was frozen or has logged in elsewhere decides whether to come back.
    """

    is_server = True
    series = None

    def __init__(self, connect: Callable[[], ServerConnection], credentials: Credentials) -> None:
        self._connect = connect
        self._credentials = credentials
        self._hear: Callable[[News], object] = lambda _: None
        self._connection: ServerConnection | None = None
        self._lock = threading.Lock()
        self._requests: queue.SimpleQueue[tuple[ServerConnection, GameRequest] | None] = (
            queue.SimpleQueue()
        )
        self._closing = threading.Event()
        self._wanted = threading.Event()
        self._was_welcome = False

    def start(self, hear: Callable[[News], object]) -> None:
        """Begin to connect."""
        self._hear = hear
        threading.Thread(target=self._read, name="from the server", daemon=True).start()
        threading.Thread(target=self._write, name="to the server", daemon=True).start()

    def send(self, request: GameRequest) -> None:
        """Send a message, if there is a connection: a late message must not be sent later.

        It belongs to the connection of this moment, however long it waits for the other thread.
        """
        with self._lock:
            if self._connection is not None:
                self._requests.put((self._connection, request))

    def come_back(self) -> None:
        """Connect again."""
        self._wanted.set()

    def hurry(self) -> None:
        """Do nothing: others play at their own pace."""

    def close(self) -> None:
        """Say good-bye; a seat stays, away."""
        self._closing.set()
        self._wanted.set()
        self._requests.put(None)
        with self._lock:
            if self._connection is not None:
                self._connection.close()

    def _write(self) -> None:
        while (waiting := self._requests.get()) is not None:
            connection, request = waiting
            with self._lock:
                is_there = connection is self._connection
            if is_there:
                try:
                    connection.send(request)
                except RailbirdError:
                    continue  # the reader finds out why

    def _read(self) -> None:
        pause = _FIRST_WAIT
        self._hear(LinkNews(LinkState.CONNECTING))
        while not self._closing.is_set():
            try:
                with self._connect() as connection:
                    self._visit(connection)
                    # Only a log-in that succeeds ends the growing of the pauses; a server that
                    # accepts connections and cuts them at once is not to be asked ten times a
                    # second.
                    pause = _FIRST_WAIT
                    self._stay(connection)
            except (ServerRefusedLogIn, Ended) as problem:
                if self._is_over(problem):
                    return
            except RailbirdError as problem:
                # A wrong address will not become right, but a server that was there once is
                # expected back.
                if not self._was_welcome and not isinstance(problem, Cut):
                    self._end(str(problem))
                    return
                self._say(f"{problem}; connecting again")
            finally:
                with self._lock:
                    self._connection = None
            self._closing.wait(pause)
            pause = min(2 * pause, LONGEST_WAIT)

    def _visit(self, connection: ServerConnection) -> None:
        welcome = connection.log_in(self._credentials)
        # The account exists now, so that connecting again with the same request would be refused.
        if isinstance(self._credentials, SignUp):
            self._credentials = password_log_in(welcome.name, self._credentials.password)
        self._was_welcome = True
        with self._lock:
            self._connection = connection
        # Closing may have come while the connection was being made, and then found none that it
        # could close.
        if self._closing.is_set():
            raise Cut("closed")
        self._hear(LinkNews(LinkState.OPEN))
        self._hear(welcome)

    def _stay(self, connection: ServerConnection) -> None:
        while True:
            self._hear(connection.receive())

    def _is_over(self, problem: ServerRefusedLogIn | Ended) -> bool:
        """Return whether to end; wait for the person where that decides."""
        if isinstance(problem, ServerRefusedLogIn):
            self._end(str(problem))
            return True
        closing = problem.closing
        if closing.reconnect:
            self._say(f"{closing.text}; connecting again")
            return False
        # To connect again by itself would take the seat back from another window, or throw the
        # player into a game that nobody looks at.
        if closing.code in (CloseCode.FROZEN, CloseCode.TAKEN_OVER, CloseCode.TOO_SLOW):
            self._wanted.clear()
            self._hear(LinkNews(LinkState.WAITING, f"{closing.text}: Enter comes back"))
            self._wanted.wait()
            return self._closing.is_set()
        self._end(closing.text)
        return True

    def _say(self, text: str) -> None:
        if not self._closing.is_set():
            self._hear(LinkNews(LinkState.CONNECTING, text))

    def _end(self, text: str) -> None:
        if not self._closing.is_set():
            self._hear(LinkNews(LinkState.OVER, text, is_failure=True))
