"""Arrays in the cache folder: a memory-mapped file each, written under another name and renamed.

A file is a header of one page and the array. The header contains a description of the array, the
SHA-256 of description and data, and the file's modification time when it was last verified. Opening
compares size and modification time with the header. A file that has not been written to since is
trusted; any other (edited, cut, copied, restored) is verified once and marked. Corruption below the
file system, which does not change the time, is found by `Check.FULL`.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from railbird.errors import RailbirdError

_MAGIC = b"railbird table"
_HEADER_BYTES = 4096
_BLOCK = 1 << 22


class Condition(Enum):
    """Condition of a table's file."""

    ABSENT = "absent"
    OUTDATED = "outdated"
    """The file has another version or another shape."""
    DAMAGED = "damaged"
    VALID = "valid"


class Check(Enum):
    """How thoroughly a file is checked."""

    QUICK = "quick"
    """Header, size and time, and the data only if the time differs."""
    FULL = "full"
    """All the data."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The required contents of a table's file."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    version: int = 1
    """Incremented by hand when the meaning of the numbers changes."""

    @property
    def nbytes(self) -> int:
        """Size of the file."""
        return _HEADER_BYTES + prod(self.shape) * np.dtype(self.dtype).itemsize

    def path(self, folder: Path) -> Path:
        """Return the file in a cache folder."""
        return folder / f"{self.name}.table"

    def description(self) -> bytes:
        """The contents, described in one line."""
        fields = (self.name, self.version, np.dtype(self.dtype).str, self.shape)
        return json.dumps(fields).encode()


def condition(folder: Path, layout: Layout, check: Check = Check.QUICK) -> Condition:
    """Check a table's file; a valid file is marked, so that the next check is quick."""
    path = layout.path(folder)
    try:
        with path.open("rb") as file:
            return _condition(file, path, layout, check)
    except FileNotFoundError:
        return Condition.ABSENT
    except OSError as error:
        raise RailbirdError(f"cannot read the table {path}: {error.strerror}") from error


def _condition(file: BinaryIO, path: Path, layout: Layout, check: Check) -> Condition:
    lines = file.read(_HEADER_BYTES).split(b"\n")
    if len(lines) != 5 or lines[0] != _MAGIC:
        return Condition.DAMAGED
    _, description, digest, marked, _ = lines
    # The description is compared before the size: a file of another version is outdated and not
    # damaged, whatever its length.
    if description != layout.description():
        return Condition.OUTDATED
    stat = os.fstat(file.fileno())
    if stat.st_size != layout.nbytes:
        return Condition.DAMAGED
    untouched = marked.strip() == str(stat.st_mtime_ns).encode()
    if untouched and check is Check.QUICK:
        return Condition.VALID
    if _digest(file, layout) != digest:
        return Condition.DAMAGED
    if not untouched:
        # The digest is right: set the time back to the mark, so that the next check is quick.
        with contextlib.suppress(OSError, ValueError):  # the folder may be read-only
            os.utime(path, ns=(stat.st_atime_ns, int(marked)))
    return Condition.VALID


def _digest(file: BinaryIO, layout: Layout) -> bytes:
    digest = hashlib.sha256(layout.description())
    file.seek(_HEADER_BYTES)
    while block := file.read(_BLOCK):
        digest.update(block)
    return digest.hexdigest().encode()


def mapped(folder: Path, layout: Layout) -> npt.NDArray[Any]:
    """Map a table's file, read-only, as a plain array."""
    array = np.memmap(
        layout.path(folder),
        dtype=layout.dtype,
        mode="r",
        offset=_HEADER_BYTES,
        shape=layout.shape,
    )
    return array.view(np.ndarray)


@contextmanager
def writing(folder: Path, layout: Layout) -> Iterator[npt.NDArray[Any]]:
    """Yield an array to fill. On success it becomes the table's file; on failure nothing remains.

    Raises `RailbirdError` if the folder cannot hold it.
    """
    path = layout.path(folder)
    # The name has the process's number, so that two builders never write the same file.
    beside = path.with_suffix(f".{os.getpid()}.part")
    try:
        with beside.open("w+b") as file:
            _reserve(file, layout.nbytes)
            array = np.memmap(
                file, dtype=layout.dtype, mode="r+", offset=_HEADER_BYTES, shape=layout.shape
            )
            yield array.view(np.ndarray)
            array.flush()
            # The mark is in whole seconds, which every file system can represent: a time that is
            # rounded when it is stored would never equal the mark.
            mark = int(time.time()) * 1_000_000_000
            # The digest is of what was read back from the file, after the array was flushed to it.
            lines = (_MAGIC, layout.description(), _digest(file, layout), b"%d" % mark)
            file.seek(0)
            file.write(b"\n".join(lines).ljust(_HEADER_BYTES - 1) + b"\n")
            file.flush()
            # The rename must not reach the disk before the data do, or a power cut would leave a
            # named file of zeros.
            os.fsync(file.fileno())
        os.utime(beside, ns=(mark, mark))
        beside.replace(path)
    except OSError as error:
        raise RailbirdError(
            f"cannot write the table {path}: {error.strerror}; RAILBIRD_CACHE names another folder"
        ) from error
    finally:
        with contextlib.suppress(OSError):
            beside.unlink()


def _reserve(file: BinaryIO, size: int) -> None:
    """Reserve disk space now: if the disk were full, writing to the map would kill the process."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), 0, size)
    else:
        file.truncate(size)


def remove_leftovers(folder: Path) -> None:
    """Delete files left by killed builders. Only the holder of the folder's lock may call this."""
    for part in folder.glob("*.part"):
        part.unlink(missing_ok=True)
