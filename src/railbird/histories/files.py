"""Logs as streams of lines, compressed or not; results written beside and renamed."""

from __future__ import annotations

import gzip
import io
import itertools
import os
import sys
import time
import zlib
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import IO, Final

from railbird._files import atomic_write
from railbird._visible import visible
from railbird.errors import BadInput
from railbird.progress import Progress

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
        self.name = str(source) if isinstance(source, str | Path) else ""
        self.folder: Path | None = None
        """Where the log lies, if it is a file."""
        self.damage = ""
        """After the last line: what is wrong with the compressed data, if something is."""
        self.lines_read = 0
        """Set when `damage` is."""
        self._lines: Iterator[str]
        if not isinstance(source, str | Path):
            self._begin(self._decoded(source))
        elif self.name == STANDARD:
            if sys.stdin is None:
                raise BadInput("standard input is closed")
            self._begin(self._decoded(sys.stdin.buffer))
        elif Path(source).is_file():
            self.folder = Path(source).parent
            with closing(self._file_lines(Path(source), None)) as lines:
                self._begin(lines)
            # Opened anew for all lines: nothing stays open if nobody asks for them.
            self._lines = self._file_lines(Path(source), progress)
            self.damage = ""
        else:  # a pipe, which gives its lines only once
            self._begin(self._file_lines(Path(source), None))

    def lines(self) -> Iterator[str]:
        """All lines with their ends, the first ones included; to be asked for once."""
        return self._lines

    def _begin(self, lines: Iterator[str]) -> None:
        self.head = list(itertools.islice(lines, _HEAD_LINES))
        self._lines = itertools.chain(self.head, lines)

    def _file_lines(self, path: Path, progress: Progress | None) -> Generator[str, None, None]:
        try:
            stream = path.open("rb")
        except OSError as error:
            raise BadInput(f"{path}: cannot be read: {error.strerror}") from error
        with stream:
            lines = self._decoded(stream)
            yield from lines if progress is None else self._reported(lines, stream, progress)

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
        if sys.stdout is None:
            raise BadInput("standard output is closed")
        # For other programs, so in the encoding of all logs and not in that of the terminal.
        sys.stdout.flush()
        shown = visible if sys.stdout.isatty() else str
        for piece in pieces:
            sys.stdout.buffer.write(shown(piece).encode())
        sys.stdout.buffer.flush()
        return
    path = Path(target)
    with atomic_write(path) as part, part.open("wb") as raw:
        _encode(pieces, raw, compressed=path.suffix == ".gz")


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
