"""The 13×13 chart."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from rich.console import Console, RenderableType

from railbird.cards import parse_class
from railbird.errors import BadInput
from railbird.report.charts import COLOURS, Theme
from railbird.report.html_page import Image, picture, render, together
from railbird.report.range_chart import DIFFERENCE, range_chart, range_text, stack_scale


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


def test_what_never_happens_and_what_is_no_hand_of_the_range_look_apart() -> None:
    values = np.full(169, np.nan)
    values[parse_class("AKs")], values[parse_class("AQs")] = 0.0, 0.004
    lines = _lines(range_text(values))
    assert lines[1].split() == ["A", "·", "·"]
    assert lines[2].split() == ["K"]
    assert "· rounds to 0, a blank is no hand of this range" in lines[-1]
    assert "blank" not in _lines(range_text(np.zeros(169)))[-1]


@pytest.mark.parametrize("width", [40, 60, 80])
def test_text_of_wide_numbers_goes_on_below_in_a_narrow_terminal(width: int) -> None:
    lines = _lines(range_text(np.full(169, -1.0), DIFFERENCE), width)
    assert max(map(len, lines)) <= width
    assert "\n".join(lines).count("−100") == 169
    headings = [line for line in lines if set(line) <= set("AKQJT98765432 ")]
    assert " ".join(headings).split() == list("AKQJT98765432")


@pytest.mark.slow
def test_figure_in_both_forms() -> None:
    chart = range_chart(np.linspace(0, 20, 169), title="stacks", scale=stack_scale(20))
    svg = picture([chart, chart], Image.SVG).decode()
    assert svg.count(">AKs<") == 2
    assert "var(--" not in svg
    assert picture([chart], Image.PNG).startswith(b"\x89PNG")


def _cells(values: np.ndarray, **options: Any) -> list[dict[str, Any]]:
    spec = range_chart(values, title="", **options).to_dict()
    found: list[dict[str, Any]] = spec["datasets"][spec["data"]["name"]]
    return found


def test_hands_without_a_value_are_left_blank() -> None:
    cells = _cells(np.full(169, np.nan))
    assert {cell["shown"] for cell in cells[:169]} == {""}


def test_the_largest_stack_stands_for_larger_ones() -> None:
    stacks = np.append(np.full(168, 9.5), 20.0)
    assert _cells(stacks, scale=stack_scale(20.0))[168]["shown"] == "≥20"
    lines = _lines(range_text(stacks, stack_scale(20.0)))
    assert lines[13].split()[-1] == "≥20"
    assert "20.0" not in "".join(lines)
    assert "perhaps more" in " ".join(lines[14:])


@pytest.mark.slow
def test_a_legend_and_counts() -> None:
    counts = [str(number) for number in range(169)]
    cells = _cells(np.full(169, 0.5), notes=counts)
    assert [cell["note"] for cell in cells[:169]] == counts
    legend = cells[170:175]
    assert [cell["shown"] for cell in legend] == ["0", "25", "50", "75", "100"]
    assert cells[-1]["label"] == "% of the time"
    svg = render(together(range_chart(np.full(169, 0.5), title="", notes=counts)), Image.SVG)
    assert b">168<" in svg


@pytest.mark.parametrize("theme", Theme)
@pytest.mark.parametrize("colour", ["skill", "money"])
def test_text_is_legible_on_the_strongest_cells(theme: Theme, colour: str) -> None:
    """WCAG AA: 4.5 to 1."""
    strongest = max(cell["strength"] for cell in _cells(np.ones(169))[:169])

    def channels(name: str) -> np.ndarray:
        text = COLOURS[name].of(theme)
        return np.array([int(text[at : at + 2], 16) / 255 for at in (1, 3, 5)])

    def luminance(channel: np.ndarray) -> float:
        linear = np.where(channel <= 0.04045, channel / 12.92, ((channel + 0.055) / 1.055) ** 2.4)
        return float(linear @ [0.2126, 0.7152, 0.0722])

    ground = strongest * channels(colour) + (1 - strongest) * channels("raised")
    dark, light = sorted([luminance(ground), luminance(channels("ink"))])
    assert (light + 0.05) / (dark + 0.05) >= 4.5


def test_another_shape_is_refused() -> None:
    with pytest.raises(BadInput, match="allowed: \\(169,\\)"):
        range_text(np.zeros(1326))
