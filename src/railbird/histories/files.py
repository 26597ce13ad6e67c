"""Logs as streams of lines, alone or in folders and zip archives; atomic writing of results."""

from __future__ import annotations

import bz2
import codecs
import errno
import gzip
import io
import itertools
import lzma
import os
import reprlib
import signal
import sys
import time
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import IO, Any, Final, Protocol, TypeAlias

from railbird._files import atomic_write
from railbird._terminal_safe import visible
from railbird.errors import BadInput, NothingUsable
from railbird.histories.record import Skipped, SkipReason
from railbird.progress import Progress

# Lines of text from the bytes of logs: decompressed and decoded block by block.


BLOCK: Final = 1 << 15
"""Bytes decoded at a time, and half of the longest line."""

_MAGIC: Final = 6
"""Bytes that identify a compression."""
_XZ_MEMORY: Final = 1 << 28
"""Bytes of memory allowed to xz, where the format allows for 4 GiB and ``xz -9`` needs 64 MiB."""
_LARGE: Final = 1 << 28
_RATIO: Final = 1000
_DAMAGE: Final = (EOFError, zlib.error, gzip.BadGzipFile, zipfile.BadZipFile)
_UTF16_MARKS: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


_Reader: TypeAlias = "io.BufferedReader[Any]"


DAMAGED: Final = "the compressed data are damaged or cut off"


class DamagedData(Exception):
    """Compressed data that are truncated, corrupt, or expand beyond the size of a log."""


def byte_blocks(stream: IO[bytes]) -> Iterator[bytes]:
    """Decompress a stream; yield its text in blocks of whole lines that end in LF, undecoded.

    Data compressed by gzip, bzip2 and xz are recognised by content. UTF-16, recognised by its byte
    order mark or its zero bytes, becomes UTF-8, and CR becomes LF in a text that begins without LF.
    Zero bytes, which a program leaves that was ended while it wrote, become blanks.
    A line of more than 64 KiB is split. Raises `DamagedData` after the lines before the damage, and
    OSError if the stream cannot be read.
    """
    source = _Source(stream)
    packed = io.BufferedReader(source, BLOCK)
    plain = _unpacked(packed, _start(packed))
    start = _start(plain)
    blocks = _blocks(plain, source)
    codec = _utf16(start)
    if codec is not None:
        decoder = codecs.getincrementaldecoder(codec)("replace")
        blocks = (decoder.decode(block).encode("utf-8", "replace") for block in blocks)
    blocks = (block.replace(b"\0", b" ") for block in blocks)
    if b"\r" in start and b"\n" not in start:
        blocks = (block.replace(b"\r", b"\n") for block in blocks)
    unfinished_line = b""
    try:
        for block in blocks:
            data = unfinished_line + block
            cut = data.rfind(b"\n") + 1 or (len(data) if len(data) >= BLOCK else 0)
            unfinished_line = data[cut:]
            if cut:
                yield data[:cut].removeprefix(codecs.BOM_UTF8)
    except DamagedData:
        yield unfinished_line.removeprefix(codecs.BOM_UTF8)
        raise
    yield unfinished_line.removeprefix(codecs.BOM_UTF8)


def lines_of(block: bytes) -> list[str]:
    """Return the lines of a block of `byte_blocks`, with their ends (`decoded`)."""
    return io.StringIO(decoded(block), "\n").readlines()


def decoded(data: bytes) -> str:
    """Decode whole lines: as UTF-8, or as Windows-1252 where a line is not valid UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return "".join(map(_line, data.splitlines(keepends=True)))


def _line(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _utf16(start: bytes) -> str | None:
    """Return the codec of a text in UTF-16, None for any other."""
    if start.startswith(_UTF16_MARKS):
        return "utf-16"
    zeros = [byte == 0 for byte in start[:4]]
    if zeros == [False, True] * 2:
        return "utf-16-le"
    return "utf-16-be" if zeros == [True, False] * 2 else None


def _blocks(plain: _Reader, source: _Source) -> Iterator[bytes]:
    produced = 0
    while True:
        try:
            block = plain.read1(BLOCK)
        except _DAMAGE as error:
            raise DamagedData(str(error)) from error
        if not block:
            return
        produced += len(block)
        check_size(produced, source.consumed)
        yield block


def check_size(plain: int, packed: int) -> None:
    """Raise `DamagedData` if data expand far beyond what a log can.

    Logs compress to a tenth; gzip cannot go below a thousandth, the other formats can.
    """
    if plain > _LARGE and plain > _RATIO * packed:
        raise DamagedData(f"more than {_RATIO:,} times their size when decompressed")


def _start(stream: _Reader) -> bytes:
    """Return the first bytes of a stream without consuming them."""
    try:
        return stream.peek(_MAGIC)
    except _DAMAGE as error:
        raise DamagedData(str(error)) from error


def _unpacked(packed: _Reader, start: bytes) -> _Reader:
    """Return the decompressed content of a stream, or the stream itself."""
    raw: io.RawIOBase
    if start.startswith(b"\x1f\x8b"):
        return io.BufferedReader(gzip.GzipFile(fileobj=packed), BLOCK)
    if start.startswith(b"BZh"):
        raw = _Unpacking(packed, bz2.BZ2Decompressor)
    elif start.startswith(b"\xfd7zXZ\x00"):
        raw = _Unpacking(packed, _xz_decompressor)
    else:
        return packed
    return io.BufferedReader(raw, BLOCK)


def _xz_decompressor() -> _Decompressor:
    return lzma.LZMADecompressor(memlimit=_XZ_MEMORY)


class _Decompressor(Protocol):
    """Interface common to bz2 and lzma."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Source(io.RawIOBase):
    """Stream that counts the bytes read from it and is not closed."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._read: Callable[[int], bytes] = getattr(stream, "read1", stream.read)
        self.consumed = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._read(len(buffer))
        # A pipe may deliver less than what identifies a compression.
        while data and self.consumed + len(data) < _MAGIC:
            more = self._read(len(buffer) - len(data))
            data += more
            if not more:
                break
        buffer[: len(data)] = data
        self.consumed += len(data)
        return len(data)


class _Unpacking(io.RawIOBase):
    """Content of one or several consecutive streams compressed by bzip2 or xz."""

    def __init__(self, packed: _Reader, new: Callable[[], _Decompressor]) -> None:
        self._packed, self._new = packed, new
        self._decompressor = new()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            data = self._next(len(buffer))
        except (OSError, lzma.LZMAError) as error:
            raise EOFError(str(error)) from error
        buffer[: len(data)] = data
        return len(data)

    def _next(self, size: int) -> bytes:
        """Return some decompressed data, nothing at the end."""
        data = b""
        while not data:
            rest = b""
            if self._decompressor.eof:
                rest = self._decompressor.unused_data or self._packed.read1(BLOCK)
                if not rest:
                    return b""
                self._decompressor = self._new()
            elif self._decompressor.needs_input:
                rest = self._packed.read1(BLOCK)
                if not rest:
                    raise EOFError("the end is missing")
            data = self._decompressor.decompress(rest, size)
        return data


# Log files, folders and archives.


STANDARD: Final = "-"
"""Name of standard input and output."""

ARCHIVE_MARK: Final = "railbird-archive.json"
"""File that makes a folder an archive (`railbird.histories.archive`)."""
IRC_HANDS: Final = "hdb"
"""File that marks a folder of the IRC poker database."""

_HEAD_LINES: Final = 100
_PIECE: Final = 1 << 20
"""Bytes from which on a piece is complete."""
_ENCRYPTED: Final = 1
"""Flag of encrypted members of a zip archive."""
_ZIP_MAGIC: Final = b"PK\x03\x04"
_SECONDS_PER_CALL: Final = 0.25
_NOT_A_PATH: Final = (errno.ENAMETOOLONG, errno.EINVAL)
_SHORT: Final = reprlib.Repr()
_SHORT.maxstring = 60


class LogFile:
    """Log to read: its name, its first lines, and then all of its lines.

    ``source`` is a path, "-" for standard input, or an open binary stream, which stays open and may
    be given a name. `railbird.histories.files` describes decompression and decoding. Raises
    `railbird.errors.BadInput` if there is nothing to read.
    """

    def __init__(
        self,
        source: str | Path | IO[bytes],
        progress: Progress | None = None,
        *,
        name: str | None = None,
    ) -> None:
        self.name = name or (str(source) if isinstance(source, str | Path) else "")
        self.folder: Path | None = None
        """Folder of the log, if it is a file."""
        self.damage = ""
        """Description of damage to compressed data, complete after the last line."""
        self.lines_read = 0
        """Set when `damage` is."""
        self._blocks: Iterator[bytes]
        self._reopened: Generator[bytes, None, None] | None = None
        if not isinstance(source, str | Path):
            self._begin(self._blocks_of(source))
        elif str(source) == STANDARD:
            self._begin(self._blocks_of(_standard_input()))
        elif Path(source).is_file():
            self.folder = Path(source).parent
            with closing(self._file_blocks(Path(source), None)) as blocks:
                self._begin(blocks)
            # Opened again for all lines, so that nothing stays open if they are not read.
            self._blocks = self._reopened = self._file_blocks(Path(source), progress)
        else:  # a pipe, which gives its lines only once
            self._begin(self._file_blocks(Path(source), None))

    def close(self) -> None:
        """Close the file, if it was opened by its path and is not read to its end."""
        if self._reopened is not None:
            self._reopened.close()

    def lines(self) -> Iterator[str]:
        """Return all lines with their ends, the first ones included; callable once."""
        return itertools.chain.from_iterable(map(lines_of, self._blocks))

    def pieces(self) -> Iterator[bytes]:
        """Return the text undecoded, whole lines at a time; instead of `lines`, callable once.

        A line that is longer than any log's, or lacks its end, ends a piece.
        """
        waiting: list[bytes] = []
        size = 0
        for block in self._blocks:
            waiting.append(block)
            size += len(block)
            if size >= _PIECE or not block.endswith(b"\n"):
                yield b"".join(waiting)
                waiting.clear()
                size = 0
        if waiting:
            yield b"".join(waiting)

    def _begin(self, blocks: Iterator[bytes]) -> None:
        """Read the first lines; the blocks that they are in stay to be read."""
        self.head: list[str] = []
        first: list[bytes] = []
        for block in blocks:
            first.append(block)
            self.head += lines_of(block)
            if len(self.head) >= _HEAD_LINES:
                break
        del self.head[_HEAD_LINES:]
        self._blocks = itertools.chain(first, blocks)

    def _file_blocks(self, path: Path, progress: Progress | None) -> Generator[bytes, None, None]:
        with _opened(path) as stream:
            yield from self._blocks_of(stream, progress)

    def _blocks_of(self, stream: IO[bytes], progress: Progress | None = None) -> Iterator[bytes]:
        total = 0 if progress is None else os.fstat(stream.fileno()).st_size
        next_call = 0.0
        count = 0
        try:
            for block in byte_blocks(stream):
                if progress is not None and time.monotonic() >= next_call:
                    progress(stream.tell(), total, self.name)
                    next_call = time.monotonic() + _SECONDS_PER_CALL
                count += block.count(b"\n") + (not block.endswith(b"\n") and bool(block))
                if block:
                    yield block
        except DamagedData as error:
            self.damage = f"{DAMAGED} ({error})"
            self.lines_read = count
        except OSError as error:
            raise BadInput(f"{self.name}: cannot be read: {error.strerror}") from error
        if progress is not None:
            progress(total, total, self.name)


def _opened(path: Path) -> IO[bytes]:
    _let_waits_be_interrupted()
    try:
        return path.open("rb")
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from error


def _standard_input() -> IO[bytes]:
    if sys.stdin is None:
        raise BadInput("standard input is closed")
    _let_waits_be_interrupted()
    return sys.stdin.buffer


def _let_waits_be_interrupted() -> None:
    """Let Ctrl-C end the wait for a pipe.

    Polars, once imported, has its own handler before Python's, and the system takes a call up again
    that it interrupts: Python would hear of the signal only when somebody has written to the pipe.
    """
    if hasattr(signal, "siginterrupt"):  # not on Windows
        signal.siginterrupt(signal.SIGINT, True)


def holds_logs(source: str | Path | IO[bytes]) -> bool:
    """Return whether a source is a folder or a zip archive, which can hold several logs."""
    if not isinstance(source, str | Path):
        return source.seekable() and _is_zip(source)
    if not str(source):
        raise BadInput("a log without a name; allowed: a file or a folder")
    _check_path(str(source))
    if str(source) == STANDARD or not Path(source).is_file():
        return Path(source).is_dir()
    with _opened(Path(source)) as stream:
        return _is_zip(stream)


def _check_path(text: str) -> None:
    """Refuse the text of a log in the place of its path; a path may have line breaks, too."""
    try:
        is_path = Path(text).exists() or text.splitlines() in ([], [text])
    except (OSError, ValueError) as error:  # ValueError: a zero byte
        if isinstance(error, OSError) and error.errno not in _NOT_A_PATH:
            return  # what opens the path says why it cannot
        is_path = False
    if not is_path:
        raise BadInput(
            f"{_SHORT.repr(text)} is no path of a log; allowed for text: io.BytesIO(text.encode())"
        )


def logs_in(
    source: str | Path | IO[bytes], progress: Progress | None = None
) -> Iterator[LogFile | Path | Skipped]:
    """Open the logs of a folder, its subfolders and zip archives, in the order of their names.

    A path in the result is the folder of a Railbird archive. Hidden files are ignored, and so are
    symbolic links to folders, which may form circles. A file that cannot be opened is skipped if it
    is in a folder; alone it raises `railbird.errors.BadInput`.
    """
    if not isinstance(source, str | Path):
        yield from _members(source, "")
        return
    path = Path(source)
    if path.is_dir():
        if (path / ARCHIVE_MARK).is_file():
            yield path
        elif (path / IRC_HANDS).is_file():
            yield LogFile(path / IRC_HANDS, progress)
        else:
            yield from _in_folder(path, progress)
    elif holds_logs(path):
        with _opened(path) as stream:
            yield from _members(stream, str(path))
    else:
        yield LogFile(path, progress)


def _in_folder(folder: Path, progress: Progress | None) -> Iterator[LogFile | Path | Skipped]:
    for path in sorted(folder.iterdir()):
        is_folder = path.is_dir() and not path.is_symlink()
        if path.name.startswith(".") or not (is_folder or path.is_file()):
            continue
        try:
            yield from logs_in(path, progress)
        except BadInput as error:
            yield Skipped(SkipReason.NO_LOG, 0, str(error), file=str(path))


def _is_zip(stream: IO[bytes]) -> bool:
    start = stream.tell()
    magic = stream.read(len(_ZIP_MAGIC))
    stream.seek(start)
    return magic == _ZIP_MAGIC


def _members(stream: IO[bytes], name: str) -> Iterator[LogFile]:
    try:
        with zipfile.ZipFile(stream) as packed:
            for member in sorted(packed.infolist(), key=lambda member: member.filename):
                parts = PurePosixPath(member.filename).parts
                if member.is_dir() or any(part.startswith((".", "__MACOSX")) for part in parts):
                    continue
                check_size(member.file_size, member.compress_size)
                if member.flag_bits & _ENCRYPTED:
                    raise NotImplementedError(f"{member.filename} is encrypted")
                with packed.open(member) as log:
                    yield LogFile(log, name=f"{name}/{member.filename}")
    except (NotImplementedError, DamagedData) as error:
        raise NothingUsable(f"{name or 'the zip archive'} cannot be read: {error}") from error
    except zipfile.BadZipFile as error:
        problem = f"cannot be read: {DAMAGED} ({error})"
        raise NothingUsable(f"{name or 'the zip archive'} {problem}") from error


def write_text(pieces: Iterable[str], target: str | Path) -> None:
    """Write text to a path (compressed if it ends in ``.gz``) or to "-", standard output.

    A path gets its content all at once: a new file is written and renamed, so that an interruption
    leaves an older file untouched. The same text gives the same bytes.
    """
    if str(target) == STANDARD:
        if sys.stdout is None:
            raise BadInput("standard output is closed")
        # For other programs, hence in the encoding of logs rather than of the terminal.
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
