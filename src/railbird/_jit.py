"""The only import of Numba: ``kernel`` compiles a function and caches the result on disk.

Numba's own cache notices a change in the file that defines a function, but not in the files of the
functions it calls, in the tables frozen into it, or in the compiler's flags. So each room has a
cache folder named by a digest of all of these, for its own kernels and those of the rooms that they
import: a change starts an empty folder for the rooms that it can affect. A package whose name
begins with ``railbird_`` is a room to the cache: its kernels, too, are in files of that name.

Where the user's own cache lacks a function, `railbird._shared_cache` may have it.

Numba also leaves the folder it is given: if that is not writable, it caches code beside the
sources. Here a read-only folder is read, and missing kernels are compiled without being cached.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import importlib.util
import io
import os
import pickle
import re
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast

import filelock
import llvmlite
import numba
from numba.core import caching as _caching
from numba.core import event as _event
from numba.core.registry import cpu_target as _cpu_target

from railbird._paths import cache_folder
from railbird._shared_cache import FOLDER, KERNELS, SharedCode, Target, shared_code

_F = TypeVar("_F", bound=Callable[..., Any])

_FLAGS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "boundscheck": False,
    "no_cfunc_wrapper": True,  # nothing here passes kernels as arguments
    "_nrt": True,  # said, for else a kernel has that of the one for which it is compiled first
}
_PACKAGE = Path(__file__).parent
_BESIDE = "railbird_"
"""How the names of packages begin that keep the rules for kernels, such as `railbird_papers`."""
_COMPILED = re.compile(r"kernels|^_?tables")
"""Files of kernels, and of the tables that are frozen into them."""

SAVING = threading.Lock()
"""Held while code is written: ending the process meanwhile would leave half a file."""

CACHE = cache_folder() / KERNELS
"""Holds a folder for each room, ``ROOM-DIGEST``, and what older versions left."""


OWN_CODE = "RAILBIRD_OWN_CODE"
"""A variable of the environment: where it is set, code beside the package is not used."""


def target() -> Target:
    """Return what kernels are compiled for."""
    codegen = _cpu_target.target_context.codegen()
    triple, processor, features = codegen.magic_tuple()
    return triple, processor, features


@cache
def room_cache(room: str) -> Path:
    """Return the folder of a room's machine code, named by everything that affects the code.

    A package beside this one is a room by its own name. The room ``others`` is any other code,
    which may call the kernels of every room of this package.
    """
    python = ".".join(map(str, sys.version_info[:2]))  # bytecode does not change within these
    versions = (numba.__version__, llvmlite.__version__, python, repr(_FLAGS))
    digest = hashlib.sha256("\n".join(versions).encode())
    folder = _PACKAGE / room
    if room.startswith(_BESIDE) and (spec := importlib.util.find_spec(room)) is not None:
        folder = Path(next(iter(spec.submodule_search_locations or ()), folder))
    sources = [file for file in folder.rglob("*.py") if _COMPILED.search(file.name)]
    imported = {entry.name for entry in _PACKAGE.iterdir()} if room == "others" else set()
    for source in [_PACKAGE / "_jit.py", *sorted(sources)]:
        text = source.read_text(encoding="utf-8")
        digest.update(f"{source.name}\n{text}".encode())
        imported.update(re.findall(r"^from railbird\.(\w+)", text, re.MULTILINE))
    for other in sorted(imported - {room, "__pycache__"}):
        if (_PACKAGE / other).is_dir():
            digest.update(room_cache(other).name.encode())
    return CACHE / f"{room}-{digest.hexdigest()[:16]}"


def _room_of(module: str) -> str:
    package, _, rest = module.partition(".")
    if package.startswith(_BESIDE) and rest:  # without it, a file of such a name
        return package
    return rest.partition(".")[0] if package == "railbird" else "others"


class _Locator(_caching.InTreeCacheLocator):
    """Locator of a function's code: only in its room's folder.

    Numba names the folder by the path of the sources. A room's digest says all that matters of
    them, so every installation of the same sources, wheel or clone, finds the same code.
    """

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        super().__init__(function, file)
        room = _room_of(function.__module__)
        package = function.__module__.rpartition(".")[0]
        folder = self.get_suitable_cache_subpath(file) if room == "others" else package
        self._cache_path = str(room_cache(room) / folder)

    def ensure_cache_path(self) -> None:
        """Nothing: a place that cannot be written is not a reason to take another."""


class _Located(_caching.CompileResultCacheImpl):
    _locator_classes: list[type[object]] = [_Locator]  # noqa: RUF012


class _Kept(_caching.FunctionCache):
    """Code on disk: what cannot be read is compiled, what cannot be written is not kept.

    What one process compiles, others that need it wait for: a function is locked from when its
    code is missed until it is saved, or the process ends.
    """

    _impl_class = _Located

    def __init__(
        self, function: Callable[..., Any], form: str = "", instead: _Kept | None = None
    ) -> None:
        """Keep the code of a ``form`` of a function; that of another will do ``instead``."""
        super().__init__(function)
        self._form = form
        self._instead = instead
        self._lock = filelock.FileLock(f"{self._cache_file._index_path}.lock", thread_local=False)

    def _index_key(self, signature: Any, codegen: Any) -> Any:
        return self._form, *super()._index_key(signature, codegen)

    def load_overload(self, signature: Any, context: Any) -> Any:
        code = self._load(signature, context)
        if code is None and self._lock_it():
            code = self._load(signature, context)
            if code is not None:
                self._lock.release()
        return code

    def _load(self, signature: Any, context: Any) -> Any:
        code = self._read(signature, context)
        if code is None and self._instead is not None:
            code = self._instead._read(signature, context)
        return code

    def _read(self, signature: Any, context: Any) -> Any:
        code = None
        try:
            code = super().load_overload(signature, context)
        except Exception:  # whatever unpickling a damaged file raises
            with contextlib.suppress(OSError):
                self.flush()
        if (
            code is None
            and OWN_CODE not in os.environ
            and (shared := shared_code(FOLDER / KERNELS))
        ):
            with contextlib.suppress(Exception):  # for one, of a version with other pickles
                code = self._read_shared(shared, signature, context)
        return code

    def _read_shared(self, shared: SharedCode, signature: Any, context: Any) -> Any:
        folder = Path(self.cache_path).relative_to(CACHE)
        index = shared.read(folder / self._cache_file._index_name)
        if index is None:
            return None
        parts = io.BytesIO(index)  # as Numba's `IndexDataCacheFile` writes it
        version, (source, names) = pickle.load(parts), pickle.load(parts)
        form, types, _, function = self._index_key(signature, context.codegen())
        name = names.get((form, types, shared.target, function))
        if (version, source) != (numba.__version__, self._cache_file._source_stamp) or not name:
            return None
        code = shared.read(folder / name)
        return None if code is None else self._impl.rebuild(context, pickle.loads(code))

    def _lock_it(self) -> bool:
        """Lock the function; tell whether another process may have compiled it before."""
        if self._lock.is_locked:
            return False
        end = time.monotonic() + _MOST_SECONDS  # the other process may have been stopped
        try:
            Path(self.cache_path).mkdir(parents=True, exist_ok=True)
            while time.monotonic() < end:
                with contextlib.suppress(filelock.Timeout):
                    self._lock.acquire(timeout=_WAIT_SECONDS, poll_interval=_WAIT_SECONDS / 4)
                    return True
                _compiler.interrupt_if_due()
        except (OSError, RuntimeError):  # a file system without locks
            pass
        return False

    def give_up(self) -> None:
        """Let other processes compile what cannot be compiled here."""
        self._lock.release()

    def save_overload(self, signature: Any, compiled: Any) -> None:
        with contextlib.suppress(OSError), SAVING:
            super().save_overload(signature, compiled)
        self._lock.release()


def _compile(function: _F, form: str = "", instead: _Kept | None = None, **flags: Any) -> Any:
    compiled = numba.njit(**{**_FLAGS, **flags})(function)
    compiled._cache = _Kept(function, form, instead)
    return compiled


def kernel(function: _F) -> _F:
    """Compile ``function`` on its first call (nogil, C division, no bounds checks).

    For other kernels it is compiled without what Python would call, which saves a tenth of the
    time, most where arguments are tuples.
    """
    return _kernel(function)


def merged_kernel(function: _F) -> _F:
    """Compile like `kernel`, but let LLVM merge the code into that of other kernels.

    The code is as fast as `inline_kernel` makes it, and Numba analyses it only once.
    """
    return _kernel(function, forceinline=True)


def uncounted_kernel(function: _F) -> _F:
    """Compile like `kernel`, but without counting references to arrays for other kernels.

    Such a function can make no array. Counting is an atomic operation each time, which took nine
    tenths of a simulated round of blackjack, and three fifths of the play-outs of a Loki.
    """
    return _kernel(function, _nrt=False)


def merged_uncounted_kernel(function: _F) -> _F:
    """Compile like `merged_kernel` and `uncounted_kernel`."""
    return _kernel(function, forceinline=True, _nrt=False)


def _kernel(function: _F, **flags: Any) -> _F:
    compiled = _compile(function)
    instead = None if flags else compiled._cache
    within = _compile(function, "within", instead, no_cpython_wrapper=True, **flags)
    compiled.get_call_template = within.get_call_template
    compiled.get_overload = within.get_overload
    return cast(_F, compiled)


def brief_kernel(function: _F) -> _F:
    """Compile a function that Python calls for each decision; it keeps the interpreter's lock.

    To give the lock up and take it back costs a tenth of a microsecond, a third of such a call.
    """
    return cast(_F, _compile(function, nogil=False))


def inline_kernel(function: _F) -> _F:
    """Compile a small helper into its callers; for bodies of a few operations only."""
    return cast(_F, _compile(function, inline="always"))


def direct(function: _F, signature: str) -> _F:
    """Return a kernel for arguments of these types alone, compiled or read from disk.

    A kernel finds out the types of its arguments at each call, which takes as long as a decision.
    """
    compiled: _F = function.compile(signature)  # type: ignore[attr-defined]
    return compiled


def check_cache() -> None:
    """Raise an `OSError` if compiled code cannot be kept."""
    CACHE.mkdir(parents=True, exist_ok=True)
    tempfile.TemporaryFile(dir=CACHE).close()


class Watcher(Protocol):
    """Hears of kernels that are compiled rather than read from disk."""

    def begins(self, room: str, kernel: str) -> None:
        """A kernel is being compiled, maybe for another one that is."""

    def ends(self) -> None:
        """The innermost one is done."""


class _Listener(_event.Listener):
    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher

    def on_start(self, event: Any) -> None:
        function = event.data["dispatcher"].py_func
        if not _numba_s_own(function):
            self._watcher.begins(_room_of(function.__module__), function.__name__)

    def on_end(self, event: Any) -> None:
        if not _numba_s_own(event.data["dispatcher"].py_func):
            self._watcher.ends()


def _numba_s_own(function: Callable[..., Any]) -> bool:
    return function.__module__.partition(".")[0] == "numba"


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Tell of compiling, in whatever thread, while this goes on."""
    with _event.install_listener("numba:compile", _Listener(watcher)):
        yield


class _Compiler(_event.Listener):
    """Knows whether the main thread is in the compiler, and interrupts it between two passes.

    LLVM calls Python back with the code that it has made. What is raised there is printed with a
    traceback and lost, and so is the code, on which Numba then stumbles.
    """

    def __init__(self) -> None:
        self._depth = 0
        self._due = False

    def postpone(self) -> bool:
        """Raise the interrupt when the compiler can take it; False where it is not at work."""
        self._due = self._depth > 0
        return self._due

    def on_start(self, event: Any) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        if event.kind == _LOCKED:
            self._depth += 1
        else:
            self.interrupt_if_due()

    def on_end(self, event: Any) -> None:
        if threading.current_thread() is not threading.main_thread() or event.kind != _LOCKED:
            return
        self._depth -= 1
        if not self._depth:
            self.interrupt_if_due()

    def interrupt_if_due(self) -> None:
        """Raise the interrupt that was postponed, in the main thread."""
        if self._due and threading.current_thread() is threading.main_thread():
            self._due = False
            raise KeyboardInterrupt


_LOCKED = "numba:compiler_lock"
"""What Numba holds while it compiles, or loads code that it has kept."""
_WAIT_SECONDS = 0.1
"""After which a process that waits for another's code looks for an interrupt."""
_MOST_SECONDS = 120.0
"""After which it compiles the code itself."""
_compiler = _Compiler()
_event.register(_LOCKED, _compiler)
_event.register("numba:run_pass", _compiler)


class _Compilation(_event.Listener):
    """Collects garbage rarely, which takes a sixth of the time else, and unlocks after failures."""

    _THRESHOLD = (100_000, 50, 1000)

    def __init__(self) -> None:
        self._depth = 0
        self._before = self._THRESHOLD

    def on_start(self, event: Any) -> None:
        if self._depth == 0:
            self._before = gc.get_threshold()
            gc.set_threshold(*self._THRESHOLD)
        self._depth += 1

    def on_end(self, event: Any) -> None:
        self._depth -= 1
        if self._depth == 0:
            gc.set_threshold(*self._before)
        kept = event.data["dispatcher"]._cache
        if any(event._exc_details or ()) and isinstance(kept, _Kept):  # not `is_failed`: it lies
            kept.give_up()


_event.register("numba:compile", _Compilation())


def interrupt_later() -> bool:
    """Raise `KeyboardInterrupt` at the compiler's next pass; False where nothing is compiled.

    For a signal's handler, which runs in the main thread.
    """
    return _compiler.postpone()
