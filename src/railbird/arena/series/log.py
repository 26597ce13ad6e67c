"""Logs of jobs in which stacks carry over: tournaments, and sessions of ring games.

A log contains hands in the PHHS format. Comments identify the series and, after the hands of each
part, give its result and checksum. As with the chunks of a match
(`railbird.arena.match.resumable_log`), a part counts once that footer is written, and anything
after the last footer was left by a killed process.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Generic, Protocol, Self, TypeVar

from railbird.arena.fault_policy import FaultTally
from railbird.arena.jobs.append_log import AppendLog, growing
from railbird.arena.match.resumable_log import UNREADABLE, check_header, checksum
from railbird.errors import BadInput, DamagedFile, RailbirdError
from railbird.histories import HandRecord, Skipped, WriteOptions, format_named
from railbird.histories.columns import Piece

_FORMAT = "phh"
_NUMBERS = 1_000_000
"""Factor of hand numbers: hand 7 of the third part has number 3000007."""


class Segment(Protocol):
    """A played part of a series."""

    @property
    def index(self) -> int:
        """Index in the series, from 0."""

    @property
    def hands(self) -> int:
        """Number of hands."""

    @property
    def faults(self) -> tuple[FaultTally, ...]:
        """By player."""

    @property
    def text(self) -> bytes:
        """The hands as written in the log; empty without a log."""

    @property
    def kept(self) -> Piece | None:
        """The hands as columns, if they are kept."""

    def with_hands(self, text: bytes, kept: Piece | None) -> Self:
        """Return a copy with the hands in these forms."""


SegmentT = TypeVar("SegmentT", bound=Segment)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesFormat(Generic[SegmentT]):
    """Format of a series' log."""

    title: str
    """For people."""
    series: str
    """Word for the series, in the header."""
    part: str
    """Word for a part, in footers."""
    names: tuple[str, ...]
    """Names of the players."""
    identity: Mapping[str, Any]
    """Everything that determines the log's bytes, except its length."""
    said: Callable[[SegmentT], Mapping[str, Any]]
    """Function that returns a part's result, without its faults."""
    read: Callable[[int, Mapping[str, Any], tuple[FaultTally, ...]], SegmentT]
    """Inverse of ``said``, given the part's index.

    Raises a KeyError, TypeError or ValueError for malformed data, `BadInput` for the last part of a
    series with another length.
    """

    @property
    def header(self) -> bytes:
        """The first line."""
        return self._header + json.dumps(self.identity).encode() + b"\n"

    def footer(self, part: SegmentT) -> bytes:
        """Return the line that completes a part."""
        faults = zip(self.names, part.faults, strict=True)
        entry = {
            self.part: part.index + 1,
            **self.said(part),
            "crc32": checksum(part.text),
            "faults": {name: tally.as_json() for name, tally in faults if tally.counts},
        }
        return self._footer + json.dumps(entry).encode() + b"\n"

    def parts(self, stream: BinaryIO, name: str) -> tuple[list[SegmentT], int]:
        """Return the complete parts of a log and the position where the last one ends."""
        first_line = stream.readline()
        if len(first_line) < len(self.header) and self.header.startswith(first_line):
            return [], 0  # new, or killed within the header
        check_header(first_line.rstrip(), self._header, self.identity, name, self.title)
        end = len(first_line)
        parts: list[SegmentT] = []
        lines: list[bytes] = []
        for line in stream:
            if not line.endswith(b"\n"):
                break
            lines.append(line)
            if line.startswith(self._footer):
                where = f"{name}: {self.part} {len(parts) + 1}"
                parts.append(self._part(len(parts), b"".join(lines[:-1]), line, where))
                end += sum(map(len, lines))
                lines.clear()
        return parts, end

    def _part(self, index: int, text: bytes, footer: bytes, where: str) -> SegmentT:
        """Read one part back."""
        try:
            entry = json.loads(footer.removeprefix(self._footer))
            tallies = (entry["faults"].get(name, {}) for name in self.names)
            part = self.read(index, entry, tuple(map(FaultTally.from_json, tallies)))
            same = (entry[self.part], entry["crc32"]) == (index + 1, checksum(text))
        except BadInput:
            raise
        except (*UNREADABLE, KeyError, TypeError, AttributeError) as problem:
            raise DamagedFile(f"{where}: unreadable footer: {problem!r}") from None
        if not same:
            raise DamagedFile(
                f"{where} was changed; cut the file there, or begin it anew (--force)"
            )
        return part

    @property
    def _header(self) -> bytes:
        return f"# railbird {self.series} ".encode()

    @property
    def _footer(self) -> bytes:
        return f"# railbird {self.part} ".encode()


class SeriesLog(Generic[SegmentT]):
    """A log open for writing; get one from `open_series_log`."""

    def __init__(self, file: AppendLog, kind: SeriesFormat[SegmentT]) -> None:
        self._file = file
        self._kind = kind

    def append(self, part: SegmentT) -> None:
        """Write the next part with its footer, in one piece."""
        self._file.append(part.text + self._kind.footer(part))


@contextmanager
def open_series_log(
    path: Path, kind: SeriesFormat[SegmentT]
) -> Iterator[tuple[SeriesLog[SegmentT], list[SegmentT]]]:
    """Open a log for appending; yield it with the parts that it already contains.

    A missing file is created. Anything after the last complete part is cut off.

    Raises `BadInput` if the file is not a log of this series, cannot be written or is being written
    by another process, `DamagedFile` if a part was changed.
    """
    with growing(path, kind.header, partial(kind.parts, name=str(path))) as (file, parts):
        yield SeriesLog(file, kind), parts


def hands_text(index: int, hands: Iterable[HandRecord]) -> bytes:
    """Return the hands of a part as written in its log.

    Raises `RailbirdError` for a hand that the format cannot express.
    """
    write = format_named(_FORMAT).write
    assert write is not None
    pieces = []
    for place, hand in enumerate(hands, 1):
        for piece in write([hand], WriteOptions()):
            if isinstance(piece, Skipped):
                raise RailbirdError(f"hand {place} cannot be written: {piece.detail}")
            pieces.append(f"[{(index + 1) * _NUMBERS + place}]\n{piece}\n")
    return "".join(pieces).encode()
