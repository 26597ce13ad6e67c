"""Kernels compiled in other processes while a verb goes on, for Numba compiles on one core alone.

Nothing has to be agreed upon: each process keeps what it compiles in the cache, and waits there for
what another one is compiling. One that fails, or is ended, is no harm.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import railbird

_MOST = 8
"""Processes at a time; each takes some 250 MB."""
_SECONDS_TO_END = 2.0

Step = Callable[[], object]
"""Calls kernels of a room with trivial input."""


def rooms() -> list[str]:
    """Name the rooms that have something to compile: those with a module ``_warm``."""
    package = Path(railbird.__path__[0])
    return sorted(module.parent.name for module in package.glob("*/_warm.py"))


def steps_of(room: str) -> dict[str, Step]:
    """Return what compiles a room's kernels, by ``ROOM: WHAT``."""
    found = importlib.import_module(f"railbird.{room}._warm").warm_up_steps()
    return {f"{room}: {what}": step for what, step in found}


@contextmanager
def compiling_ahead() -> Iterator[Callable[[Sequence[str]], None]]:
    """Yield what starts steps, by name, on the cores that are idle; end them after the block."""
    helpers: list[subprocess.Popen[bytes]] = []

    def start(names: Sequence[str]) -> None:
        from railbird import _jit
        from railbird._threads import thread_count

        cores = thread_count()
        # One more than the other cores: each waits now and then for what another one compiles.
        count = min(cores, len(names), _MOST) if cores > 1 else 0
        with contextlib.suppress(OSError):
            _jit.check_cache()  # what cannot be kept is of no use to this process
            helpers.extend(_helper(names[first::count]) for first in range(count))

    try:
        yield start
    finally:
        for helper in helpers:
            _end(helper)


def _helper(names: Sequence[str]) -> subprocess.Popen[bytes]:
    path = os.pathsep.join(filter(None, sys.path))
    run = f"from {__name__} import compile_steps; compile_steps()"
    return subprocess.Popen(
        [sys.executable, "-P", "-c", run, *names],
        env={**os.environ, "PYTHONPATH": path},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is the parent's, which ends it
    )


def _end(helper: subprocess.Popen[bytes]) -> None:
    assert helper.stdin is not None
    helper.stdin.close()
    try:
        helper.wait(_SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        helper.kill()
        helper.wait()


def compile_steps() -> None:
    """Take the steps that the command line names, as long as the parent lives."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    for name in sys.argv[1:]:
        with contextlib.suppress(Exception):
            steps_of(name.partition(":")[0])[name]()


def _end_with_parent() -> None:
    from railbird import _jit

    sys.stdin.buffer.read()
    with _jit.SAVING:
        os._exit(0)
