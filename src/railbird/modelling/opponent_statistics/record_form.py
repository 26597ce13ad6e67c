"""How a memory writes the statistics of an opponent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from railbird.modelling.opponent_statistics.opponent import VERSION, OpponentStatistics

if TYPE_CHECKING:
    from pathlib import Path

KIND: Final = "statistics"
"""Kind of the records."""


@dataclass(frozen=True, slots=True)
class StatisticsForm:
    """Form of a memory of `OpponentStatistics`; ``memory`` is the length of rolling arrays."""

    memory: int
    kind: str = KIND
    version: int = VERSION

    def read(self, record: Mapping[str, Any]) -> OpponentStatistics:
        """Read a record. Raises `railbird.errors.DamagedFile`."""
        return OpponentStatistics.from_record(dict(record), memory=self.memory)

    def written(self, learned: OpponentStatistics) -> dict[str, Any]:
        """Return a record that `read` reads."""
        return learned.as_record()

    def after(self, earlier: OpponentStatistics, later: OpponentStatistics) -> OpponentStatistics:
        """Return what is known after the hands of both."""
        return earlier.followed_by(later)

    def former(self, file: Path) -> Mapping[str, OpponentStatistics]:
        """Return nobody: no earlier version kept statistics in files."""
        return {}
