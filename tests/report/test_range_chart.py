"""The 13×13 chart."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.cards import parse_class
from railbird.errors import BadInput
from railbird.report.document import Image, render
from railbird.report.range_chart import (
    DIFFERENCE,
    range_chart,
    range_figure,
    range_text,
    stack_scale,
)


def test_text_puts_suited_hands_above_the_diagonal() -> None:
    values = np.zeros(169)
    values[parse_class("AKs")], values[parse_class("AKo")] = 1.0, 0.25
    lines = range_text(values).plain.splitlines()
    assert lines[0].split() == list("AKQJT98765432")
    assert lines[1].split()[:3] == ["A", "·", "100"]
    assert lines[2].split()[:3] == ["K", "25", "·"]
    assert max(map(len, lines)) <= 80


def test_text_of_wide_numbers_fits_a_terminal() -> None:
    lines = range_text(np.full(169, -1.0), DIFFERENCE).plain.splitlines()
    assert max(map(len, lines)) <= 80
    assert "−100" in lines[1]


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
