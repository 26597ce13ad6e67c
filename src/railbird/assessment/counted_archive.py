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
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import polars as pl

from railbird._files import errors_named, locked, replace_files
from railbird._paths import cache_folder
from railbird.assessment.counted_log import CountedLog, KeptRows
from railbird.assessment.integrity import LogSigns
from railbird.assessment.log import Log
from railbird.assessment.player_statistics import LogTally
from railbird.errors import DamagedFile
from railbird.histories import Skipped, archive
from railbird.histories.archive_refused import keep_refused, refused_rows
from railbird.histories.columns import HandBatch, batches_of, with_blinds
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
_ROOMS: Final = ("cards", "odds", "game", "histories", "assessment")
"""Rooms whose code decides what is counted."""


def counted_archive(
    folder: str | Path,
    *,
    players: Collection[str] = (),
    same: Mapping[str, str] = MappingProxyType({}),
    progress: Progress | None = None,
) -> tuple[CountedLog, LogSigns, list[Skipped]]:
    """Return the rows of ``players`` of an archive, by default of all, and what the log says.

    These are the signs of missing hands, and what was refused for the archive or has no blinds.
    ``same`` is as in `counted_log.counted_log`. Reads all hands the first time. Raises
    `railbird.errors.BadInput` as `railbird.histories.archive.read` does.
    """
    root = Path(folder)
    counts = _counts_folder(root)
    with locked(counts.parent / ".lock"):
        try:
            return _counted(counts, players, same)
        except _UNREADABLE:  # not there, or damaged
            _count(root, counts, progress)
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


def _count(root: Path, counts: Path, progress: Progress | None) -> None:
    """Count all hands into a folder, which is there whole or not at all, in place of older ones."""
    tally, log, skips = LogTally(), Log(), list[Skipped]()

    def counted() -> Iterator[HandBatch]:
        for batch, skipped in with_blinds(
            batches_of(archive.read_batches(root, progress=progress))
        ):
            skips.extend(skipped)
            if len(batch):
                log.take(batch)
                yield batch

    with (
        errors_named(counts),
        tempfile.TemporaryDirectory(dir=counts.parent, ignore_cleanup_errors=True) as name,
    ):
        new_folder = Path(name)
        rows = KeptRows(new_folder)
        for batch in counted():
            rows.add(tally.take(batch))
        rows.write()
        keep_refused(skips, new_folder)
        facts = {
            "signs": asdict(LogSigns.of(log.seen, log.order)),
            "tally": asdict(tally),
        }
        replace_files({new_folder / _LOG: json.dumps(facts).encode()})
        for earlier in counts.parent.iterdir():
            if (
                earlier.is_dir() and earlier != new_folder
            ):  # damaged counts of this name are among them
                shutil.rmtree(earlier, ignore_errors=True)
        new_folder.rename(counts)


def _state(root: Path) -> str:
    """Return what changes with an archive: the names, sizes and times of its files."""
    files = sorted(root.rglob("*.parquet"))
    states = [(file.relative_to(root).as_posix(), file.stat()) for file in files]
    return json.dumps([(name, of.st_size, of.st_mtime_ns) for name, of in states])


@cache
def _code() -> str:
    """Return a digest of all code that decides what is counted."""
    package = Path(__file__).parents[1]
    sources = [source for room in _ROOMS for source in sorted((package / room).rglob("*.py"))]
    return _digest(*(source.read_text(encoding="utf-8") for source in sources))


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:24]
