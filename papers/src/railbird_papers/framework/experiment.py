"""Description of an experiment, available without running it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pkgutil import resolve_name
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import polars as pl

    from railbird_papers.framework.figures import Drawing
    from railbird_papers.framework.rows import Row
    from railbird_papers.framework.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentResult:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """One experiment of a source."""

    name: str
    summary: str
    """A sentence."""
    source: str
    """Publication."""
    place: str
    """``module:function``; imported only when run, so that listing is quick."""
    needs_data: bool = False
    """Whether it assesses hands that it is given; it is left out when all are run without."""

    def perform(self, workspace: Workspace) -> ExperimentResult:
        """Run the experiment."""
        return cast("Callable[[Workspace], ExperimentResult]", resolve_name(self.place))(workspace)
