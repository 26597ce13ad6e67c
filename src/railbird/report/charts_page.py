"""A page of hand charts and tables, one HTML file without scripts."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

import altair as alt
import jinja2
from markupsafe import Markup

import railbird
from railbird.report.document import Image, render
from railbird.report.page import theme_css
from railbird.report.palette import Theme
from railbird.report.range_chart import range_figure


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture on the page and what it shows, in words for those who do not see it."""

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


def charts_page(title: str, sections: Sequence[Section], *, lead: str = "") -> str:
    """Write the page; it follows the reader's light or dark theme, and all text is escaped."""
    drawn = [
        {
            "heading": section.heading,
            "words": section.words,
            "pictures": [_picture(chart) for chart in section.charts],
            "columns": section.columns,
            "rows": section.rows,
        }
        for section in sections
    ]
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_asset),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("charts.html.jinja").render(
        title=title,
        lead=lead,
        sections=drawn,
        version=railbird.__version__,
        style=Markup(theme_css() + _asset("page.css")),
    )


def _picture(chart: Chart) -> dict[str, Any]:
    spec = range_figure(chart.chart)
    return {"words": chart.words} | {
        theme.value: "data:image/svg+xml;base64,"
        + base64.b64encode(render(spec, Image.SVG, theme=theme)).decode()
        for theme in Theme
    }


def _asset(name: str) -> str:
    return resources.files("railbird.report").joinpath("assets", name).read_text("utf-8")
