"""The 13×13 chart."""

from __future__ import annotations

import io

import numpy as np
import pytest
from rich.console import Console, RenderableType

from railbird.cards import parse_class
from railbird.errors import BadInput
from railbird.report.match.document import Image, render
from railbird.report.pushfold.range_chart import (
    DIFFERENCE,
    range_chart,
    range_figure,
    range_text,
    stack_scale,
)


def _lines(part: RenderableType, width: int = 80) -> list[str]:
    out = io.StringIO()
    Console(file=out, width=width).print(part)
    return [line.rstrip() for line in out.getvalue().splitlines()]


def test_text_puts_suited_hands_above_the_diagonal() -> None:
    values = np.zeros(169)
    values[parse_class("AKs")], values[parse_class("AKo")] = 1.0, 0.25
    lines = _lines(range_text(values))
    assert lines[0].split() == list("AKQJT98765432")
    assert lines[1].split()[:3] == ["A", "·", "100"]
    assert lines[2].split()[:3] == ["K", "25", "·"]
    assert len(lines) == 15


@pytest.mark.parametrize("width", [40, 60, 80])
def test_text_of_wide_numbers_goes_on_below_in_a_narrow_terminal(width: int) -> None:
    lines = _lines(range_text(np.full(169, -1.0), DIFFERENCE), width)
    assert max(map(len, lines)) <= width
    assert "\n".join(lines).count("−100") == 169
    headings = [line for line in lines if set(line) <= set("AKQJT98765432 ")]
    assert " ".join(headings).split() == list("AKQJT98765432")


def test_figure_in_both_forms() -> None:
    chart = range_chart(np.linspace(0, 20, 169), title="stacks", scale=stack_scale(20))
    svg = render(range_figure(chart, chart), Image.SVG).decode()
    assert svg.count(">AKs<") == 2
    assert "var(--" not in svg
    assert render(range_figure(chart), Image.PNG).startswith(b"\x89PNG")


def test_hands_without_a_value_are_left_blank() -> None:
    values = np.full(169, np.nan)
    spec = range_chart(values, title="").to_dict()
    cells = next(iter(spec["datasets"].values())) if "datasets" in spec else spec["data"]["values"]
    assert {cell["shown"] for cell in cells} == {""}


def test_another_shape_is_refused() -> None:
    with pytest.raises(BadInput, match="allowed: \\(169,\\)"):
        range_text(np.zeros(1326))
