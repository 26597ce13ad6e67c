"""Provenance of a report: the settings, files and versions needed to reproduce it."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

import railbird
from railbird.assessment.estimator import Sourced
from railbird.baseline import BaselineSettings, PotConvention
from railbird.report.toolkit import number_format

if TYPE_CHECKING:
    from railbird.assessment import Assessment

_LIBRARIES = ("numpy", "numba", "polars", "altair", "vl-convert-python")

_POTS = {
    PotConvention.ROUND_START: "as it is at the start of the round",
    PotConvention.FACING_BET: "as the player sees it, the bet included",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """One file that hands were read from."""

    name: str
    hands: int
    digest: str
    """SHA-256, or why there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Inputs and versions from which a report was made."""

    settings: tuple[BaselineSettings, ...]
    files: tuple[File, ...]
    lines: tuple[str, ...]
    """Sentences: versions, seed, what is exact and what is not."""


def pot_words(settings: BaselineSettings) -> str:
    """Describe the pot that the fold rule uses."""
    return _POTS[settings.pot]


def provenance_of(
    assessment: Assessment, *, stride: int, seed: int | None, made_on: str | None
) -> Provenance:
    """Collect an assessment's origins; reads its files once more for their digests.

    ``stride`` is how many hands lie between two points of a line.
    """
    return Provenance(
        settings=assessment.settings,
        files=_files(assessment.sources, assessment.scores),
        lines=(
            _values(assessment),
            *(
                line
                for one in assessment.estimators
                if isinstance(one, Sourced)
                for line in one.sources
            ),
            _thinning(stride),
            *([] if seed is None else [f"Seed {seed}."]),
            *([] if made_on is None else [f"Made on {number_format.display_name(made_on)}."]),
            _versions(),
        ),
    )


def _files(sources: Sequence[str], scores: pl.DataFrame) -> tuple[File, ...]:
    counts = dict(scores["file"].drop_nulls().value_counts().iter_rows())
    return tuple(
        File(name=number_format.file_name(source), hands=counts.get(i, 0), digest=_digest(source))
        for i, source in enumerate(sources)
    )


def _digest(source: str) -> str:
    path = Path(source)
    if source in number_format.SPECIAL_SOURCES:
        return "not a file"
    if not path.is_file():
        return "no longer there"
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _values(assessment: Assessment) -> str:
    several = (
        f" Scores are the means under {len(assessment.settings)} settings."
        if len(assessment.settings) > 1
        else ""
    )
    position = assessment.position
    if not position.stderr > 0:
        return f"All values are exact.{several}"
    return (
        "Values from the flop on are exact; those before the flop are means of random boards, the "
        "same ones every time, and the value of position to the big blind, "
        f"{number_format.signed(position.value, 4)} {assessment.unit}, has a standard error of "
        f"{number_format.number(position.stderr, 4)}.{several}"
    )


def _thinning(stride: int) -> str:
    if stride == 1:
        return "Lines show every hand."
    return f"Lines show the exact sum at every {stride:,}th hand and at the last one."


def _versions() -> str:
    libraries = ", ".join(f"{name} {metadata.version(name)}" for name in _LIBRARIES)
    return f"Railbird {railbird.__version__}, Python {platform.python_version()}, {libraries}."
