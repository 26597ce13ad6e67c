"""Files of strategies for any game: a header, and tables that can be memory-mapped.

`spot.files` has the files of spots.

::

    railbird limit strategy 1
    {"sha256": ..., "rules": ..., "abstraction": ..., "shapes": ..., "plays": ..., "made": ...}
    (spaces up to a multiple of 4096 bytes, then the tables one after the other)

``sha256`` is the digest of everything else in the file. ``plays`` is the digest of everything that
determines play, under which results are kept; it leaves out how the strategy was found and which
program made the file.
"""

from __future__ import annotations

import contextvars
import hashlib
import json
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from railbird import _provenance
from railbird._files import atomic_write, kept_arrays, write_arrays
from railbird._provenance import KEY, Provenance
from railbird.errors import BadInput, DamagedFile

_PAGE = 4096
_MOST_HEADER = 1 << 26
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class StrategyFormat:
    """A kind of strategy file: how it begins, and the type of its numbers."""

    magic: bytes
    """The first line, with its line end."""
    of: str
    """The game, in words."""
    numbers: np.dtype[Any]

    def write(
        self,
        path: Path,
        header: Mapping[str, Any],
        tables: Iterable[npt.NDArray[Any]],
        training: Mapping[str, Any],
        made: Provenance | None,
    ) -> str:
        """Write a file; return the digest of what determines play. Raises `BadInput`.

        ``training`` says how the strategy was found, and ``made`` what found it, by default this
        process.
        """
        parts = list(tables)
        plays = _digest(header, parts)
        made_json = (made or _provenance.current_provenance()).as_json()
        full_header = {**header, "plays": plays, "training": dict(training), KEY: made_json}
        text = json.dumps({"sha256": _digest(full_header, parts)} | full_header)
        head = self.magic + text.encode() + b"\n"
        with atomic_write(path) as part, part.open("wb") as file:
            # Padded to whole pages, at which a memory map must begin.
            file.write(head.ljust(-len(head) % _PAGE + len(head)))
            for table in parts:
                file.write(table.data)
        return plays

    def begins(self, path: Path) -> bool:
        """Return whether a file begins like files of this kind."""
        try:
            if not path.is_file():
                return False
            with path.open("rb") as file:
                return file.read(len(self.magic)) == self.magic
        except OSError:
            return False

    def header(self, path: Path) -> tuple[dict[str, Any], int, int]:
        """Return a file's header, where the tables start, and the file's size.

        Raises `BadInput` for a file that cannot be read or is no such strategy, and `DamagedFile`
        if its header is damaged.
        """
        try:
            if path.exists() and not path.is_file():  # a pipe would be waited for
                raise BadInput(f"{path}: no strategy: allowed: a regular file")
            with path.open("rb") as file:
                if file.read(len(self.magic)) != self.magic:
                    raise BadInput(f"{path}: no strategy of {self.of}")
                line = file.readline(_MOST_HEADER)
                size = file.seek(0, 2)
        except OSError as error:
            raise BadInput(f"{path}: {error.strerror or error}") from None
        try:
            header = json.loads(line)
        except (ValueError, RecursionError):
            header = None
        if not isinstance(header, dict):
            raise DamagedFile(f"{path}: a strategy without a header")
        end = len(self.magic) + len(line)
        return header, -end % _PAGE + end, size

    def verify(self, path: Path) -> None:
        """Check a file, once in a process and again after it has changed. Raises `DamagedFile`.

        A checksum shows that a file is as it was written; the numbers are checked too, since it
        does not show that they were probabilities.
        """
        written = path.stat()
        _verify(self, path.resolve(), written.st_size, written.st_mtime_ns)


@lru_cache(maxsize=64)
def _verify(kind: StrategyFormat, path: Path, size: int, changed_ns: int) -> None:
    header, start, _ = kind.header(path)
    sha256 = header.pop("sha256", None)
    digest = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    with path.open("rb") as file:
        file.seek(start)
        is_sound = True
        while block := file.read(_BLOCK):
            digest.update(block)
            numbers = np.frombuffer(block, dtype=kind.numbers)
            is_sound &= bool(numbers.min() >= 0 and numbers.max() < np.inf)  # also false for NaN
    if digest.hexdigest() != sha256:
        raise DamagedFile(f"{path}: a strategy that was changed: its checksum is wrong")
    if not is_sound:
        raise DamagedFile(f"{path}: a strategy with something else than probabilities")


def training_of(header: Mapping[str, Any]) -> tuple[dict[str, Any], Provenance | None]:
    """Return how a strategy was found, and the record of what made its file.

    Older files have the seed and the date among the former. Raises `KeyError`, `TypeError` or
    `ValueError` for a header of another form.
    """
    training = dict(header["training"] if "training" in header else header["provenance"])
    former = {"program": "railbird", "seed": training.get("seed"), "time": training.get("date")}
    return training, Provenance.from_json(header.get(KEY, former))


def _digest(header: Mapping[str, Any], tables: Iterable[npt.NDArray[Any]]) -> str:
    digest = hashlib.sha256(json.dumps(dict(header), sort_keys=True).encode())
    for table in tables:
        digest.update(table.data)
    return digest.hexdigest()


# Long computations that survive an interruption: tables on disk, and steps that are completed.


Tables = Mapping[str, npt.NDArray[Any]]
SOLVED_IS_KEPT: Final = "what was solved is kept"
"""The note on an interruption after which the same call continues."""


def write_checkpoint(path: Path, state: Mapping[str, Any], tables: Tables) -> None:
    """Write tables, and a state as JSON. Raises `BadInput` if the file cannot be written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_arrays(path, {"state": json.dumps(state), **tables})


def read_checkpoint(
    path: Path, record: str, tables: Tables, take: Callable[[dict[str, Any]], None]
) -> None:
    """Fill the tables from a file whose state has this ``record``, and pass ``take`` the state.

    If there is no such file, or it is damaged or has other tables, nothing changes, and the
    computation begins anew.
    """
    loaded = kept_arrays(path, "state", *tables)
    if loaded is None:
        return
    try:
        state = json.loads(str(loaded["state"]))
        if state["record"] != record:
            return
        for name, table in tables.items():
            if loaded[name].shape != table.shape or loaded[name].dtype != table.dtype:
                return
        # Before the tables are filled: if the state turns out to be damaged, they are still empty.
        take(state)
    except Exception:  # whatever a state that somebody wrote raises
        return
    for name, table in tables.items():
        table[:] = loaded[name]


def in_whole_steps(
    step: Callable[[], None],
    *,
    until: Callable[[], bool],
    write: Callable[[], None],
    every: float,
    report: Callable[[], object],
) -> None:
    """Repeat a step until a condition holds; write every so many seconds, and when interrupted.

    After an interruption the step is completed before anything is written, since a step that was
    cut short would leave its tables half updated.
    """
    written = time.monotonic()

    def step_and_write() -> None:
        nonlocal written
        step()
        if time.monotonic() - written > every:
            write()
            written = time.monotonic()

    # Ctrl-C reaches the main thread alone. With the steps in another thread it interrupts the
    # waiting, not a step; the context is copied so that the step sees the caller's settings, such
    # as its thread limit.
    with ThreadPoolExecutor(max_workers=1) as pool:
        while not until():
            pending = pool.submit(contextvars.copy_context().run, step_and_write)
            try:
                pending.result()
                report()
            except BaseException as interruption:
                wait([pending])
                write()
                interruption.add_note(SOLVED_IS_KEPT)
                raise
