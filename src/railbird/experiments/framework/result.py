"""Result of an experiment."""

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
    """Size of the experiment: hands of its main match, or units named by ``noun``."""
    noun: str = "hand"
    """Unit of ``hands``, in the singular."""
    rows: tuple[Row, ...]
    drawings: tuple[Drawing, ...]
    tables: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    """Tables too long for rows, by name; written as CSV beside the page."""
    printed: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    """Short tables of text by their titles, shown after the rows."""
