"""A page of hand charts and tables, one HTML file without scripts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import altair as alt

from railbird.report.match.report_files import Image, render
from railbird.report.pushfold.range_chart import range_figure
from railbird.report.toolkit.palette import Theme
from railbird.report.toolkit.templates import fill, svg_uri

_PHONE = 54
"""Characters in a line of a table on a phone."""
_GAP = 2
"""Characters between two columns."""

if TYPE_CHECKING:
    from railbird.report.several_players.hand_replay import TableStory

_NUMERIC = "+\N{MINUS SIGN}-.0123456789"


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture on the page, and a description for those who cannot see it."""

    chart: alt.LayerChart
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading, some words, charts side by side where there is room, and a table."""

    heading: str = ""
    words: str = ""
    charts: tuple[Chart, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    key: tuple[tuple[str, str], ...] = ()
    """Figures set large, above the rest: name and value."""
    stories: tuple[TableStory, ...] = ()
    """Hands, which open when they are asked for."""
    either: bool = False
    """Show the charts on a wide screen, and the table, which says the same, on a narrow one."""
    opened: bool = False
    """Show the hands open."""


def charts_page(title: str, sections: Sequence[Section], *, lead: str = "") -> str:
    """Write the page; it follows the reader's light or dark theme, and all text is escaped."""
    drawn = [
        {
            "heading": section.heading,
            "words": section.words,
            "key": section.key,
            "pictures": [_picture(chart) for chart in section.charts],
            "columns": section.columns,
            "rows": section.rows,
            "stacked": _too_wide(section),
            "sides": [_side(cells) for cells in zip(*section.rows, strict=True)],
            "stories": section.stories,
            "opened": section.opened,
            "either": section.either,
        }
        for section in sections
    ]
    return fill("charts.html.jinja", title=title, lead=lead, sections=drawn)


def _side(cells: Sequence[str]) -> str:
    """The style of a column: numbers to the right, words to the left."""
    return "n" if all(cell[:1] in _NUMERIC for cell in cells) else "words"


def _too_wide(section: Section) -> bool:
    """Return whether a phone cannot show the table, so that its rows become lists of cells."""
    columns = zip(section.columns, *section.rows, strict=True)
    return sum(max(map(len, cells)) + _GAP for cells in columns) > _PHONE


def _picture(chart: Chart) -> dict[str, str]:
    spec = range_figure(chart.chart)
    return {"words": chart.words} | {
        theme.value: svg_uri(render(spec, Image.SVG, theme=theme)) for theme in Theme
    }
