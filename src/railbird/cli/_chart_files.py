"""One chart as a page or a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import altair as alt


def write_chart(
    chart: alt.LayerChart, path: Path, *, size: tuple[int, int], title: str, words: str
) -> None:
    """Write a chart; the ending says the format. A page has the ``words``, too."""
    from railbird._files import replace_files
    from railbird.report.match.report_files import Image, render
    from railbird.report.pushfold.range_chart import range_figure
    from railbird.report.toolkit.charts_page import Chart, Section, charts_page

    width, height = size
    drawn = chart.properties(width=width, height=height)
    if path.suffix.lower() == ".html":
        page = charts_page(title, [Section(words=words, charts=(Chart(drawn, words),))])
        replace_files({path: page.encode()})
        return
    spec = range_figure(drawn.properties(title=title))
    spec |= {"background": "var(--paper)", "padding": 16}
    replace_files({path: render(spec, Image(path.suffix[1:].lower()))})
