"""Output of experiments: a table as JSON and CSV, a page, every figure."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from railbird._arguments import checked, choice
from railbird._files import replace_files
from railbird.report import Image, Theme
from railbird.report.match.report_files import draw
from railbird.report.toolkit.templates import fill, svg_uri

if TYPE_CHECKING:
    from railbird.experiments.framework.figures import Drawing
    from railbird.experiments.framework.runner import Run


FILES = ("report.html", "table.json", "table.csv", "*-*.csv", "figures/*")
"""Patterns of the files that `write` may write into a folder."""


@checked
def as_object(runs: Sequence[Run]) -> dict[str, Any]:
    """Return the JSON object of several experiments: the runs and all their rows."""
    return {
        "experiments": [run.as_json() for run in runs],
        "rows": [
            {"experiment": run.experiment.name, **row.as_json()}
            for run in runs
            for row in run.result.rows
        ],
    }


@checked
def table(runs: Sequence[Run]) -> pl.DataFrame:
    """Return the rows of several experiments; estimates are ours, stderr, low, high and n."""
    flat = [
        {
            "experiment": run.experiment.name,
            "row": row.name,
            "published": None if row.published is None else row.published.value,
            "ours": row.ours.value,
            "stderr": row.ours.stderr if math.isfinite(row.ours.stderr) else None,
            "low": row.ours.low if math.isfinite(row.ours.low) else None,
            "high": row.ours.high if math.isfinite(row.ours.high) else None,
            "n": row.ours.n,
            "unit": row.ours.unit,
            "verdict": row.verdict.value,
            "rule": row.rule,
            "note": row.note,
        }
        for run in runs
        for row in run.result.rows
    ]
    return pl.DataFrame(flat, infer_schema_length=None)


@checked
def write(runs: Sequence[Run], folder: Path | str, *, images: Collection[Image | str] = ()) -> Path:
    """Write ``report.html``, ``table.json`` and ``table.csv`` into a folder; return the first.

    With ``images``, every figure is also written to ``figures/`` in these formats; tables too long
    for the page are written beside it as ``EXPERIMENT-NAME.csv``.
    """
    folder, wanted = Path(folder), [choice(Image, image) for image in images]
    pictures = {
        folder / "figures" / f"{run.experiment.name}-{drawing.figure.name}.{image.value}": picture(
            drawing, image
        )
        for run in runs
        for drawing in run.result.drawings
        for image in wanted
    }
    tables = {
        folder / f"{run.experiment.name}-{name}.csv": lines.write_csv().encode()
        for run in runs
        for name, lines in run.result.tables.items()
    }
    report = folder / "report.html"
    main = {
        report: page(runs).encode(),
        folder / "table.json": json.dumps(as_object(runs), indent=1).encode(),
        folder / "table.csv": table(runs).write_csv().encode(),
    }
    replace_files(main | tables | pictures)
    return report


def picture(drawing: Drawing, image: Image, *, theme: Theme = Theme.LIGHT) -> bytes:
    """Return a figure as the bytes of an image file."""
    data = {name: sums.table.to_dict(as_series=False) for name, sums in drawing.data.items()}
    return draw(drawing.figure, data, image, subtitle=drawing.subtitle, theme=theme)


def page(runs: Sequence[Run]) -> str:
    """Return a self-contained page, with figures in both themes."""
    return fill(
        "experiments.html.jinja",
        room="railbird.experiments",
        runs=runs,
        data_uri=_data_uri,
        themes=Theme,
    )


def _data_uri(drawing: Drawing, theme: Theme) -> str:
    return svg_uri(picture(drawing, Image.SVG, theme=theme))
