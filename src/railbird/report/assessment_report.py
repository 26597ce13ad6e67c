"""The report on an assessment of any hold'em: on a terminal, as files, in a notebook.

`match_document` and `table_document` hold what each form's report says. `_FORMS` lists both, and no
other code asks for an assessment's form.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple

from railbird._arguments import checked, choice
from railbird._files import replace_files
from railbird._memory import trim_heap
from railbird.assessment.any_table import AnyTable
from railbird.assessment.estimator import Contest
from railbird.assessment.limit_pair import LimitPair
from railbird.assessment.registry import names_of
from railbird.errors import BadInput, unknown_name
from railbird.report import headline, table_document
from railbird.report import match_document as match_report
from railbird.report.charts import Theme
from railbird.report.document import terminal
from railbird.report.html_page import Image, page, pipe_table, render
from railbird.report.number_format import (
    MINUS,
    THIN,
    decimals_for,
    display_name,
    number,
    signed,
    times,
)

if TYPE_CHECKING:
    from rich.console import RenderableType

    from railbird.assessment import Assessment
    from railbird.estimates import Estimate
    from railbird.progress import Progress
    from railbird.report.document import Document
    from railbird.report.match_document import Specifications


# Results of an assessment as rows of a table: one for each player and estimator.


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRow:
    """One estimate of one player's result."""

    player: str
    estimator: str
    title: str
    """Text of a heading."""
    estimate: Estimate
    unit: str
    variance_reduction: float | None
    settings: str


# Tables for papers: LaTeX with booktabs, Markdown, and CSV with every digit.


_TEX: Final = str.maketrans(
    {sign: rf"\{sign}" for sign in "&%$#_{}"}
    | {"^": r"\^{}", "~": r"\textasciitilde{}", "\\": r"\textbackslash{}"}
    | {sign: rf"\ensuremath{{{sign}}}" for sign in "<>"}
    | {"±": r"$\pm$", MINUS: "$-$", THIN: r"\,", "÷": r"$\div$", "–": "--"}
)
"""LaTeX for the signs that mean something else to it, or that not every LaTeX knows."""
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
    is_right = [name not in ("settings", "player") for name in headings]
    caption = f"{rows[0].unit} a hand ± standard error" if rows else ""
    legend = f"{caption}. {note}" if note else caption
    if ending.lower() == ".tex":
        return f"% {legend}\n{_booktabs(headings, cells, is_right)}\n"
    return f"{pipe_table(headings, cells, is_right)}\n\n{legend}\n"


def _booktabs(
    headings: Sequence[str], cells: Sequence[Sequence[str]], is_right: Sequence[bool]
) -> str:
    columns = "".join("r" if right else "l" for right in is_right)
    head, *rows = (
        " & ".join(cell.translate(_TEX) for cell in line) + r" \\" for line in (headings, *cells)
    )
    inside = [r"\toprule", head, r"\midrule", *rows, r"\bottomrule"]
    return "\n".join([rf"\begin{{tabular}}{{{columns}}}", *inside, r"\end{tabular}"])


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
        estimate_object = row.estimate.as_json()
        writer.writerow(
            {name: getattr(row, name) for name in _COLUMNS[:4]}
            | {
                name: "" if estimate_object[name] is None else estimate_object[name]
                for name in _COLUMNS[4:9]
            }
            | {"variance_reduction": row.variance_reduction or ""}
        )
    return text.getvalue()


LARGEST: Final = 10
"""Hands replayed in a report."""


class _FormReport(NamedTuple):
    """The parts of a report for one form of assessment."""

    in_terminal: Callable[..., Document]
    """For a terminal: of an assessment, ``player``, ``estimators`` and ``listed``."""
    on_page: Callable[..., tuple[Document, Specifications]]
    """For a page, with its figures: of an assessment and the options of `write`."""
    figures: Callable[[Any], Specifications]
    usual: Callable[[Any], list[str]]
    """Names of the estimators that nobody asked for."""
    note: Callable[[Any, Collection[str]], str]
    """A note that these estimators' numbers always need; empty if they need none."""
    both_sides: bool
    """Whether bare numbers are always of all players, since one wins what the other loses."""
    estimators: Contest
    """Whose estimators there are."""
    titled: bool
    """Whether the title is read first; else the result is."""


_FORMS: Final = {
    LimitPair: _FormReport(
        match_report.in_terminal,
        match_report.on_page,
        match_report.figures_of,
        match_report.usual,
        match_report.note,
        both_sides=True,
        estimators=Contest.MATCH,
        titled=True,
    ),
    AnyTable: _FormReport(
        table_document.in_terminal,
        table_document.on_page,
        table_document.figures_of,
        headline.usual_estimators,
        headline.note,
        both_sides=False,
        estimators=Contest.TABLE,
        titled=False,
    ),
}


def _form(assessment: Assessment[Any]) -> _FormReport:
    return _FORMS[type(assessment.form)]


def usual_estimators(assessment: Assessment[Any]) -> list[str]:
    """Return the default estimators of a table."""
    return _form(assessment).usual(assessment)


def result_rows(
    assessment: Assessment[Any], player: str | None, estimators: Collection[str]
) -> list[ResultRow]:
    """Return the rows of a plain table of these estimators, for one player or all.

    Estimates that may not be shown are left out, such as those of a selected sample.
    """
    everybody = player is None or _form(assessment).both_sides
    settings = "+".join(smoothing.name for smoothing in assessment.settings)
    return [
        ResultRow(
            player=name,
            estimator=estimator.name,
            title=estimator.title,
            estimate=estimate,
            unit=assessment.unit,
            variance_reduction=assessment.variance_reduction[name].get(estimator.name),
            settings=settings,
        )
        for name in (assessment.players if assessment.hands else ())
        if everybody or name == player
        for estimator in assessment.estimators
        if estimator.name in estimators
        and (estimate := assessment.estimate(name, estimator.name)) is not None
    ]


def note(assessment: Assessment[Any], estimators: Collection[str]) -> str:
    """Return what numbers alone would leave out: the rake, and which of them come from a sample."""
    return _form(assessment).note(assessment, estimators)


def figures(assessment: Assessment[Any]) -> Specifications:
    """Return the specification of each figure of the report, by name."""
    return _form(assessment).figures(assessment)


def document(
    assessment: Assessment[Any],
    *,
    estimators: Collection[str] | None = None,
    player: str | None = None,
    listed: Collection[str] = (),
) -> Document:
    """Say what an assessment found, without figures and replayed hands.

    ``estimators`` are by default the usual ones. At a table, ``player`` limits hands, positions and
    course to that player. Reasons for skipping hands are left out if they are ``listed`` elsewhere.
    """
    # One that cannot score these hands is known too, and has no column.
    own = [estimator.name for estimator in assessment.estimators]
    known = [*dict.fromkeys([*own, *names_of(_form(assessment).estimators)])]
    for name in () if estimators is None else estimators:
        if str(name) not in known:
            raise unknown_name("estimator", name, known)
    return _form(assessment).in_terminal(
        assessment, estimators=estimators, player=player, listed=listed
    )


@checked
def text(
    assessment: Assessment[Any],
    *,
    estimators: Collection[str] | None = None,
    player: str | None = None,
    listed: Collection[str] = (),
) -> RenderableType:
    """Summarise an assessment as text: the verdict, the estimators and the skipped hands.

    ``estimators`` names those of `railbird.assessment.ESTIMATORS` to show, by default those
    ``listed``; `document` explains the other arguments.
    Nothing that comes from a log is read as markup or reaches the terminal as a control code.
    """
    summary = document(assessment, estimators=estimators, player=player, listed=listed)
    return terminal(summary, titled=_form(assessment).titled)


@checked
def write(
    assessment: Assessment[Any],
    folder: Path | str,
    *,
    player: str | None = None,
    title: str | None = None,
    images: Collection[Image | str] = (),
    theme: Theme | str = Theme.LIGHT,
    largest: int = LARGEST,
    beside: Mapping[Path, bytes] = MappingProxyType({}),
    progress: Progress | None = None,
) -> Path:
    """Write ``report.html`` and ``scores.parquet`` into a folder and return the report's path.

    The same assessment and options give the same bytes. With ``images`` every figure is also a file
    in ``figures/``, in the given theme. ``largest`` is the number of hands to replay, at a table
    those of ``player`` if given. All files are written or none, including those ``beside``; the
    folder is created. Raises `BadInput` if that is impossible.
    """
    if largest < 0:
        raise BadInput(f"the number of hands to replay is {largest}, which is negative")
    folder, theme = Path(folder), choice(Theme, theme)
    wanted = [choice(Image, image) for image in images]
    page_document, drawn = _form(assessment).on_page(
        assessment, player=player, largest=largest, progress=progress
    )
    if title:
        page_document = replace(page_document, title=title)
    report = folder / "report.html"
    pictures = {
        folder / "figures" / f"{name}.{image.value}": render(draw(), image, theme=theme)
        for name, draw in drawn.items()
        for image in wanted
    }
    scores = {folder / "scores.parquet": partial(_write_parquet, assessment)}
    replace_files({report: page(page_document).encode(), **scores, **pictures, **beside})
    return report


def _write_parquet(assessment: Assessment[Any], file: BinaryIO) -> None:
    """Write the table; hands are lines of text there, which everybody can read."""
    scores = assessment.to_polars()
    trim_heap()
    scores.write_parquet(file, compression="zstd", statistics=True)
