"""The hands of a result: kept as columns, or in its log."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from railbird.errors import BadInput, DamagedFile
from railbird.histories import read_columns
from railbird.histories.columns import HandBatch, PackedHands, batches_of


@dataclass(frozen=True, slots=True, eq=False)
class KeptHands:
    """Hands that were kept, or else the first ones of a log."""

    count: int = 0
    log: Path | None = None
    packed: PackedHands | None = None

    def batches(self) -> Iterator[HandBatch]:
        """Return the hands as columns, in order.

        Raises `BadInput` where they are neither kept nor in a log, and `DamagedFile` for a log that
        has changed.
        """
        if self.packed is not None:
            return self.packed.batches()
        if self.log is not None:
            return logged_hands(self.log, self.count)
        raise BadInput("the hands were not kept; allowed: keep=True in playing them, or a log")


NOT_KEPT: Final = KeptHands()


def logged_hands(log: Path, count: int) -> Iterator[HandBatch]:
    """Read the first hands of a log of the arena. Raises `DamagedFile` for one that has changed."""
    for batch, skipped in batches_of(read_columns(log)):
        if count and skipped:
            raise DamagedFile(f"{log} has changed since its hands were played")
        yield batch.rows(range(min(len(batch), count)))
        count -= min(len(batch), count)
        if not count:
            return
    raise DamagedFile(f"{log} has {count} hands less than were played")
