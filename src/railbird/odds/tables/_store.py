"""Arrays in the cache folder: one file each, memory-mapped, written beside and renamed.

A file is a header of one page and the array. The header holds what the array is, the SHA-256 of
that description and the data, and the time at which the file was found whole. Opening reads the
header and compares size and modification time: a file that nobody has written to since it was
last verified is taken as it is, and any other (edited, cut, copied, restored) is read through
once and then marked anew. Decay below the file system, which leaves the time alone, is found by
`Check.FULL`.
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
    """What stands in the place of a table."""

    ABSENT = "absent"
    OUTDATED = "outdated"
    """Whole or not, it is of another version or shape."""
    DAMAGED = "damaged"
    VALID = "valid"


class Check(Enum):
    """How closely a file is looked at."""

    QUICK = "quick"
    """Header, size and time; the data only if the time differs."""
    FULL = "full"
    """All of the data."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What a table's file must contain."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    version: int = 1
    """Raised by hand when the meaning of the numbers changes."""

    @property
    def nbytes(self) -> int:
        """Size of the file."""
        return _HEADER_BYTES + prod(self.shape) * np.dtype(self.dtype).itemsize

    def path(self, folder: Path) -> Path:
        """The file in a cache folder."""
        return folder / f"{self.name}.table"

    def description(self) -> bytes:
        """One line that names the contents."""
        fields = (self.name, self.version, np.dtype(self.dtype).str, self.shape)
        return json.dumps(fields).encode()


def condition(folder: Path, layout: Layout, check: Check = Check.QUICK) -> Condition:
    """Look at a table's file; a file found whole is marked so that the next look is quick."""
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
    if description != layout.description():
        return Condition.OUTDATED
    found = os.fstat(file.fileno())
    if found.st_size != layout.nbytes:
        return Condition.DAMAGED
    untouched = marked.strip() == str(found.st_mtime_ns).encode()
    if untouched and check is Check.QUICK:
        return Condition.VALID
    if _digest(file, layout) != digest:
        return Condition.DAMAGED
    if not untouched:
        with contextlib.suppress(OSError, ValueError):  # a folder that is only readable
            os.utime(path, ns=(found.st_atime_ns, int(marked)))
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
    """Give an array to fill; on leaving it becomes the table's file, or nothing at all.

    Raises `RailbirdError` where the folder cannot take it.
    """
    path = layout.path(folder)
    beside = path.with_suffix(f".{os.getpid()}.part")
    try:
        with beside.open("w+b") as file:
            _reserve(file, layout.nbytes)
            array = np.memmap(
                file, dtype=layout.dtype, mode="r+", offset=_HEADER_BYTES, shape=layout.shape
            )
            yield array.view(np.ndarray)
            array.flush()
            # Whole seconds, which every file system can hold.
            mark = int(time.time()) * 1_000_000_000
            lines = (_MAGIC, layout.description(), _digest(file, layout), b"%d" % mark)
            file.seek(0)
            file.write(b"\n".join(lines).ljust(_HEADER_BYTES - 1) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        os.utime(beside, ns=(mark, mark))
        beside.replace(path)
    except OSError as error:
        raise RailbirdError(f"cannot write the table {path}: {error.strerror}") from error
    finally:
        with contextlib.suppress(OSError):
            beside.unlink()


def _reserve(file: BinaryIO, size: int) -> None:
    """Take the disk space now: a full disk under a mapped array would end the process."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), 0, size)
    else:
        file.truncate(size)


def remove_leftovers(folder: Path) -> None:
    """Delete what killed builders left; only for the holder of the folder's lock."""
    for part in folder.glob("*.part"):
        part.unlink(missing_ok=True)
