"""A log to which one process appends whole parts, never leaving half of one."""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import BinaryIO, TypeVar

import filelock

from railbird._arguments import checked
from railbird._files import created_folder, errors_named
from railbird.errors import BadInput

_LOG = logging.getLogger(__name__)
_Part = TypeVar("_Part")


class AppendLog:
    """A file to append to; get one from `growing`."""

    def __init__(self, file: FileIO, path: Path) -> None:
        self._file = file
        self._path = path

    def append(self, text: bytes) -> None:
        """Write all of this or nothing. Raises `BadInput` if it cannot be written."""
        end = self._file.tell()
        try:
            with errors_named(self._path):
                rest = memoryview(text)
                while rest:
                    rest = rest[self._file.write(rest) :]
        except BaseException:
            self._file.truncate(end)
            self._file.seek(end)
            raise


@contextmanager
def growing(
    path: Path, header: bytes, read: Callable[[BinaryIO], tuple[list[_Part], int]]
) -> Iterator[tuple[AppendLog, list[_Part]]]:
    """Open a log for appending; yield it with the parts that it already contains.

    ``read`` returns the complete parts and the position where the last one ends, 0 if even the
    header is incomplete; anything beyond is cut off. A missing file and its folder are created, and
    removed again if nothing is appended. Raises `BadInput` if the file cannot be written or another
    process is writing it.
    """
    if path.exists() and not path.is_file():
        raise BadInput(
            f"{path} is not a regular file; a log must be one to be appended to and resumed"
        )
    is_new_folder = not path.parent.exists()
    with created_folder(path.parent), _alone(path):
        new = not path.exists()
        with errors_named(path):
            file = FileIO(path, "x+" if new else "r+")
        try:
            with file:
                with path.open("rb") as stream:
                    parts, end = read(stream)
                with errors_named(path):
                    file.truncate(end)
                    file.seek(end)
                log = AppendLog(file, path)
                if end == 0:
                    log.append(header)
                begun = file.tell()
                try:
                    yield log, parts
                finally:
                    new = new and file.tell() == begun
                    os.fsync(file.fileno())
            if is_new_folder:  # said, since it may be a mistyped one
                _LOG.warning("%s: made for the log", path.parent)
        finally:
            if new:
                path.unlink()


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Hold an exclusive lock on ``path``, by a lock file beside it that is removed afterwards."""
    whole = path.resolve()
    file = whole.with_name(f".{whole.name}.lock")
    lock = filelock.FileLock(file, blocking=False)
    with errors_named(path):
        try:
            lock.acquire()
        except filelock.Timeout:
            raise BadInput(f"{path}: another process is writing it") from None
    try:
        yield
    finally:
        # Removed while held: a process that opened it before notices that it is gone, and retries.
        with contextlib.suppress(OSError):  # Windows removes no open file, but it does on release
            file.unlink()
        lock.release()


@contextmanager
@checked
def set_aside(logs: Iterable[Path]) -> Iterator[None]:
    """Move logs aside for new ones of the same names; restore those that are not replaced.

    Raises `BadInput` for a log that another process is writing, or that cannot be moved.
    """
    moved: list[tuple[Path, Path]] = []
    try:
        for path in logs:
            if not path.is_file():
                continue
            whole = path.resolve()  # keep a link, move its target
            aside = whole.with_name(f".{whole.name}.{secrets.token_hex(4)}.old")
            with _alone(path), errors_named(path):
                whole.rename(aside)
            moved.append((whole, aside))
        yield
    finally:
        for whole, aside in moved:
            if whole.exists():
                aside.unlink()
            else:
                aside.rename(whole)
