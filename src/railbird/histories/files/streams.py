"""Lines of text from the bytes of logs: decompressed and decoded block by block."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import IO, Any, Final, Protocol, TypeAlias

BLOCK: Final = 1 << 15
"""Bytes decoded at a time, and half of the longest line."""

_MAGIC: Final = 6
"""Bytes that identify a compression."""
_XZ_MEMORY: Final = 1 << 28
"""Bytes of memory, where the format allows for 4 GiB and ``xz -9`` needs 64 MiB."""
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
    if b"\r" in start and b"\n" not in start:
        blocks = (block.replace(b"\r", b"\n") for block in blocks)
    kept = b""
    try:
        for block in blocks:
            data = kept + block
            cut = data.rfind(b"\n") + 1 or (len(data) if len(data) >= BLOCK else 0)
            kept = data[cut:]
            if cut:
                yield data[:cut].removeprefix(codecs.BOM_UTF8)
    except DamagedData:
        yield kept.removeprefix(codecs.BOM_UTF8)
        raise
    yield kept.removeprefix(codecs.BOM_UTF8)


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
