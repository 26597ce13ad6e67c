"""Options of an assessment, and the output of its results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from railbird.errors import unknown_name

if TYPE_CHECKING:
    from railbird.baseline import BaselineSettings
    from railbird.cli._skipped_hands import SkipList


class Tell(Protocol):
    """Prints the result of an assessment."""

    def __call__(self, skips: SkipList, *, as_json: bool) -> None:
        """Print the result, after the skipped hands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The options of ``railbird assess`` common to all games."""

    files: Sequence[str]
    settings: Sequence[BaselineSettings]
    player: str | None
    estimators: str | None
    out: Path | None
    images: Sequence[str]
    table: Path | None
    forward: bool
    workers: int | None
    on: str | None


def chosen_estimators(estimators: str, known: Sequence[str]) -> Sequence[str]:
    """Parse a list of estimators. Raises `BadInput` for an unknown one."""
    wanted = [name.strip() for name in estimators.split(",")]
    if unknown := [name for name in wanted if name not in known]:
        raise unknown_name("estimator", unknown[0], known)
    return wanted
