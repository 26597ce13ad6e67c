"""Starting programs that speak the protocol, in the same way as the competition's dealer.

A program is started with two extra arguments, a host and a port, to which it connects and sends its
version as a greeting. The port is open on the local address only, until the program has connected.
"""

from __future__ import annotations

import logging
import math
import os
import selectors
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress

from railbird._arguments import checked
from railbird._programs import end, group_lives
from railbird.acpc.connection import AcpcLink, Disconnected, LineBuffer
from railbird.acpc.matchstate import (
    CONNECT_POLL_SECONDS,
    HOST,
    MOST_STRANGERS,
    QUIET_SECONDS,
    is_comment,
    is_version,
)
from railbird.errors import BadInput

_LOG = logging.getLogger(__name__)


class Program:
    """A running program that has greeted; `close` ends it."""

    def __init__(self, process: subprocess.Popen[bytes], link: AcpcLink) -> None:
        self.link = link
        self._process = process

    def close(self) -> None:
        """Disconnect, and kill the program with its children if it does not exit."""
        self.link.close()
        end(self._process)


@checked
def launch(
    command: Sequence[str],
    *,
    seconds: float,
    quiet_seconds: float = QUIET_SECONDS,
    environment: Mapping[str, str] | None = None,
) -> Program:
    """Start a program and wait until it has connected and greeted.

    A warning is logged for a program that takes longer than ``quiet_seconds``. ``environment`` is
    added to this process's own. The program's standard output is discarded; its standard error is
    passed on.

    Raises `Disconnected` if it exits or ``seconds`` pass before that, `BadInput` if it cannot run.
    """
    if not command:
        raise BadInput("got an empty command; allowed: a program and its arguments")
    deadline = _Deadline(command[0], seconds, quiet_seconds)
    with socket.create_server((HOST, 0), backlog=MOST_STRANGERS) as listener:
        port = listener.getsockname()[1]
        try:
            process = subprocess.Popen(
                [*command, HOST, str(port)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=os.environ | (environment or {}),
                start_new_session=True,
            )
        except OSError as problem:
            raise BadInput(f"{command[0]}: {problem.strerror}") from None
        try:
            return Program(process, _greeted(listener, process, deadline))
        except BaseException:
            end(process)
            raise


class _Deadline:
    """Time limit for connecting, with a warning while waiting."""

    def __init__(self, name: str, seconds: float, quiet_seconds: float) -> None:
        self._words = f"waiting for {name} to connect, at most {seconds:g} s"
        self._said_at = time.monotonic() + quiet_seconds
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Return the seconds left."""
        now = time.monotonic()
        if now > self._said_at:
            self._said_at = math.inf
            _LOG.warning(self._words)
        return self._end - now


def _greeted(
    listener: socket.socket, process: subprocess.Popen[bytes], deadline: _Deadline
) -> AcpcLink:
    """Return the first connection with a valid greeting; close others, silent ones at the end."""
    with selectors.DefaultSelector() as waiting, ExitStack() as strangers:
        listener.setblocking(False)
        waiting.register(listener, selectors.EVENT_READ)
        while (left := deadline.left()) > 0:
            for key, _ in waiting.select(min(left, CONNECT_POLL_SECONDS)):
                if key.data is None:
                    _admit(listener, waiting, strangers)
                    continue
                connection, lines = key.data
                greets = _greets(connection, lines)
                if greets is None:
                    continue
                waiting.unregister(connection)
                if greets:
                    return AcpcLink(connection.dup(), lines)
                connection.close()
            # With status 0 it may be a start-up script that has left the rest to a child.
            if process.poll() or (process.returncode == 0 and not group_lives(process)):
                raise Disconnected(f"it ended with status {process.returncode} before it greeted")
    raise Disconnected("it did not connect and greet in time")


def _admit(listener: socket.socket, waiting: selectors.BaseSelector, strangers: ExitStack) -> None:
    with suppress(OSError):  # it has disconnected already
        connection, _ = listener.accept()
        if len(waiting.get_map()) > MOST_STRANGERS:
            connection.close()
            return
        strangers.enter_context(connection)
        connection.setblocking(False)
        waiting.register(connection, selectors.EVENT_READ, (connection, LineBuffer()))


def _greets(connection: socket.socket, lines: LineBuffer) -> bool | None:
    """Return whether a connection has sent a valid greeting; None if undecided yet."""
    try:
        data = connection.recv(1 << 12)
        lines.feed(data)
        while (line := lines.take()) is not None:
            if not is_comment(line):
                return is_version(line)
    except BlockingIOError:
        return None
    except (OSError, BadInput):
        return False
    return None if data else False
