"""Tables for papers: LaTeX with booktabs, Markdown, and CSV with every digit."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Final

from tabulate import tabulate

from railbird.report.toolkit.number_format import (
    MINUS,
    THIN,
    decimals_for,
    display_name,
    number,
    signed,
    times,
)
from railbird.report.toolkit.result_rows import ResultRow

_TEX: Final = {"±": r"$\pm$", MINUS: "$-$", THIN: r"\,", "÷": r"$\div$", "–": "--"}
"""Signs that not every LaTeX knows, after escaping."""
_COLUMNS: Final = (
    "settings",
    "player",
    "estimator",
    "unit",
    "value",
    "stderr",
    "low",
    "high",
    "n",
    "variance_reduction",
)


def paper_table(rows: Sequence[ResultRow], ending: str, *, note: str = "") -> str:
    """Write results as ``.tex``, ``.md`` or ``.csv``.

    The first two have a row for each player, under each of the settings, with mean ± standard error
    of every estimator, and a ``note``; CSV has a row for each estimate.
    """
    if ending.lower() == ".csv":
        return _csv(rows)
    headings, cells = _wide(rows)
    sides = ["left" if name in ("settings", "player") else "right" for name in headings]
    caption = f"{rows[0].unit} a hand ± standard error" if rows else ""
    told = f"{caption}. {note}" if note else caption
    if ending.lower() == ".tex":
        text = tabulate(
            cells, headings, tablefmt="latex_booktabs", disable_numparse=True, colalign=sides
        )
        for sign, command in _TEX.items():
            text = text.replace(sign, command)
        return f"% {told}\n{text}\n"
    escaped = [[cell.replace("|", r"\|") for cell in row] for row in cells]
    text = tabulate(escaped, headings, tablefmt="pipe", disable_numparse=True, colalign=sides)
    return f"{text}\n\n{told}\n"


def _wide(rows: Sequence[ResultRow]) -> tuple[list[str], list[list[str]]]:
    """Headings and cells, a row for each player and settings."""
    titles = {row.estimator: row.title for row in rows}
    reduced = [name for name in titles if any(_reduction(row, name) for row in rows)]
    several = len({row.settings for row in rows}) > 1
    by_line: dict[tuple[str, str], dict[str, ResultRow]] = {}
    for row in rows:
        by_line.setdefault((row.settings, row.player), {})[row.estimator] = row
    headings = [*(["settings"] * several), "player", "n", *titles.values()]
    headings += [f"variance ÷ {titles[name]}" for name in reduced]
    lines = []
    for (settings, player), by_estimator in by_line.items():
        most = max(row.estimate.n for row in by_estimator.values())
        cells = [*([settings] * several), display_name(player), f"{most:,}"]
        cells += [_shown(by_estimator[name]) if name in by_estimator else "–" for name in titles]
        cells += [
            times(by_estimator[name].variance_reduction if name in by_estimator else None)
            for name in reduced
        ]
        lines.append(cells)
    return headings, lines


def _reduction(row: ResultRow, name: str) -> bool:
    return row.estimator == name and row.variance_reduction is not None


def _shown(row: ResultRow) -> str:
    decimals = decimals_for(row.estimate.stderr)
    mean = signed(row.estimate.value, decimals)
    return f"{mean} ± {number(row.estimate.stderr, decimals)}"


def _csv(rows: Sequence[ResultRow]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, _COLUMNS, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        told = row.estimate.as_json()
        writer.writerow(
            {name: getattr(row, name) for name in _COLUMNS[:4]}
            | {name: "" if told[name] is None else told[name] for name in _COLUMNS[4:9]}
            | {"variance_reduction": row.variance_reduction or ""}
        )
    return text.getvalue()
