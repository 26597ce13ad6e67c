"""Files that are written whole or not at all, archives of arrays, and errors that name them."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import filelock

from railbird.errors import BadInput, RailbirdError, WriteFailed

if TYPE_CHECKING:  # what keeps no arrays need not load NumPy
    from importlib.resources.abc import Traversable

    import numpy.typing as npt

    Arrays = dict[str, npt.NDArray[Any]]

FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
"""Errors that another name for the file would not have spared."""


@contextmanager
def errors_named(path: Path) -> Iterator[None]:
    """Raise `BadInput` with the file's name for what the system refuses to write.

    It is `WriteFailed` where another name would not have helped.
    """
    try:
        yield
    except OSError as error:
        kind = WriteFailed if error.errno in FULL else BadInput
        raise kind(f"{path}: cannot be written: {error.strerror or error}") from error


def bounded_text(path: Path, most: int) -> str:
    """Return a file of at most ``most`` bytes of UTF-8, its lines ended by newlines alone.

    Raises `BadInput` if it is longer, cannot be read, or is no text.
    """
    try:
        with path.open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror or error}") from None
    if len(content) > most:
        raise BadInput(f"{path}: longer than {most:,} bytes")
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        raise BadInput(f"{path}: no text; allowed: a file of UTF-8") from None


def check_writable(path: Path) -> None:
    """Raise `BadInput` if a file of this name cannot be made: one beside it is, and goes again."""
    with errors_named(path):
        part = _part_of(Path(os.path.realpath(path)))
        part.touch()
        part.unlink()


def _part_of(target: Path) -> Path:
    return target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Yield a temporary path to write to, which replaces ``path`` at the end.

    If anything goes wrong, nothing stays of it, and an older file stays as it was. A symbolic link
    stays one, and an older file keeps its permissions. What is no regular file, such as /dev/null
    or a pipe, is given itself, since nothing can take its place. Raises `BadInput` if the file
    cannot be written.
    """
    with errors_named(path):
        mode = _mode(path)
        if mode is not None and not stat.S_ISREG(mode):
            yield path
            return
    target = Path(os.path.realpath(path))  # a rename would put the file in place of the link
    temporary = _part_of(target)
    try:
        with errors_named(path):
            yield temporary
            if mode is not None:
                temporary.chmod(stat.S_IMODE(mode))
            temporary.replace(target)
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


def _mode(path: Path) -> int | None:
    """Return the mode of a path's target; None if there is none."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None


@contextmanager
def created_folder(folder: Path) -> Iterator[Path]:
    """Make a folder; if what follows fails, it goes again unless there is something in it.

    So do the folders above it that had to be made. Raises `BadInput` if it cannot be made.
    """
    missing: list[Path] = []
    try:
        with errors_named(folder):
            missing += [ancestor for ancestor in (folder, *folder.parents) if not ancestor.exists()]
            folder.mkdir(parents=True, exist_ok=True)
        yield folder
    except BaseException:
        for ancestor in missing:
            with contextlib.suppress(OSError):
                ancestor.rmdir()
        raise


@contextmanager
def locked(lock: Path) -> Iterator[None]:
    """Hold a lock file, whose folder is made, until nobody else does.

    Raises `RailbirdError` where the folder cannot be used.
    """
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        held = filelock.FileLock(lock)
        held.acquire()
    except OSError as error:
        raise RailbirdError(
            f"cannot use the folder {lock.parent}: {error.strerror}; RAILBIRD_CACHE names another"
        ) from error
    try:
        yield
    finally:
        held.release()


def replace_files(contents: Mapping[Path, bytes | Callable[[BinaryIO], object]]) -> None:
    """Write files, all of them or none, and the folders that they need.

    Large contents may be functions that write them. A reader finds an old file or a new one, never
    half of one; the first one is put in its place last. Raises `BadInput` with the name of a file
    that cannot be written.
    """
    with ExitStack() as stack:
        for path, content in contents.items():
            stack.enter_context(created_folder(path.parent))
            part = stack.enter_context(atomic_write(path))
            if isinstance(content, bytes):
                part.write_bytes(content)
                continue
            with part.open("wb") as file:
                content(file)


# Archives of named arrays, as NumPy writes them. What they are of, a key, a version or a record in
# JSON, is one of the arrays, a text of no dimension.


UNREADABLE = (
    OSError,
    ValueError,
    KeyError,
    EOFError,
    NotImplementedError,  # a method of compression that nobody has
    zipfile.BadZipFile,
    zlib.error,
)
"""What `read_arrays` raises for a file that is missing or damaged."""


def write_arrays(path: Path, arrays: Mapping[str, Any], *, compressed: bool = False) -> None:
    """Replace a file by an archive of arrays. Raises `BadInput` if it cannot be written."""
    import numpy as np

    write = np.savez_compressed if compressed else np.savez
    with atomic_write(path) as part, part.open("wb") as file:
        write(file, **arrays)


def read_arrays(source: Traversable, *names: str) -> Arrays:
    """Return the arrays of these names, by default all, of an archive. Raises `UNREADABLE`."""
    import numpy as np

    with source.open("rb") as file:
        archive = np.load(file, allow_pickle=False)
        if not isinstance(archive, np.lib.npyio.NpzFile):
            raise ValueError("one array, not an archive")
        with archive:
            return {name: archive[name] for name in names or archive.files}


def kept_arrays(source: Traversable, *names: str) -> Arrays | None:
    """Return what `read_arrays` does; None if the file is missing, damaged or lacks one of these.

    A cache computes it again then.
    """
    try:
        return read_arrays(source, *names)
    except Exception:  # whatever else a damaged header raises
        return None
