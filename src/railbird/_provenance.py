"""The record that a file has of what made it: program, version, command, seed, inputs and time.

The command line says once what was `typed`. Whoever writes a file asks for the `current_provenance`
and keeps `Provenance.as_json` in the file. A file of which equal bytes are promised has a record
without the time, and one that other commands may go on with, such as a log, without the command as
well.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from railbird._terminal_safe import visible
from railbird._version import __version__
from railbird.errors import BadInput

KEY: Final = "made"
"""The key of the record in headers and other JSON."""
EPOCH_VARIABLE: Final = "SOURCE_DATE_EPOCH"
"""Gives the seconds since 1970 of every record, as reproducible-builds.org defines it."""

_MOST_TEXT: Final = 4_000
_MOST_SHOWN: Final = 160
"""Characters of a command in `str`."""
_MOST_INPUTS: Final = 100
_MOST_SEED: Final = 1 << 128
_PIECE: Final = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """What made a file.

    >>> print(Provenance(version="0.1.0", command="match tight random", seed=7, time="2026-11-28"))
    railbird 0.1.0: match tight random · seed 7 · 2026-11-28
    """

    program: str = "railbird"
    version: str = __version__
    command: str = ""
    """The verb and its arguments as typed, files by their names alone; empty in a library's use."""
    seed: int | None = None
    inputs: tuple[tuple[str, str], ...] = ()
    """Names and SHA-256 of the files that were read."""
    time: str = ""
    """In UTC, such as 2026-11-28T09:30:00Z; empty where equal bytes are promised."""

    def __str__(self) -> str:
        command = _cut(self.command, _MOST_SHOWN)
        program = f"{self.program} {self.version}".rstrip()
        seed = "" if self.seed is None else f"seed {self.seed}"
        parts = (f"{program}: {command}" if command else program, seed, self.date)
        return visible(" · ".join(filter(None, parts)), layout="")

    @property
    def date(self) -> str:
        """The day in UTC; empty if that is not known."""
        return self.time[:10]

    def as_json(self) -> dict[str, Any]:
        """Return the fields that say something."""
        return {name: value for name, value in asdict(self).items() if value not in ("", None, ())}

    @classmethod
    def from_json(cls, record: object) -> Provenance | None:
        """Return the record of a file; None where nothing in it says which program made it.

        Whatever else is none of ours is left out, and what is too long is cut.
        """
        fields = record if isinstance(record, dict) else {}
        program, version, command, time = (
            _cut(value, _MOST_TEXT) if isinstance(value := fields.get(name), str) else ""
            for name in ("program", "version", "command", "time")
        )
        if not program:
            return None
        seed, inputs = fields.get("seed"), fields.get("inputs")
        pairs = inputs[:_MOST_INPUTS] if isinstance(inputs, list | tuple) else ()
        return cls(
            program=program,
            version=version,
            command=command,
            seed=seed if type(seed) is int and abs(seed) < _MOST_SEED else None,
            inputs=tuple(
                (_cut(pair[0], _MOST_TEXT), _cut(pair[1], _MOST_TEXT))
                for pair in pairs
                if isinstance(pair, list | tuple) and [*map(type, pair)] == [str, str]
            ),
            time=time,
        )


@dataclass(frozen=True, slots=True)
class TypedCommand:
    """What stands on the command line of this process."""

    text: str = ""
    seed: int | None = None
    inputs: Sequence[Path] = ()
    """Files and folders that the command reads, as far as they are there."""


typed: TypedCommand = TypedCommand()
"""The command that runs; none where Railbird is used as a library."""


def current_provenance(*, seed: int | None = None, timed: bool = True) -> Provenance:
    """Return the record of a file that is written now.

    ``seed`` counts more than that of the command. Without ``timed`` there is a time only if
    `EPOCH_VARIABLE` gives it. Raises `BadInput` if that is no time.
    """
    return Provenance(
        command=_cut(typed.text, _MOST_TEXT),
        seed=typed.seed if seed is None else seed,
        inputs=_digests(typed.inputs),
        time=_time(timed=timed),
    )


def digest(path: Path) -> str | None:
    """Return the SHA-256 of a file, or of the names and digests of the files in a folder.

    None for what is neither, such as a pipe, or cannot be read.
    """
    try:
        if path.is_file():
            status = path.stat()
            return _digest(path.resolve(), status.st_size, status.st_mtime_ns)
        if not path.is_dir():
            return None
        of_files = hashlib.sha256()
        for file in sorted(path.rglob("*")):
            if file.is_file() and not file.name.startswith("."):
                line = f"{file.relative_to(path).as_posix()} {digest(file)}\n"
                of_files.update(os.fsencode(line))
        return of_files.hexdigest()
    except OSError:
        return None


@lru_cache(maxsize=1024)
def _digest(path: Path, _size: int, _changed_ns: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _digests(inputs: Sequence[Path]) -> tuple[tuple[str, str], ...]:
    """Return names and digests of what is there; of very many, one of all."""
    known = [(_cut(path.name, _MOST_TEXT), of) for path in inputs if (of := digest(path))]
    if len(known) <= _MOST_INPUTS:
        return tuple(known)
    together = hashlib.sha256("".join(f"{of}\n" for _, of in known).encode()).hexdigest()
    return ((f"{len(known)} files", together),)


def _time(*, timed: bool) -> str:
    seconds = os.environ.get(EPOCH_VARIABLE)
    if seconds is None and not timed:
        return ""
    try:
        moment = datetime.now(UTC) if seconds is None else datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        raise BadInput(f"{EPOCH_VARIABLE} {seconds!r}; allowed: seconds since 1970") from None
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _cut(text: str, most: int) -> str:
    """Return a text that any file can hold, of so many characters at most."""
    text = text if len(text) <= most else f"{text[: most - 1]}…"
    return text.encode("utf-8", "replace").decode()
