"""Archives: hands of any number and format in one folder of Parquet files.

An archive is a folder with a file `ARCHIVE_MARK`, and in it a folder for each kind of game, such as
``limit-2``, with parts of up to `PART` hands in the order in which they were added. Parts are
written under a temporary name, renamed and never changed, so that an archive grows without being
rewritten, and an interruption loses at most the part that was not full. A hand that is in the
archive already is not added again. Any tool that reads Parquet can read the parts;
`railbird.histories.archive.rows` describes the columns.
"""

from __future__ import annotations

import io
import itertools
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Final, Literal

import numpy as np
import polars as pl
from filelock import FileLock

from railbird._files import replace_files
from railbird.errors import BadInput, DamagedFile
from railbird.histories.archive.query import Query, condition_of, stakes_of
from railbird.histories.archive.rows import SCHEMA, batch_of_rows, rows_of
from railbird.histories.columns import UNKNOWN, HandBatch, Numbered, batches_of, records_of
from railbird.histories.files import ARCHIVE_MARK
from railbird.histories.record import HandRecord, Skipped, SkipReason, line_of
from railbird.progress import Progress

VERSION: Final = 1
PART: Final = 100_000
"""Maximum number of hands in a file."""
_BATCH: Final = 32_768
"""Number of hands looked up in the archive at a time."""
_SLICE: Final = 16_384
"""Number of rows converted to columns at a time."""


@dataclass(frozen=True, slots=True)
class Added:
    """Counts of the hands added and of duplicates."""

    hands: int
    duplicates: int
    """Hands already in the archive, or given twice."""


_ALL: Final = Query()


def is_archive(folder: str | Path) -> bool:
    """Return whether a path is the folder of an archive."""
    return (Path(folder) / ARCHIVE_MARK).is_file()


def add(hands: Iterable[HandRecord | HandBatch], folder: str | Path) -> Added:
    """Add hands to an archive, which is created with the first hand if there is none.

    They may come as records or, which is faster, in batches. Raises `railbird.errors.BadInput` for
    a folder that cannot be one.
    """
    root = Path(folder)
    _check_folder(root)
    batches = _new_rows(hands)
    first = list(itertools.islice(batches, 1))  # before a new folder: they may fail to be read
    if not first:
        return Added(0, 0)
    _make(root)
    added = duplicates = 0
    with FileLock(root / ".lock"):
        known = _digests(root)
        waiting: dict[str, list[pl.DataFrame]] = {}
        for rows in itertools.chain(first, batches):
            fresh = rows.unique("digest", keep="first", maintain_order=True)
            fresh = fresh.join(known, on="digest", how="anti", maintain_order="left")
            known = pl.concat([known, fresh.select("digest")])
            added += fresh.height
            duplicates += rows.height - fresh.height
            for (betting, seats), group in fresh.group_by("betting", "seats", maintain_order=True):
                kind = f"{betting}-{seats}"
                parts = [*waiting.get(kind, []), group]
                waiting[kind] = _write_full(root / kind, parts)
        for kind, parts in waiting.items():
            if parts:
                _write_part(root / kind, pl.concat(parts))
    return Added(added, duplicates)


def read(
    folder: str | Path,
    query: Query = _ALL,
    *,
    rename: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Iterator[HandRecord | Skipped]:
    """Read the hands of an archive that match a query, game by game, in the order of adding.

    One part at a time is in memory. ``progress`` counts hands. Raises `railbird.errors.BadInput`
    for an invalid query, and for a part that cannot be read.
    """
    return _records(read_batches(folder, query, rename=rename, progress=progress))


def read_batches(
    folder: str | Path,
    query: Query = _ALL,
    *,
    rename: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Iterator[HandBatch | Skipped]:
    """Read hands as `read` does, as columns, in batches of some thousands."""
    parts = _parts(Path(folder))
    condition = condition_of(query)
    return _hands(parts, condition, str(folder), rename or {}, progress)


def _records(batches: Iterable[HandBatch | Skipped]) -> Iterator[HandRecord | Skipped]:
    for batch in batches:
        if isinstance(batch, Skipped):
            yield batch
        else:
            yield from records_of(batch)


def count(folder: str | Path, query: Query = _ALL) -> pl.DataFrame:
    """Count hands by game, seats, stakes and player; incommensurable amounts stay apart.

    The columns are ``betting``, ``seats``, ``stakes`` (`stakes_of`), ``currency``, ``player``,
    ``hands``, and ``won``: money, or chips where there is no currency, after the rake. Raises
    `railbird.errors.BadInput` as `read`.
    """
    parts = _parts(Path(folder))
    lazy = pl.scan_parquet(parts) if parts else pl.LazyFrame(schema=SCHEMA)
    rules = pl.col("rules").str
    kind = ("betting", "blinds", "bet_sizes", "antes", "denomination", "currency")
    each = (
        lazy.filter(condition_of(query))
        .select(
            *("betting", "seats", "denomination", "currency", "parts"),
            *(rules.json_path_match(f"$.{key}").alias(key) for key in kind[1:4]),
            player=pl.col("players"),
            won=pl.col("payoffs"),
        )
        .explode("player", "won")
        .group_by(*kind, "seats", "player", "parts")
        .agg(hands=pl.len(), won=pl.col("won").sum())
    )
    rows = _collected(each, Path(folder), engine="streaming")
    # Few stakes, whose names are made only once.
    kinds = rows.select(kind).unique()
    names = [stakes_of(*values) for values in kinds.iter_rows()]
    named = kinds.with_columns(stakes=pl.Series(names, dtype=pl.String))
    return (
        rows.join(named, on=kind)
        .group_by("betting", "seats", "stakes", "currency", "player")
        .agg(pl.col("hands").sum(), pl.struct("won", "parts", "denomination").alias("won"))
        .with_columns(pl.col("won").map_elements(_money_of, return_dtype=pl.Float64))
        .sort(
            *("betting", "seats", "hands", "player", "stakes"),
            descending=[False, False, True, False, False],
        )
    )


def _money_of(sums: pl.Series) -> float:
    """Add up in fractions: a sum of cents is a number of cents, without a float's last digits."""
    money = [Fraction(each["won"], each["parts"]) * Fraction(each["denomination"]) for each in sums]
    return float(sum(money, Fraction(0)))


def players(folder: str | Path) -> list[str]:
    """Return the names of all players in an archive. Raises `railbird.errors.BadInput`."""
    parts = _parts(Path(folder))
    if not parts:
        return []
    names = pl.scan_parquet(parts).select(pl.col("players").explode().unique().sort())
    return _collected(names, Path(folder), engine="streaming")["players"].to_list()


def _check_folder(root: Path) -> None:
    """Raise `BadInput` for a folder that neither is an archive nor can become one."""
    try:
        if is_archive(root):
            _version(root)
        elif root.exists() and (not root.is_dir() or any(root.iterdir())):
            raise BadInput(f"{root}: neither an archive nor an empty folder")
    except OSError as error:
        raise BadInput(f"{root}: cannot be read: {error.strerror}") from error


def _make(root: Path) -> None:
    if not is_archive(root):
        replace_files(
            {root / ARCHIVE_MARK: json.dumps({"railbird archive": VERSION}).encode() + b"\n"}
        )


def _version(root: Path) -> None:
    try:
        found = json.loads((root / ARCHIVE_MARK).read_text(encoding="utf-8"))["railbird archive"]
    except (OSError, ValueError, RecursionError, KeyError, TypeError) as error:
        raise DamagedFile(f"{root / ARCHIVE_MARK}: does not say an archive's version") from error
    if found != VERSION:
        raise DamagedFile(f"{root}: an archive of version {found!r}, this is {VERSION}")


def _parts(root: Path) -> list[Path]:
    """Return the files of an archive, game by game, in the order of adding."""
    if not is_archive(root):
        raise BadInput(f"{root} is no archive; allowed: a folder that `railbird archive add` made")
    _version(root)
    return sorted(root.glob("*/[0-9]*.parquet"))


def _digests(root: Path) -> pl.DataFrame:
    parts = _parts(root)
    if not parts:
        return pl.DataFrame(schema={"digest": SCHEMA["digest"]})
    return _collected(pl.scan_parquet(parts).select("digest"), root)


def _new_rows(hands: Iterable[HandRecord | HandBatch]) -> Iterator[pl.DataFrame]:
    for batch, _ in batches_of(hands, _BATCH):
        if len(batch):
            yield rows_of(batch)


def _write_full(folder: Path, parts: list[pl.DataFrame]) -> list[pl.DataFrame]:
    """Write full parts; return the rest."""
    if sum(part.height for part in parts) < PART:
        return parts
    rows = pl.concat(parts)
    for start in range(0, rows.height - PART + 1, PART):
        _write_part(folder, rows.slice(start, PART))
    rest = rows.height % PART
    return [rows.tail(rest)] if rest else []


def _write_part(folder: Path, rows: pl.DataFrame) -> None:
    last = max((int(path.stem) for path in folder.glob("[0-9]*.parquet")), default=0)
    packed = io.BytesIO()  # Polars says of a full disk neither its name nor the file's
    rows.rechunk().write_parquet(packed, compression="zstd")
    replace_files({folder / f"{last + 1:06}.parquet": packed.getvalue()})


def _hands(
    parts: list[Path],
    condition: pl.Expr,
    name: str,
    rename: Mapping[str, str],
    progress: Progress | None,
) -> Iterator[HandBatch | Skipped]:
    sizes = [_rows_in(path) for path in parts] if progress is not None else []
    for place, path in enumerate(parts):
        if progress is not None:
            progress(sum(sizes[:place]), sum(sizes), name)
        rows = _collected(pl.scan_parquet(path).filter(condition), path)
        try:
            for piece in rows.iter_slices(_SLICE):
                hands = batch_of_rows(piece)
                if rename:
                    hands, skipped = _renamed(hands, rename)
                    yield from skipped
                if len(hands):
                    yield hands
        except DamagedFile as error:
            raise DamagedFile(f"{path}: {error}") from error
    if progress is not None and sizes:
        progress(sum(sizes), sum(sizes), name)


def _rows_in(path: Path) -> int:
    return int(_collected(pl.scan_parquet(path).select(pl.len()), path).item())


def _collected(
    lazy: pl.LazyFrame, path: Path, *, engine: Literal["auto", "streaming"] = "auto"
) -> pl.DataFrame:
    """Run a query. Raises `DamagedFile`; a damaged file can also make Polars panic."""
    try:
        return lazy.collect(engine=engine)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise DamagedFile(f"{path}: {_line(error)}") from error


def _renamed(hands: HandBatch, rename: Mapping[str, str]) -> tuple[HandBatch, list[Skipped]]:
    """Return the hands under other names; those in which two then have one name are skipped."""
    numbers: Numbered[str] = Numbered()
    to = np.array([numbers(rename.get(name, name)) for name in hands.names] + [UNKNOWN], np.int32)
    hands = replace(hands, names=numbers.values(), player=to[hands.player])
    order = np.sort(hands.player, axis=1)
    twice = ((order[:, 1:] == order[:, :-1]) & (order[:, 1:] != UNKNOWN)).any(axis=1)
    if not twice.any():
        return hands, []
    skipped = [
        Skipped(SkipReason.SAME_NAME, line_of(record), "|".join(record.players))
        for record in records_of(hands.rows(twice))
    ]
    return hands.rows(~twice), skipped


def _line(error: BaseException) -> str:
    """Return the first line of an error of Polars."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)
