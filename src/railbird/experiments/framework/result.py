"""What an experiment gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

    from railbird.experiments.framework.figures import Drawing
    from railbird.experiments.framework.rows import Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A table and its figures."""

    hands: int
    """How much the experiment has looked at: the hands of its main match, or what ``noun`` says."""
    noun: str = "hand"
    """What ``hands`` counts, in the singular."""
    rows: tuple[Row, ...]
    drawings: tuple[Drawing, ...]
    tables: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    """What is too long for rows, by name; written as CSV beside the page."""
