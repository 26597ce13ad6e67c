"""The log of a match: an ACPC log written in whole chunks, from which a match can resume.

The arena adds comments to the ACPC's lines: a header that identifies the match and, after each
chunk, a footer with its checksum and faults. A chunk counts once its footer is written; a tail
without one was left by a killed process and is cut off when the match resumes. So the finished log
is the same, byte for byte, however often the match was interrupted.
"""

from __future__ import annotations

import dataclasses
import json
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from fractions import Fraction
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from railbird.arena.fault_policy import FaultTally
from railbird.arena.jobs.append_log import AppendLog, growing
from railbird.arena.match.chunks import Chunk
from railbird.arena.match.definition import Match
from railbird.arena.names import parse_entrant
from railbird.errors import BadInput, DamagedFile
from railbird.game import Rules, acpc_rules
from railbird.histories import game_spec

VERSION = 1
UNREADABLE = (ValueError, OverflowError, RecursionError)
"""Exceptions that tampered JSON can cause, in parsing or as numbers."""
_HEADER = b"# railbird match "
_FOOTER = b"# railbird chunk "
_OTHERWISE = "name another file, or begin it anew (--force)"


class Log:
    """A log open for writing; get one from `open_log`."""

    def __init__(self, file: AppendLog, match: Match) -> None:
        self._file = file
        self._match = match

    def append(self, chunk: Chunk) -> None:
        """Write the next chunk with its footer, in one piece."""
        self._file.append(chunk.text + _footer(self._match, chunk))


@contextmanager
def open_log(path: Path, match: Match) -> Iterator[tuple[Log, list[Chunk]]]:
    """Open a match's log for appending; yield it with the chunks that it already contains.

    A missing file is created. Anything after the last complete chunk is cut off.

    Raises `BadInput` if the file is not a log of this match, cannot be written or is being written
    by another process, `DamagedFile` if a chunk was changed.
    """
    with growing(path, _header(match), partial(_complete, match=match, name=str(path))) as opened:
        file, chunks = opened
        yield Log(file, match), chunks


def _complete(stream: BinaryIO, match: Match, name: str) -> tuple[list[Chunk], int]:
    """Return the complete chunks of a log and the position where the last one ends."""
    header = _header(match)
    first_lines = b"".join(islice(stream, 2))
    if len(first_lines) < len(header) and header.startswith(first_lines):
        return [], 0  # new, or killed within the header
    check_header(first_lines.splitlines()[0], _HEADER, _identity(match), name, "match")
    end = len(first_lines)
    chunks: list[Chunk] = []
    lines: list[bytes] = []
    for line in stream:
        if not line.endswith(b"\n"):
            break
        if line.startswith(_FOOTER):
            chunks.append(_chunk(match, len(chunks), lines, line, f"{name}: chunk {len(chunks)}"))
            end += sum(map(len, lines)) + len(line)
            lines.clear()
        else:
            lines.append(line)
    return chunks, end


def _chunk(match: Match, index: int, lines: list[bytes], footer: bytes, where: str) -> Chunk:
    """Read one chunk back."""
    try:
        entry = json.loads(footer.removeprefix(_FOOTER))
        told, deals, crc32 = entry["chunk"], entry["deals"], entry["crc32"]
        faults = tuple(FaultTally.from_json(entry["faults"].get(name, {})) for name in match.names)
    except (*UNREADABLE, KeyError, TypeError, AttributeError) as problem:
        raise DamagedFile(f"{where}: unreadable footer: {problem!r}") from None
    if told != index or crc32 != checksum(b"".join(lines)):
        raise DamagedFile(f"{where} was changed; cut the file there, or begin it anew (--force)")
    first, end = deals
    if end > match.deals:
        raise BadInput(
            f"{where} has deals {first} to {end - 1}, beyond a match of {match.deals}; {_OTHERWISE}"
        )
    if end < match.deals_of(index).stop:
        raise BadInput(f"{where} ends with deal {end - 1}; only whole chunks can be resumed")
    return Chunk(index, _payoffs(match, index, lines), faults)


def _payoffs(match: Match, index: int, lines: list[bytes]) -> NDArray[np.float64]:
    """Return payoffs by direction, deal and player, from the fifth field of each line."""
    deals, directions = match.deals_of(index), range(match.directions)
    shape = (match.directions, len(deals), match.rules.seats)
    fields = [line.split(b":", 5)[4].split(b"|") for line in lines]
    by_seat = np.array(fields, np.float64).reshape(shape)
    seated = np.stack([match.seatings(deals, direction) for direction in directions])
    by_player = np.empty(shape)
    np.put_along_axis(by_player, seated, by_seat, axis=-1)
    return by_player


def _header(match: Match) -> bytes:
    """Return two lines: everything but the length that determines the log's bytes, and the game."""
    return _HEADER + json.dumps(_identity(match)).encode() + b"\n" + _head(match.rules, match.seed)


def _identity(match: Match) -> dict[str, Any]:
    return {
        "version": VERSION,
        "players": [parse_entrant(player).as_json() for player in match.players],
        "rules": plain(dataclasses.asdict(match.rules)),
        "seed": match.seed,
        "seating": match.seating.value,
        "dealing": match.dealing.value,
        "chunk": match.chunk,
        "faults": plain(match.faults.as_json()),
    }


def check_header(
    line: bytes, prefix: bytes, wanted: Mapping[str, Any], name: str, what: str
) -> None:
    """Raise `BadInput` unless a log's first line identifies the wanted job."""
    try:
        header = json.loads(line.removeprefix(prefix)) if line.startswith(prefix) else None
    except UNREADABLE:
        header = None
    if not isinstance(header, dict):
        raise BadInput(f"{name} is not the log of a {what}; {_OTHERWISE}")
    keys = dict.fromkeys([*wanted, *header])
    if other := [key for key in keys if header.get(key) != wanted.get(key)]:
        differs = f"it differs in {', '.join(other)}"
        raise BadInput(f"{name} is the log of another {what}: {differs}; {_OTHERWISE}")


def _footer(match: Match, chunk: Chunk) -> bytes:
    """Return the line that completes a chunk."""
    deals = match.deals_of(chunk.index)
    faults = zip(match.names, chunk.faults, strict=True)
    entry = {
        "chunk": chunk.index,
        "deals": [deals.start, deals.stop],
        "crc32": checksum(chunk.text),
        "faults": {name: tally.as_json() for name, tally in faults if tally.counts},
    }
    return _FOOTER + json.dumps(entry).encode() + b"\n"


def _head(rules: Rules, seed: int) -> bytes:
    """Return the comment that tells a reader of the log which game it is.

    Raises `BadInput` for rules whose ACPC log could not be read back.
    """
    if acpc_rules(rules) != rules:
        raise BadInput(
            "a log is played by the ACPC's rules: odd chips split, short all-ins reopen the betting"
        )
    return f"# name/game/hands/seed railbird {game_spec(rules)} - {seed}\n".encode()


def checksum(text: bytes) -> str:
    """Return a checksum as written in a footer."""
    return f"{zlib.crc32(text):08x}"


def plain(value: Any) -> Any:
    """Return tuples as lists and enums as their values, as read back from JSON."""
    match value:
        case Enum():
            return value.value
        case Fraction():
            return str(value)
        case dict():
            return {key: plain(item) for key, item in value.items()}
        case list() | tuple():
            return [plain(item) for item in value]
        case _:
            return value
