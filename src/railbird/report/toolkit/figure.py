"""Figures: charts with title, description and reading instructions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import altair as alt

from railbird.report.toolkit.chart_marks import CONFIG


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A chart with its description in words."""

    name: str
    """Name, as in its file name."""
    title: str
    words: str
    """Description for those who cannot see it."""
    note: str
    """Instructions for reading it."""
    chart: alt.LayerChart

    def spec(self) -> dict[str, Any]:
        """Return the Vega-Lite specification, without the shared data and with colours by name."""
        spec: dict[str, Any] = self.chart.properties(description=self.words).to_dict()
        return {**spec, "config": CONFIG}
