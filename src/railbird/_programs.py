"""Bounding what a process takes, and ending programs with the children that they have started."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import time
from contextlib import suppress
from typing import Final

END_SECONDS: Final = 2.0
"""Time for a program to exit by itself before it is killed."""

_POLL_SECONDS: Final = 0.02
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
