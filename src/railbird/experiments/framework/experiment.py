"""What an experiment says of itself before it is run."""

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
    """Where it was published."""
    place: str
    """``module:function``; imported when it is run, so that a list of all is quick."""

    def perform(self, workspace: Workspace) -> Result:
        """Play and score what it takes."""
        return cast("Callable[[Workspace], Result]", resolve_name(self.place))(workspace)
