"""Journals: written before anybody is told, and read back after a crash."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from railbird.errors import BadInput, DamagedFile, WriteFailed
from railbird.hosting.records import RECORDS, AnyRecord, Opened
from railbird.hosting.settings import MOST_JOURNAL_LINE

SUFFIX = ".journal"


class Journal:
    """One game's records, a JSON object in a line.

    `write` hands a record to the operating system before it returns, so that it survives the end of
    the process; `sync` puts everything on the disk. The file contains the seed of the cards:
    nobody but its owner may read it.
    """

    def __init__(self, path: Path, *, resume: bool = False) -> None:
        self.path = path
        flags = os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC
        try:
            if resume:
                self._file = os.open(path, flags)
            else:
                self._file = os.open(path, flags | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as problem:
            raise WriteFailed(f"{path}: {problem.strerror}") from problem
        self.needs_sync = False
        self.size = os.fstat(self._file).st_size

    def write(self, record: AnyRecord) -> None:
        """Write a record. Raises `WriteFailed`; then none of it counts."""
        line = type(record).__pydantic_serializer__.to_json(record) + b"\n"
        try:
            written = os.write(self._file, line)
            if written < len(line):
                os.ftruncate(self._file, self.size)
                raise WriteFailed(f"{self.path}: the disk is full")
        except OSError as problem:
            raise WriteFailed(f"{self.path}: {problem.strerror}") from problem
        self.size += written
        self.needs_sync = True

    def sync(self) -> None:
        """Put everything on the disk. Raises `WriteFailed`."""
        self.needs_sync = False
        try:
            os.fdatasync(self._file)
        except OSError as problem:
            raise WriteFailed(f"{self.path}: {problem.strerror}") from problem

    def close(self) -> None:
        """Close the file."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def read_journal(path: Path) -> list[AnyRecord]:
    """Read a journal. A torn last line is left out.

    Raises `DamagedFile` for anything else that is no record, `BadInput` if it cannot be read.
    """
    records = [record for record, _ in _records(path)]
    if not records or not isinstance(records[0], Opened):
        raise DamagedFile(f"{path} is no journal: its first line is not that of a game")
    return records


def mend(path: Path) -> list[AnyRecord]:
    """Read a journal and cut a torn last line off, so that records can be appended.

    Nothing is returned where not even the first line is whole: then nobody was told of the game.
    """
    records, end = [], 0
    for record, after in _records(path):
        records.append(record)
        end = after
    if records and not isinstance(records[0], Opened):
        raise DamagedFile(f"{path} is no journal: its first line is not that of a game")
    with path.open("r+b") as file:
        file.truncate(end)
        os.fsync(file.fileno())
    return records


def _records(path: Path) -> Iterator[tuple[AnyRecord, int]]:
    """Yield the records, each with the offset after its line."""
    try:
        file = path.open("rb")
    except OSError as problem:
        raise BadInput(f"{path}: {problem.strerror}") from problem
    with file:
        number, end = 0, 0
        while line := file.readline(MOST_JOURNAL_LINE):
            number += 1
            if not line.endswith(b"\n"):
                if len(line) == MOST_JOURNAL_LINE:
                    raise DamagedFile(
                        f"{path}, line {number}: longer than {MOST_JOURNAL_LINE} bytes"
                    )
                return
            end += len(line)
            try:
                yield RECORDS.validate_json(line), end
            except ValidationError as problem:
                first = problem.errors(include_url=False, include_input=False)[0]
                words = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
                raise DamagedFile(f"{path}, line {number}: {words}") from None
