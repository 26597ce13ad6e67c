"""The one door to Numba: ``kernel`` compiles a function, and the result is kept on disk.

Numba's own cache notices a change in the file that defines a function, but not in the files of
the functions that it calls, nor in the tables frozen into it, nor in the compiler's flags. So each
room has a cache folder named by a digest of all of these, of its own kernels and of those of the
rooms that they import: a change starts an empty folder for the rooms that it can touch.
"""

from __future__ import annotations

import hashlib
import platform
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import llvmlite
import numba
from numba import prange as prange
from numba.core import event as _event

from railbird._paths import cache_folder

_F = TypeVar("_F", bound=Callable[..., Any])

_FLAGS: dict[str, Any] = {
    "cache": True,
    "nogil": True,
    "error_model": "numpy",
    "boundscheck": False,
}
_PACKAGE = Path(__file__).parent


CACHE = cache_folder() / "kernels"
"""Holds a folder for each room, ``ROOM-DIGEST``, and what older versions left."""


@cache
def room_cache(room: str) -> Path:
    """Where a room's machine code lies, named by everything that decides what it becomes.

    The room ``others`` is code outside the package, which may call the kernels of every room.
    """
    versions = (numba.__version__, llvmlite.__version__, platform.python_version(), repr(_FLAGS))
    digest = hashlib.sha256("\n".join(versions).encode())
    sources = [*(_PACKAGE / room).rglob("_kernels*.py"), *(_PACKAGE / room).rglob("_tables*.py")]
    imported = {folder.name for folder in _PACKAGE.iterdir()} if room == "others" else set()
    for source in [_PACKAGE / "_jit.py", *sorted(sources)]:
        text = source.read_text(encoding="utf-8")
        digest.update(f"{source.name}\n{text}".encode())
        imported.update(re.findall(r"^from railbird\.(\w+)", text, re.MULTILINE))
    for other in sorted(imported - {room, "__pycache__"}):
        if (_PACKAGE / other).is_dir():
            digest.update(room_cache(other).name.encode())
    return CACHE / f"{room}-{digest.hexdigest()[:16]}"


def _compile(function: _F, **flags: Any) -> _F:
    """Hand a function to Numba, which reads the cache folder's name as it wraps the function."""
    package, _, module = function.__module__.partition(".")
    room = module.partition(".")[0] if package == "railbird" else "others"
    numba.config.CACHE_DIR = str(room_cache(room))  # type: ignore[attr-defined]
    compiled: _F = numba.njit(**{**_FLAGS, **flags})(function)
    return compiled


def kernel(function: _F) -> _F:
    """Compile ``function`` on its first call (nogil, C division, no bounds checks)."""
    return _compile(function)


def brief_kernel(function: _F) -> _F:
    """Compile a function that Python calls for each decision; it keeps the interpreter's lock.

    To give the lock up and take it back costs a tenth of a microsecond, a third of such a call.
    """
    return _compile(function, nogil=False)


def inline_kernel(function: _F) -> _F:
    """Compile a small helper into its callers; for bodies of a few operations only."""
    return _compile(function, inline="always")


def parallel_kernel(function: _F) -> _F:
    """Compile a function whose ``prange`` loops run on all threads."""
    return _compile(function, parallel=True)


def direct(function: _F, signature: str) -> _F:
    """Return a kernel for arguments of these types alone, compiled or read from disk.

    A kernel finds out the types of its arguments at each call, which takes as long as a decision.
    """
    compiled: _F = function.compile(signature)  # type: ignore[attr-defined]
    return compiled


class _OnCompile(_event.Listener):
    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say

    def on_start(self, event: Any) -> None:
        self._say(event.data["dispatcher"].__name__)

    def on_end(self, event: Any) -> None:
        pass


def on_compile(say: Callable[[str], None]) -> None:
    """Call ``say`` with a kernel's name whenever one is compiled rather than read from disk."""
    _event.register("numba:compile", _OnCompile(say))  # type: ignore[no-untyped-call]
