"""Hands that were refused, in an archive: a separate file of rows.

They are few and often the largest pots, so that results without their money are of a selected
sample: an archive keeps of them what the logs told.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import polars as pl

from railbird._files import replace_files
from railbird.errors import DamagedFile
from railbird.histories.files import ARCHIVE_MARK
from railbird.histories.record import RefusedHand, Skipped, SkipReason

REFUSED_FILE: Final = "refused.parquet"
REFUSED_SCHEMA: Final = pl.Schema(
    {
        "reason": pl.String(),
        "detail": pl.String(),
        "file": pl.String(),
        "line": pl.Int64(),
        "by": pl.String(),
        "players": pl.List(pl.String()),
        "won": pl.List(pl.Float64()),
        "played_at": pl.Datetime("us"),
        "zoned": pl.Boolean(),
        "stake": pl.String(),
        "number": pl.String(),
    }
)
"""The columns, each with its type.

``players`` have won ``won`` big blinds by the text's own words; ``played_at`` is UTC if ``zoned``,
else the log's own clock, and null where the text does not tell it; other texts are then empty.
"""
MARK: Final = "refused"
"""Key in an archive's mark that says that all that was refused for it is kept."""
_ALL: Final = pl.lit(True)


def keep_refused(skipped: Iterable[Skipped], folder: Path) -> None:
    """Add refused hands to an archive, once each. Raises `DamagedFile`."""
    refused = {_identity(skip): skip for skip in refused_rows(folder)}
    count = len(refused)
    for skip in skipped:
        refused.setdefault(_identity(skip), skip)
    if len(refused) == count:
        return
    rows = pl.DataFrame([_row(skip) for skip in refused.values()], REFUSED_SCHEMA, orient="row")
    packed = io.BytesIO()
    rows.write_parquet(packed, compression="zstd")
    replace_files({folder / REFUSED_FILE: packed.getvalue()})


def refused_in(folder: Path, condition: pl.Expr) -> Iterator[Skipped]:
    """Yield what was refused for an archive; first, if it is older, that it does not tell all.

    ``condition`` is a query's; one on columns that refused hands do not have leaves none out.
    Raises `DamagedFile`.
    """
    if MARK not in json.loads((folder / ARCHIVE_MARK).read_text(encoding="utf-8")):
        detail = "hands that were refused for it are not known"
        yield Skipped(SkipReason.NO_REFUSED, 0, detail, file=str(folder))
    if not {*condition.meta.root_names()} <= {*REFUSED_SCHEMA.names()} - {"number"}:
        condition = _ALL
    yield from refused_rows(folder, condition)


def refused_rows(folder: Path, condition: pl.Expr = _ALL) -> Iterator[Skipped]:
    """Yield what `keep_refused` has put into a folder. Raises `DamagedFile`."""
    path = folder / REFUSED_FILE
    if not path.exists():
        return
    try:
        rows = pl.read_parquet(path).select(REFUSED_SCHEMA.names()).cast(REFUSED_SCHEMA)
        for reason, detail, file, line, by, *hand in rows.filter(condition).iter_rows():
            yield Skipped(SkipReason(reason), line, detail, file, by, _hand(*hand))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as error:
        problem = next(iter(str(error).strip().splitlines()), type(error).__name__)
        raise DamagedFile(f"{path}: {problem}") from error


def _hand(
    players: list[str],
    won: list[float],
    played_at: datetime | None,
    zoned: bool,
    stake: str,
    number: str,
) -> RefusedHand:
    if played_at is not None and zoned:
        played_at = played_at.replace(tzinfo=UTC)
    return RefusedHand(dict(zip(players, won, strict=True)), played_at, stake, number)


def _row(skip: Skipped) -> tuple[object, ...]:
    won, played_at, stake, number = skip.hand
    zoned = played_at is not None and played_at.tzinfo is not None
    if played_at is not None and zoned:
        played_at = played_at.astimezone(UTC).replace(tzinfo=None)
    where = (skip.reason.value, skip.detail, skip.file, skip.line, skip.by)
    return (*where, list(won), list(won.values()), played_at, zoned, stake, number)


def _identity(skip: Skipped) -> object:
    """Return a key that is equal for two views of a hand, or for one text read twice."""
    return skip.hand.key or (skip.reason, skip.file, skip.line, skip.detail)
