"""A program and its standard input and output."""

from __future__ import annotations

import os
import selectors
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from railbird import _programs
from railbird.acpc import Closed, Disconnected
from railbird.errors import BadInput
from railbird.players.bot_program.settings import READ_BYTES

_SECONDS_TO_TAKE_LEAVE = 0.5


class BotProcess:
    """A running program; its standard error is passed on.

    Raises `BadInput` if it cannot be run.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=os.environ | environment,
                start_new_session=True,
                bufsize=0,
            )
        except OSError as problem:
            raise BadInput(f"{command[0]}: {problem.strerror}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin, self._process.stdout
        self._outbox = bytearray()
        os.set_blocking(self._in.fileno(), False)
        self._ready = selectors.DefaultSelector()
        self._ready.register(self._out, selectors.EVENT_READ)

    def write(self, data: bytes) -> None:
        """Queue bytes for the next `read` or `close`."""
        self._outbox += data

    def read(self, deadline: float) -> bytes:
        """Return the next bytes, writing meanwhile what is queued.

        A program that writes without reading is read all the same, so that neither waits for the
        other. ``deadline`` is on the clock of `time.monotonic`. Raises `TimeoutError`, or `Closed`
        if the program has closed its output.
        """
        self._write()
        while True:
            if self._outbox:
                self._ready.register(self._in, selectors.EVENT_WRITE)
            try:
                ready = self._ready.select(max(0.0, deadline - time.monotonic()))
            finally:
                if self._outbox:
                    self._ready.unregister(self._in)
            if not ready:
                raise TimeoutError
            if any(key.fileobj is self._in for key, _ in ready):
                self._write()
            if any(key.fileobj is self._out for key, _ in ready):
                data = os.read(self._out.fileno(), READ_BYTES)
                if not data:
                    raise Closed(self._ended())
                return data

    def hang_up(self) -> None:
        """Write what is queued if it is read, and close the program's input."""
        with selectors.DefaultSelector() as writable, suppress(Disconnected):
            writable.register(self._in, selectors.EVENT_WRITE)
            while self._outbox and writable.select(_SECONDS_TO_TAKE_LEAVE):
                self._write()
        self._outbox.clear()
        self._in.close()

    def close(self) -> None:
        """Hang up and end the program."""
        if not self._in.closed:
            self.hang_up()
        self._ready.close()
        _programs.end(self._process)
        self._out.close()

    def _write(self) -> None:
        while self._outbox:
            try:
                written = os.write(self._in.fileno(), self._outbox)
            except BlockingIOError:
                return
            except BrokenPipeError:
                raise Closed(self._ended()) from None
            del self._outbox[:written]

    def _ended(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            status = self._process.wait(_SECONDS_TO_TAKE_LEAVE)
            return f"it ended with status {status}"
        return "it closed its output"
