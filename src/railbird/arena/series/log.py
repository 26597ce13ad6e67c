"""Logs of long jobs whose stacks go from hand to hand: tournaments, and sessions of ring games.

A log holds hands in the PHHS format. Comments say which series it is and, after the hands of each
part, how that ended, with a checksum. A part counts once that footer is there, as a chunk of a
match does (`railbird.arena.match.resumable_log`), and what follows the last one is what a killed
process left.
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

_FORMAT = "phh"
_NUMBERS = 1_000_000
"""Hand 7 of the third part is number 3000007 of the log."""


class Segment(Protocol):
    """One piece of a series, played."""

    @property
    def index(self) -> int:
        """Its place in the series, from 0."""

    @property
    def faults(self) -> tuple[FaultTally, ...]:
        """By player."""

    @property
    def text(self) -> bytes:
        """Its hands as the log has them; empty where none is kept."""

    def with_text(self, text: bytes) -> Self:
        """The same with this text."""


SegmentT = TypeVar("SegmentT", bound=Segment)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesFormat(Generic[SegmentT]):
    """What a log is the log of, and how it says so."""

    title: str
    """For people."""
    series: str
    """One word, for the header."""
    part: str
    """One word, for footers."""
    names: tuple[str, ...]
    """Of the players."""
    identity: Mapping[str, Any]
    """Everything that decides the bytes of the log but its length."""
    said: Callable[[SegmentT], Mapping[str, Any]]
    """How a part ended, beside the faults."""
    read: Callable[[int, Mapping[str, Any], tuple[FaultTally, ...]], SegmentT]
    """The inverse, with the part's index.

    Raises a KeyError, TypeError or ValueError for what is none, `BadInput` for one that another
    series of the same identity ended with.
    """

    @property
    def header(self) -> bytes:
        """The first line."""
        return self._header + json.dumps(self.identity).encode() + b"\n"

    def footer(self, part: SegmentT) -> bytes:
        """The line that makes a part count."""
        faults = zip(self.names, part.faults, strict=True)
        entry = {
            self.part: part.index + 1,
            **self.said(part),
            "crc32": checksum(part.text),
            "faults": {name: tally.as_json() for name, tally in faults if tally.counts},
        }
        return self._footer + json.dumps(entry).encode() + b"\n"

    def parts(self, stream: BinaryIO, name: str) -> tuple[list[SegmentT], int]:
        """The complete parts of a log, and the position where the last one ends."""
        found = stream.readline()
        if len(found) < len(self.header) and self.header.startswith(found):
            return [], 0  # new, or killed within the header
        check_header(found.rstrip(), self._header, self.identity, name, self.title)
        end = len(found)
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
            raise DamagedFile(f"{where}: its footer does not read: {problem!r}") from None
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
    """A log that is being written; get one from `open_series_log`."""

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
    """Open a log for appending, with the parts that it has already.

    A file that is not there is begun. What follows the last complete part is cut off.

    Raises `BadInput` if the file is anything but a log of this series, if it cannot be written or
    if another process is writing it, `DamagedFile` if a part is not as it was written.
    """
    with growing(path, kind.header, partial(kind.parts, name=str(path))) as (file, parts):
        yield SeriesLog(file, kind), parts


def hands_text(index: int, hands: Iterable[HandRecord]) -> bytes:
    """The hands of a part as its log has them.

    Raises `RailbirdError` for one that the format cannot say.
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
