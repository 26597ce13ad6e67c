"""Tables in narrow terminals: nothing is cut, whatever the width."""

from __future__ import annotations

import io

import pytest
from rich import box
from rich.console import Console, RenderableType
from rich.table import Table

from helpers.made_up_match import made_up
from railbird.report import text
from railbird.report.toolkit.number_format import MINUS
from railbird.report.toolkit.responsive_table import Fitted


def _shown(part: RenderableType, width: int) -> list[str]:
    out = io.StringIO()
    Console(file=out, width=width).print(part)
    return out.getvalue().splitlines()


def _table(columns: int) -> Table:
    table = Table(title="wide", box=box.SIMPLE_HEAD)
    table.add_column("player")
    for column in range(columns):
        table.add_column(f"c{column}", justify="right")
    table.add_row("a-player-of-a-long-name", *(f"{10_000 + column}" for column in range(columns)))
    table.add_row("b", *(f"{20_000 + column} is" for column in range(columns)))
    return table


@pytest.mark.parametrize("width", [30, 47, 60, 80, 200])
def test_every_cell_is_shown_once_and_whole(width: int) -> None:
    lines = _shown(Fitted(_table(9)), width)
    assert max(map(len, lines)) <= width
    words = " ".join(lines).split()
    for column in range(9):
        for cell in (f"c{column}", f"{10_000 + column}", f"{20_000 + column}"):
            assert words.count(cell) == 1
    assert words.count("wide") == 1


def test_a_table_that_fits_is_as_it_was() -> None:
    assert _shown(Fitted(_table(3)), 80) == _shown(_table(3), 80)


def test_as_few_tables_as_possible() -> None:
    lines = _shown(Fitted(_table(9)), 60)
    assert sum(line.split()[:1] == ["player"] for line in lines) == 3


@pytest.mark.parametrize("width", [40, 60, 79])
def test_no_number_of_an_assessment_is_cut(width: int) -> None:
    match = made_up(20_000, edge=0.3)
    wide = " ".join(_shown(text(match), 200)).split()
    narrow = " ".join(_shown(text(match), width)).split()
    assert "…" not in " ".join(narrow)
    for number in (word for word in wide if word.lstrip(f"+{MINUS}")[:1].isdigit()):
        assert number in narrow
