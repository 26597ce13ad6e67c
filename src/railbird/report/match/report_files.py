"""Writer of a report's files: report.html, scores.parquet and, on request, every figure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import Enum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import vl_convert

from railbird._arguments import checked, choice
from railbird._files import replace_files
from railbird._memory import trim_heap
from railbird.assessment.change_of_play import course_of_match
from railbird.errors import BadInput
from railbird.report.match import charts as charts
from railbird.report.match import hand_replay, page
from railbird.report.match.costly_spots import costly
from railbird.report.match.match_summary import MatchSummary, summarise_match
from railbird.report.match.provenance import provenance_of
from railbird.report.toolkit import number_format
from railbird.report.toolkit.palette import Theme, resolve

if TYPE_CHECKING:
    from railbird.assessment import Assessment
    from railbird.report.toolkit.figure import Figure

FILES = ("report.html", "scores.parquet", "figures/*")
"""Files that `write` may write into a folder, as patterns."""

LARGEST = 10
"""Hands replayed in a report."""

_IMAGE_WIDTH = 760
_IMAGE_SCALE = 2


class Image(Enum):
    """File formats of a figure."""

    SVG = "svg"
    PNG = "png"


@checked
def write(
    assessment: Assessment,
    folder: Path | str,
    *,
    title: str | None = None,
    seed: int | None = None,
    made_on: str | None = None,
    images: Collection[Image | str] = (),
    theme: Theme | str = Theme.LIGHT,
    largest: int = LARGEST,
) -> Path:
    """Write ``report.html`` and ``scores.parquet`` into a folder and return the report's path.

    The same assessment and options give the same bytes: a date stands in the report only if
    ``made_on`` gives one, as does a seed. ``images`` asks for every figure as a file in
    ``figures/``, in the given theme. ``largest`` is how many hands are replayed. All
    files are written or none, and the folder is made. Raises `BadInput` where it cannot be.
    """
    if largest < 0:
        raise BadInput(f"the number of hands to replay is {largest}, which is negative")
    folder, theme = Path(folder), choice(Theme, theme)
    wanted = [choice(Image, image) for image in images]
    facts = summarise_match(assessment)
    drawn = charts.figures(facts) if facts.hands else ()
    html = page.render(
        facts,
        drawn,
        title=title or f"{facts.first} against {facts.second}",
        spots={
            number_format.display_name(player): costly(assessment, player)
            for player in assessment.players
        },
        stories=hand_replay.largest(assessment, min(largest, assessment.hands)),
        course=course_of_match(assessment).get(assessment.players[0]),
        skipped=assessment.skipped,
        provenance=provenance_of(
            assessment, stride=facts.curves.stride, seed=seed, made_on=made_on
        ),
    )
    pictures = {
        folder / "figures" / f"{figure.name}.{image.value}": export(
            figure, facts, image, theme=theme
        )
        for figure in drawn
        for image in wanted
    }
    report = folder / "report.html"
    scores = {folder / "scores.parquet": partial(_write_parquet, assessment)}
    replace_files({report: html.encode(), **scores, **pictures})
    return report


@checked
def export(
    figure: Figure,
    facts: MatchSummary,
    image: Image | str,
    *,
    theme: Theme | str = Theme.LIGHT,
) -> bytes:
    """Draw one figure of a report as a file, without a browser; needs no network."""
    subtitle = f"{facts.first} against {facts.second}"
    return draw(
        figure,
        charts.datasets(facts),
        choice(Image, image),
        subtitle=subtitle,
        theme=choice(Theme, theme),
    )


def draw(
    figure: Figure,
    datasets: Mapping[str, Mapping[str, Sequence[float]]],
    image: Image,
    *,
    subtitle: str,
    theme: Theme = Theme.LIGHT,
) -> bytes:
    """Draw a figure as a file; ``datasets`` are the columns of what it refers to by name."""
    return render(specification(figure, datasets, subtitle=subtitle), image, theme=theme)


def specification(
    figure: Figure, datasets: Mapping[str, Mapping[str, Sequence[float]]], *, subtitle: str
) -> dict[str, Any]:
    """Return the Vega-Lite specification of a figure with its data, colours named by meaning."""
    shared = {
        name: [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        for name, columns in datasets.items()
    }
    spec = figure.spec()
    return spec | {
        "datasets": {**spec.get("datasets", {}), **shared},
        "width": _IMAGE_WIDTH,
        "title": {"text": figure.title, "subtitle": subtitle},
        "background": "var(--paper)",
        "padding": 16,
    }


def render(spec: Mapping[str, Any], image: Image, *, theme: Theme = Theme.LIGHT) -> bytes:
    """Draw a specification whose colours are named by meaning."""
    resolved = resolve(dict(spec), theme)
    if image is Image.SVG:
        return str(vl_convert.vegalite_to_svg(resolved)).encode()
    return bytes(vl_convert.vegalite_to_png(resolved, scale=_IMAGE_SCALE))


def _write_parquet(assessment: Assessment, file: BinaryIO) -> None:
    """Write the table; hands are lines of text there, which everybody can read."""
    scores = assessment.to_polars()
    trim_heap()
    scores.write_parquet(file, compression="zstd", statistics=True)
