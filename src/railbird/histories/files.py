"""Logs as streams of lines, compressed or not; results written beside and renamed."""

from __future__ import annotations

import gzip
import io
import itertools
import os
import secrets
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Final

from railbird.errors import BadInput

Progress = Callable[[int, int, str], None]
"""Called with bytes done, bytes in all (0 where unknown) and what is read."""

STANDARD: Final = "-"
"""The name of standard input and output."""

_HEAD_LINES: Final = 100
_LONGEST_LINE: Final = 1 << 16  # a file without line ends must not end up in memory
_GZIP_MAGIC: Final = b"\x1f\x8b"
_BUFFER: Final = 1 << 17
_LINES_PER_LOOK: Final = 512
_SECONDS_PER_CALL: Final = 0.25


class LogFile:
    """One log to read: its name, its first lines, and then all of its lines.

    ``source`` is a path, "-" for standard input, or an open binary stream, which stays open.
    Compression by gzip is recognised by content. Bytes that are no UTF-8 become replacement
    characters. Raises `railbird.errors.BadInput` if there is nothing to read.
    """

    def __init__(self, source: str | Path | IO[bytes], progress: Progress | None = None) -> None:
        self._progress = progress
        self._path = Path(source) if isinstance(source, str | Path) else None
        self.damage = ""
        """After the last line: what is wrong with the compressed data, if something is."""
        self.lines_read = 0
        """Set when `damage` is."""
        if self._path is not None and str(source) != STANDARD:
            self.name = str(source)
            with self._opened(self._path) as stream:
                self.head = self._first(self._decoded(stream))
            self.damage = ""
            return
        self._path = None
        stream = sys.stdin.buffer if isinstance(source, str | Path) else source
        self.name = STANDARD if isinstance(source, str | Path) else ""
        self._stream_lines = self._decoded(stream)
        self.head = self._first(self._stream_lines)

    @property
    def folder(self) -> Path | None:
        """Where the log lies, if it is a file."""
        return None if self._path is None else self._path.parent

    def lines(self) -> Iterator[str]:
        """All lines with their ends, the first ones included; to be asked for once."""
        if self._path is None:
            yield from itertools.chain(self.head, self._stream_lines)
            return
        with self._opened(self._path) as stream:
            lines = self._decoded(stream)
            if self._progress is None:
                yield from lines
            else:
                yield from self._reported(lines, stream, self._progress)

    def _opened(self, path: Path) -> IO[bytes]:
        try:
            return path.open("rb")
        except OSError as error:
            raise BadInput(f"{path}: cannot be read: {error.strerror}") from error

    @staticmethod
    def _first(lines: Iterator[str]) -> list[str]:
        return list(itertools.islice(lines, _HEAD_LINES))

    def _decoded(self, stream: IO[bytes]) -> Iterator[str]:
        plain = _decompressed(stream)
        count = 0
        try:
            line = plain.readline(_LONGEST_LINE).removeprefix(b"\xef\xbb\xbf")
            while line:
                yield line.decode("utf-8", "replace")
                count += 1
                line = plain.readline(_LONGEST_LINE)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            self.damage = f"the compressed data are damaged or cut off ({error})"
            self.lines_read = count
        except OSError as error:
            raise BadInput(f"{self.name}: cannot be read: {error.strerror}") from error

    def _reported(
        self, lines: Iterator[str], stream: IO[bytes], progress: Progress
    ) -> Iterator[str]:
        total = os.fstat(stream.fileno()).st_size
        next_call = 0.0
        while batch := list(itertools.islice(lines, _LINES_PER_LOOK)):
            if time.monotonic() >= next_call:
                progress(stream.tell(), total, self.name)
                next_call = time.monotonic() + _SECONDS_PER_CALL
            yield from batch
        progress(total, total, self.name)


def write_text(pieces: Iterable[str], target: str | Path) -> None:
    """Write text to a path (compressed if it ends in ``.gz``) or to "-", standard output.

    A path gets its content all at once: it is written beside and renamed, so that whatever stops
    the writing leaves an older file as it was. The same text gives the same bytes.
    """
    if str(target) == STANDARD:
        for piece in pieces:
            sys.stdout.write(piece)
        return
    path = Path(target)
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with beside.open("wb") as raw:
            _encode(pieces, raw, compressed=path.suffix == ".gz")
        beside.replace(path)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written: {error.strerror}") from error
    finally:
        beside.unlink(missing_ok=True)


def _encode(pieces: Iterable[str], raw: IO[bytes], *, compressed: bool) -> None:
    if not compressed:
        with io.TextIOWrapper(raw, encoding="utf-8", newline="\n") as text:
            text.writelines(pieces)
        return
    with (
        gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as packed,
        io.TextIOWrapper(packed, encoding="utf-8", newline="\n") as text,
    ):
        text.writelines(pieces)


def _decompressed(stream: IO[bytes]) -> IO[bytes]:
    """The stream itself, or what is compressed in it."""
    if stream.seekable():
        start = stream.tell()
        magic = stream.read(len(_GZIP_MAGIC))
        stream.seek(start)
    else:
        # Only `sys.stdin.buffer` and its like cannot go back, and they can be peeked into.
        magic = stream.peek(len(_GZIP_MAGIC))[: len(_GZIP_MAGIC)]  # type: ignore[attr-defined]
    if magic != _GZIP_MAGIC:
        return stream
    return io.BufferedReader(gzip.GzipFile(fileobj=stream), _BUFFER)
