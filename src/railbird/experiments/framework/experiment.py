"""Description of an experiment, available without running it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from railbird.experiments.framework.result import Result
    from railbird.experiments.framework.workspace import Workspace


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

    def perform(self, workspace: Workspace) -> Result:
        """Run the experiment."""
        return cast("Callable[[Workspace], Result]", resolve_name(self.place))(workspace)
