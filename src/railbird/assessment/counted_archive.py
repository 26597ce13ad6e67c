"""The counts of an archive of any hold'em, kept, so that its hands are counted once.

`player_statistics` counts hands; for logs it does so each time. The rows of an archive stay in the
cache folder until the archive or what counts it changes, sorted by player: to ask for one player,
or for some of a player's hands, reads that player's rows alone. An archive has each hand once, with
the cards that any view of it shows, so the hands are not compared with each other again.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import polars as pl

from railbird._files import errors_named, locked, replace_files
from railbird._paths import cache_folder
from railbird.assessment.counted_log import CountedLog, KeptRows
from railbird.assessment.integrity import LogSigns
from railbird.assessment.log import Log
from railbird.assessment.player_statistics import LogTally
from railbird.errors import DamagedFile, RailbirdError
from railbird.histories import Skipped, archive
from railbird.histories.archive_refused import keep_refused, refused_rows
from railbird.histories.columns import batches_of, with_blinds
from railbird.jobs.workers import LocalWorkers, PiecePlayer
from railbird.progress import Progress

_LOG: Final = "log.json"
_UNREADABLE: Final = (
    OSError,
    ValueError,
    KeyError,
    TypeError,
    DamagedFile,
    pl.exceptions.PolarsError,
    pl.exceptions.PanicException,
)
"""What reading raises where counts are missing or damaged."""
_LARGE: Final = 4 << 20
"""Bytes from which on an archive may have a process of its own to count it; some 100,000 hands."""
_Step: TypeAlias = tuple[int, int]
"""Hands counted, and hands in all."""
_ROOMS: Final = ("cards", "odds", "game", "histories", "assessment")
"""Rooms whose code decides what is counted."""


def counted_archive(
    folder: str | Path,
    *,
    players: Collection[str] = (),
    same: Mapping[str, str] = MappingProxyType({}),
    apart: bool = False,
    progress: Progress | None = None,
) -> tuple[CountedLog, LogSigns, list[Skipped]]:
    """Return the rows of ``players`` of an archive, by default of all, and what the log says.

    These are the signs of missing hands, and what was refused for the archive or has no blinds.
    ``same`` is as in `counted_log.counted_log`. Reads all hands the first time, those of a large
    archive in a process of its own if ``apart``: a script then needs its code under
    ``if __name__ == "__main__":``. Raises `railbird.errors.BadInput` as
    `railbird.histories.archive.read` does.
    """
    root = Path(folder)
    counts = _counts_folder(root)
    with locked(counts.parent / ".lock"):
        try:
            return _counted(counts, players, same)
        except _UNREADABLE:  # not there, or damaged
            _count(root, counts, progress, apart=apart)
            return _counted(counts, players, same)


def is_counted(folder: str | Path) -> bool:
    """Return whether the counts of an archive, as it is now, are kept."""
    return (_counts_folder(Path(folder)) / _LOG).is_file()


def _counts_folder(root: Path) -> Path:
    """Return the folder of an archive's counts, named by all that they depend on."""
    return cache_folder() / "counts" / _digest(str(root.resolve())) / _digest(_state(root), _code())


def _counted(
    counts: Path, players: Collection[str], same: Mapping[str, str]
) -> tuple[CountedLog, LogSigns, list[Skipped]]:
    """Return what `counted_archive` does, from the folder. Raises one of `_UNREADABLE`."""
    facts: dict[str, Any] = json.loads((counts / _LOG).read_text(encoding="utf-8"))
    signs = LogSigns(**{**facts["signs"], "told": tuple(facts["signs"]["told"])})
    tally = LogTally(**{**facts["tally"], "everybody": tuple(facts["tally"]["everybody"])})
    rows = KeptRows.of_folder(counts)
    log = CountedLog.of(tally, rows, players, same)
    log.rows_by([])  # raises where a file is damaged, before anything is said
    return log, signs, [*refused_rows(counts)]


def _count(root: Path, counts: Path, progress: Progress | None, *, apart: bool) -> None:
    """Count all hands into a folder, which is there whole or not at all, in place of older ones."""
    with (
        errors_named(counts),
        tempfile.TemporaryDirectory(dir=counts.parent, ignore_cleanup_errors=True) as name,
    ):
        new_folder = Path(name)
        is_apart = apart and sum(file.stat().st_size for file in _files(root)) > _LARGE
        for done, total in (_steps_apart if is_apart else _steps)(root, new_folder):
            if progress is not None:
                progress(done, total, str(root))
        for earlier in counts.parent.iterdir():
            if (
                earlier.is_dir() and earlier != new_folder
            ):  # damaged counts of this name are among them
                shutil.rmtree(earlier, ignore_errors=True)
        new_folder.rename(counts)


def _steps(root: Path, folder: Path) -> Iterator[_Step]:
    """Count all hands of an archive into files of a folder; yield how many of how many are."""
    tally, log, skips, steps = LogTally(), Log(), list[Skipped](), [(0, 0)]
    rows = KeptRows(folder)

    def take_step(done: int, total: int, _: str) -> None:
        steps.append((done, total))

    for batch, skipped in with_blinds(batches_of(archive.read_batches(root, progress=take_step))):
        skips.extend(skipped)
        if len(batch):
            log.take(batch)
            rows.add(tally.take(batch))
        yield steps[-1]
    rows.write()
    keep_refused(skips, folder)
    facts = {
        "signs": asdict(LogSigns.of(log.seen, log.order)),
        "tally": asdict(tally),
    }
    replace_files({folder / _LOG: json.dumps(facts).encode()})
    yield steps[-1]


def _steps_apart(root: Path, folder: Path) -> Iterator[_Step]:
    """Do what `_steps` does in a process of its own, whose memory is free before rows are read.

    Counting a career and summing it up take 0.6 GB each. Raises `railbird.errors.RailbirdError` if
    the process dies.
    """
    with LocalWorkers(partial(_Counting, root, folder), 1) as workers:
        while True:
            workers.submit([0])
            (outcome,) = workers.wait()
            if outcome.pieces is None:
                raise RailbirdError(f"{root}: the process that counts its hands has died")
            (step,) = outcome.pieces
            if not isinstance(step, tuple):
                return
            yield step


class _Counting(PiecePlayer[_Step | None]):
    """The steps of `_steps`, one each time that it is asked; None at last."""

    def __init__(self, root: Path, folder: Path) -> None:
        self._steps = _steps(root, folder)

    def play(self, _: int) -> _Step | None:
        """Take the next step."""
        return next(self._steps, None)


def _state(root: Path) -> str:
    """Return what changes with an archive: the names, sizes and times of its files."""
    states = [(file.relative_to(root).as_posix(), file.stat()) for file in _files(root)]
    return json.dumps([(name, of.st_size, of.st_mtime_ns) for name, of in states])


def _files(root: Path) -> list[Path]:
    return sorted(root.rglob("*.parquet"))


@cache
def _code() -> str:
    """Return a digest of all code that decides what is counted."""
    package = Path(__file__).parents[1]
    sources = [source for room in _ROOMS for source in sorted((package / room).rglob("*.py"))]
    return _digest(*(source.read_text(encoding="utf-8") for source in sources))


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:24]
