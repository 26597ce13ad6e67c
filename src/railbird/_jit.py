"""The one door to Numba: ``kernel`` compiles a function, and the result is kept on disk.

Numba's own cache notices a change in the file that defines a function, but not in the files of
the functions that it calls, nor in the tables frozen into it, nor in the compiler's flags. So the
cache folder is named by a digest of all of these: a change anywhere starts an empty folder.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Callable
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


def _digest() -> str:
    """Name everything that decides what machine code a kernel becomes."""
    versions = (numba.__version__, llvmlite.__version__, platform.python_version(), repr(_FLAGS))
    digest = hashlib.sha256("\n".join(versions).encode())
    sources = {
        _PACKAGE / "_jit.py",
        *_PACKAGE.glob("*/_kernels*.py"),
        *_PACKAGE.glob("*/_tables*.py"),
    }
    for source in sorted(sources):
        digest.update(source.relative_to(_PACKAGE).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


CACHE = cache_folder() / "kernels" / _digest()
numba.config.CACHE_DIR = str(CACHE)  # type: ignore[attr-defined]


def kernel(function: _F) -> _F:
    """Compile ``function`` on its first call (nogil, C division, no bounds checks)."""
    compiled: _F = numba.njit(**_FLAGS)(function)
    return compiled


def brief_kernel(function: _F) -> _F:
    """Compile a function that Python calls for each decision; it keeps the interpreter's lock.

    To give the lock up and take it back costs a tenth of a microsecond, a third of such a call.
    """
    compiled: _F = numba.njit(**{**_FLAGS, "nogil": False})(function)
    return compiled


def inline_kernel(function: _F) -> _F:
    """Compile a small helper into its callers; for bodies of a few operations only."""
    compiled: _F = numba.njit(inline="always", **_FLAGS)(function)
    return compiled


def parallel_kernel(function: _F) -> _F:
    """Compile a function whose ``prange`` loops run on all threads."""
    compiled: _F = numba.njit(parallel=True, **_FLAGS)(function)
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
