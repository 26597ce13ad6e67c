"""Logs of jobs in any hold'em, written in numbered parts, from which an interrupted job resumes.

A log begins with a line of JSON that identifies the job: everything that determines the log's
bytes, except how long the job is, and which version of the program began it. Then come the parts:
the hands of each in the job's log format (the ACPC's for matches, PHHS where stacks carry over),
followed by a comment, the footer, with the part's number, its result, a checksum and the players'
faults. A part counts once its footer is written. Anything after the last footer was left by a
killed process, and is cut off when the job resumes. So the finished log is the same, byte for byte,
however often the job was interrupted.
"""

# The log is the whole state of a job: nothing else is kept, so nothing can disagree with it. Two
# properties follow and must be preserved. The header has everything that determines the bytes, and
# the log of another job is refused with the names of the differing fields, since appending to it
# would mix two matches. And a part is written together with its footer, wholly or not at all
# (`AppendLog.append`), in order from the first part on, whatever the order in which workers finish.
#
# The checksum shows which part was edited. The log can be cut there and continued.
#
# These tests would fail: tests/arena/test_job_log.py, tests/arena/test_resumable_log.py, and those
# of leagues and series, which interrupt jobs and compare the finished logs byte for byte.

from __future__ import annotations

import contextlib
import json
import logging
import os
import secrets
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from functools import partial
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO, Final, Generic, Protocol, TypeVar

import filelock

from railbird._arguments import checked
from railbird._files import created_folder, errors_named
from railbird._provenance import KEY, Provenance
from railbird.arena.guarded_player import FaultTally
from railbird.arena.match import Seating
from railbird.errors import BadInput, DamagedFile
from railbird.histories.files import LogFile, logs_in

# A log to which a single process appends whole parts, never leaving part of one.


_LOG = logging.getLogger(__name__)
_Part = TypeVar("_Part")


class AppendLog:
    """A file to append to; get one from `growing`."""

    def __init__(self, file: FileIO, path: Path) -> None:
        self._file = file
        self._path = path

    def append(self, text: bytes) -> None:
        """Write all of a text or nothing. Raises `BadInput` if it cannot be written."""
        end = self._file.tell()
        try:
            with errors_named(self._path):
                rest = memoryview(text)
                while rest:
                    # An unbuffered file may write less than it is given, for example when the disk
                    # is full.
                    rest = rest[self._file.write(rest) :]
        except BaseException:
            # Also for Ctrl-C: the next append would otherwise follow half of a part, which reads as
            # damage.
            self._file.truncate(end)
            self._file.seek(end)
            raise


@contextmanager
def growing(
    path: Path, header: bytes, read: Callable[[BinaryIO], tuple[list[_Part], int]]
) -> Iterator[tuple[AppendLog, list[_Part]]]:
    """Open a log for appending; yield it with the parts that it already contains.

    ``read`` returns the complete parts and the position at which the last one ends, 0 if even the
    header is incomplete; anything after it is cut off. A missing file and its folder are created,
    and removed again if nothing is appended. Raises `BadInput` if the file cannot be written, or if
    another process is writing it.
    """
    if path.exists() and not path.is_file():
        raise BadInput(
            f"{path} is not a regular file; a log must be one to be appended to and resumed"
        )
    is_new_folder = not path.parent.exists()
    with created_folder(path.parent), locked_log(path):
        new = not path.exists()
        try:
            try:
                with errors_named(path):
                    opened = FileIO(path, "x+" if new else "r+")
            except BadInput:
                new = False
                raise
            with opened as file:
                # Read before anything is cut off: `read` refuses the log of another job, which must
                # stay as it is.
                with path.open("rb") as stream:
                    parts, end = read(stream)
                with errors_named(path):
                    file.truncate(end)
                    file.seek(end)
                log = AppendLog(file, path)
                if end == 0:
                    log.append(header)
                begun = file.tell()
                try:
                    yield log, parts
                finally:
                    new = new and file.tell() == begun
                    # Once for the whole job, not for each part: a part lost in a power failure is
                    # simply played again.
                    os.fsync(file.fileno())
            if is_new_folder:  # reported, since its name may be mistyped
                _LOG.warning("%s: made for the log", path.parent)
        finally:
            if new:
                path.unlink(missing_ok=True)


@contextmanager
def locked_log(path: Path, *, wait_seconds: float = 0.0) -> Iterator[None]:
    """Hold an exclusive lock on ``path``, by a lock file beside it that is removed afterwards.

    Raises `BadInput` if another process holds it for longer than ``wait_seconds``.
    """
    target = path.resolve()
    file = target.with_name(f".{target.name}.lock")
    lock = filelock.FileLock(file, timeout=wait_seconds)
    with errors_named(path):
        try:
            lock.acquire()
        except filelock.Timeout:
            raise BadInput(f"{path}: another process is writing it") from None
    try:
        yield
    finally:
        # Removed while the lock is held: a process that has just opened the file then notices that
        # it is gone, and retries with a new one. After releasing, two could hold "the" lock.
        with contextlib.suppress(OSError):  # Windows cannot remove an open file; release does it
            file.unlink()
        lock.release()


@contextmanager
@checked
def set_aside(logs: Iterable[Path]) -> Iterator[None]:
    """Move logs aside to make room for new ones; restore those that are not replaced.

    Raises `BadInput` for a log that another process is writing, or that cannot be moved.
    """
    moved: list[tuple[Path, Path]] = []
    try:
        for path in logs:
            if not path.is_file():
                continue
            target = path.resolve()  # a link stays; its target is moved
            aside = target.with_name(f".{target.name}.{secrets.token_hex(4)}.old")
            with locked_log(path), errors_named(path):
                target.rename(aside)
            moved.append((target, aside))
        yield
    finally:
        for target, aside in moved:
            if target.exists():
                aside.unlink()
            else:
                aside.rename(target)


# Logs in numbered parts.


_UNREADABLE = (ValueError, OverflowError, RecursionError)
"""Exceptions that damaged JSON can cause, when it is parsed or used as numbers."""
_OTHERWISE = "name another file, or begin it anew (--force)"


class Logged(Protocol):
    """A part of a job, as far as its log is concerned."""

    @property
    def index(self) -> int:
        """Index in the job, from 0."""

    @property
    def faults(self) -> tuple[FaultTally, ...]:
        """The faults of each player."""

    @property
    def text(self) -> bytes:
        """The hands as written in the log; empty without a log."""


PartT = TypeVar("PartT", bound=Logged)
AnyT = TypeVar("AnyT")


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A part as read from a log."""

    index: int
    """Index in the job, from 0."""
    result: Mapping[str, Any]
    """The result, as `LogFormat.said` returned it."""
    faults: tuple[FaultTally, ...]
    text: bytes
    where: str
    """The part's place, for error messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogFormat(Generic[PartT]):
    """How the logs of one kind of job are written and read."""

    title: str
    """Name of the job in messages."""
    job: str
    """Word for the job, in the header."""
    part: str
    """Word for a part, in footers."""
    first: int
    """Number of the first part."""
    names: tuple[str, ...]
    """Names of the players."""
    identity: Mapping[str, Any]
    """Everything that determines the log's bytes, except its length."""
    game: bytes = b""
    """A line after the first one, for other programs that read the log."""
    said: Callable[[PartT], Mapping[str, Any]]
    """Returns a part's result, without its faults, for JSON."""
    read: Callable[[LogEntry], PartT]
    """Inverse of ``said``.

    Raises a KeyError, TypeError or ValueError for malformed data, and `BadInput` for a part of a
    job of another length.
    """

    @property
    def header(self) -> bytes:
        """The first lines of the log."""
        # The record has neither command nor time: a log that was continued must have the same bytes
        # as one that was written at once.
        fields = {**self.identity, KEY: Provenance().as_json()}
        return self._header + json.dumps(fields).encode() + b"\n" + self.game

    def footer(self, completed_part: PartT) -> bytes:
        """Return the line that completes a part."""
        faults = zip(self.names, completed_part.faults, strict=True)
        entry = {
            self.part: completed_part.index + self.first,
            **self.said(completed_part),
            "crc32": _checksum(completed_part.text),
            "faults": {name: tally.as_json() for name, tally in faults if tally.counts},
        }
        return self._footer + json.dumps(entry).encode() + b"\n"

    def parts(self, stream: BinaryIO, name: str) -> tuple[list[PartT], int]:
        """Return the complete parts of a log, and the position at which the last one ends.

        Raises `BadInput` if it is the log of another job, and `DamagedFile` if a part was changed.
        """
        head = stream.readline()
        head += stream.readline() if self.game else b""
        if len(head) < len(self.header) and self.header.startswith(head):
            return [], 0  # new, or killed within the header
        self._check_header(head.splitlines()[0], name)
        end = len(head)
        parts: list[PartT] = []
        lines: list[bytes] = []
        for line in stream:
            if not line.endswith(b"\n"):
                break
            lines.append(line)
            if line.startswith(self._footer):
                where = f"{name}: {self.part} {len(parts) + self.first}"
                parts.append(self._part(len(parts), b"".join(lines[:-1]), line, where))
                end += sum(map(len, lines))
                lines.clear()
        return parts, end

    def _part(self, index: int, text: bytes, footer: bytes, where: str) -> PartT:
        """Read one part back."""
        try:
            entry = json.loads(footer.removeprefix(self._footer))
            faults = tuple(FaultTally.from_json(entry["faults"].get(n, {})) for n in self.names)
            if (entry[self.part], entry["crc32"]) == (index + self.first, _checksum(text)):
                return self.read(LogEntry(index, entry, faults, text, where))
        except BadInput:
            raise
        except (*_UNREADABLE, KeyError, TypeError, AttributeError) as problem:
            raise DamagedFile(f"{where}: unreadable footer: {problem!r}") from None
        raise DamagedFile(f"{where} was changed; cut the file there, or begin it anew (--force)")

    def _check_header(self, line: bytes, name: str) -> None:
        """Raise `BadInput` unless a log's first line identifies this job."""
        try:
            known = line.startswith(self._header)
            header = json.loads(line.removeprefix(self._header)) if known else None
        except _UNREADABLE:
            header = None
        if not isinstance(header, dict):
            raise BadInput(f"{name} is not the log of a {self.title}; {_OTHERWISE}")
        keys = dict.fromkeys([*self.identity, *header])
        keys.pop(KEY, None)  # another version of the program may continue the log
        if other := [key for key in keys if header.get(key) != self.identity.get(key)]:
            differs = f"it differs in {', '.join(other)}"
            raise BadInput(f"{name} is the log of another {self.title}: {differs}; {_OTHERWISE}")

    @property
    def _header(self) -> bytes:
        return f"# railbird {self.job} ".encode()

    @property
    def _footer(self) -> bytes:
        return f"# railbird {self.part} ".encode()


@dataclass(frozen=True, slots=True)
class PartLog(Generic[AnyT]):
    """The log of a job's parts. The default keeps nothing; `open_part_log` keeps them in a file."""

    parts: Mapping[int, AnyT] = field(default_factory=dict)
    """The parts that it had when it was opened, by number."""
    append: Callable[[AnyT], object] = lambda part: None
    """Writes a part as a whole. Raises `BadInput` if it cannot be written."""


@contextmanager
def open_part_log(
    path: Path | None, form: Callable[[], LogFormat[PartT]]
) -> Iterator[PartLog[PartT]]:
    """Open a log for appending, with the parts that it already contains.

    A missing file is created. Anything after the last complete part is cut off. Without a path
    there are no parts, and none are kept.

    Raises `BadInput` if the file is not a log of this job, cannot be written or is being written by
    another process, and `DamagedFile` if a part was changed.
    """
    if path is None:
        yield PartLog()
        return
    how = form()
    with growing(path, how.header, partial(how.parts, name=str(path))) as (file, parts):
        by_number = {part.index: part for part in parts}
        yield PartLog(by_number, lambda part: file.append(part.text + how.footer(part)))


def plain(value: Any) -> Any:
    """Return a value as JSON would give it back: lists for tuples, values for enums."""
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


def _checksum(text: bytes) -> str:
    return f"{zlib.crc32(text):08x}"


# Where the players of a logged game were reset: sessions, between which they remember nothing.
#
# A log of the arena says after each part how many hands it has. A tournament is one session, and so
# is a session of a ring game; a chunk of a match is one session for each direction.


_MARK: Final = "# railbird "
_KINDS: Final = {"match": "chunk", "tournaments": "tournament", "ring": "session"}
"""Kinds of logs, and the word for a part of each."""
_FAULTS: Final = (ValueError, KeyError, TypeError, AttributeError, RecursionError)


def first_of_session(source: str | Path, number: int) -> int:
    """Return the number, from 1, of the first hand of the session that contains a given hand.

    ``source`` is a log or a folder of logs, which are read up to that hand. If one of them was not
    written by the arena, or its comments were changed, or the hand is beyond the end, everything
    counts as one session.
    """
    if not (Path(source).is_file() or Path(source).is_dir()):
        return 1  # a pipe can be read only once, and its hands are needed elsewhere
    first = 1
    try:
        for hands in _sessions(logs_in(source)):
            if first + hands > number:
                return first
            first += hands
    except _FAULTS:
        pass
    return 1


def logged_header(path: Path, job: str) -> dict[str, Any]:
    """Return the fields of a log's first line, for a kind of job such as ``match``.

    Raises `BadInput` unless the file is a log of such a job, written by the arena.
    """
    logs = [log for log in logs_in(path) if isinstance(log, LogFile)]
    try:
        kind, header = _comment(logs[0].head[0]) if len(logs) == 1 and logs[0].head else ("", {})
    except _FAULTS:
        kind, header = "", {}
    finally:
        for log in logs:
            log.close()
    if kind != job or not isinstance(header, dict):
        raise BadInput(f"{path} is not the log of a {job} that Railbird played")
    return header


def _sessions(logs: Iterable[object]) -> Iterator[int]:
    """Yield the number of hands of each session. Raises one of `_FAULTS` for other logs."""
    for log in logs:
        if not isinstance(log, LogFile):
            raise TypeError("no log")
        try:
            kind, header = _comment(log.head[0] if log.head else "")
            part = _KINDS[kind]
            for line in log.lines():
                if line.startswith(f"{_MARK}{part} "):
                    yield from _hands(_comment(line)[1], header)
        finally:
            log.close()


def _comment(line: str) -> tuple[str, dict[str, Any]]:
    kind, _, text = line.removeprefix(_MARK).partition(" ")
    return kind, json.loads(text)


def _hands(footer: dict[str, Any], header: dict[str, Any]) -> Iterator[int]:
    if "deals" not in footer:
        yield int(footer["hands"])
        return
    first, end = footer["deals"]
    single = Seating(header["seating"]) is Seating.SINGLE
    yield from [end - first] * (1 if single else len(header["players"]))
