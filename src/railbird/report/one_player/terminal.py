"""The report on one person's play for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from railbird.report.toolkit.responsive_table import Fitted

if TYPE_CHECKING:
    from railbird.report.one_player.summary import PlaySection, PlaySummary

_NUMERIC = "+\N{MINUS SIGN}-.0123456789"
_LONG = ("why",)
"""Columns that a terminal has no room for; `railbird explain` says as much of one decision."""
_WIDEST = 60
"""Characters of a cell; reasons can be long."""


def summary_text(summary: PlaySummary) -> RenderableType:
    """Lay the report out."""
    parts: list[RenderableType] = [Text(summary.title, style="bold"), Text(summary.lead)]
    for section in summary.sections:
        if section.key:
            figures = " · ".join(f"{name} {value}" for name, value in section.key)
            parts.append(Padding(Text(figures), (1, 0, 0, 0)))
        if section.heading:
            parts.append(Padding(Text(section.heading, style="bold"), (1, 0, 0, 0)))
        if section.words:
            parts.append(Text(section.words))
        if section.rows:
            parts.append(Fitted(_table(section), lead=1))
    return Group(*parts)


def _table(section: PlaySection) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    shown = [place for place, name in enumerate(section.columns) if name not in _LONG]
    for place in shown:
        cells = [row[place] for row in section.rows]
        numeric = all(cell[:1] in _NUMERIC for cell in cells)
        wide = max(map(len, cells)) > _WIDEST
        table.add_column(
            section.columns[place],
            justify="right" if numeric else "left",
            no_wrap=not wide,
            overflow="fold",
        )
    for row in section.rows:
        table.add_row(*(row[place] for place in shown))
    return table
