"""Processes that work for a server within limits, and ending programs with their children."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import suppress
from typing import Any, Final

END_SECONDS: Final = 2.0
"""Time for a program to exit by itself before it is killed."""

_POLL_SECONDS: Final = 0.02
_PROGRESS_SECONDS: Final = 0.3
"""Least time between two lines of progress."""
_CPU_GRACE_S: Final = 5
"""Between the signal that says that the time is over and the one that nothing survives."""


def limit_process(*, memory: int, cpu_s: int = 0) -> None:
    """Bound what this process, which works through what a stranger has sent, may take.

    ``memory`` bytes of data, and as many of a file that it writes; ``cpu_s`` seconds of the
    processor, 0 for any. It leaves no image of its memory behind.
    """
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if cpu_s:
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + _CPU_GRACE_S))


class WorkerChannel:
    """A worker process's end of its standard input and output, over which it talks to its server.

    Both send lines of JSON. The first one that the worker reads has its limits, ``memory``,
    ``cpu_s`` and ``nice``, and it is bound by them before it reads anything else.
    """

    def __init__(self) -> None:
        self._next_progress = 0.0

    def begin(self) -> dict[str, Any]:
        """Return the first line, once the process is bound by it."""
        first: dict[str, Any] = json.loads(sys.stdin.readline())
        os.nice(first["nice"])
        limit_process(memory=first["memory"], cpu_s=first["cpu_s"])
        return first

    def say(self, **line: Any) -> None:
        """Write a line."""
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()

    def progress(self, *how_far: Any) -> None:
        """Write how far the work is, not too often."""
        now = time.monotonic()
        if now >= self._next_progress:
            self._next_progress = now + _PROGRESS_SECONDS
            self.say(progress=how_far)

    def refuse(self, problem: Exception, path: str) -> None:
        """Write why something is refused, without the name that its file has here."""
        self.say(problem=str(problem).replace(path, "the file") if path else str(problem))


def end(process: subprocess.Popen[bytes], *, seconds: float = END_SECONDS) -> None:
    """Wait briefly for a program that has no reason to go on, then kill its process group.

    It must have been started with ``start_new_session``.
    """
    deadline = time.monotonic() + seconds
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
    while group_lives(process) and time.monotonic() < deadline:
        time.sleep(_POLL_SECONDS)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def group_lives(process: subprocess.Popen[bytes]) -> bool:
    """Return whether the program or one of its children is still running."""
    process.poll()  # a zombie would count as running
    try:
        os.killpg(process.pid, 0)
    except ProcessLookupError:
        return False
    return True
