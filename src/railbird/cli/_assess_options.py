"""Options of an assessment, and the output of its results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from railbird.errors import BadInput, unknown_name

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
    known: Mapping[str, str]
    """Specs of players by name, for AIVAT."""
    model: str | None
    """Spec by which it values unknown players."""
    anytime: bool
    workers: int | None
    on: str | None


def check_known(known: Sequence[str], *, without: Mapping[str, object]) -> None:
    """Refuse options that ``--known`` goes without."""
    if known and (given := [name for name, value in without.items() if value]):
        raise BadInput(f"--known with {' and '.join(given)}; allowed: without")


def known_players(texts: Sequence[str]) -> dict[str, str]:
    """Parse ``NAME=SPEC``, or ``SPEC`` for a player of that name, in which ``=`` may occur as well.

    Raises `BadInput` for a spec that names no kind of player, or a player given twice.
    """
    if not texts:
        return {}
    from railbird.players import REGISTRY, parse_spec
    from railbird.players.registry import check_names

    def is_spec(text: str) -> bool:
        try:
            return parse_spec(text).name in REGISTRY
        except BadInput:
            return False

    found: dict[str, str] = {}
    for text in texts:
        places = [place for place, letter in enumerate(text) if letter == "="]
        cuts = [(text[:place], text[place + 1 :]) for place in places]
        whole = (text, text) if is_spec(text) or not cuts else cuts[0]
        name, spec = next((cut for cut in cuts if is_spec(cut[1])), whole)
        check_names([spec])
        if found.setdefault(name, spec) != spec:
            raise BadInput(f"--known {name}: two strategies; allowed: one")
    return found


def chosen_estimators(estimators: str, known: Sequence[str]) -> Sequence[str]:
    """Parse a list of estimators. Raises `BadInput` for an unknown one."""
    wanted = [name.strip() for name in estimators.split(",")]
    if unknown := [name for name in wanted if name not in known]:
        raise unknown_name("estimator", unknown[0], known)
    return wanted
