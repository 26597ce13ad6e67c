"""The log of tournaments: hands in the PHHS format, from which killed tournaments go on.

Comments say which tournaments they are and, after the hands of each, how it ended, with a checksum.
A tournament counts once that footer is there, as a chunk of a match does (`railbird.arena.log`).
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from railbird.arena.faults import FaultTally
from railbird.arena.log import alone, check_header, checksum, plain
from railbird.arena.tournament import Finish, Tournaments
from railbird.errors import DamagedFile, RailbirdError
from railbird.histories import HandRecord, Skipped, WriteOptions, format_named

VERSION = 1
_HEADER = b"# railbird tournaments "
_FOOTER = b"# railbird tournament "
_FORMAT = "phh"
_NUMBERS = 1_000_000
"""Hand 7 of the third tournament is number 3000007 of the log."""


class TournamentLog:
    """A log that is being written; get one from `open_tournament_log`."""

    def __init__(self, stream: BinaryIO, tournaments: Tournaments) -> None:
        self._stream = stream
        self._tournaments = tournaments

    def append(self, finish: Finish) -> None:
        """Write the next tournament with its footer, in one piece."""
        self._stream.write(finish.text + _footer(self._tournaments, finish))
        self._stream.flush()


@contextmanager
def open_tournament_log(
    path: Path, tournaments: Tournaments
) -> Iterator[tuple[TournamentLog, list[Finish]]]:
    """Open a log for appending, with the tournaments that it has already.

    A file that is not there is begun. What follows the last complete tournament is cut off.

    Raises `BadInput` if the file is anything but a log of these tournaments or if another process
    is writing it, `DamagedFile` if a tournament is not as it was written.
    """
    header = _HEADER + json.dumps(_identity(tournaments)).encode() + b"\n"
    with alone(path):
        path.touch()
        with path.open("r+b") as stream:
            finishes, end = _complete(stream, tournaments, header, str(path))
            stream.seek(end)
            stream.truncate()
            if end == 0:
                stream.write(header)
            try:
                yield TournamentLog(stream, tournaments), finishes
            finally:
                stream.flush()
                os.fsync(stream.fileno())


def hands_text(index: int, hands: Iterable[HandRecord]) -> bytes:
    """The hands of a tournament as the log has them.

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


def _complete(
    stream: BinaryIO, tournaments: Tournaments, header: bytes, name: str
) -> tuple[list[Finish], int]:
    """The complete tournaments of a log, and the position where the last one ends."""
    found = stream.readline()
    if len(found) < len(header) and header.startswith(found):
        return [], 0  # new, or killed within the header
    wanted = _identity(tournaments)
    check_header(found.rstrip(), _HEADER, wanted, name, "series of tournaments")
    end = len(found)
    finishes: list[Finish] = []
    lines: list[bytes] = []
    for line in stream:
        if not line.endswith(b"\n"):
            break
        lines.append(line)
        if line.startswith(_FOOTER):
            where = f"{name}: tournament {len(finishes) + 1}"
            finishes.append(_finish(tournaments, len(finishes), b"".join(lines[:-1]), line, where))
            end += sum(map(len, lines))
            lines.clear()
    return finishes, end


def _finish(tournaments: Tournaments, index: int, text: bytes, footer: bytes, where: str) -> Finish:
    """Read one tournament back."""
    try:
        entry = json.loads(footer.removeprefix(_FOOTER))
        places, hands = tuple(entry["places"]), int(entry["hands"])
        names = tournaments.names
        faults = tuple(FaultTally.from_json(entry["faults"].get(name, {})) for name in names)
        same = (entry["tournament"], entry["crc32"]) == (index + 1, checksum(text))
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise DamagedFile(f"{where}: its footer does not read: {problem!r}") from None
    if not same or len(places) != len(names):
        raise DamagedFile(f"{where} was changed; cut the file before it, or begin anew")
    return Finish(index, places, hands, faults)


def _footer(tournaments: Tournaments, finish: Finish) -> bytes:
    """The line that makes a tournament count."""
    faults = zip(tournaments.names, finish.faults, strict=True)
    entry = {
        "tournament": finish.index + 1,
        "places": list(finish.places),
        "hands": finish.hands,
        "crc32": checksum(finish.text),
        "faults": {name: tally.as_json() for name, tally in faults if tally.counts},
    }
    return _FOOTER + json.dumps(entry).encode() + b"\n"


def _identity(tournaments: Tournaments) -> dict[str, Any]:
    """What decides the bytes of the log but their number, and nothing else: no prizes."""
    return {
        "version": VERSION,
        "players": list(tournaments.players),
        "seed": tournaments.seed,
        "stack": tournaments.stack,
        "blinds": str(tournaments.schedule),
        "seats": tournaments.seats,
        "betting": tournaments.betting.value,
        "faults": plain(dataclasses.asdict(tournaments.faults)),
    }
