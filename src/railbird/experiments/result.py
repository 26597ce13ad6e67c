"""What an experiment gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from railbird.experiments.drawing import Drawing
    from railbird.experiments.rows import Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A table and its figures."""

    hands: int
    """Of the experiment's main match."""
    rows: tuple[Row, ...]
    drawings: tuple[Drawing, ...]
